"""The store: whole transactions, games that count once, databases that are not ours."""

import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joute.store.game import Game
from joute.store.store import Store, StoreError

GAME = Game(
    identity="0" * 32,
    pairing=["a", "b"],
    pair=0,
    bots=["b", "a"],
    ending="finished",
    returns=[1.0, -1.0],
    points=[60, 36],
    plies=96,
    faults=[{"seat": 0, "ply": 3, "fault": "illegal", "detail": "« é »", "cost": "turn"}],
    cpu_ms=[1.25, 3.5],
    asked=[48, 48],
    chain="f" * 32,
    record="0.jsonl",
    played_at="2026-01-01T00:00:00+00:00",
)


def numbered(number: int) -> Game:
    return replace(GAME, identity=f"{number:032x}")


@pytest.fixture(name="path")
def _path(tmp_path):
    return tmp_path / "contest.sqlite"


def test_a_game_comes_back_as_it_went_in(path):
    with Store.in_file(path) as store:
        assert store.add([GAME]) == 1
    with Store.in_file(path) as store:
        assert store.games() == {GAME.identity: GAME}
        assert store.identities() == {GAME.identity}


def test_a_new_store_is_empty(path):
    with Store.in_file(path) as store:
        assert store.games() == {}
        assert store.seed() is None
        assert store.configurations() == []
        assert store.add([]) == 0


def test_a_game_counts_once_the_first_time(path):
    with Store.in_file(path) as store:
        assert store.add([GAME, numbered(1)]) == 2
        assert store.add([replace(GAME, plies=1), numbered(2), numbered(2)]) == 1
        assert store.games()[GAME.identity].plies == 96
        assert len(store.identities()) == 3


@given(batches=st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=6))
def test_handing_games_in_again_changes_nothing(batches):
    with Store("sqlite://") as store:
        new = sum(store.add(numbered(number) for number in batch) for batch in batches)
        wanted = {numbered(number).identity for batch in batches for number in batch}
        assert store.identities() == wanted
        assert new == len(wanted)


def test_a_batch_is_kept_whole_or_not_at_all(path):
    with Store.in_file(path) as store:
        store.add([numbered(0)])
        with pytest.raises(Exception, match="NOT NULL"):
            store.add([numbered(1), replace(numbered(2), ending=None), numbered(3)])
        assert store.identities() == {numbered(0).identity}


def test_the_last_configuration_is_in_force_and_the_others_are_kept(path):
    with Store.in_file(path) as store:
        store.keep_configuration("{1}", "s")
        store.keep_configuration("{1}", "s")
        store.keep_configuration("{2}", "t")
        assert store.seed() == "t"
        assert store.configurations() == ["{1}", "{2}"]


def test_a_batch_in_the_middle_of_which_the_process_dies_leaves_no_trace(path):
    dying = f"""
import os, signal
from sqlalchemy import Engine, event
from joute.store.store import Store
from joute.store.game import Game
store = Store.in_file({str(path)!r})
game = {GAME!r}
store.add([game])
executed = []
@event.listens_for(Engine, "before_cursor_execute")
def die_at_the_sixtieth(*ignored):
    executed.append(1)
    if len(executed) == 60:
        os.kill(os.getpid(), signal.SIGKILL)
store.add(Game(**{{**game.__dict__, "identity": str(number)}}) for number in range(1, 100))
"""
    assert subprocess.run([sys.executable, "-c", dying]).returncode == -9
    with Store.in_file(path) as store:
        assert store.identities() == {GAME.identity}


def test_a_file_that_is_no_database_is_refused(path):
    path.write_text("not a database, and long enough to be looked at " * 100)
    with pytest.raises(StoreError, match="not a usable database"):
        Store.in_file(path)


def test_another_layout_is_refused(path):
    Store.in_file(path).close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = '99'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="layout 99"):
        Store.in_file(path)


def test_the_log_is_written_ahead_and_commits_reach_the_disk(path):
    with Store.in_file(path) as store:
        store.add([GAME])
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()
