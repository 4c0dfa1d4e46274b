"""The chain of a store's rows, against what its documentation says of its bytes."""

import hashlib
import json
import sqlite3
import subprocess
import sys

import pytest
from msgspec import structs
from sqlalchemy import create_engine, text
from store.samples import GAME, numbered, run
from store.test_layouts import GAMES, dumped, old_games, write

from joute.store.links import BEGINNING, Link, read_link
from joute.store.model import ANNULLED, CHAINED, Decision, Note
from joute.store.store import Store

NOW = "2026-01-01T00:00:00+00:00"
MARK = Decision(ANNULLED, GAME.identity, "me", "« so »", NOW)


def filled(url) -> Link:
    with Store(url) as store:
        store.keep_configuration('{"a":1}', "s", {"b": "2", "a": "1"}, NOW)
        store.add([GAME, numbered(1, cpu_ms=[0, 1e-7])])
        store.decide(MARK)
        store.note("lost", {"rows": 3}, NOW)
        store.add([numbered(2, map="duel"), GAME])
        assert all(each.holds and each.number == each.expected for each in store.chained())
        return store.last_link()


def documented(url) -> bytes:
    """The last link by the words of docs/en/storage.md, from nothing but the tables."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    tables = {"configuration": "contest", "game": "games", "mark": "marks", "note": "notes"}
    keys = {
        "configuration": "configuration seed contents made_at",
        "mark": "kind subject who why made_at",
        "note": "kind content made_at",
        "game": "identity lineup members bots map set_number ending returns plies faults chain "
        "record played_at isolation seats",
    }
    link = bytes(16)
    with engine.connect() as connection:

        def rows(query):
            return connection.execute(text(query)).mappings().all()

        for entry in rows("SELECT * FROM links ORDER BY number"):
            [row] = rows(f"SELECT * FROM {tables[entry['kind']]} WHERE number = {entry['row']}")
            values = dict(row)
            if entry["kind"] == "game":
                [lineup] = rows(f"SELECT * FROM lineups WHERE number = {row['lineup']}")
                values |= {name: lineup[name] for name in ("members", "bots", "map")}
                of_game = f"SELECT * FROM seats WHERE game = {entry['row']} ORDER BY seat"
                figures = ("seat", "points", "cpu_ms", "asked")
                values["seats"] = [[seat[name] for name in figures] for seat in rows(of_game)]
            ordered = {name: values[name] for name in keys[entry["kind"]].split()}
            payload = json.dumps(
                [entry["kind"], entry["row"], ordered], ensure_ascii=False, separators=(",", ":")
            )
            link = hashlib.blake2b(link + payload.encode("utf-8"), digest_size=16).digest()
            assert link == bytes(entry["link"])
    engine.dispose()
    return link


def test_links_are_as_documented_and_the_same_on_both_databases(tmp_path, server):
    urls = (f"sqlite:///{tmp_path / 'contest.sqlite'}", server.url())
    links = [filled(url) for url in urls]
    assert links[0] == links[1]
    assert links[0].number == 6
    assert [documented(url) for url in urls] == [links[0].link] * 2


def test_a_new_store_has_no_link(url):
    with Store(url) as store:
        assert store.last_link() == Link(0, BEGINNING)
        assert list(store.chained()) == store.notes() == store.strays() == []


def test_a_row_that_is_refused_leaves_no_link(url):
    before = filled(url)
    with Store(url) as store:
        with pytest.raises(ValueError, match="why is missing"):
            store.decide(structs.replace(MARK, why=""))
        store.keep_configuration('{"a":1}', "s", {"a": "1", "b": "2"}, "later")
        store.add([GAME])
        assert store.last_link() == before
        store.keep_configuration('{"a":1}', "s", {"a": "1", "b": "3"}, "later")
        assert store.last_link().number == before.number + 1


def test_a_link_as_people_copy_it_is_read():
    link = Link(7, bytes(range(16)))
    assert link.shown() == "0001 0203 0405 0607 0809 0a0b 0c0d 0e0f"
    for copied in (
        link.shown(),
        link.shown().upper(),
        link.link.hex(),
        "00-01:" + link.shown()[4:],
    ):
        assert read_link(copied) == link.link
    for wrong in ("", "0001", link.shown() + "0", "g" * 32):
        with pytest.raises(ValueError, match="expected 32 hexadecimal digits"):
            read_link(wrong)


def test_rows_of_an_older_layout_are_chained_with_a_note_that_says_so(url):
    write(url, old_games)
    with Store(url) as store:
        found = list(store.chained())
        assert [each.kind for each in found] == ["game"] * len(GAMES) + ["note"]
        assert all(each.holds for each in found)
        [note] = store.notes()
        assert note == Note(CHAINED, {"rows": 5, "layout": "3"}, note.made_at)
    assert documented(url) == found_link(url)


def found_link(url) -> bytes:
    with Store(url) as store:
        return store.last_link().link


def test_a_kill_while_rows_are_chained_leaves_the_layout_of_before(tmp_path):
    path = tmp_path / "contest.sqlite"
    url = f"sqlite:///{path}"
    write(url, old_games)
    dying = f"""
import os, signal
from sqlalchemy import Engine, event
from joute.store.store import Store
@event.listens_for(Engine, "before_cursor_execute")
def die_at_the_first_link(connection, cursor, statement, *ignored):
    if "INSERT INTO links" in statement:
        os.kill(os.getpid(), signal.SIGKILL)
Store({url!r})
"""
    before = dumped(path)
    assert subprocess.run([sys.executable, "-c", dying]).returncode == -9
    assert dumped(path) == before
    with Store(url) as store:
        assert len(store.games()) == len(GAMES)


def test_the_last_link_is_found_without_a_walk_along_the_chain(tmp_path):
    url = f"sqlite:///{tmp_path / 'contest.sqlite'}"
    filled(url)
    connection = sqlite3.connect(tmp_path / "contest.sqlite")
    plan = connection.execute(
        "EXPLAIN QUERY PLAN SELECT number, link FROM links ORDER BY number DESC LIMIT 1"
    ).fetchall()
    connection.close()
    assert "USE TEMP B-TREE" not in str(plan)
    run(url, "UPDATE links SET link = 'x' WHERE number = 6")
    with Store(url) as store, pytest.raises(Exception, match="table 'links', row 6: column 'link'"):
        store.last_link()
