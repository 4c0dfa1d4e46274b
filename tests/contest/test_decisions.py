"""Annulled games, bots that are withdrawn or disqualified: what counts, and what is played then."""

from itertools import combinations
from random import Random

import pytest
from contest import fakes
from contest.fakes import contest_in, tron_in
from contest.simulation import bots, first_of, level
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from joute.contest.run.coordinator import Finished
from joute.contest.run.plan import Plan
from joute.contest.run.playing import game_row
from joute.contest.run.workers import PlayedGame
from joute.contest.schedule.draws import Swiss
from joute.contest.schedule.rounds import Rounds
from joute.contest.schedule.schedule import before, place_of
from joute.contest.schedule.series import fixed
from joute.store.model import (
    ANNULLED,
    DISQUALIFIED,
    OF_GAMES,
    REINSTATED,
    REPLAYED,
    RETIRED,
    WITHDRAWN,
    Decision,
    in_force,
)

pytestmark = pytest.mark.game("tron", "virus")

BOTS = ["greedy", "greedy?", "random", "random?"]


@pytest.fixture(scope="module", name="contest")
def _contest(tmp_path_factory):
    """Four bots, four games a pairing."""
    return contest_in(tmp_path_factory.mktemp("marks"), "games = 4")


def mark(kind, subject):
    return Decision(kind, subject, "the organiser", "for a reason", "2026-01-01T00:00:00+00:00")


def decided(*made):
    return in_force(mark(*each) for each in made)


def played(task):
    return game_row(Finished(task, PlayedGame(fakes.quick(task.spec), "", 0.0)), "")


def play(plan, games, order=None, most=None):
    """Play what is due, several games in the air, landing in any order; `games` takes them in.

    Those that are in the air after the `most`-th are lost to the plan, as in a kill.
    """
    order = order or Random(0)
    flying, count = [], 0
    while most is None or count < most:
        while plan.due and len(flying) < 8:
            flying.append(plan.due.popleft())
        if not flying:
            return
        game = played(flying.pop(order.randrange(len(flying))))
        games[game.identity] = game
        plan.record(game)
        count += 1


@pytest.fixture(name="games")
def _games(contest):
    """All games of the contest, by identity."""
    games = {}
    play(Plan(contest, "seed", {}), games)
    return games


def line_of(plan, name):
    return next(line for line in plan.standings() if line.name == name)


def test_an_annulled_game_counts_for_nothing_and_is_not_played_again(contest, games):
    name, game = next((name, game) for name, game in games.items() if game.returns[0] == 1.0)
    plan = Plan(contest, "seed", games, in_force=decided((ANNULLED, name)))
    assert (plan.done, plan.played, plan.left, len(plan.due)) == (23, 24, 0, 0)
    winner = game.bots[0]
    whole = line_of(Plan(contest, "seed", games), winner)
    line = line_of(plan, winner)
    assert (line.won, line.games, line.sets) == (whole.won - 1, whole.games - 1, whole.sets - 1)
    assert [each.subject for each in plan.decisions] == [name]


def test_in_the_place_of_a_replayed_game_another_is_played(contest, games):
    name = next(iter(games))
    plan = Plan(contest, "seed", games, in_force=decided((REPLAYED, name)))
    [task] = plan.due
    assert task.identity not in games
    assert task.spec.seed != task.slot.seed
    assert (list(task.slot.seats), plan.left) == (games[name].bots, 1)
    play(plan, games)
    assert (plan.done, plan.left) == (24, 0)
    assert all(line.games == 12 for line in plan.standings())
    again = Plan(
        contest, "seed", games, in_force=decided((REPLAYED, name), (REPLAYED, task.identity))
    )
    assert [each.identity in games for each in again.due] == [False]
    back = Plan(contest, "seed", games, in_force=decided((REPLAYED, name), (REINSTATED, name)))
    assert back.standings() == Plan(contest, "seed", games).standings()


@pytest.mark.parametrize("kind", [WITHDRAWN, DISQUALIFIED])
def test_the_results_of_a_bot_that_is_out_are_void_for_all(contest, games, kind):
    plan = Plan(contest, "seed", games, in_force=decided((kind, "greedy")))
    *others, last = plan.standings()
    assert {line.games for line in others} == {8}
    assert (last.name, last.rank, last.games, last.score) == ("greedy", 4, 0, None)
    assert [(each.fault, each.game) for each in last.disqualified] == [(kind, "")]
    assert (last.decision.kind, last.decision.why) == (kind, "for a reason")
    assert all(line.decision is None and not line.disqualified for line in others)


@pytest.mark.parametrize("kind", [WITHDRAWN, RETIRED, DISQUALIFIED])
def test_a_bot_that_is_out_plays_no_more(contest, kind):
    games = {}
    play(Plan(contest, "seed", {}), games, most=9)
    plan = Plan(contest, "seed", games, in_force=decided((kind, "greedy")))
    assert not any("greedy" in task.slot.seats for task in plan.due)
    assert plan.left == len(plan.due)
    play(plan, games)
    assert (plan.left, len(plan.due)) == (0, 0)
    assert {line.games >= 8 for line in plan.standings() if line.name != "greedy"} == {True}


def test_what_a_bot_played_counts_if_its_games_are_kept(contest, games):
    whole = Plan(contest, "seed", games).standings()
    plan = Plan(contest, "seed", games, in_force=decided((RETIRED, "greedy")))
    bare = [structs.replace(line, decision=None) for line in plan.standings()]
    assert bare == whole
    assert line_of(plan, "greedy").decision.kind == RETIRED


def test_kept_games_are_those_before_the_first_that_was_not_played(contest, games):
    schedule = Plan(contest, "seed", {})
    theirs = [task for task in schedule.due if "greedy" in task.slot.seats]
    missing = theirs[5]
    some = {name: game for name, game in games.items() if name != missing.identity}
    plan = Plan(contest, "seed", some, in_force=decided((RETIRED, "greedy")))
    assert line_of(plan, "greedy").games == 5
    places = [place_of(slot) for slot, _ in plan.counted() if "greedy" in slot.seats]
    assert max(places) < before(missing.slot) < place_of(missing.slot)


def test_a_decision_about_a_bot_or_a_game_of_another_contest_changes_nothing(contest, games):
    plan = Plan(
        contest, "seed", games, in_force=decided((WITHDRAWN, "stranger"), (ANNULLED, "0" * 32))
    )
    assert plan.standings() == Plan(contest, "seed", games).standings()
    assert plan.decisions == []


def test_an_annulled_game_brings_no_offence(contest, games):
    strict = structs.replace(contest, disqualify_after=1)
    name, game = next(iter(games.items()))
    fault = {"seat": 0, "ply": 3, "fault": "illegal", "detail": "", "cost": "turn"}
    games[name] = type(game)(**{**vars(game), "faults": [fault]})
    offender = game.bots[0]
    assert line_of(Plan(strict, "seed", games), offender).disqualified
    plan = Plan(strict, "seed", games, in_force=decided((ANNULLED, name)))
    assert not line_of(plan, offender).disqualified


def test_the_opponent_of_a_bot_that_is_taken_out_of_a_knockout_goes_on(tmp_path):
    contest = contest_in(tmp_path, 'format = "knockout"', 'seeding = "listed"')
    games = {}
    plan = Plan(contest, "seed", {})
    for task in iter(lambda: plan.due.popleft() if plan.left > 6 else None, None):
        games[task.identity] = played(task)  # until the final is left
        plan.record(games[task.identity])
    finalist = plan.due[0].slot.members[0]
    other = plan.due[0].slot.members[1]
    earlier = len(games)
    plan = Plan(contest, "seed", games, in_force=decided((DISQUALIFIED, finalist)))
    play(plan, games)
    assert (plan.left, len(games)) == (0, earlier)  # what the others played is not played again
    first, *_, last = plan.standings()
    assert (first.name, last.name) == (other, finalist)


def points_of(plan, name):
    return line_of(plan, name).by_rule["points"]


def test_games_that_a_retired_bot_leaves_unplayed_count_as_won_in_a_swiss_contest(tmp_path):
    contest = contest_in(tmp_path, 'format = "swiss"', "rounds = 2")
    games = {}
    play(Plan(contest, "seed", {}), games, most=4)  # the first round
    second = Plan(contest, "seed", games)
    leaver, other = second.due[0].slot.members
    before_it = points_of(second, leaver), points_of(second, other)
    plan = Plan(contest, "seed", games, in_force=decided((RETIRED, leaver)))
    play(plan, games)
    assert (points_of(plan, leaver), points_of(plan, other)) == (before_it[0], before_it[1] + 2)


def test_the_draw_of_a_swiss_contest_counts_what_a_retired_bot_played():
    names = bots(4)
    swiss = Swiss(names, "s", 3, 2, retired=["b0"])
    rounds = Rounds(swiss, "s", fixed(2))
    slots = rounds.take()
    for slot in slots:
        rounds.record(slot, (first_of(names) if "b0" in slot.members else level)(slot))
    [loser] = {name for slot in slots if "b0" in slot.members for name in slot.members} - {"b0"}
    rounds.take({"b0": place_of(slots[-1])})
    byes = rounds.course().byes
    # The others drew: without a point it is the last of the three who are left, and rests.
    assert [name for name in names if byes[name]] == [loser]


def test_whoever_met_a_bot_that_is_taken_out_of_a_finished_swiss_contest_has_a_bye(tmp_path):
    contest = contest_in(tmp_path, 'format = "swiss"', "rounds = 2")
    games = {}
    play(Plan(contest, "seed", {}), games)
    plan = Plan(contest, "seed", games, in_force=decided((WITHDRAWN, "greedy")))
    met = {name for game in games.values() if "greedy" in game.bots for name in game.bots}
    won = {line.name: line.won + line.drawn / 2 for line in plan.standings()}
    for name in met - {"greedy"}:
        assert points_of(plan, name) == won[name] + 2


def test_in_a_league_no_one_is_left_without_games_by_bots_that_are_taken_out(tmp_path):
    contest = contest_in(tmp_path, 'format = "league"', "opponents = 1")
    games = {}
    play(Plan(contest, "seed", {}), games)
    for pair in combinations(BOTS, 2):
        marks = decided(*((WITHDRAWN, name) for name in pair))
        plan = Plan(contest, "seed", dict(games), in_force=marks)
        play(plan, {})
        assert plan.left == 0
        assert all(line.games for line in plan.standings() if line.name not in pair)


# Any sequence of marks and kills.

FORMATS = {
    "round robin": ["games = 4"],
    "won with so many games": ["first_to = 3", "max_games = 5"],
    "swiss": ['format = "swiss"', "rounds = 3"],
    "knockout": ['format = "knockout"'],
    "double knockout": ['format = "double-knockout"'],
    "pools": ['format = "pools"', "qualified = 1"],
    "league": ['format = "league"', "opponents = 2"],
    "spent": ['spend = "unresolved"', "games = 8"],
}
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["kill", ANNULLED, REPLAYED, WITHDRAWN, RETIRED, DISQUALIFIED, REINSTATED]),
        st.integers(0, 7),  # games before it
        st.integers(0, 99),  # which game or bot it is about
    ),
    max_size=8,
)


@pytest.fixture(scope="module", name="contests")
def _contests(tmp_path_factory):
    folder = tmp_path_factory.mktemp("formats")
    contests = {name: contest_in(folder, *lines) for name, lines in FORMATS.items()}
    bots = ["builtin:random", "builtin:wall", "builtin:territory", "builtin:random?"]
    contests["tables of three"] = tron_in(folder, bots, "games = 3", "players = 3")
    return contests


def storm(contest, steps, order):
    """The games, the marks and the plan of a contest after these steps, played to its end."""
    names = [bot.name for bot in contest.bots]
    games, made, plan = {}, [], Plan(contest, "seed", {})
    for step, ahead, about in steps:
        play(plan, games, order, ahead)
        subjects = list(games) if step in OF_GAMES else names
        if step == REINSTATED:
            subjects = [each.subject for each in made]
        if step != "kill" and subjects:
            made.append(mark(step, subjects[about % len(subjects)]))
        plan = Plan(contest, "seed", games, in_force=in_force(made))
    play(plan, games, order)
    return games, in_force(made), plan


@settings(max_examples=40)
@given(st.sampled_from([*FORMATS, "tables of three"]), STEPS, st.integers(0, 2**32))
def test_after_any_marks_and_kills_all_is_as_if_done_in_one_go(contests, name, steps, seed):
    contest = contests[name]
    games, final, plan = storm(contest, steps, Random(seed))
    shuffled = list(games.items())
    Random(seed).shuffle(shuffled)
    again = Plan(contest, "seed", dict(shuffled), in_force=final)
    assert (plan.left, len(plan.due)) == (0, 0)
    assert (again.left, len(again.due)) == (0, 0)
    assert again.standings() == plan.standings()
    assert (again.done, again.played) == (plan.done, plan.played)


@settings(max_examples=15)
@given(STEPS, st.integers(0, 2**32))
def test_whenever_a_bot_was_taken_out_the_others_stand_as_if_it_was_at_the_start(
    contests, steps, seed
):
    contest = contests["round robin"]
    steps = [step for step in steps if step[0] != RETIRED]
    _, final, plan = storm(contest, steps, Random(seed))
    straight = Plan(contest, "seed", {}, in_force=final)
    play(straight, {})

    def staying(table):  # what was spent on games that are void shows
        return [structs.replace(line, mean_ms=None) for line in table if not line.disqualified]

    assert staying(plan.standings()) == staying(straight.standings())
