"""What a worker process does: plays batches of games, and never outlives its coordinator.

On its line come pickles of a play and the games' specifications. It answers each by the length of a
pickle and the pickle: of what came of the games, of a ShortageError, or of a text that says why
there is nothing.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgspec

from joute.host.protocol import InfrastructureError
from joute.i18n.words import english
from joute.machine import ShortageError, shortage, shortage_in
from joute.play.game import GameResult, GameSpec
from joute.store.packing import pack

Play = Callable[[GameSpec], GameResult]

LEFT_TO_COORDINATOR = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that reach a terminal's whole process group: the coordinator decides what becomes of it,
and lets games that are being played end."""
HEAD = struct.Struct("=Q")

_PR_SET_PDEATHSIG = 1  # <sys/prctl.h>
_LOOK_SECONDS = 0.5


class Played(NamedTuple):
    """What came of one game: a result, or why there is none."""

    result: GameResult | None  # without its record
    failure: str
    seconds: float
    record: bytes = b""  # packed as the store keeps it: the coordinator has enough to do
    spoilt: bool = False  # whether it failed when it had begun, for a reason of the machine's
    waited_for: tuple[int, ...] = ()  # the seats of the bots that had no answer then
    short: str | None = None  # what the machine had too little of, if that is the reason


def die_with(parent: int) -> None:
    """End this process when its parent, whose number this is, ends.

    Linux sends a signal for it, which needs no turn at the interpreter; elsewhere a thread looks.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_leave_after, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it ended before
        os._exit(1)


def _leave_after(parent: int) -> NoReturn:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


def serve(line: socket.socket, parent: int) -> NoReturn:
    """Play the batches that come on a line until it ends, then end this process."""
    die_with(parent)
    status = 1
    try:
        with line.makefile("rb") as batches:
            while batches.peek(1):
                answer(line, _played(batches))
        status = 0
    except OSError:
        pass  # nobody hears any more
    finally:
        from joute.host.zygote import dismiss

        dismiss()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _played(batches: Any) -> list[Played] | ShortageError | str:
    """What comes of the next batch."""
    try:
        play, specs = pickle.load(batches)  # noqa: S301 - of our own coordinator
        return play_batch(play, specs)
    except Exception as error:  # of a play that is not to be found, or memory that is not there
        kind = shortage(error)
        return told_of(error) if kind is None else ShortageError(kind)


def answer(line: socket.socket, content: list[Played] | ShortageError | str) -> None:
    """Send what came of a batch."""
    data = pickle.dumps(content)
    line.sendall(HEAD.pack(len(data)) + data)


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
        told, seconds = told_of(error), time.perf_counter() - started
        short = shortage(error) or shortage_in(str(error))
        seats = error.seats
        return Played(None, told, seconds, short=short, spoilt=True, waited_for=seats)
    except Exception as error:  # the games of other bots go on, whatever happened in this one
        return Played(None, told_of(error), time.perf_counter() - started, short=shortage(error))


def told_of(error: Exception) -> str:
    """An error in a line, in English as stores keep it: kind, text, where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"{type(error).__name__}: {english(error)} ({place})"
