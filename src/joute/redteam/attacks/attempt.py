"""The part that all attacks share: steps tried one by one, and how each ended.

The program of an attack is the text of this file, the text of the attack's family, and a line that
says which attack it is (see `joute.redteam.corpus`), so that it needs the standard library only. An
attack is a function of its `aim`: all that an attacker could wish to know, such as paths, ports and
numbers of processes (see `joute.redteam.targets`), with the `ply` and the `clock` of the turn. It
reports the refusals that it met; what it says of itself never counts as success.
"""

import ctypes
import errno
import fcntl
import json
import os
import re
import select
import stat
import struct
import sys
import time

kept = []
"""Objects that an attack leaves open, or keeps from one turn to the next."""

_numbers = {}
_libc = ctypes.CDLL(None, use_errno=True)


def player(attack):
    """The function `play` of a bot whose moves are an attack."""

    def play(observation, clock):
        aim = dict(observation["aim"], ply=observation["ply"], clock=clock)
        _numbers.update(aim["numbers"])
        return attack(aim) or 0

    return play


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


def by_number(name, *arguments):
    """The result of a call by its number, whatever the C library knows. Raises OSError."""
    number = _numbers.get(name)
    if number is None:
        raise OSError(errno.ENOSYS, name)
    return call("syscall", number, *arguments)


def packed(form, *values, size=0):
    """A buffer for a call, filled as `struct.pack` does, of at least so many bytes."""
    data = struct.pack("=" + form, *values)
    return ctypes.create_string_buffer(data, max(size, len(data) + 1))


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
    """The first secret in some bytes: the mark of secrets and the digits after it."""
    found = re.search(mark.encode() + rb"[0-9a-f]{16}", data)
    return found.group().decode() if found else "not found"


def writer():
    """The descriptor of the protocol, which the host's part of this process keeps for itself."""
    for descriptor in range(48, 64):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode) and not _readable_end(descriptor):
                return descriptor
        except OSError:
            continue
    raise FileNotFoundError("no pipe among the private descriptors")


def _readable_end(descriptor):
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
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(2000))


def linger(seconds):
    """Waits, without computing."""
    select.select([], [], [], seconds)
