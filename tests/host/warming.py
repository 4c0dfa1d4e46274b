"""Shared parts of the tests of warm interpreters: users, copies of this process to be killed."""

import os
import signal
from pathlib import Path


def runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def in_a_copy(work):
    """The number of a copy of this process, which waits to be killed, and what it says."""
    out, told = os.pipe()
    copy = os.fork()
    if copy == 0:
        try:
            os.write(told, work().encode())
            signal.pause()
        except BaseException as error:
            os.write(told, repr(error).encode())
        finally:
            os._exit(0)
    os.close(told)
    said = os.read(out, 1 << 16).decode()
    os.close(out)
    return copy, said


def number_of(zygote):
    return zygote._process.pid
