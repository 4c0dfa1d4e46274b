"""The three original contests: their files say what their statements say, and play so."""

from pathlib import Path

import pytest
from contest.fakes import quick
from contest.test_format_table import play

from joute.contest.config.config import resolve
from joute.contest.report.standings import standings
from joute.contest.run.plan import Plan
from joute.contest.run.runner import run_contest

FOLDER = Path(__file__).parents[2] / "examples" / "contests"


def contest_of(name, **overrides):
    given = {f"contest.{key}": value for key, value in overrides.items()}
    return resolve(FOLDER / f"{name}.toml", given)


@pytest.mark.game("paradise", "tron")
def test_paradise_is_won_by_51_of_101_games_with_all_against_all():
    contest = contest_of("paradise")
    assert (contest.game, contest.format) == ("paradise", "round-robin")
    assert (contest.first_to, contest.max_games) == (51, 101)
    games = play(Plan(contest, "s", {}))
    assert len(games) == 6 * 52  # the first of two wins all: 51 games, and the last pair's other
    names = sorted(bot.name for bot in contest.bots)
    table = Plan(contest, "s", {game.identity: game for game in games}).standings()
    assert [(line.name, line.beaten) for line in table] == list(
        zip(names, [3, 2, 1, 0], strict=True)
    )


@pytest.mark.game("paradise", "tron")
@pytest.mark.parametrize("name", ["paradise", "virus"])
def test_its_rules_make_the_order_of_its_contest_s_name(name):
    contest = contest_of(name)
    named = {"paradise": "paradise", "virus": "hx2"}[name]
    shorter = {"first_to": 3, "max_games": 5} if contest.first_to else {"games": 2}
    contests = [contest_of(name, **shorter), contest_of(name, **shorter, ranking=named)]
    games = play(Plan(contests[0], "s", {}), fake=quick)
    kept = {game.identity: game for game in games}
    tables = [
        [(line.rank, line.name, line.beaten) for line in Plan(each, "s", kept).standings()]
        for each in contests
    ]
    assert tables[0] == tables[1]


@pytest.mark.game("virus")
def test_virus_is_won_by_whoever_beats_most_others():
    contest = contest_of("virus")
    assert (contest.game, contest.limits.move_seconds) == ("virus", 10.0)
    assert contest.maps[0].parameters["size"] == 10
    assert {contest.costs[fault] for fault in ("illegal", "timeout", "crash")} == {"turn"}
    assert contest.ranking[0] == "opponents-beaten"
    assert all(bot.bot.endswith(".py") for bot in contest.bots)


@pytest.mark.game("tron", "vampires")
def test_vampires_has_return_matches_of_all_then_semi_finals_and_the_final():
    contest = contest_of("vampires")
    plan = Plan(contest, "s", {})
    games = play(plan)
    names = sorted(bot.name for bot in contest.bots)
    assert len(games) == 10 * 2 + 3 * 2
    table = plan.standings()
    assert [(line.name, line.rank) for line in table][:2] == [(names[0], 1), (names[1], 2)]
    # The addition of the statement to the points: 3, 2, and 1 for the other semi-finalists.
    assert [line.by_rule["stage"] for line in table] == [3, 2, 1, 1, 0]
    assert [line.rank for line in table] == [1, 2, 3, 3, 5]
    assert contest.costs["start-up"] == "disqualification"
    assert "networkx" in contest.submission.forbidden_imports


@pytest.mark.game("virus")
def test_a_shorter_one_of_virus_is_played_without_a_fault(tmp_path):
    contest = contest_of("virus", games=2, folder=str(tmp_path / "played"), workers=2)
    assert run_contest(contest).failed == 0
    table = standings(contest)
    assert [line.faults for line in table] == [[]] * len(contest.bots)
    assert {line.games for line in table} == {2 * (len(contest.bots) - 1)}


@pytest.mark.game("paradise")
def test_a_shorter_one_of_paradise_is_played_without_a_fault(tmp_path):
    contest = contest_of(
        "paradise", first_to=1, max_games=3, folder=str(tmp_path / "played"), workers=2
    )
    assert run_contest(contest).failed == 0
    assert [line.faults for line in standings(contest)] == [[]] * len(contest.bots)


@pytest.mark.game("vampires")
def test_a_shorter_tournament_of_vampires_between_players_of_ours_has_a_winner(tmp_path):
    text = (FOLDER / "vampires.toml").read_text(encoding="utf-8")
    settings = text.partition("[[bots]]")[0]
    bots = ["builtin:random", "builtin:nearest", "builtin:random?"]
    (tmp_path / "contest.toml").write_text(f"bots = {bots}\n{settings}", encoding="utf-8")
    shorter = {"game.plies": 12, "game.maps": ["skirmish"]}
    contest = resolve(tmp_path / "contest.toml", shorter)
    assert run_contest(contest).failed == 0
    assert [line.by_rule["stage"] for line in standings(contest)] == [3, 2, 1]
