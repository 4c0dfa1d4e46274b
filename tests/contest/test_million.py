"""What makes a million games bearable, at a size for tests: counted in objects and queries."""

from pathlib import Path
from random import Random

import pytest
from contest import fakes
from contest.fakes import contest_in
from contest.test_marks import mark
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from sqlalchemy import Engine, event

from joute.contest import ledger, summary
from joute.contest.coordinator import Finished
from joute.contest.folder import Folder, known
from joute.contest.ledger import Ledger
from joute.contest.plan import planned
from joute.contest.ranking import rank
from joute.contest.rating.rating import rate
from joute.contest.rows import Row
from joute.contest.runner import status
from joute.contest.standings import standings, write_results
from joute.contest.sums import Sums
from joute.contest.work import play_batch
from joute.store.game import Game
from joute.store.marks import ANNULLED
from joute.store.store import Store


def game_of(number):
    """A game, and its identity."""
    name = f"{number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128:032x}"
    returns = [[1.0, -1.0], [0.0, 0.0]][number % 2]
    faults = [{"seat": 0, "ply": number, "fault": "crash"}] if number % 5 == 0 else []
    return Game(
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
                    key=(names, number), bots=tuple(bots), returns=SIGNS[sign], cpu_ms=[4.0, number],
                    asked=[2, 3], map=played_on, faults=[fault] if failed and number < 3 else [],
                )
            )  # fmt: skip
    return rows


@settings(deadline=None)
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


# What the last run left behind.


def filled(contest):
    """The contest, with all games that are due at first in its folder, and their results."""
    with Folder(Path(contest.folder)) as folder:
        plan = planned(contest, folder.known(contest))
        tasks = [plan.due.popleft() for _ in range(len(plan.due))]
        played = play_batch(fakes.quick, [task.spec for task in tasks])
        finished = [Finished(*each) for each in zip(tasks, played, strict=True)]
        for game in folder.save(finished):
            plan.record(game)
        write_results(folder.path, contest, plan, "fixed")
    return contest


@pytest.fixture(name="large")
def _large(tmp_path, monkeypatch):
    """A contest that is large by its own measure, and was played."""
    monkeypatch.setattr(summary, "LARGE", 10)
    return filled(contest_in(tmp_path, "games = 4"))


@pytest.fixture(name="statements")
def _statements():
    """The statements of SQL that were executed."""
    found = []

    def note(connection, cursor, statement, *ignored):
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


def test_standings_of_a_large_contest_are_had_without_a_look_at_its_games(large, statements):
    wanted = planned(large, known(large))
    statements.clear()
    assert standings(large) == wanted.standings()
    assert (status(large).done, status(large).kept) == (24, 24)
    assert not any("games.identity" in each or "seats" in each for each in statements)
    assert len(statements) < 2 * 12  # the layout, two counts, the marks, the seed


def changed_game(contest):
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        store.add([game_of(7)])
    return contest


def changed_mark(contest):
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        store.mark(mark(ANNULLED, next(iter(store.identities()))))
    return contest


def changed_rules(contest):
    return structs.replace(contest, ranking=("games-won",))


def changed_file(contest):
    Path(contest.folder, summary.SUMMARY).write_text("{")
    return contest


@pytest.mark.parametrize("change", [changed_game, changed_mark, changed_rules, changed_file])
def test_what_was_left_behind_is_not_believed_when_anything_it_depends_on_has_changed(
    large, change, statements
):
    changed = change(large)
    statements.clear()
    found = standings(changed)
    assert any("seats" in each for each in statements)
    assert found == planned(changed, known(changed)).standings()


def test_a_small_contest_leaves_nothing_behind(tmp_path):
    contest = filled(contest_in(tmp_path, "games = 2", bots=2))
    assert not Path(contest.folder, summary.SUMMARY).exists()


def test_a_folder_is_read_with_as_many_queries_as_pages(large, statements, monkeypatch):
    monkeypatch.setattr("joute.store.store.PAGE", 8)
    statements.clear()
    assert len(known(large).games) == 24
    assert sum("FROM seats" in each for each in statements) == 24 / 8
    assert len(statements) < 20
