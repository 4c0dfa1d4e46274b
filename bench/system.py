"""Whole programs: contests with workers, the command line."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.rows import Row
from joute.contest.run.match import run_match

STARTS = 10
COMMAND_LINE_AIM = 0.2  # seconds


class MatchFailedError(Exception):
    """Games of a measurement were not played."""


def contest_rows(name: str, bots: Sequence[str], games: int) -> Iterator[Row]:
    """Games a second with one worker, and with two, in terms of the first."""
    alone = _games_per_second(bots, games, 1)
    yield Row(f"contest, {name}, 1 worker", alone, "games/s")
    both = _games_per_second(bots, games, 2)
    yield Row(
        f"contest, {name}, 2 workers", both, "games/s", f"1 worker: {alone:.3g}", both / alone
    )


def _games_per_second(bots: Sequence[str], games: int, workers: int) -> float:
    """Of a match with records on disk, once every worker is warm."""
    seen: list[tuple[float, int]] = []

    def progress(done: int, total: int, rate: float, left: float | None) -> None:
        seen.append((perf_counter(), done))

    with TemporaryDirectory() as folder:
        found = run_match(
            "virus", {}, bots, games, 1, workers=workers, progress=progress, folder=Path(folder)
        )
    if found.failures:
        raise MatchFailedError(found.failures[0].reason)
    began, before = next(each for each in seen if each[1] >= 2 * workers)
    ended, done = seen[-1]
    return (done - before) / (ended - began)


def command_line_row() -> Row:
    """`joute --help`, from the start of the process to its end."""
    command = [str(Path(sys.executable).with_name("joute")), "--help"]
    taken = []
    for _ in range(STARTS):
        began = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        taken.append(perf_counter() - began)
    value = median(taken)
    return Row(
        "joute --help",
        value,
        "s",
        aim=f"< {COMMAND_LINE_AIM} s",
        met=value < COMMAND_LINE_AIM,
    )
