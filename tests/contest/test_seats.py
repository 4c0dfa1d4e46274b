"""Contests of three and more seats, and of one: played, killed, gone on with, proved."""

import json
from pathlib import Path

import pytest
from contest import fakes
from contest.fakes import tron_in
from contest.kept_records import record_in
from contest.test_stopping import killed_again_and_again, outcome
from helpers import install_game

from joute.contest.folder import stored_games
from joute.contest.report.standings import standings
from joute.contest.run.match import run_match
from joute.contest.run.runner import run_contest, status
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("tron")

BOTS = [f"builtin:random{'?' * number}" for number in range(2)]
SOLO = 'players = 1\nmaps = ["room", "spiral"]'
FOUR = 'players = 4\nmaps = ["square", "cross"]'


def named(folder: Path, count: int) -> list[str]:
    """Bots of different contents that are never started."""
    for number in range(count):
        (folder / f"b{number}.py").write_text(f"def play(observation, clock): return {number}\n")
    return [f"b{number}.py" for number in range(count)]


def test_four_seats_are_played_in_sets_on_both_maps(tmp_path):
    contest = tron_in(tmp_path, named(tmp_path, 5), "games = 8", FOUR)
    summary = run_contest(contest, play=fakes.quick)
    assert (summary.played, summary.failed) == (5 * 8, 0)
    games = stored_games(Path(contest.folder))[1].values()
    assert {len(game.bots) for game in games} == {4}
    assert sorted({(game.set_number, game.map) for game in games}) == [(0, "square"), (1, "cross")]
    table = standings(contest)
    assert {(line.games, line.sets) for line in table} == {(4 * 8, 4 * 2)}
    assert {tuple(sorted(line.by_map)) for line in table} == {("cross", "square")}
    text = Path(contest.folder, "standings.txt").read_text()
    assert ["bot", "cross", "square"] in [line.split() for line in text.splitlines()]


def test_alone_every_bot_is_ranked_by_its_points(tmp_path):
    contest = tron_in(tmp_path, named(tmp_path, 3), "games = 3", SOLO)
    summary = run_contest(contest, play=fakes.quick)
    assert (summary.played, summary.failed) == (3 * 3 * 2, 0)
    games = stored_games(Path(contest.folder))[1].values()
    table = standings(contest)
    for line in table:
        points = [game.points[0] for game in games if game.bots == [line.name]]
        assert (line.games, line.mean, line.best) == (6, sum(points) / 6, max(points))
    assert [line.mean for line in table] == sorted((line.mean for line in table), reverse=True)
    written = json.loads(Path(contest.folder, "standings.json").read_text())
    assert [line["mean"] for line in written["standings"]] == [line.mean for line in table]


@pytest.mark.parametrize(
    ("seats", "games"),
    [
        pytest.param(FOUR, 16, id="four", marks=pytest.mark.full),
        pytest.param(SOLO, 12, id="solo"),
    ],
)
def test_killed_and_started_again_the_contest_ends_the_same(tmp_path, seats, games):
    contests = []
    for name in ("calm", "stormy"):
        (tmp_path / name).mkdir()
        bots = named(tmp_path / name, 5)
        contests.append(tron_in(tmp_path / name, bots, f"games = {games}", seats))
    calm, stormy = contests
    run_contest(calm, play=fakes.quick)
    assert killed_again_and_again(stormy, tmp_path / "stormy", "quick", times=2)
    summary = run_contest(stormy, play=fakes.quick)
    assert summary.already + summary.played == status(calm).done
    assert outcome(stormy) == outcome(calm)


def test_another_map_costs_its_own_games_only(tmp_path):
    bots = named(tmp_path, 2)
    run_contest(tron_in(tmp_path, bots, "games = 2", SOLO), play=fakes.quick)
    more = tron_in(tmp_path, bots, "games = 2", SOLO.replace('"room"', '"pillars", "room"'))
    summary = run_contest(more, play=fakes.quick)
    assert (summary.played, summary.already) == (4, 8)


def test_real_games_of_one_and_of_four_are_kept_and_true(tmp_path):
    for name, seats in [("solo", SOLO), ("four", FOUR)]:
        (tmp_path / name).mkdir()
        bots = ["builtin:random", *named(tmp_path / name, 3)]
        contest = tron_in(
            tmp_path / name, bots, f"games = {len(bots) if name == 'four' else 1}", seats
        )
        summary = run_contest(contest, workers=1)
        assert (summary.played, summary.failed) == ({"solo": 8, "four": 4}[name], 0)
        for game in stored_games(Path(contest.folder))[1].values():
            assert verify_record(record_in(contest, game.record)).ok


# Matches.


def test_a_team_that_outlives_the_others_has_won_with_all_its_members():
    teams = {"teams": [[0, 1], [2, 3]]}
    result = run_match("tron", teams, ["builtin:random"] * 4, seed=2, workers=1)
    decided = sum(len(set(game.returns)) > 1 for game in result.games)
    assert decided > 0
    assert sum(line.won for line in result.standings) == 2 * 4 * decided  # one game counts for four


def test_a_match_has_as_many_seats_as_bots_where_the_game_lets_it():
    result = run_match("tron", {}, ["builtin:random"] * 3, seed=1, workers=1, play=fakes.quick)
    assert [line.sets for line in result.standings] == [1, 1, 1]
    assert {len(game.bots) for game in result.games} == {3}
    result = run_match("tron", {"players": 2}, BOTS, seed=1, workers=1, play=fakes.quick)
    assert sorted((game.bots, game.map) for game in result.games) == [
        (["random", "random?"], ""),
        (["random?", "random"], ""),
    ]


def test_a_match_is_played_on_the_maps_that_it_is_given():
    for maps in (["duel"], ["duel", "hourglass"]):
        result = run_match("tron", {}, BOTS, seed=1, workers=1, maps=maps, play=fakes.quick)
        assert sorted(game.map for game in result.games) == sorted(maps * 2)


def test_one_bot_alone_makes_a_match_by_score():
    result = run_match("tron", {}, BOTS[:1], 3, seed=1, workers=1, maps=["room"], play=fakes.quick)
    [line] = result.standings
    assert (line.games, line.mean) == (3, sum(game.points[0] for game in result.games) / 3)
    assert len(run_match("tron", {}, BOTS[:1], seed=1, workers=1, play=fakes.quick).games) == 4


def test_a_match_of_a_fixed_number_of_seats_is_between_all_groups(tmp_path, monkeypatch):
    install_game(monkeypatch, "poker", "games.poker")
    bots = named(tmp_path, 4)
    result = run_match("poker", {}, bots, 3, seed=1, base=tmp_path, here=fakes.quick)
    assert len(result.games) == 4 * 3
    assert {line.games for line in result.standings} == {9}
