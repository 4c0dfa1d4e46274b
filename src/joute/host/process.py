"""A bot in a process of its own: started, asked under a clock, stopped between turns, ended.

A `HostedBot` is not for several threads at once; and on Linux the bot dies with the *thread* that
started it, so that no bot outlives a killed referee: keep that thread while the bot is in use.
"""

from __future__ import annotations

import errno
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from joute.host.answer import Answer, Judgment, exit_words, late_words
from joute.host.clock import CpuClock
from joute.host.command import command_for, environment, program_command
from joute.host.dialects import DIALECTS, Dialect
from joute.host.family import end_family, signal_group
from joute.host.faults import Fault
from joute.host.limits import LINE_BYTES, Limits, wall_seconds
from joute.host.wires import Wires

__all__ = ["Answer", "HostedBot", "command_for", "program_command"]

_END_SECONDS = 0.2
# Between a bot's last words and the end of its process.
_SETTLE_SECONDS = 0.05
# How long the clock is not looked at; a bot of many threads can overdraw by so much on each core.
_LOOK_SECONDS = 0.05
_ENDING = (Fault.TIMEOUT, Fault.OUTPUT_LIMIT)
_OUR_OWN = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


class HostedBot:
    """One bot's process over one game, from `start` to `end` or `close`."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        cwd: Path | None = None,
        label: str = "",
        dialect: Dialect = DIALECTS[""],
    ) -> None:
        """Prepares a bot; nothing is started yet.

        Args:
            command: as made by `command_for`, which also says where the bot works.
            limits: its time, memory and output.
            cwd: the folder to start in, for a command of another origin.
            label: how the bot is called when this object is shown.
            dialect: how it is spoken to.
        """
        self.command = list(command)
        self.limits = limits
        self.label = label or self.command[-1]
        self.alive = False
        self.pid = 0
        """Of the bot's process; 0 before the start."""
        self._cwd = cwd
        self._dialect = dialect
        self._ready = False
        self._asked = False
        self._tag = secrets.token_hex(8)

    def start(self, message: Mapping[str, Any]) -> Answer:
        """Starts the process, sends its first message and waits for it to be ready.

        Every failure of the bot is the fault `start-up`. A bot that was ended can be started again.
        """
        began = time.perf_counter()
        self.close()
        self._ready = self._asked = False
        try:
            self._spawn()
        except OSError as error:
            fault = Fault.INFRASTRUCTURE if error.errno in _OUR_OWN else Fault.START_UP
            return _failure(fault, f"cannot run {self.command[0]}: {error.strerror}")
        self.alive = True
        answer = self._exchange(message, self.limits.start_seconds, 0.0, began)
        self._ready = True
        if answer.fault is not None:
            self.close()
            answer = replace(answer, fault=Fault.START_UP, alive=False)
        return answer

    def ask(self, message: Mapping[str, Any]) -> Answer:
        """Continues the process, sends a message, waits for its action, stops the process.

        After a timeout, an answer too long or, in a strict dialect, one that makes no sense, the
        bot is ended.
        """
        if not self.alive:
            return _failure(Fault.CRASH, "it is not running")
        seconds = self.limits.move_seconds
        if self._dialect.silent and not self._asked:
            seconds = max(seconds, self.limits.start_seconds)
        self._asked = True
        return self._exchange(message, seconds, self._clock.seconds(0.0), time.perf_counter())

    def end(self, message: Mapping[str, Any]) -> None:
        """Tells the bot that the game is over, gives it 0.2 s to leave, and closes."""
        if self.alive:
            deadline = time.monotonic() + _END_SECONDS
            self._wires.begin(self._dialect.write(message), 0)
            signal_group(self.pid, signal.SIGCONT)
            while not self._wires.ended and (left := deadline - time.monotonic()) > 0:
                if self._wires.sent:
                    self._wires.hang_up()
                self._wires.wait(left * 1000)
        self.close()

    def close(self) -> None:
        """Kills the bot with all that it has started; done twice, the second does nothing."""
        if self.pid and self._popen.returncode is None:
            self.alive = False
            end_family(self.pid, self._tag)
            self._popen.wait()
            self._wires.close()

    def __repr__(self) -> str:
        return f"<HostedBot {self.label}, {f'process {self.pid}' if self.alive else 'not running'}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _spawn(self) -> None:
        """Starts the process with pipes on its standard streams. Raises OSError."""
        pipes: list[tuple[int, int]] = []
        try:
            for _ in range(3):
                pipes.append(os.pipe())  # noqa: PERF401 - one may fail, the others must be closed
            (theirs_in, to_bot), (from_bot, theirs_out), (printed, theirs_err) = pipes
            self._popen = subprocess.Popen(
                self.command,
                stdin=theirs_in,
                stdout=theirs_out,
                stderr=theirs_err,
                cwd=self._cwd,
                env=environment(self._tag),
                start_new_session=True,
            )
        except OSError:
            for pipe in pipes:
                for descriptor in pipe:
                    os.close(descriptor)
            raise
        for descriptor in (theirs_in, theirs_out, theirs_err):
            os.close(descriptor)
        self.pid = self._popen.pid
        self._clock = CpuClock(self.pid)
        process = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else None
        self._wires = Wires(to_bot, from_bot, printed, process)

    def _exchange(
        self, message: Mapping[str, Any], seconds: float, cpu_began: float, wall_began: float
    ) -> Answer:
        """Sends a message and makes an Answer of what comes back, or does not, in time.

        Args:
            message: in the form of the protocol of bots.
            seconds: the CPU that the bot may use.
            cpu_began: what the CPU clock showed at the beginning.
            wall_began: what the performance counter showed at the beginning.
        """
        wires = self._wires
        wires.begin(self._dialect.write(message), self.limits.output_kb << 10)
        signal_group(self.pid, signal.SIGCONT)
        wall_limit = wall_seconds(seconds)
        cpu = wall = 0.0
        done = False
        while not done and cpu <= seconds and wall <= wall_limit:
            left = min(seconds - cpu, wall_limit - wall, _LOOK_SECONDS)
            done = wires.wait(max(left * 1000, 1))
            wall = time.perf_counter() - wall_began
            cpu = self._clock.seconds(wall) - cpu_began
        signal_group(self.pid, signal.SIGSTOP)
        if wires.ended and wires.line is None:
            wires.settle(_SETTLE_SECONDS * 1000)
        action, fault, detail, said = self._judge(cpu, wall, seconds)
        lost = fault is Fault.PROTOCOL and (self._dialect.strict or not wires.sent)
        if lost or fault in _ENDING or (wires.ended and wires.line is None):
            self.close()
        # What a silent bot prints before its first move, its last words perhaps, goes with that.
        later = self._dialect.silent and not self._ready and fault is None
        output = "" if later else wires.take_output()
        return Answer(action, fault, detail, cpu * 1000, wall * 1000, output, said, self.alive)

    def _judge(self, cpu: float, wall: float, seconds: float) -> Judgment:
        """What the pipes hold."""
        wires = self._wires
        if wires.too_long:
            return None, Fault.OUTPUT_LIMIT, f"its answer is longer than {LINE_BYTES} bytes", ""
        if words := late_words(cpu, wall, seconds):
            return None, Fault.TIMEOUT, words, ""
        if wires.line is None:
            return None, Fault.CRASH, self._exit_words(), ""
        if not wires.sent:
            return None, Fault.PROTOCOL, "it answered before it had read the message", ""
        return self._dialect.judge(wires.line, self._ready)

    def _exit_words(self) -> str:
        """How the process ended, without collecting it: its number stays its own."""
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        ended = os.waitid(os.P_PID, self.pid, options)
        if ended is None:
            return exit_words(None, killed=False)
        return exit_words(ended.si_status, killed=ended.si_code != os.CLD_EXITED)


def _failure(fault: Fault, detail: str) -> Answer:
    """The answer of a bot that has no process."""
    return Answer(None, fault, detail, 0.0, 0.0, "", "", alive=False)
