"""Disqualification: who is out and since when, whatever the order in which games are played."""

import signal
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from contest import fakes
from contest.fakes import contest_in, start_coordinator, tron_in
from contest.test_stopping import rows_in
from helpers import wait_until
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from joute.contest.errors import ConfigError
from joute.contest.folder import stored_games
from joute.contest.ranking.discipline import Discipline, Offence
from joute.contest.report.standings import standings
from joute.contest.run.coordinator import Finished
from joute.contest.run.plan import Plan
from joute.contest.run.playing import game_row
from joute.contest.run.runner import run_contest, status
from joute.contest.run.tasks import game_terms
from joute.contest.run.workers import PlayedGame

SEEDS = st.integers(0, 2**32)
COSTS = {"illegal": "turn", "crash": "disqualification", "timeout": "turn"}


def fault(seat, kind="illegal", ply=3):
    return {"seat": seat, "ply": ply, "fault": kind, "detail": "", "cost": "turn"}


def judge(after=2):
    return Discipline(COSTS, after, ["illegal"])


# One judge.


def test_a_bot_is_out_after_so_many_games_with_an_offence_however_many_each_has():
    discipline = judge()
    assert not discipline.hear((0,), ("a", "b"), "g0", [fault(0), fault(0, ply=7), fault(0, ply=9)])
    assert discipline.verdicts == {}
    assert discipline.hear((1,), ("b", "a"), "g1", [fault(1, ply=5)])
    assert discipline.verdicts["a"].offences == [
        Offence("g0", "illegal", 4),
        Offence("g1", "illegal", 6),
    ]
    assert not discipline.void((1,), ("a", "b"))
    assert discipline.void((2,), ("a", "b"))
    assert not discipline.void((2,), ("b", "c"))


def test_a_fault_that_does_not_count_is_no_offence():
    discipline = judge(1)
    assert not discipline.hear((0,), ("a", "b"), "g0", [fault(0, "timeout")])
    assert discipline.verdicts == {}


def test_a_fault_that_costs_disqualification_is_enough_by_itself_and_is_what_is_told():
    discipline = judge(None)
    faults = [fault(0, "illegal"), fault(0, "crash", 5), fault(0, "crash", 8)]
    assert discipline.hear((4,), ("a", "b"), "g4", faults)
    assert discipline.verdicts["a"].offences == [Offence("g4", "crash", 6)]


def test_offences_count_in_the_order_of_the_schedule_not_of_arrival():
    discipline = judge()
    for place in (5, 9, 2):
        discipline.hear((place,), ("a", "b"), f"g{place}", [fault(0)])
    assert [each.game for each in discipline.verdicts["a"].offences] == ["g2", "g5"]
    assert discipline.void((9,), ("a", "b"))


def test_what_happens_in_a_void_game_is_no_offence():
    discipline = judge()
    discipline.hear((3,), ("b", "c"), "g3", [fault(0)])
    discipline.hear((7,), ("a", "b"), "g7", [fault(1)])
    assert list(discipline.verdicts) == ["b"]
    discipline.hear((5,), ("a", "d"), "g5", [fault(0, "crash")])
    assert list(discipline.verdicts) == ["a"]  # so that game 7 is void, and b has one offence


# Whole contests, played in any order.


@pytest.fixture(scope="module", name="strict")
def _strict(tmp_path_factory):
    """A contest of four bots, six games a pairing, in which two offences disqualify."""
    contest = contest_in(tmp_path_factory.mktemp("strict"), "games = 6")
    return structs.replace(contest, disqualify_after=2)


def result_of(task, offending):
    """A game in which each seat is illegal with the probability `offending`."""
    draw = Random(task.identity)
    faults = [fault(seat) for seat in (0, 1) if draw.random() < offending]
    row = game_row(Finished(task, PlayedGame(fakes.quick(task.spec), "", 0.0)), "")
    return type(row)(**{**vars(row), "faults": faults})


def play(plan, order, offending, most=None):
    """Play what is due, with several games in the air, landing in any order."""
    flying, games = [], {}
    while most is None or len(games) < most:
        while plan.due and len(flying) < 16:
            flying.append(plan.due.popleft())
        if not flying:
            break
        game = result_of(flying.pop(order.randrange(len(flying))), offending)
        games[game.identity] = game
        plan.record(game)
    return games


def told(plan):
    """The standings, without what void games cost."""
    return plan.standings(), plan.done, plan.left


@pytest.mark.game("tron", "virus")
@settings(max_examples=25)
@given(SEEDS, st.integers(0, 30), st.sampled_from([0.1, 0.3, 0.6]))
def test_standings_depend_on_results_alone_not_on_their_order_nor_on_interruptions(
    strict, seed, most, offending
):
    order = Random(seed)
    straight = Plan(strict, "seed", {})
    play(straight, Random(0), offending)
    interrupted = Plan(strict, "seed", {})
    games = play(interrupted, order, offending, most)
    resumed = Plan(strict, "seed", games)
    play(resumed, order, offending)
    assert told(resumed) == told(straight)
    assert straight.left == 0


@pytest.mark.game("tron", "virus")
@given(SEEDS)
@settings(max_examples=15)
def test_a_meeting_of_so_many_wins_is_cut_short_in_the_same_way(strict, seed):
    contest = structs.replace(strict, games=None, first_to=3, max_games=5)
    plans = [Plan(contest, "seed", {}) for _ in range(2)]
    play(plans[0], Random(0), 0.2)
    play(plans[1], Random(seed), 0.2)
    assert told(plans[0]) == told(plans[1])
    assert plans[0].left == 0


@pytest.mark.game("tron", "virus")
def test_what_was_held_back_is_due_again_when_an_earlier_game_voids_an_offence(strict):
    costs = {**strict.costs, "crash": "disqualification"}
    plan = Plan(structs.replace(strict, games=2, max_games=2, costs=costs), "seed", {})
    first = [plan.due.popleft() for _ in range(7)]  # of the twelve, in the order of the schedule
    one, two = first[2], first[6]  # greedy - random, greedy? - random
    for task in (one, two):
        play_one(plan, task, "random", "illegal")
    assert {task.slot.members for task in plan.due} == {("greedy?", "random?")}
    play_one(plan, first[1], "greedy?", "crash")  # so `two` is void, and random has one offence
    assert {task.slot.members for task in plan.due} == {("random", "random?")}


def play_one(plan, task, offender, kind):
    """Record a game in which one bot commits a fault."""
    game = result_of(task, 0.0)
    faults = [fault(game.bots.index(offender), kind)]
    plan.record(type(game)(**{**vars(game), "faults": faults}))


@pytest.mark.game("tron", "virus")
def test_the_games_of_a_disqualified_bot_are_not_played_and_do_not_count(tmp_path):
    contest = structs.replace(contest_in(tmp_path, "games = 8"), disqualify_after=2)
    summary = run_contest(contest, play=fakes.greedy_offends, workers=1)
    assert 24 + 2 <= summary.played < 48  # three others meet in 24 games
    found = status(contest)
    assert (found.done, found.left) == (24 + 2, 0)  # its second game is in its first pair
    *others, last = standings(contest)
    assert {line.games for line in others} == {16}
    assert (last.name, last.rank, last.games, last.score) == ("greedy", 4, 0, None)
    assert [offence.fault for offence in last.disqualified] == ["illegal"] * 2
    assert all(not line.disqualified for line in others)
    games = stored_games(Path(contest.folder))[1]
    one, two = (offence.game for offence in last.disqualified)
    assert {one, two} <= games.keys()
    text = Path(contest.folder, "standings.txt").read_text()
    assert f"greedy is disqualified: illegal at ply 4 of {one}; illegal at ply 4 of {two}\n" in text
    assert ["-", "greedy", "-", "-"] in [line.split()[:4] for line in text.splitlines()]


@pytest.mark.game("tron", "virus")
def test_nobody_is_disqualified_unless_the_contest_says_so(strict):
    plan = Plan(structs.replace(strict, disqualify_after=None), "seed", {})
    play(plan, Random(0), 1.0)
    assert not any(line.disqualified for line in plan.standings())
    assert (plan.done, plan.left) == (36, 0)


@pytest.mark.game("tron", "virus")
def test_killed_with_a_disqualification_pending_a_contest_ends_the_same(tmp_path):
    tables = []
    for name in ("calm", "stormy"):
        folder = tmp_path / name
        folder.mkdir()
        contest = contest_in(folder, "games = 8", bots=3)
        with (folder / "test.toml").open("a") as file:
            file.write("[faults]\ndisqualify_after = 3\n")
        contest = structs.replace(contest, disqualify_after=3)
        if name == "stormy":
            process = start_coordinator(folder, "greedy_offends")
            wait_until(lambda: rows_in(contest) > 0, what="a game")  # noqa: B023
            process.kill()
            assert process.wait() == -signal.SIGKILL
        run_contest(contest, play=fakes.greedy_offends)
        table = [structs.asdict(line) for line in standings(contest)]
        tables.append([{**line, "mean_ms": None} for line in table])
        assert table[-1]["disqualified"]
    assert tables[0] == tables[1]


@pytest.mark.game("tron", "virus")
def test_stricter_rules_void_games_that_were_played_and_milder_ones_bring_them_back(tmp_path):
    mild = contest_in(tmp_path, "games = 2")
    run_contest(mild, play=fakes.greedy_offends)
    strict = structs.replace(mild, disqualify_after=1)
    assert (status(strict).done, status(strict).left, status(strict).kept) == (7, 0, 12)
    assert run_contest(strict, play=fakes.dies_always).played == 0
    assert standings(strict)[-1].disqualified
    assert (status(mild).done, status(mild).left) == (12, 0)


# More seats, and fewer.


@pytest.mark.game("tron")
def test_at_a_table_of_three_the_others_keep_what_they_did_among_themselves(tmp_path):
    bots = ["builtin:random", "builtin:wall", "builtin:territory"]
    contest = tron_in(tmp_path, bots, "games = 3", "players = 3")
    contest = structs.replace(contest, disqualify_after=1)
    plan = Plan(contest, "seed", {})
    game = result_of(plan.due.popleft(), 0.0)
    returns = [{"wall": 1.0, "random": 0.0, "territory": -1.0}[name] for name in game.bots]
    faults = [fault(game.bots.index("wall"))]
    plan.record(type(game)(**{**vars(game), "faults": faults, "returns": returns}))
    assert (len(plan.due), plan.left) == (0, 0)
    first, second, out = plan.standings()
    assert (first.name, first.won, first.lost, first.beaten) == ("random", 1, 0, 1)
    assert (second.name, second.won, second.lost) == ("territory", 0, 1)
    assert (out.name, out.games, out.rank) == ("wall", 0, 3)


@pytest.mark.game("tron")
def test_a_team_without_opponents_left_has_won_nothing(tmp_path):
    bots = ["builtin:random", "builtin:random?", "builtin:wall", "builtin:territory"]
    contest = tron_in(tmp_path, bots, "games = 4", "players = 4\nteams = [[0, 1], [2, 3]]")
    plan = Plan(structs.replace(contest, disqualify_after=1), "seed", {})
    game = result_of(plan.due.popleft(), 0.0)
    plan.record(type(game)(**{**vars(game), "faults": [fault(2), fault(3)]}))
    assert Counter(line.games for line in plan.standings()) == {0: 4}


@pytest.mark.game("tron")
def test_alone_a_disqualified_bot_comes_last_and_plays_no_more(tmp_path):
    bots = ["builtin:random", "builtin:wall"]
    contest = tron_in(tmp_path, bots, "games = 5", "players = 1")
    plan = Plan(structs.replace(contest, disqualify_after=1), "seed", {})
    while plan.due:
        task = plan.due.popleft()
        game = result_of(task, 0.0)
        faults = [fault(0)] if game.bots == ["wall"] else []
        plan.record(type(game)(**{**vars(game), "faults": faults, "points": [99]}))
    first, last = plan.standings()
    assert (first.name, first.games, first.rank) == ("random", 5, 1)
    assert (last.name, last.games, last.mean, last.best, last.rank) == ("wall", 0, None, None, 2)
    assert [offence.fault for offence in last.disqualified] == ["illegal"]
    assert (plan.done, plan.left) == (6, 0)


# The table of the file.


def faults_in(folder, *lines):
    path = folder / "test.toml"
    path.write_text('bots = ["builtin:random", "builtin:greedy"]\n[faults]\n' + "\n".join(lines))
    return fakes.resolve(path)


@pytest.mark.game("virus")
def test_what_disqualifies_is_the_bot_s_own_doing_unless_the_file_says_more(tmp_path):
    contest = faults_in(tmp_path)
    assert contest.disqualify_after is None
    assert "timeout" not in contest.disqualify_for
    assert {"illegal", "crash", "memory", "protocol", "sandbox"} <= set(contest.disqualify_for)
    contest = faults_in(tmp_path, "disqualify_after = 3", 'disqualify_for = ["timeout"]')
    assert (contest.disqualify_after, contest.disqualify_for) == (3, ("timeout",))


@pytest.mark.game("virus")
def test_for_the_referee_a_disqualification_is_a_game_lost(tmp_path):
    contest = faults_in(tmp_path, 'sandbox = "disqualification"', 'illegal = "game"')
    assert contest.costs["sandbox"] == "disqualification"
    assert game_terms(contest).costs["sandbox"] == game_terms(contest).costs["illegal"] == "game"


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("lines", "key", "said"),
    [
        (["disqualify_after = 0"], "disqualify_after", "of at least 1, got 0"),
        (['disqualify_for = ["illegal"]'], "disqualify_for", "goes with disqualify_after"),
        (["disqualify_after = 1", "disqualify_for = []"], "disqualify_for", "a list of faults"),
        (["disqualify_after = 1", 'disqualify_for = "crash"'], "disqualify_for", "a list of"),
        (
            ["disqualify_after = 1", 'disqualify_for = ["ilegal"]'],
            "disqualify_for",
            "did you mean 'illegal'?",
        ),
        (
            ["disqualify_after = 1", 'disqualify_for = ["crash", "crash"]'],
            "disqualify_for",
            "different faults",
        ),
    ],
)
def test_a_wrong_rule_is_refused(tmp_path, lines, key, said):
    with pytest.raises(ConfigError) as error:
        faults_in(tmp_path, *lines)
    assert error.value.key == f"faults.{key}"
    assert said in str(error.value)
