"""What attacks share: steps tried one by one, and what came of each.

A copy lies beside each attack, as `attempt`, so that this file needs the standard library only.
An attack has one function, `play(observation, clock)`; `observation["aim"]` tells it all that an
attacker could dream of knowing: paths, numbers of processes, ports (see `joute.redteam.room`).
What an attack says of itself never counts as success. It tells which refusals it met.
"""

import ctypes
import errno
import json
import os
import platform
import re
import select
import stat
import sys

_NUMBERS = {
    "x86_64": dict(
        clone=56, bpf=321, perf_event_open=298, userfaultfd=323, keyctl=250, add_key=248
    ),
    "aarch64": dict(
        clone=220, bpf=280, perf_event_open=241, userfaultfd=282, keyctl=219, add_key=217
    ),
}
_EVERYWHERE = {"io_uring_setup": 425, "pidfd_open": 434, "pidfd_getfd": 438}

_libc = ctypes.CDLL(None, use_errno=True)


def attempt(**steps):
    """The answer of an attack: the steps that were done, with what, and how others were refused."""
    done, refused = {}, {}
    for name, step in steps.items():
        try:
            done[name] = str(step())[:200]
        except OSError as error:
            refused[name] = errno.errorcode.get(error.errno, str(error))
        except MemoryError:
            refused[name] = "ENOMEM"
        except ValueError as error:
            # How Python's module of limits says EPERM.
            refused[name] = "RLIMIT" if "not allowed to raise" in str(error) else "ValueError"
        except Exception as error:
            full = isinstance(error, RuntimeError) and "new thread" in str(error)
            refused[name] = "EAGAIN" if full else type(error).__name__
    return {"action": 0, "message": json.dumps({"done": done, "refused": refused})}


def call(function, *arguments):
    """The result of a function of the C library. Raises OSError where it is -1."""
    found = getattr(_libc, function)
    found.restype = ctypes.c_long
    ctypes.set_errno(0)
    result = found(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    number = ctypes.get_errno()
    if result == -1 or (result == 0xFFFFFFFF and number):  # as an int, of which only half is set
        raise OSError(number, os.strerror(number))
    return result


def system_call(name, *arguments):
    """The result of a call that the C library has no function for. Raises OSError."""
    numbers = dict(_EVERYWHERE, **_NUMBERS.get(platform.machine(), {}))
    return call("syscall", numbers[name], *arguments)


def by_number(observation, name, *arguments):
    """The result of a call by its number, whatever the C library knows. Raises OSError."""
    number = observation["aim"]["numbers"].get(name)
    if number is None:
        raise OSError(errno.ENOSYS, name)
    return call("syscall", number, *arguments)


def read(path, most=1 << 16):
    """The first bytes of a file."""
    with open(path, "rb") as file:
        return file.read(most)


def write(path, text="left behind"):
    """Makes a file."""
    with open(path, "w") as file:
        file.write(text)
    return path


def cut_out(data, mark):
    """The first secret in some bytes: the mark of secrets and what follows it."""
    found = re.search(mark.encode() + rb"[0-9a-f]{16}", data)
    return found.group().decode() if found else "not found"


def writer():
    """The descriptor of the protocol, which the host's side of this process keeps for itself."""
    for descriptor in range(48, 64):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode) and not _readable_end(descriptor):
                return descriptor
        except OSError:
            continue
    raise FileNotFoundError("no pipe among the private descriptors")


def _readable_end(descriptor):
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY


def serve(play):
    """Speaks the protocol of bots as a program does, where this process is one."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "end":
            return
        reply = {"type": "ready"}
        if message["type"] == "play":
            reply = dict(play(message["observation"], None), type="action")
        print(json.dumps(reply), flush=True)


def child(work):
    """Starts a process that leaves the bot's group if it may, does its work, and ends."""
    ready, told = os.pipe()
    number = os.fork()
    if number == 0:
        try:
            os.setsid()
        except OSError:
            pass  # in the bot's own group it is easier to find
        try:
            os.write(told, b".")
            work()
        finally:
            os._exit(0)
    os.close(told)
    os.read(ready, 1)  # not stopped with the bot before it has left
    return number


def burn(seconds):
    """Computes for so many seconds of this thread's CPU time."""
    import time

    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(2000))


def linger(seconds):
    """Waits, without computing."""
    select.select([], [], [], seconds)
