"""The store on both databases: games written a second, and what a million games cost to read."""

import multiprocessing
import resource
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice, permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.postgresql import NoServerError, Server
from bench.rows import Row
from joute.store.game import Game
from joute.store.store import Store

GAMES = 1_000_000
BOTS = 32
AT_ONCE = 5000  # games of a transaction while the million is written
WRITTEN = 6400  # games, to measure what writing costs
BATCH = 64  # games of a transaction there, as the contest's coordinator has them
RECORD = b"".join(
    b'{"ply":%d,"player":%d,"action":%d,"by":"bot","cpu_ms":0.%03d,"wall_ms":1.%03d,"hash":"%032x"}\n'
    % (ply, ply % 2, ply * 37 % 100, ply * 91 % 1000, ply * 57 % 1000, hash((ply, "x")) % 2**120)
    for ply in range(96)
)

SUMMARY_AIM = 2.0  # seconds
MEMORY_AIM = 500.0  # MB
RESULTS = ([1.0, -1.0], [-1.0, 1.0], [0.0, 0.0])


def rows() -> Iterator[Row]:
    """Every figure, for each database that this machine has."""
    with TemporaryDirectory() as folder:
        yield from _measured("sqlite", lambda name: f"sqlite:///{Path(folder) / name}")
    try:
        server = Server(safe=True)
    except NoServerError as error:
        yield Row("postgresql", None, "", f"skipped: {error}")
        return
    try:
        yield from _measured("postgresql", lambda _: server.url())
    finally:
        server.remove()


def synthetic(count: int) -> Iterator[Game]:
    """Games between `BOTS` bots, every pair in turn, both ways round."""
    names = [f"bot {number:02}" for number in range(BOTS)]
    seated = list(permutations(names, 2))
    for number in range(count):
        bots = seated[number % len(seated)]
        yield Game(
            identity=f"{number * 0x9E3779B97F4A7C15 % 2**128:032x}",
            members=sorted(bots),
            set_number=number // len(seated),
            map="",
            bots=list(bots),
            ending="finished",
            returns=RESULTS[number * 7 % 3],
            points=[number % 97, 96 - number % 97],
            plies=96,
            faults=[],
            cpu_ms=[number % 1000 / 8, number % 900 / 8],
            asked=[48, 48],
            chain=f"{number:032x}",
            record="",
            played_at="2026-01-01T00:00:00+00:00",
        )


def _measured(kind: str, url: Callable[[str], str]) -> Iterator[Row]:
    with Store(url("small")) as store:
        began = perf_counter()
        _write(store, WRITTEN, BATCH, RECORD)
        rate = WRITTEN / (perf_counter() - began)
    yield Row(f"{kind}: written with records, {BATCH} at once", rate, "games/s")
    full = url("full")
    with Store(full) as store:
        began = perf_counter()
        _write(store, GAMES, AT_ONCE, None)
        rate = GAMES / (perf_counter() - began)
    yield Row(f"{kind}: written without, {AT_ONCE} at once", rate, "games/s")
    size = f"{GAMES:,} games"
    for what, work in (("added up", _add_up), ("gone through", _go_through)):
        with _alone() as apart:
            taken, peak = apart.submit(_timed, work, full).result()
        aimed = work is _add_up
        yield Row(
            f"{kind}: {size} {what}",
            taken,
            "s",
            aim=f"< {SUMMARY_AIM:g} s" if aimed else "",
            met=taken < SUMMARY_AIM if aimed else None,
        )
        aim = f"< {MEMORY_AIM:g} MB"
        yield Row(f"{kind}: peak memory, {what}", peak, "MB", aim=aim, met=peak < MEMORY_AIM)


def _write(store: Store, count: int, at_once: int, record: bytes | None) -> None:
    games = synthetic(count)
    while batch := list(islice(games, at_once)):
        store.add(batch, None if record is None else {game.identity: record for game in batch})


@contextmanager
def _alone() -> Iterator[ProcessPoolExecutor]:
    """A process of its own, whose peak of memory is that of the work."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as apart:
        yield apart


def _timed(work: Callable[[Store], object], url: str) -> tuple[float, float]:
    """Seconds of the work, and the process's peak in MB."""
    with Store(url) as store:
        began = perf_counter()
        work(store)
        taken = perf_counter() - began
    return taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _add_up(store: Store) -> object:
    return store.tallies()


def _go_through(store: Store) -> object:
    """What resuming keeps: which games there are, and how each ended."""
    return {result.identity: (result.lineup, result.returns) for result in store.results()}
