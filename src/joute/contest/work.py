"""What a worker process does: play batches of games, and never outlive its coordinator."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import msgspec

from joute.host.faults import InfrastructureError
from joute.play.game import GameResult, GameSpec
from joute.store.packing import pack

Play = Callable[[GameSpec], GameResult]

_PR_SET_PDEATHSIG = 1  # <sys/prctl.h>


class Played(NamedTuple):
    """What came of one game: a result, or why there is none."""

    result: GameResult | None  # without its record
    failure: str
    seconds: float
    record: bytes = b""  # packed as the store keeps it: the coordinator has enough to do
    spoilt: bool = False  # whether it failed when it had begun, for a reason of the machine's
    waited_for: tuple[int, ...] = ()  # the seats of the bots that had no answer then


def prepare(stay: Connection) -> None:
    """Make this worker leave when the coordinator dies or closes its end of `stay`.

    The thread that waits for this needs its turn at the interpreter; the signal that Linux sends
    at the death of the parent, which dies with the coordinator, does not.
    Ctrl-C reaches a terminal's whole process group: workers leave it to the coordinator.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_leave_at_end_of, args=(stay,), daemon=True).start()


def _leave_at_end_of(stay: Connection) -> None:
    try:
        stay.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


def play_batch(play: Play | None, specs: Sequence[GameSpec]) -> list[Played]:
    """Play games one after the other, with `play` or else the referee."""
    if play is None:
        from joute.play.referee import play_game

        play = play_game
    return [_play_one(play, spec) for spec in specs]


def _play_one(play: Play, spec: GameSpec) -> Played:
    started = time.perf_counter()
    try:
        result = play(spec)
        record = pack(result.record)
        result = msgspec.structs.replace(result, record=b"")
        return Played(result, "", time.perf_counter() - started, record)
    except InfrastructureError as error:
        seconds = time.perf_counter() - started
        return Played(None, _told(error), seconds, spoilt=True, waited_for=error.seats)
    except Exception as error:  # the games of other bots go on, whatever happened in this one
        return Played(None, _told(error), time.perf_counter() - started)


def _told(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"
