"""The means that make a million games bearable, at a size for tests: ledgers, queues and sums."""

from random import Random

import msgspec
import pytest
from contest.fakes import contest_in
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.contest.ranking.ranking import rank
from joute.contest.ranking.rows import Row, Sums, SumsContent
from joute.contest.rating.rating import rate
from joute.contest.run import ledger
from joute.contest.run.ledger import Chosen, Ledger
from joute.contest.run.plan import Plan
from joute.contest.run.tasks import Tasks
from joute.store.model import StoredGame


def game_of(number):
    """A game, and its identity."""
    name = f"{number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128:032x}"
    returns = [[1.0, -1.0], [0.0, 0.0]][number % 2]
    faults = [{"seat": 0, "ply": number, "fault": "crash"}] if number % 5 == 0 else []
    return StoredGame(
        identity=name, members=["a", "b"], set_number=0, map="", bots=["a", "b"],
        ending="finished", returns=returns, points=[number, 2**40], plies=9, faults=faults,
        cpu_ms=[number / 8, 1.5], asked=[number, 4], chain="", record="", played_at="",
        isolation=["kernel", "inline"],
    )  # fmt: skip


def test_what_a_ledger_took_in_is_found_again(monkeypatch):
    monkeypatch.setattr(ledger, "MOST_LOOSE", 10)
    games, book = [game_of(number) for number in range(100)], Ledger(2)
    for row, game in enumerate(games):
        assert book.find(game.identity) is None
        assert book.add(game.identity, game) == row
    assert len(book) == 100
    for row, game in enumerate(games):
        assert book.find(game.identity) == row
        found = book.outcome(row)
        assert (found.identity, list(found.returns)) == (game.identity, game.returns)
        assert (list(found.points), list(found.faults)) == (game.points, game.faults)
        assert (list(found.cpu_ms), list(found.asked)) == (game.cpu_ms, game.asked)
        assert list(found.isolation) == game.isolation
    assert book.find("f" * 32) is None


def test_identities_that_begin_alike_are_told_apart(monkeypatch):
    monkeypatch.setattr(ledger, "MOST_LOOSE", 0)
    book = Ledger(2)
    names = [f"{'0' * 16}{number:016x}" for number in range(5)]
    assert [book.add(name, game_of(0)) for name in names] == [0, 1, 2, 3, 4]
    assert [book.find(name) for name in names] == [0, 1, 2, 3, 4]
    assert book.find("0" * 31 + "9") is None


def test_a_game_of_another_number_of_seats_does_not_get_into_the_books():
    with pytest.raises(ValueError, match=r"game 0+: expected 3 seats, got \[1\.0, -1\.0\]"):
        Ledger(3).add("0" * 32, game_of(0))


def test_some_of_a_ledger_s_games_are_told_from_the_others():
    games, book = [game_of(number) for number in range(9)], Ledger(2)
    for game in games:
        book.add(game.identity, game)
    chosen = Chosen(book, [1, 4, 4])
    assert [game.identity in chosen for game in games] == [row in (1, 4) for row in range(9)]
    assert (len(chosen), "f" * 32 in chosen) == (2, False)
    later = game_of(9)
    book.add(later.identity, later)
    assert later.identity not in chosen


# Games that are due.


@pytest.mark.game("virus")
def test_a_game_that_is_due_is_made_a_task_when_it_is_taken(tmp_path, monkeypatch):
    made = []
    task_of = Tasks.task
    monkeypatch.setattr(
        Tasks, "task", lambda tasks, slot: made.append(slot) or task_of(tasks, slot)
    )
    plan = Plan(contest_in(tmp_path, "games = 4"), "seed", {})
    assert (len(plan.due), made) == (24, [])
    first = plan.due.popleft()
    assert made == [first.slot]


@pytest.mark.game("virus")
def test_a_task_that_is_given_back_comes_first_or_last_as_asked(tmp_path):
    plan = Plan(contest_in(tmp_path, "games = 2", bots=2), "seed", {})
    tasks = [plan.due.popleft() for _ in range(len(plan.due))]
    plan.due.append(tasks[0])
    plan.due.extendleft([tasks[1]])
    assert list(plan.due) == [tasks[1], tasks[0]]
    assert plan.due[1] == tasks[0]


# Games that went alike.

SET = st.tuples(
    st.sampled_from(["ab", "ac", "bc"]), st.sampled_from("+-="), st.sampled_from("+-="),
    st.sampled_from(["x", "y"]), st.sampled_from([2, 2, 2, 1, 0]), st.booleans(),
)  # fmt: skip
SIGNS = {"+": [1.0, -1.0], "-": [-1.0, 1.0], "=": [0.0, 0.0]}


def rows_of(sets):
    """The games of these sets: who, two results, the map, how many are there, a fault or none."""
    rows = []
    for number, (names, one, two, played_on, games, failed) in enumerate(sets):
        for bots, sign in ((names, one), (names[::-1], two))[:games]:
            fault = {"seat": 0, "ply": 1, "fault": "crash", "detail": "", "cost": "game"}
            rows.append(
                Row(
                    key=(tuple(names), number), bots=tuple(bots), returns=SIGNS[sign],
                    cpu_ms=[4.0, number / 8], asked=[2, 3], map=played_on,
                    faults=[fault] if failed and number < 3 else [],
                )
            )  # fmt: skip
    return rows


@pytest.mark.game("paradise")
@settings(max_examples=40)
@given(st.lists(SET, max_size=40), st.sampled_from(["hx2", "paradise", ("points", "buchholz")]))
def test_standings_and_ratings_of_games_taken_together_are_those_of_the_games(sets, ranking):
    rows = rows_of(sets)
    few = list(Sums(rows).rows())
    assert sum(row.times for row in few) == len(rows)
    assert rank("abc", few, ranking) == rank("abc", rows, ranking)
    told, wanted = rate("abc", few), rate("abc", rows)
    if wanted is None:
        assert told is None
        return
    assert [line.name for line in told.bots] == [line.name for line in wanted.bots]
    for line, other in zip(told.bots, wanted.bots, strict=True):
        assert (line.reason, line.groups, line.games) == (other.reason, other.groups, other.games)
        assert line.elo == pytest.approx(other.elo, abs=1e-6)
        assert line.interval == pytest.approx(other.interval, abs=1e-6)


def test_as_many_rows_are_left_as_there_are_ways_in_which_sets_went():
    draw = Random(1)
    sets = [("ab", draw.choice("+-="), draw.choice("+-="), "x", 2, False) for _ in range(500)]
    assert len(list(Sums(rows_of(sets)).rows())) == 2 * 9


@settings(max_examples=40)
@given(st.lists(SET, max_size=20), st.randoms(use_true_random=False))
def test_sums_do_not_depend_on_the_order_in_which_games_came_or_on_being_kept_meanwhile(
    sets, order
):
    rows = rows_of(sets)
    wanted = list(Sums(rows).rows())
    order.shuffle(rows)
    half = Sums(rows[: len(rows) // 2])
    kept = msgspec.json.decode(msgspec.json.encode(half.content()), type=SumsContent)
    found = Sums.of(kept)
    for row in rows[len(rows) // 2 :]:
        found.add(row)
    told = [
        msgspec.json.encode([row._replace(key="") for row in each])
        for each in (wanted, found.rows())
    ]
    assert told[0] == told[1]
    assert len(found) == len(Sums(rows))
