"""The cost of proving every result: the chain of a store's rows, verify and audit.

Usually of 100,000 games; JOUTE_BENCH_GAMES says how many: 1000000 takes some 20 minutes.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from unittest.mock import patch

from bench.rows import Row
from bench.store import (
    BATCH,
    GAMES,
    RECORD,
    WRITTEN,
    alone,
    contest_of,
    count_of,
    end,
    fill,
    fill_up,
    played,
    timed,
    write,
)
from bench.web_served import served
from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.folder import DATABASE
from joute.contest.proof.facts import Readers
from joute.contest.proof.stored import StoredResults
from joute.contest.proof.verification import CHECKS, cheap_differences, verify_results
from joute.contest.proof.walk import Walk
from joute.contest.report.audit import audit
from joute.contest.run.runner import run_contest
from joute.store import chaining
from joute.store.store import Store

REPLAYED = 1000  # games that are really played, to replay their records
PAGE_AIM = 0.3  # seconds
GROWTH_AIM = 1000.0  # bytes a game
REAL = """
bots = ["builtin:greedy", "builtin:random"]
[contest]
games = {games}
[game]
size = 5
"""


def rows() -> Iterator[Row]:
    """Every figure, on SQLite."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        yield from _written(folder)
        yield from _replayed(folder / "real")
        contest = contest_of(folder / "many", GAMES)
        file = folder / "many" / "many.toml"
        for work in (fill, fill_up, end):
            with alone() as apart:
                apart.submit(timed, work, file).result()
        yield from _of_many(contest, file)
        yield from _migrated(contest, file)


def _written(folder: Path) -> Iterator[Row]:
    """Writing games, with the chain and without."""
    contest = contest_of(folder / "some", WRITTEN)
    rates, sizes = [], []
    for number, chained in enumerate((True, False, True, False)):
        path = folder / f"{number}.sqlite"
        with Store.in_file(path) as store, nullcontext() if chained else _unchained():
            rates.append(write(store, islice(played(contest), WRITTEN), BATCH, RECORD))
        sizes.append(path.stat().st_size / WRITTEN)
    taken = [1e6 / max(rates[chained::2]) for chained in (0, 1)]
    ratio = taken[1] / taken[0]
    yield Row("a game written", taken[0], "us", "without the chain", ratio)
    yield Row("bytes of the chain", sizes[0] - sizes[1], "a game")


def _unchained() -> object:
    class Nothing:
        def __init__(self, *_: object) -> None: ...

        def add(self, *_: object) -> None: ...

        def write(self) -> None: ...

    return patch.object(chaining, "Appender", Nothing)


def _replayed(folder: Path) -> Iterator[Row]:
    """A contest that was played, verified beside a mere replay of its records."""
    folder.mkdir()
    (folder / "real.toml").write_text(REAL.format(games=REPLAYED))
    contest = resolve(folder / "real.toml")
    run_contest(contest)
    results = Path(contest.folder)
    with Store.in_file(results / DATABASE) as store:
        numbers = range(1, store.count() + 1)
        list(_replay(store, numbers[:400]))  # workers start, rules are compiled
        began = perf_counter()
        assert all(_replay(store, numbers))
        alone_taken = perf_counter() - began
    began = perf_counter()
    proof = verify_results(results)
    taken = perf_counter() - began
    assert proof.ok, proof.differences
    assert proof.records == len(numbers)
    yield Row("records replayed alone", len(numbers) / alone_taken, "games/s")
    rate = len(numbers) / taken
    yield Row("verify, records and all", rate, "games/s", "that", alone_taken / taken)


def _replay(store: Store, numbers: range) -> Iterator[bool]:
    with Readers(len(numbers)) as readers:
        for _, facts in readers.read(iter(store.frames(numbers).items())):
            yield facts is not None and facts.ok


def _of_many(contest: Contest, file: Path) -> Iterator[Row]:
    """A store of many games, whose results are made up."""
    count, results = count_of(contest), Path(contest.folder)
    began = perf_counter()
    with Store.in_file(results / DATABASE) as store:
        opened = perf_counter()
        store.last_link()
        read = perf_counter()
    yield Row(f"{count:,} games: store opened", 1e3 * (opened - began), "ms")
    yield Row("last link read", 1e3 * (read - opened), "ms")
    first, again = _page(results)
    yield Row("page, the first after start", first, "s", aim=_below(PAGE_AIM), met=first < PAGE_AIM)
    yield Row("page, again", again, "s")
    _, _, base = _apart(file, _nothing)
    for what, work in (
        ("chain walked", _walk),
        ("cheap part of verify", _cheap),
        ("verify but for the records", _whole),
        ("audit", audit),
    ):
        taken, own, peak = _apart(file, work)
        grown = 1e6 * (peak - base) / count
        yield Row(
            f"{what}: own work", 1e6 * own / count, "us a game", f"{taken:.1f} s by the clock"
        )
        aim, met = f"< {GROWTH_AIM:g}", grown < GROWTH_AIM
        yield Row(
            "grows by",
            grown,
            "bytes a game",
            f"peak {peak:.0f} MB",
            aim=aim,
            met=met,
        )


def _below(aim: float) -> str:
    return f"< {aim:g} s"


def _page(results: Path) -> tuple[float, float]:
    """Seconds until the first bytes of a contest's page, the first time and again."""
    with served((results,)) as (_, port):
        taken = []
        for _ in range(2):
            began = perf_counter()
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", f"/contests/{results.stem}")
            answer = connection.getresponse()
            answer.read(1)
            taken.append(perf_counter() - began)
            assert answer.status == 200, answer.status
            connection.close()
    return taken[0], taken[1]


def _apart(file: Path, work: Callable[[Contest], object]) -> tuple[float, float, float]:
    """Seconds by the clock, of the process's own work, and its peak in MB."""
    with alone() as apart:
        return apart.submit(timed, work, file).result()


def _nothing(_: Contest) -> None:
    """Nothing, to see what a process takes that does nothing."""


def _walk(contest: Contest) -> None:
    with Store.in_file(Path(contest.folder) / DATABASE) as store:
        assert all(each.holds for each in store.chained())


def _cheap(contest: Contest) -> None:
    assert cheap_differences(Path(contest.folder)) == []


def _whole(contest: Contest) -> None:
    folder = Path(contest.folder)
    with Store.in_file(folder / DATABASE) as store:
        results = StoredResults(folder, store)
        assert not list(Walk(results).differences(with_records=False))
        for check in CHECKS:
            assert not list(check(results)), check


def _migrated(contest: Contest, file: Path) -> Iterator[Row]:
    """The same store, as one of the layout without a chain that is brought up to date."""
    path = Path(contest.folder) / DATABASE
    connection = sqlite3.connect(path)
    for statement in (
        "DROP TABLE links",
        "DROP TABLE notes",
        "ALTER TABLE contest DROP COLUMN contents",
        "ALTER TABLE contest DROP COLUMN made_at",
        "UPDATE meta SET value = '3'",
    ):
        connection.execute(statement)
    connection.commit()
    connection.execute("VACUUM")
    connection.close()
    before = path.stat().st_size
    taken, own, peak = _apart(file, _open)
    grown = (path.stat().st_size - before) / count_of(contest)
    told = f"{taken:.1f} s by the clock, peak {peak:.0f} MB"
    yield Row("chained afterwards: own work", own, "s", told)
    yield Row("and grown by", grown, "bytes a game", f"from {before / 1e6:.0f} MB")


def _open(contest: Contest) -> None:
    Store.in_file(Path(contest.folder) / DATABASE).close()
