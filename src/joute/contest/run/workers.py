"""Worker processes: what they do, and the process of which they are forked.

A worker plays batches of games, and never outlives its coordinator. On its line come pickles of a
play and of the specifications of games. It answers each by the length of a pickle and the pickle:
the played games, a ShortageError, or a text that says why there is nothing.

The fork server has imported the referee once. So workers start in milliseconds, share its memory,
and inherit none of the coordinator's threads, files or locks. It ends with the thread that started
it, and the workers end with it, whatever they do: the kernel sends them a signal at the death of
their parent. A thread that has several pools, one after the other, uses one server for all.

On the control socket, each byte comes with the end of a worker's line. A worker that cannot be
forked is answered there, in its place, by a ShortageError.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import spawn
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgspec

from joute.core.registry import VARIABLE as GAMES_VARIABLE
from joute.host.protocol import InfrastructureError
from joute.i18n.words import english
from joute.machine import OWN_PYTHON, PROCESSES, ShortageError, shortage, shortage_in
from joute.play.game import GameResult, GameSpec
from joute.store.columns import pack

Play = Callable[[GameSpec], GameResult]

LEFT_TO_COORDINATOR = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that reach a terminal's whole process group: the coordinator decides what becomes of it,
and lets games that are being played end."""
HEAD = struct.Struct("=Q")

_PR_SET_PDEATHSIG = 1  # <sys/prctl.h>
_LOOK_SECONDS = 0.5


class PlayedGame(NamedTuple):
    """A game that a worker played: its result, or why there is none."""

    result: GameResult | None  # without its record
    failure: str
    seconds: float
    record: bytes = b""  # packed as the store keeps it: the coordinator has enough to do
    spoilt: bool = False  # whether it failed when it had begun, for a reason of the machine's
    waited_for: tuple[int, ...] = ()  # the seats of the bots that had no answer then
    short: str | None = None  # what the machine had too little of, if that is the reason


def die_with(parent: int) -> None:
    """Ends this process when its parent, whose number this is, ends.

    Linux sends a signal for it, which needs no turn at the interpreter; elsewhere a thread looks.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:

        def leave_after() -> NoReturn:
            while os.getppid() == parent:
                time.sleep(_LOOK_SECONDS)
            os._exit(1)

        threading.Thread(target=leave_after, daemon=True).start()
    if os.getppid() != parent:  # it ended before
        os._exit(1)


def serve(line: socket.socket, parent: int) -> NoReturn:
    """Plays the batches that come on a line until it ends, then ends this process."""
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


def _played(batches: Any) -> list[PlayedGame] | ShortageError | str:
    """The answer to the next batch."""
    try:
        play, specs = pickle.load(batches)  # noqa: S301 - of our own coordinator
        return play_batch(play, specs)
    except Exception as error:  # of a play that is not to be found, or memory that is not there
        kind = shortage(error)
        return told_of(error) if kind is None else ShortageError(kind)


def answer(line: socket.socket, content: list[PlayedGame] | ShortageError | str) -> None:
    """Sends what came of a batch."""
    data = pickle.dumps(content)
    line.sendall(HEAD.pack(len(data)) + data)


def play_batch(play: Play | None, specs: Sequence[GameSpec]) -> list[PlayedGame]:
    """Plays games one after the other, with `play` or else the referee."""
    if play is None:
        from joute.play.referee import play_game

        play = play_game
    return [_play_one(play, spec) for spec in specs]


def _play_one(play: Play, spec: GameSpec) -> PlayedGame:
    started = time.perf_counter()
    try:
        result = play(spec)
        record = pack(result.record)
        result = msgspec.structs.replace(result, record=b"")
        return PlayedGame(result, "", time.perf_counter() - started, record)
    except InfrastructureError as error:
        # Its sentence says all that people can do something about.
        told, seconds = english(error), time.perf_counter() - started
        short = shortage(error) or shortage_in(str(error))
        seats = error.seats
        return PlayedGame(None, told, seconds, short=short, spoilt=True, waited_for=seats)
    except Exception as error:  # the games of other bots go on, whatever happened in this one
        return PlayedGame(
            None, told_of(error), time.perf_counter() - started, short=shortage(error)
        )


def told_of(error: Exception) -> str:
    """An error in a line, in English as stores keep it: kind, text, where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"{type(error).__name__}: {english(error)} ({place})"


_START = (
    "import json, sys\n"
    "told = json.loads(sys.argv[1])\n"
    "sys.path[:] = told['path']\n"
    "from joute.contest.run.workers import run_server\n"
    "run_server(told)\n"
)
# Libraries that would start a thread for each core in each process.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_LEAVE_SECONDS = 5.0
MAIN = "__main__"
# Of what a main module is made again from; not the key by which processes know each other.
_MAIN_KEYS = ("name", "sys_argv", "dir", "init_main_from_name", "init_main_from_path")


class ForkServer:
    """One such process, as its coordinator knows it. Raises OSError if it cannot be started."""

    def __init__(self, module: str | None) -> None:
        """Starts it; `module` is where the workers find their play, if that is not the referee."""
        self.control, theirs = socket.socketpair()
        main = spawn.get_preparation_data("joute") if module == MAIN else {}
        told: dict[str, Any] = {
            "path": [str(entry) for entry in sys.path],
            "parent": os.getpid(),
            "control": theirs.fileno(),
            "main": {key: main[key] for key in _MAIN_KEYS if key in main},
            "modules": ["joute.play.referee", *([module] if module not in (None, MAIN) else [])],
        }
        # Until it ignores them itself: a terminal sends its signals to all, and they are the
        # coordinator's affair.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, LEFT_TO_COORDINATOR)
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [*OWN_PYTHON, "-c", _START, json.dumps(told)],
                    stdin=subprocess.DEVNULL,
                    env={**_ONE_THREAD, **os.environ},
                    pass_fds=[theirs.fileno()],
                )
        except OSError:
            self.control.close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._owner = os.getpid()
        self._games = os.environ.get(GAMES_VARIABLE)
        self.close = weakref.finalize(self, _end, self.control, self._process, self._owner)
        """Ends it, and the workers that are left."""

    @property
    def usable(self) -> bool:
        """Whether it runs, was started by this process, and knows the games that it knows."""
        ours = self.close.alive and self._owner == os.getpid()
        knows = self._games == os.environ.get(GAMES_VARIABLE)
        return ours and knows and self._process.poll() is None

    def fork(self) -> socket.socket:
        """The coordinator's end of the line to a new worker. Raises OSError."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self.control, [b"f"], [theirs.fileno()])
        except OSError:
            ours.close()
            raise
        return ours

    def kill(self) -> None:
        """Ends it, and with it the workers, in the middle of whatever they do."""
        self._process.kill()
        self.close()


_servers = threading.local()


def server_for(play: object) -> ForkServer:
    """A server whose workers can play with `play`. Raises OSError if it cannot be started."""
    module: str | None = getattr(play, "__module__", None)
    if module == MAIN:
        return ForkServer(module)
    found: ForkServer | None = getattr(_servers, "server", None)
    if found is None or not found.usable:
        found = _servers.server = ForkServer(module)
    return found


def _end(control: socket.socket, process: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() == owner:
        control.close()
        try:
            process.wait(_LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run_server(told: dict[str, Any]) -> NoReturn:
    """Runs the process, from its start to its end."""
    for number in LEFT_TO_COORDINATOR:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, LEFT_TO_COORDINATOR)
    die_with(told["parent"])
    control = socket.socket(fileno=told["control"])
    try:
        if told["main"]:
            spawn.prepare(told["main"])
        for name in told["modules"]:
            importlib.import_module(name)
    except Exception as error:  # the coordinator says it, in its words
        kind = shortage(error)
        said = told_of(error) if kind is None else ShortageError(kind)
        with suppress(OSError):
            control.sendall(pickle.dumps(said))
        os._exit(1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who has ended leaves nothing behind
    gc.collect()
    gc.freeze()
    while True:
        try:
            byte, [line], _, _ = socket.recv_fds(control, 1, 1)
        except (OSError, ValueError):  # with no room for the line, nothing comes with the byte
            byte, line = b"", -1
        if not byte:
            os._exit(0)
        _fork(control, socket.socket(fileno=line))


def _fork(control: socket.socket, line: socket.socket) -> None:
    with line:
        server = os.getpid()
        try:
            worker = os.fork()
        except OSError as error:
            with suppress(OSError):
                answer(line, ShortageError(shortage(error) or PROCESSES))
            return
        if worker == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            serve(line, server)
