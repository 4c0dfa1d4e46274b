"""Starts the process of a command made by `joute.host.command`."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import NamedTuple

from joute.host.sandbox import groups
from joute.host.sandbox.grants import Level
from joute.host.sandbox.groups import ControlGroup, Share
from joute.i18n.words import Sentence, english
from joute.text import last_words

REFEREE = "JOUTE_REFEREE"
"""The variable that tells the jail where to report; the kernel adds the number of its process."""
_PATIENCE_SECONDS = 10.0
_CREDENTIALS, _DESCRIPTOR = struct.Struct("3i"), struct.Struct("i")
_LAST_LINE = 200  # characters of what was printed last, in the reason of a fault
_KILLED = 128  # and the number of the signal: an exit status, where a program tells of another


class BotCommand(list[str]):
    """The words of a command, and what they enforce on what they run."""

    def __init__(
        self,
        words: list[str],
        level: Level = Level.NONE,
        reports: bool = False,
        warm: Sequence[str] = (),
        share: Share | None = None,
        announces: bool = False,
    ) -> None:
        """A command.

        Args:
            words: the file of a program and its arguments.
            level: how far what it runs is isolated.
            reports: whether the bot says which process it is, and hands over the listening socket
                of its own network, if it has one.
            warm: of a Python bot, what the launcher under `words[0]` is told, where an interpreter
                that is there already may be forked for it (see `joute.host.zygote`).
            share: what all its processes may take together, where this machine can hold them so;
                of a command of level `full` only.
            announces: whether an empty line on its output says that what it runs is about to begin.
        """
        super().__init__(words)
        self.level = level
        self.reports = reports or level is Level.FULL
        self.warm = list(warm)
        self.share = share
        self.announces = announces


class Spawned(NamedTuple):
    """A process that was started."""

    process: subprocess.Popen[bytes]
    """Leads its session; what ends or stops it ends or stops the bot."""
    pid: int  # The process of the bot itself, whose time is charged
    listener: socket.socket | None
    """The socket on which the bot's connections come in, if it has a network of its own."""
    group: ControlGroup | None  # Holds all its processes together; to be closed when they are over


def spawn(
    command: BotCommand,
    environ: Mapping[str, str],
    streams: tuple[int, int, int],
    cwd: Path | None = None,
) -> Spawned:
    """Starts a process that leads a session of its own.

    Args:
        command: what to run.
        environ: its whole environment.
        streams: the descriptors of its standard input, output and error.
        cwd: the folder to start in.

    Raises OSError.
    """
    variables, passed = dict(environ), []
    with ExitStack() as stack:
        if command.reports:
            ours, theirs = (stack.enter_context(closing(end)) for end in socket.socketpair())
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            ours.settimeout(_PATIENCE_SECONDS)
            variables[REFEREE] = str(theirs.fileno())
            passed.append(theirs.fileno())
        process = subprocess.Popen(
            list(command),
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            cwd=cwd,
            env=variables,
            pass_fds=passed,
            start_new_session=True,
        )
        if not command.reports:
            return Spawned(process, process.pid, None, None)
        theirs.close()
        group = _grouped(command.share, process)
        pid, listener = _reported(ours, group)
        return Spawned(process, pid or process.pid, listener, group)


def end_words(pid: int, level: Level) -> str:
    """The end of a process that was spawned, without collecting it: its number stays its own.

    Args:
        pid: of the process that leads its session.
        level: of its command.
    """
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return exit_words(None, killed=False)
    status, killed = found.si_status, found.si_code != os.CLD_EXITED
    if level is Level.FULL and not killed and status > _KILLED:
        return exit_words(status - _KILLED, killed=True)  # as bubblewrap tells a signal
    return exit_words(status, killed)


def exit_words(status: int | None, killed: bool) -> str:
    """The end of a process in words.

    Args:
        status: its exit status, or the signal's number; None if it still runs.
        killed: whether a signal ended it.
    """
    if status is None:
        return english(Sentence("error.process.closed"))
    if not killed:
        return english(Sentence("error.process.status", status=status))
    name = signal.Signals(status).name if status in set(signal.Signals) else f"signal {status}"
    if status == signal.SIGKILL:
        return english(Sentence("error.process.killed", signal=name))
    meaning = signal.strsignal(status)
    return english(Sentence("error.process.signal", signal=name, meaning=meaning))


def with_printed(reason: str, output: str) -> str:
    """The reason why a program failed, and its last words, which may say more."""
    line = last_words(output)
    if not line:
        return reason
    shown = line if len(line) <= _LAST_LINE else f"{line[:_LAST_LINE]}..."
    return english(Sentence("error.process.printed", reason=reason, line=shown))


def _grouped(share: Share | None, process: subprocess.Popen[bytes]) -> ControlGroup | None:
    """A group with a process in it that has only just started, where groups can be had.

    Moving a process takes the kernel some ten milliseconds, during which this one gets ready. What
    it starts meanwhile is moved when it reports, which is then done at once.
    """
    ground = groups.ground() if share is not None else None
    if share is None or ground is None:
        return None
    group = None
    try:
        group = ControlGroup(ground, share)
        with suppress(ProcessLookupError):  # it has ended: its last words tell
            group.take(process.pid)
    except OSError:
        process.kill()
        process.wait()
        if group is not None:
            group.close()
        raise
    return group


def _reported(
    from_jail: socket.socket, group: ControlGroup | None
) -> tuple[int, socket.socket | None]:
    """The number here of the jailed process, and its listening socket; 0 if it ends before.

    It goes on when it is in its group, and not otherwise.
    """
    pid, listener = 0, None
    with suppress(OSError):
        room = socket.CMSG_SPACE(_CREDENTIALS.size) + socket.CMSG_SPACE(_DESCRIPTOR.size)
        _, passed, _, _ = from_jail.recvmsg(1, room)
        for _, kind, data in passed:
            if kind == socket.SCM_RIGHTS:
                listener = socket.socket(fileno=_DESCRIPTOR.unpack(data)[0])
            elif kind == socket.SCM_CREDENTIALS:
                pid = _CREDENTIALS.unpack(data)[0]
        if group is not None and pid:  # to a group, 0 is whoever writes it: ourselves
            group.take(pid)
        from_jail.sendall(b"\0")
    return pid, listener
