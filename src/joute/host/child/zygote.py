"""A warm interpreter: forked for each bot, so that a bot's process is there in milliseconds.

It runs no code of a bot and hears nothing of any: a request brings a socket, which only the forked
process reads. Everything of a game ends with that process. The layout of memory is the same in all
that are forked from one interpreter.

On the control socket, each request is a letter and the number of a process, and answered by two
numbers: `f` forks (its socket comes along) and answers the new process and 0, or 0 and what is
wrong; `s` answers how a process that was forked has ended, its status and whether by a signal, or
-1 if it runs; `r` likewise, and its number is free from then on; `w` and `u` are for the leaders of
other sessions: watched, they are ended with all else when the referee has gone; unwatched.
"""

import contextlib
import ctypes
import errno
import gc
import importlib
import json
import os
import signal
import socket
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, NoReturn, Set, Tuple

REQUEST = struct.Struct("=ci")
REPLY = struct.Struct("=ii")
STREAMS = struct.Struct("3i")
"""Descriptors of standard input, output and error, which come with what a process is told."""

_WARM = (
    *("bisect", "collections", "copy", "dataclasses", "functools", "heapq", "itertools", "math"),
    *("operator", "queue", "random", "string", "threading", "time", "typing"),
)
"""Modules that many bots import."""
_CHUNK = 1 << 16
_TAG = "JOUTE_BOT"


def run(
    descriptor: int, main: "Callable[[List[str]], None]", cold: "Set[str]", package: str
) -> "NoReturn":
    """Forks on request until the referee has gone.

    Args:
        descriptor: of the control socket.
        main: what a forked process runs, with its arguments.
        cold: the modules that a fresh process would have; what there is besides them must not be
            taken for a module of the bot's own by the same name.
        package: what else to have ready, if it is installed; "" for nothing.
    """
    from . import system  # which other systems than Linux have not

    importlib.import_module(__package__ + ".jail")
    for name in _WARM:
        importlib.import_module(name)
    if package:
        with contextlib.suppress(Exception):  # the bot's own import will tell
            importlib.import_module(package)
    warm = set(sys.modules) - cold
    sessions = set()  # type: Set[int]

    def leave(*_: object) -> "NoReturn":
        for leader in sessions:
            with contextlib.suppress(OSError):  # it may have gone
                os.killpg(leader, signal.SIGKILL)
        os._exit(0)

    # Not SIGKILL, as for a bot: what it has to end is told no other way.
    signal.signal(signal.SIGTERM, leave)
    system.control(system.SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    gc.collect()
    gc.freeze()
    referee = socket.socket(fileno=descriptor)
    if str(os.getppid()) != os.environ["JOUTE_PARENT"]:
        leave()
    while True:
        data, passed, _, _ = referee.recvmsg(REQUEST.size, socket.CMSG_SPACE(4))
        if not data:
            leave()
        kind, pid = REQUEST.unpack(data)
        if kind == b"f":
            [(_, _, told)] = passed
            reply = _fork(referee, struct.unpack("i", told)[0], main, warm)
            if reply[0]:
                sessions.add(reply[0])
        else:
            reply = _answer(kind, pid, sessions)
        referee.sendall(REPLY.pack(*reply))


def _fork(
    referee: socket.socket, told: int, main: "Callable[[List[str]], None]", warm: "Set[str]"
) -> "Tuple[int, int]":
    try:
        pid = os.fork()
    except OSError as error:
        os.close(told)
        return 0, error.errno or errno.EAGAIN
    if pid == 0:
        try:
            referee.close()
            main(_dressed(told, warm))
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)
    os.close(told)
    return pid, 0


def _answer(kind: bytes, pid: int, sessions: "Set[int]") -> "Tuple[int, int]":
    if kind == b"w":
        sessions.add(pid)
    elif kind == b"u":
        sessions.discard(pid)
    else:
        options = os.WEXITED | (0 if kind == b"r" else os.WNOHANG | os.WNOWAIT)
        if kind == b"r":
            sessions.discard(pid)
        ended = os.waitid(os.P_PID, pid, options)
        if ended is None:
            return -1, 0
        return ended.si_status, int(ended.si_code != os.CLD_EXITED)
    return 0, 0


def _dressed(told: int, warm: "Set[str]") -> "List[str]":
    """Makes this process what a fresh one would be; what it is to run."""
    from .system import LIBRARY

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.setsid()
    request, streams = _received(told)
    for descriptor, stream in enumerate(streams):
        os.dup2(stream, descriptor)
        os.close(stream)
    environ = request["environ"]
    # In place, where the referee looks for it: nothing else shows it of a process that was forked.
    getenv = LIBRARY.getenv
    getenv.restype = ctypes.c_void_p
    mark = environ[_TAG].encode()
    ctypes.memmove(getenv(_TAG.encode()), mark, len(mark))
    for name, value in environ.items():
        os.environ[name] = value
    os.environ["JOUTE_PARENT"] = str(os.getppid())
    os.chdir(request["folder"])
    if "numpy.random" in sys.modules:
        # Its generator is not drawn anew after a fork, as that of `random` is.
        sys.modules["numpy.random"].seed()
    for name in _of_its_own(request["arguments"][-1]) & warm:
        for module in [each for each in sys.modules if each.split(".")[0] == name]:
            del sys.modules[module]
    return list(request["arguments"])


def _received(told: int) -> "Tuple[Dict[str, Any], Tuple[int, ...]]":
    """The request and its three descriptors."""
    with socket.socket(fileno=told) as sender:
        data, passed, _, _ = sender.recvmsg(_CHUNK, socket.CMSG_SPACE(STREAMS.size))
        chunks = [data]
        while chunks[-1]:
            chunks.append(sender.recv(_CHUNK))
    return json.loads(b"".join(chunks)), STREAMS.unpack(passed[0][2])


def _of_its_own(path: str) -> "Set[str]":
    """The names of modules that lie beside a bot, or in it."""
    try:
        if os.path.isdir(path):
            names = os.listdir(path)
        elif path.endswith(".zip"):
            import zipfile

            with zipfile.ZipFile(path) as archive:
                names = [part for name in archive.namelist() for part in name.split("/")]
        else:
            names = os.listdir(os.path.dirname(path) or ".")
    except Exception:  # whatever is wrong with it, its own start will tell
        return set()
    return {name.split(".")[0] for name in names}
