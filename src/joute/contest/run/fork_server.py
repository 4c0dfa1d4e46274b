"""The process of which workers are forked: it has imported the referee once.

So workers start in milliseconds, share its memory, and inherit none of the coordinator's threads,
files or locks. It ends with the thread that started it, and the workers end with it, whatever they
do: the kernel sends them a signal at the death of their parent. A thread that has several pools,
one after the other, uses one server for all.

On the control socket, each byte comes with the end of a worker's line. A worker that cannot be
forked is answered there, in its place, by a ShortageError; see `joute.contest.run.work` for a line.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from multiprocessing import spawn
from typing import Any, NoReturn

from joute.contest.run import work
from joute.core.registry import VARIABLE as GAMES_VARIABLE
from joute.machine import PROCESSES, ShortageError, shortage

_START = (
    "import json, sys\n"
    "told = json.loads(sys.argv[1])\n"
    "sys.path[:] = told['path']\n"
    "from joute.contest.run.fork_server import run\n"
    "run(told)\n"
)
# Libraries that would start a thread for each core in each process.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_LEAVE_SECONDS = 5.0
MAIN = "__main__"
# Of what a main module is made again from; not the key by which processes know each other.
_MAIN = ("name", "sys_argv", "dir", "init_main_from_name", "init_main_from_path")


class ForkServer:
    """One such process, as its coordinator knows it. Raises OSError if it cannot be started."""

    def __init__(self, module: str | None) -> None:
        """Start it; `module` is where the workers find their play, if that is not the referee."""
        self.control, theirs = socket.socketpair()
        told: dict[str, Any] = {
            "path": [str(entry) for entry in sys.path],
            "parent": os.getpid(),
            "control": theirs.fileno(),
            "main": _main_module() if module == MAIN else None,
            "modules": ["joute.play.referee", *([module] if module not in (None, MAIN) else [])],
        }
        # Until it ignores them itself: a terminal sends its signals to all, and they are the
        # coordinator's affair.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, work.LEFT_TO_COORDINATOR)
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _START, json.dumps(told)],
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
        """End it, and with it the workers, in the middle of whatever they do."""
        self._process.kill()
        self.close()


_kept = threading.local()


def server_for(play: object) -> ForkServer:
    """A server whose workers can play with `play`. Raises OSError if it cannot be started."""
    module: str | None = getattr(play, "__module__", None)
    if module == MAIN:
        return ForkServer(module)
    found: ForkServer | None = getattr(_kept, "server", None)
    if found is None or not found.usable:
        found = _kept.server = ForkServer(module)
    return found


def _end(control: socket.socket, process: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() == owner:
        control.close()
        try:
            process.wait(_LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _main_module() -> dict[str, Any]:
    found = spawn.get_preparation_data("joute")
    return {key: found[key] for key in _MAIN if key in found}


def run(told: dict[str, Any]) -> NoReturn:
    """What the process does, from its start to its end."""
    for number in work.LEFT_TO_COORDINATOR:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, work.LEFT_TO_COORDINATOR)
    work.die_with(told["parent"])
    control = socket.socket(fileno=told["control"])
    try:
        if told["main"] is not None:
            spawn.prepare(told["main"])
        for name in told["modules"]:
            importlib.import_module(name)
    except Exception as error:  # the coordinator says it, in its words
        kind = shortage(error)
        said = work.told_of(error) if kind is None else ShortageError(kind)
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
                work.answer(line, ShortageError(shortage(error) or PROCESSES))
            return
        if worker == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            work.serve(line, server)
