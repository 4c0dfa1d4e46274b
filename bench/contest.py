"""Contests of inline bots: what the machinery costs, and how games a second grow with workers."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

import msgspec

from bench.rows import Row
from joute.contest.config.config import resolve_data
from joute.contest.config.contest import Contest
from joute.contest.run.plan import Plan
from joute.contest.run.runner import run_contest
from joute.play.game import GameResult, GameSpec, identity
from joute.play.referee import play_game
from joute.store.model import StoredGame
from joute.store.store import Store

BOTS = ("builtin:greedy", "builtin:greedy?")  # the usual grid of 10 x 10, 96 plies
GAMES = 600  # of a contest whose games are played
INSTANT = 6000  # of a contest whose games cost nothing
BATCH = 256  # games of a transaction
WARM = 40  # games before a rate is taken

TWO_AIM = 1.9  # times bare play
DASK_AIM = 1.8
OVERHEAD_AIM = 1.0  # milliseconds a game


class Rate(NamedTuple):
    """The speed at which games were played, once all was warm."""

    per_second: float
    own_ms: float  # of CPU in this process, for a game
    worker_ms: float  # the same in the one worker, where its games cost nothing; else 0


def rows() -> Iterator[Row]:
    """Every figure; the aims are of a machine that has two cores to spare."""
    bare = _bare()
    yield Row("bare play, one after the other", bare, "games/s")
    one = _rate(GAMES, workers=1)
    yield _of(bare, "1 worker", one)
    yield _of(bare, "2 workers", _rate(GAMES, workers=2), TWO_AIM)
    try:
        from distributed import LocalCluster
    except ImportError:
        yield Row("2 workers through Dask", None, "", "skipped: pip install 'joute[dask]'")
    else:
        with LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=40
        ) as cluster:
            far = _rate(GAMES, dask=cluster.scheduler_address)
        yield _of(bare, "2 workers through Dask", far, DASK_AIM)
    idle = _rate(INSTANT, workers=1, instant=True)
    # CPU, which other work on the machine does not change as it does the time on the wall.
    cost = idle.own_ms + idle.worker_ms
    yield Row(
        "machinery, CPU of a game that costs nothing",
        cost,
        "ms/game",
        f"coordinator {idle.own_ms:.2f}, worker {idle.worker_ms:.2f}",
        aim=f"< {OVERHEAD_AIM:g} ms",
        met=cost < OVERHEAD_AIM,
    )
    yield Row(f"schedule and identities, {INSTANT} games", _planned_ms(), "ms/game")
    yield Row(f"store, with records, {BATCH} at once", _written(), "games/s")


def _of(bare: float, name: str, rate: Rate, aim: float | None = None) -> Row:
    share = rate.per_second / bare
    return Row(
        name,
        rate.per_second,
        "games/s",
        f"bare: {bare:.3g}",
        share,
        aim="" if aim is None else f"{aim:g} times",
        met=None if aim is None else share >= aim,
    )


def _contest(games: int, folder: Path) -> Contest:
    settings = {"games": games, "seed": 1, "folder": str(folder / "results")}
    return resolve_data({"contest": settings, "bots": list(BOTS)}, where="bench", base=folder)


def _bare() -> float:
    """Games a second of the referee alone."""
    with TemporaryDirectory() as folder:
        specs = [task.spec for task in Plan(_contest(GAMES, Path(folder)), "1", {}).due]
    for spec in specs[:WARM]:
        play_game(spec)
    began = perf_counter()
    for spec in specs[WARM:]:
        play_game(spec)
    return (GAMES - WARM) / (perf_counter() - began)


def _rate(
    games: int, workers: int | None = None, dask: str | None = None, instant: bool = False
) -> Rate:
    """Of a contest with its store, from the moment when some games were played."""
    seen: list[tuple[int, float, float]] = []

    def progress(done: int, *_more: object) -> None:
        seen.append((done, perf_counter(), process_time()))

    with TemporaryDirectory() as folder:
        contest = _contest(games, Path(folder))
        play = play_nothing if instant else None
        found = run_contest(contest, progress, workers, play, dask=dask)
        spent = _spent(Path(contest.folder)) if instant else 0.0
    if found.failures:
        raise RuntimeError(found.failures[0].reason)
    before, began, worked = next(each for each in seen if each[0] >= WARM)
    done, ended, working = seen[-1]
    count = done - before
    return Rate(count / (ended - began), 1000 * (working - worked) / count, spent)


def play_nothing(spec: GameSpec) -> GameResult:
    """The result of another game, at once; instead of the bots' time, this process's so far."""
    now = 1000 * process_time()
    return msgspec.structs.replace(_sample(), identity=identity(spec), cpu_ms=[now, now])


def _spent(folder: Path) -> float:
    """Milliseconds of CPU of a worker from one instant game to the next."""
    with Store.in_file(folder / "contest.sqlite") as store:
        times = sorted(game.cpu_ms[0] for game in store.games().values())
    return (times[-1] - times[WARM]) / (len(times) - 1 - WARM)


@cache
def _sample() -> GameResult:
    with TemporaryDirectory() as folder:
        return play_game(Plan(_contest(2, Path(folder)), "1", {}).due[0].spec)


def _planned_ms() -> float:
    with TemporaryDirectory() as folder:
        contest = _contest(INSTANT, Path(folder))
        began = perf_counter()
        Plan(contest, "1", {})
        return 1000 * (perf_counter() - began) / INSTANT


def _written() -> float:
    """Games a second that the store takes, in transactions of a batch."""
    record = _sample().record
    batches = [
        [_game(first + number) for number in range(BATCH)]
        for first in range(0, INSTANT - BATCH, BATCH)
    ]
    with _store() as store:
        began = perf_counter()
        for batch in batches:
            store.add(batch, {game.identity: record for game in batch})
        return BATCH * len(batches) / (perf_counter() - began)


def _game(number: int) -> StoredGame:
    names = ["greedy", "greedy 2"]
    return StoredGame(
        identity=f"{number:032x}",
        members=names,
        set_number=number // 2,
        map="",
        bots=names,
        ending="finished",
        returns=[1.0, -1.0],
        points=[50, 46],
        plies=96,
        faults=[],
        cpu_ms=[1.0, 1.0],
        asked=[48, 48],
        chain=f"{number:032x}",
        record="",
        played_at="2026-01-01T00:00:00+00:00",
    )


@contextmanager
def _store() -> Iterator[Store]:
    with TemporaryDirectory() as folder, Store.in_file(Path(folder) / "bench.sqlite") as store:
        yield store
