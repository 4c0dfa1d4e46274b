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
    members=["a", "b"],
    set_number=0,
    map="",
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


LAYOUT_1 = """
CREATE TABLE meta (key VARCHAR(64) NOT NULL, value TEXT NOT NULL, PRIMARY KEY (key));
INSERT INTO meta VALUES ('layout', '1');
CREATE TABLE games (
    identity VARCHAR(64) NOT NULL, pairing JSON NOT NULL, pair INTEGER NOT NULL,
    bots JSON NOT NULL, ending VARCHAR(32) NOT NULL, returns JSON NOT NULL, points JSON NOT NULL,
    plies INTEGER NOT NULL, faults JSON NOT NULL, cpu_ms JSON NOT NULL, asked JSON NOT NULL,
    chain VARCHAR(128) NOT NULL, record TEXT NOT NULL, played_at VARCHAR(32) NOT NULL,
    PRIMARY KEY (identity)
);
INSERT INTO games VALUES (
    '00000000000000000000000000000000', '["a", "b"]', 0, '["b", "a"]', 'finished', '[1.0, -1.0]',
    '[60, 36]', 96,
    '[{"seat": 0, "ply": 3, "fault": "illegal", "detail": "« é »", "cost": "turn"}]',
    '[1.25, 3.5]', '[48, 48]', 'ffffffffffffffffffffffffffffffff', '0.jsonl',
    '2026-01-01T00:00:00+00:00'
);
"""


def test_the_first_layout_is_read_and_written_on(path):
    connection = sqlite3.connect(path)
    connection.executescript(LAYOUT_1)
    connection.close()
    for _ in range(2):
        with Store.in_file(path) as store:
            assert store.games()[GAME.identity] == GAME
            store.add([replace(numbered(1), map="duel")])
            assert store.games()[numbered(1).identity].map == "duel"


def test_a_kill_in_the_middle_of_a_change_of_layout_leaves_the_first(path):
    connection = sqlite3.connect(path)
    connection.executescript(LAYOUT_1)
    connection.close()
    dying = f"""
import os, signal
from sqlalchemy import Engine, event
from joute.store.store import Store
@event.listens_for(Engine, "before_cursor_execute")
def die_at_the_last_statement(connection, cursor, statement, *ignored):
    if "ADD COLUMN" in statement:
        os.kill(os.getpid(), signal.SIGKILL)
Store.in_file({str(path)!r})
"""
    assert subprocess.run([sys.executable, "-c", dying]).returncode == -9
    with Store.in_file(path) as store:
        assert store.games() == {GAME.identity: GAME}


def test_the_log_is_written_ahead_and_commits_reach_the_disk(path):
    with Store.in_file(path) as store:
        store.add([GAME])
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()
