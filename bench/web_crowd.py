"""A class at once: people who play, students who hand in, on two cores.

The server has two cores to itself, its checks of what was handed in included; the people are
another process on the others. A click's wait is above the bot's own time, see `web_players`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, sleep
from typing import Any

from bench.rows import Row
from joute.web.settings import Settings

PEOPLE = 50
HAND_INS = 30
SECONDS = 60.0
CORES = 2
AIM_MS = 300.0
RECEIVED_AIM_MS = 1000.0


def crowd_rows() -> Iterator[Row]:
    """The figures."""
    every = sorted(os.sched_getaffinity(0))
    ours, theirs = every[:CORES], every[CORES:] or every
    os.sched_setaffinity(0, ours)
    try:
        waits, received = _measured(theirs)
    finally:
        os.sched_setaffinity(0, every)
    load = f"load of the machine {os.getloadavg()[0]:.0f}"
    detail = f"{len(waits):,} clicks of {PEOPLE} people, {HAND_INS} hand-ins meanwhile; {load}"
    yield from _three("click of a crowd above the bot's own time", waits, AIM_MS, detail)
    detail = f"{HAND_INS} within {SECONDS:.0f} s; the checks follow one after the other; {load}"
    yield from _three("bot received", received, RECEIVED_AIM_MS, detail)


def _three(name: str, waits: list[float], aim: float, detail: str) -> Iterator[Row]:
    for which, value in (
        ("median", median(waits)),
        ("95 of 100", quantiles(waits, n=20)[18]),
        ("worst", max(waits)),
    ):
        yield Row(f"{name}, {which}", value, "ms", detail, aim=f"< {aim:.0f} ms", met=value < aim)


def _measured(cores: list[int]) -> tuple[list[float], list[float]]:
    """The waits of clicks, and of what was handed in, in milliseconds."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from web.conftest import Site  # what the tests serve the application with
    from web.entered import GOOD, Reception

    with tempfile.TemporaryDirectory() as folder:
        site = Site(Settings(data=Path(folder), prepare=True))
        reception = Reception(site)
        guests = [reception.participant(f"Student {number}") for number in range(HAND_INS)]
        words = [sys.executable, "-m", "bench.web_players", site.url, str(PEOPLE), str(SECONDS)]
        playing = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        os.sched_setaffinity(playing.pid, cores)
        try:
            received = [_handed_in(guest, GOOD) for guest in guests]
            waits: list[float] = json.loads(playing.communicate(timeout=10 * SECONDS)[0])
        finally:
            playing.kill()
            reception.close()
            site.close()
    return waits, received


def _handed_in(guest: Any, content: bytes) -> float:
    """The milliseconds until a bot is received; returns when it is time for the next one."""
    begun = monotonic()
    answer = guest.upload(content)
    waited = monotonic() - begun
    if answer.status_code >= 400:
        raise RuntimeError(answer.text[:400])
    sleep(max(0.0, SECONDS / HAND_INS - waited))
    return 1000 * waited
