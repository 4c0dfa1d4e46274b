"""The formats in a contest's file: what each takes, what is refused, what each plays and ranks."""

import random

import pytest
from contest.fakes import contest_in, first_wins, tron_in
from contest.test_seats import named

from joute.contest.config.config import origins
from joute.contest.errors import ConfigError
from joute.contest.report.standings import table_text
from joute.contest.run.coordinator import Finished
from joute.contest.run.plan import Plan
from joute.contest.run.playing import game_row
from joute.contest.run.workers import PlayedGame

pytestmark = pytest.mark.game("tron")

FOUR = ["greedy", "greedy?", "random", "random?"]


def play(plan, shuffler=None, fake=first_wins):
    """Plays a plan with a fake, usually the one in which the first name wins; the games."""
    games = []
    while plan.due:
        if shuffler:
            for _ in range(shuffler.randrange(len(plan.due))):
                plan.due.append(plan.due.popleft())
        task = plan.due.popleft()
        played = PlayedGame(fake(task.spec), "", 0.0)
        games.append(game_row(Finished(task, played), ""))
        plan.record(games[-1])
    return games


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("lines", "games", "columns"),
    [
        (["games = 1"], 6, ["beaten"]),
        (["games = 2"], 12, ["beaten"]),
        (["games = 4", 'spend = "unresolved"'], 24, ["beaten"]),
        (['format = "gauntlet"', 'references = ["random", "greedy"]'], 16, []),
        (['format = "league"', "opponents = 3"], 24, []),
        (['format = "swiss"', "rounds = 2"], 8, ["points", "buchholz"]),
        (['format = "knockout"'], 6, ["stage"]),
        (['format = "double-knockout"', 'seeding = "listed"'], 12, ["stage"]),
        (['format = "pools"', "pools = 1", "qualified = 2"], 14, ["stage"]),
        (["games = 2", 'ranking = ["games-won", "meeting"]'], 12, []),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_every_format_is_played_ranked_and_resumed(tmp_path, lines, games, columns):
    contest = contest_in(tmp_path, *lines)
    plan = Plan(contest, "fixed", {})
    most = plan.left
    played = play(plan)
    assert len(played) == plan.done == games <= most
    assert plan.left == 0
    table = plan.standings()
    assert table[0].name == min(FOUR)
    assert table_text(table).split("\n")[0].split()[1:].index("won") == len(columns)
    assert table_text(table).split("\n")[0].split()[1 : 1 + len(columns)] == columns
    some = {game.identity: game for game in random.Random(1).sample(played, games // 2)}
    again = Plan(contest, "fixed", some)
    rest = play(again, random.Random(2))
    assert {game.identity for game in rest} == {game.identity for game in played} - set(some)
    assert again.standings() == table


def test_balanced_groups_are_sets_of_games_of_several(tmp_path):
    contest = tron_in(tmp_path, named(tmp_path, 5), "games = 3\ngroups = 4", "players = 3")
    plan = Plan(contest, "fixed", {})
    games = play(plan)
    assert len(games) == 4 * 3
    table = plan.standings()
    assert {line.games for line in table} <= {2 * 3, 3 * 3}
    assert all(line.by_rule.keys() == {"score"} for line in table)


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("lines", "key", "reason"),
    [
        (["rounds = 3"], "rounds", 'is for "swiss"; the format is "round-robin" here'),
        (['format = "swiss"', "round = 3"], "round", "did you mean 'rounds'?"),
        (['format = "swiss"', "first_to = 3"], "first_to", 'is not for "swiss"; give games'),
        (['format = "swiss"', "max_games = 3"], "max_games", "goes with first_to"),
        (['format = "gauntlet"'], "references", "is missing"),
        (['format = "gauntlet"', 'references = "greedy"'], "references", "expected a list"),
        (
            ['format = "gauntlet"', 'references = ["greedy", "greedy"]'],
            "references",
            "expected different names",
        ),
        (
            ['format = "gauntlet"', 'references = ["gredy"]'],
            "references",
            "'gredy' is no bot of the contest (random, greedy, greedy?, random?)",
        ),
        (
            ['format = "gauntlet"', f"references = {FOUR}"],
            "references",
            "expected a bot that is none of the references",
        ),
        (['format = "pools"', "pools = 3"], "pools", "need more than 4"),
        (['format = "knockout"', "max_games = 3"], "max_games", "an even whole number"),
        (['format = "knockout"', 'seeding = "best"'], "seeding", 'expected "drawn" or "listed"'),
        (['spend = "unresolved"', "first_to = 3"], "spend", "goes with games, not with first_to"),
        (['spend = "unresolved"', "groups = 3"], "spend", "goes without groups"),
        (['spend = "unresolved"', "games = 1"], "games", "an even whole number"),
        (['ranking = ["stage"]'], "ranking", '"stage" is for contests with stages'),
        (['ranking = ["game-won"]'], "ranking", "did you mean 'games-won'?"),
        (["ranking = []"], "ranking", 'expected "hx2", "paradise" or a list of rules'),
        (["games = true"], "games", "1 or an even whole number"),
    ],
)
def test_what_does_not_go_with_a_format_is_refused(tmp_path, lines, key, reason):
    with pytest.raises(ConfigError) as caught:
        contest_in(tmp_path, *lines)
    assert caught.value.key == f"contest.{key}"
    assert reason in str(caught.value)


def test_a_format_for_two_is_refused_for_more(tmp_path):
    with pytest.raises(ConfigError, match='tron is for 3 players here, whose format is "round-ro'):
        tron_in(tmp_path, ["builtin:random"] * 3, 'format = "knockout"', "players = 3")


def test_games_of_three_are_not_spent_on_what_is_open(tmp_path):
    with pytest.raises(ConfigError, match="is for games of two, not of 3"):
        tron_in(tmp_path, ["builtin:random"] * 3, 'spend = "unresolved"', "players = 3")


@pytest.mark.game("virus")
def test_only_the_keys_of_its_format_are_shown(tmp_path):
    contest_in(tmp_path, 'format = "knockout"')
    keys = {origin.key for origin in origins(tmp_path / "test.toml")}
    assert {"contest.seeding", "contest.max_games"} <= keys
    assert keys.isdisjoint({"contest.rounds", "contest.references", "contest.spend"})


@pytest.mark.game("virus")
def test_a_single_game_counts_in_the_score(tmp_path):
    contest = contest_in(tmp_path, "games = 1")
    plan = Plan(contest, "fixed", {})
    play(plan)
    assert [(line.sets, line.score) for line in plan.standings()] == [
        (3, 1.0),
        (3, pytest.approx(2 / 3)),
        (3, pytest.approx(1 / 3)),
        (3, 0.0),
    ]
