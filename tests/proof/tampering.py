"""A small contest that was played, copies of it on both databases, and hands that change them."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

from sqlalchemy import MetaData, Table, create_engine, insert, select

from joute.contest.config.config import resolve
from joute.contest.decisions import decide
from joute.contest.folder import DATABASE, ELSEWHERE
from joute.contest.proof.difference import difference_text
from joute.contest.proof.verification import Verification, verify_results
from joute.contest.run.runner import run_contest
from joute.store import tables
from joute.store.chaining import Appender, links_after, with_rows
from joute.store.database import Database
from joute.store.links import BEGINNING, Link
from joute.store.model import REPLAYED, RETIRED
from joute.store.store import Store

CONTEST = """
bots = ["builtin:greedy", "builtin:random", "clumsy.py"]
[contest]
games = {games}
workers = 1
seed = "cup"
[game]
size = 4
"""
CLUMSY = """
def play(observation, clock):
    return -1 if len(observation["legal"]) % 5 == 3 else observation["legal"][0]
"""


def play_contest(folder: Path) -> Path:
    """Play a contest of three bots, with two configurations and two decisions; its folder."""
    (folder / "clumsy.py").write_text(CLUMSY)
    file = folder / "cup.toml"
    for games in (2, 4):
        file.write_text(CONTEST.format(games=games))
        run_contest(resolve(file), trust=True)
    contest = resolve(file)
    with Store.in_file(folder / "cup.results" / DATABASE) as store:
        third = list(store.games())[2]
    decide(contest, REPLAYED, third, "the lights went out", "referee")
    run_contest(contest, trust=True)
    decide(contest, RETIRED, "random", "left early", "referee")
    return folder


class Copy:
    """A copy of a contest's folder, its results in SQLite or at a URL."""

    def __init__(self, original: Path, folder: Path, url: str | None) -> None:
        shutil.copytree(original, folder)
        self.file = folder / "cup.toml"
        self.results = folder / "cup.results"
        database = self.results / DATABASE
        self.url = f"sqlite:///{database}" if url is None else url
        if url is not None:
            Store(url).close()
            copy_rows(f"sqlite:///{database}", url)
            database.unlink()
            (self.results / ELSEWHERE).write_text(f"{url}\n")

    def run(self, *statements: str) -> None:
        """Execute SQL by hand."""
        engine = create_engine(driven(self.url))
        with engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
        engine.dispose()

    def relink(self) -> None:
        """Compute all links anew, as somebody does who knows how they are made."""
        database = Database(self.url)

        def work(connection):
            rows, before = [], Link(0, BEGINNING)
            while page := links_after(connection, before.number):
                chained, before = with_rows(connection, page, before)
                rows += [each for each in chained if each.values is not None]
            connection.execute(tables.links.delete())
            appender = Appender(connection)
            for each in rows:
                appender.add(each.kind, each.row, each.values)
            appender.write()

        database.write(work)
        database.close()

    def verified(self, link: bytes | None = None) -> Verification:
        """The verification of the results."""
        return verify_results(self.results, link=link)

    def first(self, link: bytes | None = None) -> str:
        """The first sentence of what a look at it finds; "" for nothing."""
        found = self.verified(link).differences
        return difference_text(found[0]) if found else ""


def driven(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")


def copy_rows(here: str, there: str) -> None:
    """Copy all rows of a store into an empty one."""
    source, target = create_engine(here), create_engine(driven(there))
    metadata = MetaData()
    names = [table.name for table in tables.metadata.sorted_tables]
    with source.begin() as reading, target.begin() as writing:
        for name in names:
            table = Table(name, metadata, autoload_with=source)
            rows = [dict(row) for row in reading.execute(select(table)).mappings()]
            if name == "meta":
                continue
            if rows:
                writing.execute(insert(tables.metadata.tables[name]), rows)
    source.dispose()
    target.dispose()


def executed(*statements: str) -> Callable[[Copy], None]:
    """A hand that executes SQL."""
    return lambda copy: copy.run(*statements)


def relinked(*statements: str) -> Callable[[Copy], None]:
    """A hand that executes SQL and then computes the links anew."""

    def change(copy: Copy) -> None:
        copy.run(*statements)
        copy.relink()

    return change


def rewritten(name: str, old: str, new: str) -> Callable[[Copy], None]:
    """A hand that changes a file of results."""

    def change(copy: Copy) -> None:
        path = copy.results / name
        before = path.read_text(encoding="utf-8")
        assert old in before
        path.write_text(before.replace(old, new, 1), encoding="utf-8")

    return change


def columns_of(path: Path) -> Iterable[tuple[str, str]]:
    """Every column of a store's tables in SQLite."""
    connection = sqlite3.connect(path)
    for table in tables.metadata.sorted_tables:
        for row in connection.execute(f"PRAGMA table_info({table.name})").fetchall():
            yield table.name, row[1]
    connection.close()
