"""A target with bugs planted in it: what the fuzzer must find."""

import os
import signal

from fuzzing.mutation import bytes_changed

CPU_SECONDS = 0.5
_OPENED = []


def seeds():
    return [b"right " * 10, b"wrong"]


def cases(pool):
    return bytes_changed(pool, (_word(),))


def _word():
    """The bug that is planted now."""
    return os.environ.get("PLANTED", "crash").encode()


def check(case):
    if _word() in case:
        _DOES.get(_word(), str)()
    return "" if case.startswith((b"right", b"wrong")) else "not right"


def _crash():
    raise ZeroDivisionError("planted")


def _slow():
    while True:
        pass


def _wait():
    told, tell = os.pipe()
    try:
        os.read(told, 1)
    finally:
        os.close(told)
        os.close(tell)


def _greedy():
    bytearray(1 << 31)


def _kill():
    os.kill(os.getpid(), signal.SIGKILL)


def _open():
    _OPENED.append(os.open(os.devnull, os.O_RDONLY))


_DOES = {
    b"crash": _crash,
    b"slow": _slow,
    b"wait": _wait,
    b"greedy": _greedy,
    b"kill": _kill,
    b"open": _open,
}
