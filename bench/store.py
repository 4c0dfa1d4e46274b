"""The store on both databases: games written a second, and what many games cost a contest.

Usually 100,000 games; JOUTE_BENCH_GAMES says how many: 1000000 takes some minutes.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from bench.postgresql import NoServerError, Server
from bench.rows import Row
from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest, to_json
from joute.contest.contents import contents_of
from joute.contest.folder import known
from joute.contest.report.standings import write_results
from joute.contest.report.summary import summary
from joute.contest.run.plan import Plan, planned
from joute.contest.run.tasks import game_terms, seats_of
from joute.contest.schedule.formats import schedule_of
from joute.play.game import Identities
from joute.store.model import StoredGame
from joute.store.store import Store

GAMES = int(os.environ.get("JOUTE_BENCH_GAMES", "100000"))
BOTS = 32
BEGUN = "2026-01-01T00:00:00+00:00"
AT_ONCE = 5000  # games of a transaction while all are written
LATER = 10_000  # games that arrive after a summary was left behind
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
        yield from _measured("sqlite", Path(folder), lambda: None)
    try:
        server = Server(safe=True)
    except NoServerError as error:
        yield Row("postgresql", None, "", f"skipped: {error}")
        return
    try:
        with TemporaryDirectory() as folder:
            yield from _measured("postgresql", Path(folder), server.url)
    finally:
        server.remove()


def contest_of(folder: Path, games: int, store: str | None = None) -> Contest:
    """A round robin of so many games, or a few less, in a folder of its own; its bots are files."""
    folder.mkdir(parents=True)
    names = [f"bot{number:02}.py" for number in range(BOTS)]
    for name in names:
        (folder / name).write_text(f"# {name}\ndef play(observation, clock): ...\n")
    lines = [f"bots = {names}", "[contest]", 'seed = "known to all who read this file"']
    lines += [f"games = {2 * max(1, games // (BOTS * (BOTS - 1)))}"]
    lines += [f'store = "{store}"'] if store else []
    (folder / "many.toml").write_text("\n".join(lines) + "\n")
    return resolve(folder / "many.toml")


def played(contest: Contest) -> Iterator[StoredGame]:
    """All games of the contest, with results that are made up."""
    identities = Identities(game_terms(contest))
    seats, contents = seats_of(contest), contents_of(contest)
    for number, slot in enumerate(schedule_of(contest, contest.seed or "").take()):
        yield StoredGame(
            identity=identities.of(
                [seats[name] for name in slot.seats],
                [contents[name] for name in slot.seats],
                slot.seed,
            ),
            members=list(slot.members),
            set_number=slot.number,
            map=slot.map,
            bots=list(slot.seats),
            ending="finished",
            returns=RESULTS[int(slot.seed, 16) % 7 % 3],
            points=[number % 97, 96 - number % 97],
            plies=96,
            faults=[],
            cpu_ms=[number % 1000 / 8, number % 900 / 8],
            asked=[48, 48],
            chain=f"{number:032x}",
            record="",
            played_at=BEGUN,
            isolation=["kernel", "kernel"],
        )


def fill(contest: Contest) -> None:
    """Has all games of a contest in its store but the last, those that come later."""
    folder = Path(contest.folder)
    folder.mkdir()
    if contest.store:
        (folder / "store").write_text(contest.store)
    url = contest.store or f"sqlite:///{folder / 'contest.sqlite'}"
    with Store(url) as store:
        known = to_json(contest).decode()
        store.keep_configuration(known, contest.seed or "", contents_of(contest), BEGUN)
        write(store, islice(played(contest), count_of(contest) - LATER), AT_ONCE, None)


def fill_up(contest: Contest) -> None:
    """Has the last games of a contest in its store too."""
    with Store(contest.store or f"sqlite:///{Path(contest.folder) / 'contest.sqlite'}") as store:
        write(store, islice(played(contest), count_of(contest) - LATER, None), AT_ONCE, None)


def count_of(contest: Contest) -> int:
    return contest.max_games * BOTS * (BOTS - 1) // 2


def _measured(kind: str, folder: Path, url: Callable[[], str | None]) -> Iterator[Row]:
    small = url() or f"sqlite:///{folder / 'small.sqlite'}"
    some = contest_of(folder / "some", WRITTEN)
    with Store(small) as store:
        rate = write(store, islice(played(some), WRITTEN), BATCH, RECORD)
    yield Row(f"{kind}: written with records, {BATCH} at once", rate, "games/s")
    contest = contest_of(folder / "many", GAMES, url())
    file = folder / "many" / "many.toml"
    with alone() as apart:
        taken, _, _ = apart.submit(timed, fill, file).result()
    count = count_of(contest)
    yield Row(f"{kind}: written without, {AT_ONCE} at once", (count - LATER) / taken, "games/s")
    for what, work, aimed in (
        ("begun, as a run does", _begin, False),
        ("taken up again, as a run does", _take_up, False),
        ("and its results written, as it ends", end, False),
        ("standings, after that", _look, True),
        (f"{LATER:,} of them written later", fill_up, False),
        ("standings, after that", _look, True),
    ):
        with alone() as apart:
            taken, own, peak = apart.submit(timed, work, file).result()
        aim, met = (f"< {SUMMARY_AIM:g} s", taken < SUMMARY_AIM) if aimed else ("", None)
        yield Row(f"{kind}: {count:,} games {what}", taken, "s", aim=aim, met=met)
        yield Row(f"{kind}: own work", own, "s")
        aim = f"< {MEMORY_AIM:g} MB"
        yield Row(f"{kind}: peak memory", peak, "MB", aim=aim, met=peak < MEMORY_AIM)


def write(store: Store, games: Iterator[StoredGame], at_once: int, record: bytes | None) -> float:
    """Writes games; returns how many were written a second."""
    count, began = 0, perf_counter()
    while batch := list(islice(games, at_once)):
        store.add(batch, None if record is None else {game.identity: record for game in batch})
        count += len(batch)
    return count / (perf_counter() - began)


@contextmanager
def alone() -> Iterator[ProcessPoolExecutor]:
    """A process of its own, whose peak of memory is that of the work."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as apart:
        yield apart


def timed(work: Callable[[Contest], Any], file: Path) -> tuple[float, float, float]:
    """Seconds of the work by the clock, of the process's own work, and its peak in MB."""
    contest = resolve(file)
    began, worked = perf_counter(), process_time()
    work(contest)
    taken, own = perf_counter() - began, process_time() - worked
    return taken, own, _peak()


def _peak() -> float:
    """MB that this process had at most; not its parent's, which getrusage tells if it had more."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6


def _begin(contest: Contest) -> None:
    """The work of a run before it plays anything where nothing was played."""
    Plan(contest, contest.seed or "", {})


def _take_up(contest: Contest) -> None:
    """The work of a run before it plays anything."""
    planned(contest, known(contest))


def end(contest: Contest) -> None:
    """The work of a run before it plays, and when it has played."""
    plan = planned(contest, known(contest))
    write_results(Path(contest.folder), contest, plan, contest.seed or "")


def _look(contest: Contest) -> None:
    """The work of `joute contest standings`."""
    summary(contest)
