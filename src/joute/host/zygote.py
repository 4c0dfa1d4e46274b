"""Warm interpreters, from which bots' processes are forked within milliseconds.

Each thread that starts bots has its own, one for each interpreter, and they end with it: bots die
with the thread that started them. See `joute.host.child.zygote` for the other side.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from joute.host.adapters import adapter_files
from joute.host.child.zygote import REPLY, REQUEST, STREAMS
from joute.host.command import CHILD, FLAGS, environment

VARIABLE = "JOUTE_ZYGOTE"  # Set to "off", every bot's interpreter is started anew

NUMPY = "numpy"
_NO_TAG = "0" * 16
_SECONDS = 10.0
_LEAVE_SECONDS = 1.0
_KILLED = 9


def package_of(bot: Path) -> str:
    """The package that takes long to import and that a bot names, if it is one of ours to know."""
    try:
        every = [bot] if bot.is_file() else sorted(bot.glob("*.py"))
        files = [each for each in every if each.is_file()]
        return NUMPY if any(NUMPY.encode() in file.read_bytes() for file in files) else ""
    except OSError:
        return ""


class Forked:
    """A process that was forked; it is collected by `wait` only."""

    def __init__(self, pid: int, zygote: Zygote) -> None:
        self.pid = pid
        self.returncode: int | None = None  # As of a Popen: None before `wait`
        self._zygote = zygote

    @property
    def lost(self) -> bool:
        """Whether the interpreter that it was forked of has ended, and it with that."""
        return not self._zygote.close.alive

    def ended(self) -> tuple[int, bool] | None:
        """Its exit status, or the signal's number and True; None while it runs."""
        try:
            status, killed = self._zygote.asked(b"s", self.pid)
        except OSError:
            return _KILLED, True  # with the interpreter that it was forked of
        return None if status < 0 else (status, bool(killed))

    def wait(self) -> int:
        """Waits for its end; from then on its number may be another's."""
        try:
            status, killed = self._zygote.asked(b"r", self.pid)
        except OSError:
            status, killed = _KILLED, True
        self.returncode = -status if killed else status
        return self.returncode


class Zygote:
    """One warm interpreter."""

    def __init__(self, python: str, package: str = "") -> None:
        """Starts it, with a package that its bots need. Raises OSError."""
        wanted = ["--package", package] if package else []
        wanted += ["--adapters", json.dumps(adapter_files())]
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # A pipe, as bots have: Python's own streams keep what kind of file they were opened on.
        nobody, nowhere = os.pipe()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [
                        *(python, *FLAGS, str(CHILD)),
                        *("--zygote", str(theirs.fileno()), *wanted, "--"),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=nowhere,
                    stderr=nowhere,
                    cwd="/",
                    env=environment(_NO_TAG),
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
            except OSError:
                self._control.close()
                raise
            finally:
                os.close(nobody)
                os.close(nowhere)
        self._control.settimeout(_SECONDS)
        self._owner = os.getpid()
        self._one = threading.Lock()  # a bot may be closed by another thread
        self.close = weakref.finalize(self, _end, self._control, self._process, self._owner)
        """Ends it, with all that was forked of it."""

    @property
    def ours(self) -> bool:
        """Whether this process, and not the one that it was forked of, has started it."""
        return self._owner == os.getpid()

    def fork(
        self,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        streams: tuple[int, int, int],
        folder: Path | None,
    ) -> Forked:
        """A process that leads a session of its own and runs the launcher.

        Args:
            arguments: of the launcher.
            environ: its whole environment, as `joute.host.command.environment` makes it.
            streams: the descriptors of its standard input, output and error.
            folder: to start in.

        Raises OSError.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                pid, trouble = self.asked(b"f", 0, theirs.fileno())
            if trouble:
                raise OSError(trouble, os.strerror(trouble))
            where = str(folder or Path.cwd())
            told = {"arguments": list(arguments), "environ": dict(environ), "folder": where}
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, STREAMS.pack(*streams))
            data = json.dumps(told).encode()
            with suppress(BrokenPipeError):  # it has ended before it began: its streams tell
                sent = ours.sendmsg([data], [rights])
                ours.sendall(data[sent:])
        return Forked(pid, self)

    def watch(self, leader: int) -> None:
        """Ends a session that it did not start, too, when this process or thread is killed."""
        self.asked(b"w", leader)

    def unwatch(self, leader: int) -> None:
        """Forgets a session that has ended."""
        with suppress(OSError):  # it has ended itself
            self.asked(b"u", leader)

    def asked(self, kind: bytes, pid: int, descriptor: int | None = None) -> tuple[int, int]:
        """The answer to a request. Raises OSError."""
        passed = [] if descriptor is None else [struct.pack("i", descriptor)]
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, each) for each in passed]
        try:
            with self._one:
                self._control.sendmsg([REQUEST.pack(kind, pid)], rights)
                data = self._control.recv(REPLY.size)
            if not data:
                raise ConnectionResetError("the warm interpreter has ended")
        except OSError:
            # Whatever it says later would be taken for another answer.
            self.close()
            raise
        first, second = REPLY.unpack(data)
        return first, second


_kept = threading.local()


def zygote_of(python: str, package: str = "") -> Zygote | None:
    """This thread's warm interpreter, with a package ready or without; None where there is none.

    One that could not be started, or ended by itself, is not tried again in this thread.
    """
    if sys.platform != "linux" or os.environ.get(VARIABLE, "") == "off":
        return None
    kept: dict[tuple[str, str], Zygote | None] = _kept.__dict__.setdefault("zygotes", {})
    key = python, package
    found = kept.get(key)
    if key not in kept or (found is not None and not found.ours):
        try:
            found = kept[key] = Zygote(python, package)
        except OSError:
            found = kept[key] = None
    return found if found is not None and found.close.alive else None


def watched(leader: int) -> Zygote | None:
    """The warm interpreter that watches over a session from here on; None where there is none."""
    found = zygote_of(sys.executable)
    if found is not None:
        try:
            found.watch(leader)
        except OSError:
            return None
    return found


def dismiss() -> None:
    """Ends this thread's warm interpreters now, and not with the thread."""
    kept: dict[tuple[str, str], Zygote | None] = _kept.__dict__.pop("zygotes", {})
    for each in kept.values():
        if each is not None:
            each.close()


def _end(control: socket.socket, process: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() == owner:
        # Unlike being closed, this is heard even if a copy of the socket was inherited.
        with suppress(OSError):
            control.shutdown(socket.SHUT_RDWR)
        try:
            process.wait(_LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    control.close()
