"""A program that connects to the referee: started, its output kept, ended with its descendants.

It has no input. On Linux it dies with the *thread* that started it.
"""

from __future__ import annotations

import os
import secrets
import select
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence

from joute.host.child.channel import ANNOUNCEMENT
from joute.host.clock import CpuClock
from joute.host.command import environment
from joute.host.descendants import MemoryWatch, end_family, relatives
from joute.host.sandbox.spawning import BotCommand, end_words, spawn
from joute.host.zygote import watched

_CHUNK = 1 << 16
_LEFT_BEHIND_CHUNKS = 32  # more than a pipe holds


class Launched:
    """One program, from `start` to `close`."""

    def __init__(
        self,
        command: Sequence[str],
        output_kb: int,
        variables: Mapping[str, str],
        memory_mb: int = 0,
        errors: int | None = None,
    ) -> None:
        """Prepares a program; nothing is started yet.

        Args:
            command: as made by `program_command`, which also says where the program works.
            output_kb: how much of its output `take_output` gives at most, in KiB.
            variables: of its environment, besides the usual ones.
            memory_mb: MiB that each of its processes may write; 0 for no limit.
            errors: the descriptor of its standard error; None for that of its output.
        """
        self.command = command if isinstance(command, BotCommand) else BotCommand(list(command))
        self.level = self.command.level  # How far it is isolated
        self.listener: socket.socket | None = None
        """The socket of its connections, if it was started with a network of its own."""
        self.begun = False  # Whether the program itself runs, or has run, as far as can be told
        self.pid = 0  # Of the process that leads its own; 0 before the start
        self.bot_pid = 0  # Of the program itself, whose time `clock` tells
        self.output = -1  # The descriptor of what it prints, for whoever waits; see `read`
        self._most = output_kb << 10
        self._variables = variables
        self._memory_mb = memory_mb
        self._errors = errors
        self._kept = bytearray()
        self._dropped = 0
        self._tag = secrets.token_hex(8)

    def start(self) -> None:
        """Starts it. Raises OSError."""
        # Buffered, its last words would be lost when it is ended.
        environ = {**environment(self._tag), "PYTHONUNBUFFERED": "1", **self._variables}
        self.output, printed = os.pipe()
        os.set_blocking(self.output, False)
        errors = printed if self._errors is None else self._errors
        try:
            spawned = spawn(self.command, environ, (subprocess.DEVNULL, printed, errors))
        except OSError:
            os.close(self.output)
            raise
        finally:
            os.close(printed)
        self.begun = not self.command.announces
        self._popen = spawned.process
        self.listener = spawned.listener
        self._group = spawned.group
        self.pid = self._popen.pid
        self.bot_pid = spawned.pid
        self.clock = CpuClock(spawned.pid)
        self._memory = MemoryWatch(spawned.pid, self._memory_mb)
        self._keeper = watched(self.pid)

    def read(self) -> bool:
        """Reads once what it has printed; False once nothing can come any more."""
        try:
            data = os.read(self.output, _CHUNK)
        except BlockingIOError:
            return True
        heard = bool(data)
        if heard and not self.begun:
            self.begun = True
            data = data[len(ANNOUNCEMENT) :]
        room = self._most - len(self._kept)
        self._kept += data[:room]
        self._dropped += max(len(data) - room, 0)
        return heard

    def take_output(self) -> str:
        """The text printed since this was last called, and how much was dropped."""
        text = self._kept.decode("utf-8", "replace")
        if self._dropped:
            text += f"... {self._dropped} bytes more"
        self._kept.clear()
        self._dropped = 0
        return text

    def cpu_seconds(self) -> float:
        """The CPU time that it has used."""
        return self.clock.seconds(1.0)

    def holds_too_much(self) -> bool:
        """Whether one of its processes was seen to hold more memory than it may; looks now."""
        self._memory.look(1.0)
        return self._memory.exceeded

    def ended(self) -> bool:
        """Whether its process has ended."""
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.pid, options) is not None

    def gone(self) -> bool:
        """Whether nothing of it runs: a script may start the program and leave."""
        return self.ended() and not relatives(self.pid, self._tag)

    def exit_words(self) -> str:
        """The end of its process in words; none if it runs."""
        return end_words(self.pid, self.level) if self.ended() else ""

    def settle(self, seconds: float) -> bool:
        """Gives it time to end, reads what it prints; whether nothing of it is left."""
        deadline = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.output, select.POLLIN)
        open_ = True
        while not self.gone() and (left := deadline - time.monotonic()) > 0:
            # The end of its output comes a little before its own.
            if open_ and poll.poll(min(left, 0.05) * 1000):
                open_ = self.read()
            elif not open_:
                time.sleep(min(left, 0.002))
        self._read_rest()
        return self.gone()

    def close(self) -> None:
        """Ends it with all that it has started; done twice, the second does nothing."""
        if self.pid and self._popen.returncode is None:
            end_family(self.pid, self._tag)
            self._popen.wait()
            if self._group is not None:
                self._group.close()
            if self._keeper is not None:
                self._keeper.unwatch(self.pid)
            self._read_rest()
            os.close(self.output)
            if self.listener is not None:
                self.listener.close()

    def _read_rest(self) -> None:
        for _ in range(_LEFT_BEHIND_CHUNKS):
            before = self.begun, len(self._kept), self._dropped
            if not self.read() or (self.begun, len(self._kept), self._dropped) == before:
                break
