"""Attacks on other processes, on their own rights and limits, and on the end of a game."""

import ctypes
import fcntl
import os
import resource
import signal
import struct
import sys

from joute.redteam.attacks.attempt import attempt, by_number, call, child, linger, packed

_SEIZE = 0x4206  # of ptrace
_LIMITS = "AS CORE DATA FSIZE MEMLOCK MSGQUEUE NICE NOFILE NPROC RTPRIO SIGPENDING STACK".split()
_SLEEP = "import select; select.select([], [], [], 20)"


def _by_pipe(number, own):
    """Sends a signal by a pipe that can be read; `own` says whose the pipe is."""
    out, into = os.pipe()
    try:
        own(out)
        fcntl.fcntl(out, 10, int(number))  # F_SETSIG
        fcntl.fcntl(out, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(into, b".")
    finally:
        os.close(out)
        os.close(into)


def kill_referee(aim):
    """Kills the referee, so that a lost game does not count."""
    referee = aim["referee"]
    return attempt(
        owner=lambda: _by_pipe(
            signal.SIGKILL, lambda end: fcntl.fcntl(end, fcntl.F_SETOWN, referee)
        ),
        scope_kill=lambda: os.kill(referee, signal.SIGKILL),
        descriptor=lambda: signal.pidfd_send_signal(os.pidfd_open(referee), signal.SIGKILL),
        scope_group=lambda: os.killpg(referee, signal.SIGKILL),
    )


def kill_others(aim):
    """Kills other programs of the same user.

    A process of ours stands for them all: what may be sent to it by its number, `kill(-1)` sends to
    all, and is therefore never called.
    """
    decoy = aim["decoy"]
    return attempt(
        scope_ask=lambda: os.kill(decoy, 0),
        scope_end=lambda: os.kill(decoy, signal.SIGTERM),
        scope_kill=lambda: os.kill(decoy, signal.SIGKILL),
        scope_thread=lambda: call("tgkill", decoy, decoy, int(signal.SIGKILL)),
        queue=lambda: call("sigqueue", decoy, int(signal.SIGKILL), None),
    )


def stop_others(aim):
    """Stops other programs of the same user, such as the opponent, so that their time runs out."""
    return attempt(
        scope_stop=lambda: os.kill(aim["decoy"], signal.SIGSTOP),
        scope_group=lambda: os.killpg(aim["decoy"], signal.SIGSTOP),
    )


def signal_by_number(aim):
    """Stops another process by the rarer calls that send signals, by their numbers."""
    decoy, stop = aim["decoy"], int(signal.SIGSTOP)
    told = packed("iii", stop, 0, -1, size=128)

    def by_handle():
        handle = by_number("pidfd_open", decoy, 0)
        by_number("pidfd_send_signal", handle, stop, None, 0)

    return attempt(
        scope_thread=lambda: by_number("tgkill", decoy, decoy, stop),
        thread=lambda: by_number("tkill", decoy, stop),
        queue=lambda: by_number("rt_sigqueueinfo", decoy, stop, told),
        queue_to_thread=lambda: by_number("rt_tgsigqueueinfo", decoy, decoy, stop, told),
        handle=by_handle,
    )


def signal_by_pipe(aim):
    """Stops another process by a pipe, whose owner is sent a signal when it can be read."""
    decoy = aim["decoy"]

    def owned(control, request, argument):
        _by_pipe(signal.SIGSTOP, lambda end: control(end, request, argument))

    return attempt(
        owner=lambda: owned(fcntl.fcntl, fcntl.F_SETOWN, decoy),
        owner_more=lambda: owned(fcntl.fcntl, 15, struct.pack("=ii", 1, decoy)),  # F_SETOWN_EX
        control=lambda: owned(fcntl.ioctl, 0x8901, struct.pack("=i", decoy)),  # FIOSETOWN
    )


def slow_others(aim):
    """Takes the processor away from others: their priority, their cores, their limits."""
    decoy = aim["decoy"]
    return attempt(
        priority=lambda: os.setpriority(os.PRIO_PROCESS, decoy, 19),
        scheduler=lambda: os.sched_setscheduler(decoy, os.SCHED_IDLE, os.sched_param(0)),
        cores=lambda: os.sched_setaffinity(decoy, {0}),
        limits=lambda: resource.prlimit(decoy, resource.RLIMIT_NOFILE, (3, 3)),
    )


def trace_others(aim):
    """Attaches itself as a debugger to another program of the same user."""
    return attempt(decoy=lambda: call("ptrace", _SEIZE, aim["decoy"], 0, 0))


def hurry_itself(aim):
    """Gives itself more than its share: a better priority, real time, wider limits."""
    infinite = resource.RLIM_INFINITY
    return attempt(
        limit_of_memory=lambda: resource.setrlimit(resource.RLIMIT_DATA, (infinite, infinite)),
        limit_of_files=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 40, 1 << 40)),
        priority=lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
        real_time=lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    )


def lower_itself(aim):
    """Lowers its own priority and pins itself to a core, to look as if the machine were busy."""
    zero = ctypes.create_string_buffer(4)
    idle = packed("IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0)
    nicer = packed("IIQiIQQQ", 48, 0, 0, 19, 0, 0, 0, 0)
    first = ctypes.create_string_buffer(b"\1", 128)
    return attempt(
        nice=lambda: os.nice(5),
        priority=lambda: os.setpriority(os.PRIO_PROCESS, 0, 19),
        group=lambda: os.setpriority(os.PRIO_PGRP, 0, 19),
        idle=lambda: by_number("sched_setscheduler", 0, 5, zero),
        batch=lambda: by_number("sched_setscheduler", 0, 3, zero),
        attributes=lambda: by_number("sched_setattr", 0, idle, 0),
        nicer=lambda: by_number("sched_setattr", 0, nicer, 0),
        cores=lambda: by_number("sched_setaffinity", 0, 128, first),
        disk=lambda: by_number("ioprio_set", 1, 0, 3 << 13),
    )


def widen_limits(aim):
    """Raises every limit that was set on it, by both calls that do."""

    def widen(kind, by):
        hard = resource.getrlimit(kind)[1]
        if hard == resource.RLIM_INFINITY:
            raise OSError(22, "there is no limit")  # nothing to raise
        return by(kind, packed("QQ", hard + (1 << 40), hard + (1 << 40)))

    calls = {
        "": lambda kind, limits: by_number("setrlimit", kind, limits),
        "_again": lambda kind, limits: by_number("prlimit64", 0, kind, limits, None),
    }
    kinds = {name.lower(): getattr(resource, "RLIMIT_" + name) for name in _LIMITS}
    return attempt(
        **{
            name + at: lambda kind=kind, by=by: widen(kind, by)
            for name, kind in kinds.items()
            for at, by in calls.items()
        }
    )


def outlive_referee(aim):
    """Outlives a killed referee: undoes what ties its life to the referee's."""

    def untie():
        call("prctl", 1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG: no signal

    def hide():
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)

    return attempt(
        untie=untie, hide=hide, session=os.setsid, copy=lambda: child(lambda: linger(20))
    )


def daemon(aim):
    """Leaves a process after the game: orphaned, in its own session, ignoring signals."""

    def orphan():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                    signal.signal(number, signal.SIG_IGN)
                linger(20)
            os._exit(0)
        os.wait()

    return attempt(orphan=orphan)


def daemon_in_disguise(aim):
    """Leaves a process that nothing ties to the bot: another program, without its environment."""
    if aim["ply"] == 1:
        os._exit(0)  # whoever is its parent then is none of the bot's

    def orphan():
        ready, told = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 3)
                os.execve(sys.executable, ["kworker", "-S", "-c", _SLEEP], {})
            os._exit(0)
        os.close(told)
        os.wait()
        os.read(ready, 1)  # ends when the orphan has become the other program

    return attempt(orphan=orphan)


def program_daemon(aim):
    """Leaves a process that nothing ties to the program it came from."""
    return daemon_in_disguise(aim)
