"""Ratings in the standings of contests, and in the files that show them."""

import json

import pytest
from contest import fakes
from contest.fakes import contest_in, tron_in
from contest.test_left_behind import filled

from joute.contest.errors import ConfigError
from joute.contest.report.standings import standings, table_text
from joute.contest.run.match import run_match
from joute.contest.run.runner import run_contest

pytestmark = pytest.mark.game("tron", "virus")


def test_standings_carry_a_rating_of_each_bot(tmp_path):
    contest = fakes.contest_in(tmp_path, "games = 40", bots=3)
    run_contest(contest, play=fakes.quick)
    table = standings(contest)
    assert [line.rating.name for line in table] == [line.name for line in table]
    assert sum(line.rating.elo for line in table) < 1e-6
    written = json.loads((tmp_path / "test.results" / "standings.json").read_text())
    for line, kept in zip(table, written["standings"], strict=True):
        assert kept["rating"]["elo"] == line.rating.elo
        assert kept["rating"]["interval"] == list(line.rating.interval)
        assert f" {round(line.rating.elo)}  " in table_text(table)


def test_the_disqualified_and_their_games_have_no_part_in_ratings(tmp_path):
    contest = fakes.contest_in(
        tmp_path, "games = 20", bots=3, **{"faults.illegal": "disqualification"}
    )
    run_contest(contest, play=fakes.greedy_offends)
    ratings = {line.name: line.rating for line in standings(contest)}
    assert ratings.pop("greedy") is None
    assert all(rating.elo is not None for rating in ratings.values())


def test_a_match_of_one_who_wins_all_has_no_number():
    result = run_match(
        "virus", {}, ["builtin:greedy", "builtin:random"], 4, workers=1, play=fakes.first_wins
    )
    assert [(line.rating.elo, line.rating.reason) for line in result.standings] == [
        (None, "games"),
        (None, "games"),
    ]
    assert "Elo" not in table_text(result.standings)


def test_a_bot_of_reference_has_an_elo_of_0_and_the_others_their_distance_from_it(tmp_path):
    found = {}
    for lines in ("", 'reference = "random"'):
        contest = filled(contest_in(tmp_path, "games = 20", lines, bots=3))
        found[lines] = {line.name: line.rating.elo for line in standings(contest)}
    plain, anchored = found.values()
    assert anchored["random"] == 0.0
    assert anchored["greedy"] == pytest.approx(plain["greedy"] - plain["random"])


@pytest.mark.parametrize(
    ("lines", "game", "told"),
    [
        ('reference = "gredy"', "", r"'gredy' is no bot of the contest \(random, greedy\)"),
        ('reference = "wall"', "players = 1", "is for bots that meet"),
    ],
)
def test_a_reference_that_cannot_be_is_refused(tmp_path, lines, game, told):
    with pytest.raises(ConfigError, match=told):
        if game:
            tron_in(tmp_path, ["builtin:wall"], lines, game)
        contest_in(tmp_path, lines, bots=2)
