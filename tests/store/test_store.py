"""The store on both databases: whole transactions, games that count once, records, sums, marks."""

import sqlite3
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from store.samples import GAME, numbered, record_of, run

from joute.store.database import Database
from joute.store.model import Decision, Lineup
from joute.store.store import Store, StoreError


def test_a_game_comes_back_as_it_went_in(url):
    with Store(url) as store:
        assert store.add([GAME]) == 1
    with Store(url) as store:
        assert store.games() == {GAME.identity: GAME}
        assert store.identities() == {GAME.identity}
        assert store.count() == 1


def test_what_held_each_bot_comes_back_too(url):
    game = replace(GAME, isolation=["kernel", "inline"])
    with Store(url) as store:
        store.add([game])
        assert store.games() == {GAME.identity: game}


def test_a_new_store_is_empty(url):
    with Store(url) as store:
        assert store.games() == {}
        assert store.identities() == set()
        assert list(store.results()) == store.decisions() == []
        assert store.seed() is None
        assert store.configurations() == []
        assert store.add([]) == store.count() == 0


def test_a_game_counts_once_the_first_time(url):
    with Store(url) as store:
        assert store.add([GAME, numbered(1)]) == 2
        assert store.add([replace(GAME, plies=1), numbered(2), numbered(2)]) == 1
        assert store.games()[GAME.identity].plies == 96
        assert len(store.identities()) == 3


def test_games_of_any_number_of_seats_come_back_in_the_order_of_their_arrival(url, monkeypatch):
    monkeypatch.setattr("joute.store.store.PAGE", 2)
    alone = {"members": ["a"], "bots": ["a"], "returns": [0.5], "points": [2**40]}
    alone |= {"cpu_ms": [0.1], "asked": [3], "faults": [], "map": "four rooms"}
    three = {"members": ["a", "b", "c"], "bots": ["c", "a", "b"], "returns": [-1.0, 0.25, 1.0]}
    three |= {"points": [1, 2, 3], "cpu_ms": [4.5, 5.5, 6.5], "asked": [7, 8, 9]}
    games = [numbered(3), numbered(1, **alone), numbered(2, **three), numbered(0), numbered(9)]
    with Store(url) as store:
        store.add(games[:2])
        store.add(games[2:])
        assert list(store.games().values()) == games
        results = list(store.results())
        assert list(store.results(after=3)) == results[3:]
    assert [result.identity for result in results] == [game.identity for game in games]
    assert [result.returns for result in results] == [tuple(game.returns) for game in games]
    assert [list(result.faults) for result in results] == [game.faults for game in games]
    assert results[1].lineup == Lineup(("a",), ("a",), "four rooms")
    assert results[0].lineup is results[4].lineup


@given(batches=st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=6))
def test_handing_games_in_again_changes_nothing(batches):
    with Store("sqlite://") as store:
        new = sum(store.add(numbered(number) for number in batch) for batch in batches)
        wanted = {numbered(number).identity for batch in batches for number in batch}
        assert store.identities() == wanted
        assert new == len(wanted)


def test_a_batch_is_kept_whole_or_not_at_all(url):
    with Store(url) as store:
        store.add([numbered(0)])
        wrong = replace(numbered(2), ending=None)
        with pytest.raises(StoreError, match=r"(?i)not.null"):
            store.add([numbered(1), wrong, numbered(3)], {numbered(1).identity: b"1"})
        assert store.identities() == {numbered(0).identity}
        assert store.record(numbered(1).identity) is None


def test_the_last_configuration_is_in_force_and_the_others_are_kept(url):
    with Store(url) as store:
        store.keep_configuration('{"a":1}', "s")
        store.keep_configuration('{"a":1}', "s")
        store.keep_configuration('{"a":2}', "t")
        assert store.seed() == "t"
        assert store.configurations() == ['{"a":1}', '{"a":2}']


def test_a_record_comes_back_as_it_went_in_and_takes_less_room(url):
    record = record_of(GAME)
    with Store(url) as store:
        store.add([GAME, numbered(1)], {GAME.identity: record})
        store.add([GAME], {GAME.identity: b"another"})
        assert store.record(GAME.identity) == record
        assert store.record(numbered(1).identity) is None
        assert store.record("no such game") is None
    [kept] = run(url, "SELECT content FROM records").scalars()
    assert len(kept) < len(record) / 4


def test_a_damaged_record_is_told(url):
    with Store(url) as store:
        store.add([GAME], {GAME.identity: record_of(GAME)})
        run(url, "UPDATE records SET content = substr(content, 1, length(content) - 1)")
        with pytest.raises(StoreError, match=f"the record of {GAME.identity} is damaged"):
            store.record(GAME.identity)


MOMENTS = ["INTO games", "INTO records", "commit"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_kill_at_any_moment_leaves_rows_with_their_records_or_neither(url, moment):
    with Store(url) as store:
        store.add([GAME], {GAME.identity: record_of(GAME)})
    dying = f"""
import os, signal, sys
sys.path[:] = {sys.path!r}
from sqlalchemy import Engine, event
from joute.store.store import Store
from store.samples import numbered, record_of
def die(*ignored):
    os.kill(os.getpid(), signal.SIGKILL)
store = Store({url!r})
if {moment!r} == "commit":
    event.listen(Engine, "commit", die)
@event.listens_for(Engine, "after_cursor_execute")
def look(connection, cursor, statement, *ignored):
    if {moment!r} in statement:
        die()
games = [numbered(number, map="m") for number in range(1, 100)]
store.add(games, {{game.identity: record_of(game) for game in games}})
"""
    assert subprocess.run([sys.executable, "-c", dying]).returncode == -9
    with Store(url) as store:
        assert list(store.games().values()) == [GAME]
        assert store.record(GAME.identity) == record_of(GAME)
        again = [numbered(number, map="m") for number in range(1, 100)]
        assert store.add(again, {game.identity: record_of(game) for game in again}) == 99
        assert all(store.record(game.identity) == record_of(game) for game in again)


def made(kind: str, subject: str, why: str = "its author asked") -> Decision:
    return Decision(kind, subject, "the organiser", why, "2026-01-01T00:00:00+00:00")


def test_marks_are_kept_in_order_and_the_last_of_each_subject_is_in_force(url):
    given = [
        made("withdrawn", "a"),
        made("disqualified", "b", "copied"),
        made("reinstated", "a"),
        made("withdrawn", "b"),
    ]
    with Store(url) as store:
        for mark in given:
            store.decide(mark)
        assert store.decisions() == given
    with Store(url) as store:
        assert store.in_force() == {"b": given[3]}


def test_an_annulled_game_is_kept_and_out_of_force_until_it_is_reinstated(url):
    with Store(url) as store:
        store.add([numbered(0), numbered(1)])
        store.decide(made("annulled", numbered(1).identity, "the machine was busy"))
        assert store.count() == 2
        assert list(store.in_force()) == [numbered(1).identity]
        store.decide(made("reinstated", numbered(1).identity))
        assert store.in_force() == {}


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        (made("deleted", "a"), "'deleted': expected one of annulled"),
        (made("withdrawn", " "), "subject is missing"),
        (made("withdrawn", "a", ""), "why is missing"),
    ],
)
def test_a_mark_that_is_not_whole_is_refused(mark, told):
    with Store("sqlite://") as store:
        with pytest.raises(ValueError, match=told):
            store.decide(mark)
        assert store.decisions() == []


def test_a_game_that_is_not_kept_cannot_be_annulled(url):
    with Store(url) as store:
        with pytest.raises(StoreError, match="there is no game 77"):
            store.decide(made("annulled", "77"))
        assert store.decisions() == []


def test_records_come_page_by_page_with_the_identities_of_their_games(url, monkeypatch):
    monkeypatch.setattr("joute.store.store.RECORDS_PAGE", 2)
    games = [numbered(number) for number in range(5)]
    with Store(url) as store:
        store.add(games, {game.identity: record_of(game) for game in games[1:]})
        assert list(store.records()) == [(game.identity, record_of(game)) for game in games[1:]]


def test_results_have_what_every_seat_came_to(url):
    with Store(url) as store:
        store.add([replace(GAME, isolation=["kernel", "inline"])])
        [result] = store.results()
    assert (result.points, result.cpu_ms, result.asked) == ((60, 36), (1.25, 3.5), (48, 48))
    assert result.isolation == ("kernel", "inline")


def test_games_are_found_by_how_their_identities_begin(url):
    with Store(url) as store:
        store.add([numbered(0), numbered(1), replace(GAME, identity="ab" * 16)])
        assert store.named("ab") == ["ab" * 16]
        assert store.named("00") == [numbered(0).identity, numbered(1).identity]
        assert store.named("00", most=1) == [numbered(0).identity]
        assert store.named("b") == []


def test_the_state_of_a_store_changes_with_every_game_and_mark(url):
    with Store(url) as store:
        seen = [store.state()]
        store.add([GAME])
        seen.append(store.state())
        store.decide(made("annulled", GAME.identity))
        seen.append(store.state())
    assert seen == [(0, 0), (1, 0), (1, 1)]


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "contest.sqlite"
    path.write_text("not a database, and long enough to be looked at " * 100)
    with pytest.raises(StoreError, match="not a usable database: file is not"):
        Store.in_file(path)


@pytest.mark.parametrize("url", ["mysql://somewhere", "nonsense", "klingon://somewhere/x"])
def test_another_kind_of_database_is_refused(url):
    with pytest.raises(StoreError, match="expected the URL of a database"):
        Store(url)


def test_a_server_that_is_not_there_is_told_at_once_and_without_the_password(tmp_path):
    with pytest.raises(StoreError, match="connection") as error:
        Store(f"postgresql://me:secret@/none?host={tmp_path}")
    assert "secret" not in str(error.value)


def test_without_the_driver_of_the_database_its_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'joute\[postgres\]'"):
        Store("postgresql://somewhere/x")


def test_the_log_is_written_ahead_and_commits_reach_the_disk(tmp_path):
    path = tmp_path / "contest.sqlite"
    with Store.in_file(path) as store:
        store.add([GAME])
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()


@pytest.mark.parametrize(("raised", "told"), [(KeyboardInterrupt, False), (OSError, True)])
def test_an_interruption_of_the_closing_prints_no_traceback_and_an_error_does(
    tmp_path, monkeypatch, caplog, raised, told
):
    def fail(*_):
        raise raised

    database = Database(f"sqlite:///{tmp_path / 'a.sqlite'}")
    database.read(lambda connection: connection.execute(text("SELECT 1")).all())
    monkeypatch.setattr(database._engine.dialect, "do_close", fail)
    with nullcontext() if told else pytest.raises(KeyboardInterrupt):
        database.close()
    assert bool(caplog.records) is told
