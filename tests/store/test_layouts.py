"""Databases of older layouts become this one's, and a kill meanwhile leaves them as they were."""

import json
import sqlite3
import subprocess
import sys
from dataclasses import asdict, replace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from store.samples import GAME, numbered, run

from joute.store.database import Database
from joute.store.store import Store, StoreError
from joute.store.tables import metadata, migrate

# The statements of the program that wrote this layout.
LAYOUT_1 = """
CREATE TABLE meta (key VARCHAR(64) NOT NULL, value TEXT NOT NULL, PRIMARY KEY (key));
INSERT INTO meta VALUES ('layout', '1');
CREATE TABLE contest (
    number INTEGER NOT NULL, configuration TEXT NOT NULL, seed TEXT NOT NULL, PRIMARY KEY (number)
);
INSERT INTO contest VALUES (1, '{}', 'drawn');
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


@pytest.fixture(name="path")
def _path(tmp_path):
    return tmp_path / "contest.sqlite"


def test_another_layout_is_refused(url):
    Store(url).close()
    run(url, "UPDATE meta SET value = '99'")
    with pytest.raises(StoreError, match="written in layout 99, this version of joute reads"):
        Store(url)


def write(url, work):
    database = Database(url)
    try:
        return database.write(work)
    finally:
        database.close()


def test_the_first_layout_is_read_and_written_on(path):
    connection = sqlite3.connect(path)
    connection.executescript(LAYOUT_1)
    connection.close()
    for _ in range(2):
        with Store.in_file(path) as store:
            assert store.seed() == "drawn"
            assert store.games()[GAME.identity] == GAME
            store.add([numbered(1, map="duel")])
            assert store.games()[numbered(1).identity].map == "duel"


GAMES = [numbered(number, map="duel" * (number % 2)) for number in range(5)]
GAMES[3] = replace(GAMES[3], bots=["a", "b"], faults=[])


def old_games(connection: Connection) -> None:
    """Fill a database of layout 2."""
    migrate(connection, None, "2")
    rows = [
        {
            name: json.dumps(value) if isinstance(value, list) else value
            for name, value in asdict(game).items()
            if name != "isolation"  # noted from layout 3 on
        }
        for game in GAMES
    ]
    values = ", ".join(f":{name}" for name in rows[0])
    connection.execute(text(f"INSERT INTO games ({', '.join(rows[0])}) VALUES ({values})"), rows)


def test_the_second_layout_is_read_on_both_databases(url):
    write(url, old_games)
    with Store(url) as store:
        assert store.games() == {game.identity: game for game in GAMES}
        assert len(list(store.results())) == 5
        assert store.add([numbered(9)]) == 1


def test_an_old_database_comes_to_the_very_tables_of_a_new_one(url):
    def differences(connection: Connection):
        migrate(connection, None, "4")
        options = {"compare_server_default": True}
        found = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
        return [each for each in found if "alembic_version" not in str(each)]

    assert write(url, differences) == []


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
    if "DROP TABLE games_2" in statement:
        os.kill(os.getpid(), signal.SIGKILL)
Store.in_file({str(path)!r})
"""
    before = dumped(path)
    assert subprocess.run([sys.executable, "-c", dying]).returncode == -9
    assert dumped(path) == before
    with Store.in_file(path) as store:
        assert store.games() == {GAME.identity: GAME}


def test_a_database_that_cannot_be_written_is_read_or_its_layout_told(path):
    connection = sqlite3.connect(path)
    connection.executescript(LAYOUT_1 + "PRAGMA journal_mode = WAL;")
    connection.close()
    only_read = f"sqlite:///file:{path}?mode=ro&uri=true"
    with pytest.raises(StoreError, match=r"readonly database \(layout 1, brought up to date"):
        Store(only_read)
    Store.in_file(path).close()
    with Store(only_read) as store:
        assert store.count() == 1


def dumped(path) -> list[str]:
    connection = sqlite3.connect(path)
    found = list(connection.iterdump())
    connection.close()
    return found
