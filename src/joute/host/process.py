"""A bot in a process of its own: started, asked under a clock, stopped between turns, ended.

A `HostedBot` is not for several threads at once; and on Linux the bot dies with the *thread* that
started it, so that no bot outlives a killed referee: keep that thread while the bot is in use.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from joute.host.clock import Bank, CpuClock, Crowd, Turn
from joute.host.command import command_for, environment, program_command
from joute.host.descendants import MemoryWatch, end_family, signal_group, stat, too_much
from joute.host.limits import LINE_BYTES, BotLimits
from joute.host.protocol import QUOTED_BYTES, Answer, Dialect, Fault, JsonLines, Judgment
from joute.host.sandbox.grants import Level
from joute.host.sandbox.groups import ControlGroup
from joute.host.sandbox.spawning import BotCommand, end_words, exit_words, spawn, with_printed
from joute.host.wires import Wires
from joute.host.zygote import Forked, Zygote, package_of, watched, zygote_of
from joute.i18n.words import Sentence, english
from joute.machine import Closing, shortage

__all__ = ["Answer", "HostedBot", "command_for", "program_command"]

_END_SECONDS = 0.2
# Between a bot's last words and the end of its process.
_SETTLE_SECONDS = 0.05
# Between that and what a process of ours tells of it, on a machine however busy.
_TELLING_SECONDS = 5.0
# After a flag fall.
_HELD_SECONDS = 0.5
_ENDING = (Fault.TIMEOUT, Fault.OUTPUT_LIMIT, Fault.INFRASTRUCTURE)

_PLAIN = JsonLines()

_log = logging.getLogger(__name__)


class HostedBot(Closing):
    """One bot's process over one game, from `start` to `end` or `close`."""

    def __init__(
        self,
        command: Sequence[str],
        limits: BotLimits,
        cwd: Path | None = None,
        label: str = "",
        dialect: Dialect = _PLAIN,
    ) -> None:
        """Prepares a bot; nothing is started yet.

        Args:
            command: as made by `command_for`, which also says where the bot works.
            limits: its time, memory and output.
            cwd: the folder to start in, for a command of another origin.
            label: how the bot is called when this object is shown.
            dialect: how it is spoken to.
        """
        self.command = command if isinstance(command, BotCommand) else BotCommand(list(command))
        self.level = self.command.level  # How far the bot is isolated
        self.limits = limits
        self.label = label or self.command[-1]
        self.alive = False
        self.pid = 0  # Of the process that leads the bot's; 0 before the start
        self.bot_pid = 0  # Of the bot's own process, whose time is charged
        self._cwd = cwd
        self._dialect = dialect
        self._ready = False
        self._asked = False
        self._bank = Bank(limits)
        self._charged = 0.0
        self._keeper: Zygote | None = None
        self._group: ControlGroup | None = None
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
        except (OSError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and shortage(error) is None:
                raise
            # Of an interpreter that is not there, say; anything else is the machine's fault.
            theirs = shortage(error) is None and getattr(error, "filename", "") == self.command[0]
            fault = Fault.START_UP if theirs else Fault.INFRASTRUCTURE
            reason = getattr(error, "strerror", None) or str(error)
            return _failure(fault, "run", program=self.command[0], reason=reason)
        self.alive = True
        answer = self._exchange(message, self._turn(self.limits.start_seconds, began, bank=0.0))
        self._ready = True
        if answer.fault is not None:
            self.close()
            ours = answer.fault is Fault.INFRASTRUCTURE
            answer = answer if ours else replace(answer, fault=Fault.START_UP, alive=False)
        return answer

    def ask(self, message: Mapping[str, Any]) -> Answer:
        """Continues the process, sends a message, waits for its action, stops the process.

        The message is sent with the key `clock`, which tells the bot its time. After a timeout, an
        answer too long or, in a strict dialect, one that makes no sense, the bot is ended.
        """
        if not self.alive:
            return _failure(Fault.CRASH, "stopped")
        seconds = self.limits.move_seconds
        if self._dialect.silent and not self._asked:
            seconds = max(seconds, self.limits.start_seconds)
        self._asked = True
        began = time.perf_counter()
        burnt = self._clock.seconds(0.0) - self._charged
        clock = {
            "left_ms": round(1000 * max(seconds - burnt, 0.0), 3),
            "bank_ms": round(1000 * self._bank.seconds, 3),
            "last_ms": round(1000 * self._bank.last, 3),
        }
        turn = self._turn(seconds, began, self._bank.seconds)
        answer = self._exchange({**message, "clock": clock}, turn)
        self._bank.pay(turn.cpu, seconds)
        return answer

    def end(self, message: Mapping[str, Any]) -> None:
        """Tells the bot that the game is over, gives it 0.2 s to leave, and closes."""
        if self.alive:
            deadline = time.monotonic() + _END_SECONDS
            self._wires.begin(self._dialect.write(message), 0)
            self._go_on()
            while not self._wires.ended and (left := deadline - time.monotonic()) > 0:
                if self._wires.sent:
                    self._wires.hang_up()
                self._wires.wait(left * 1000)
        self.close()

    def close(self) -> None:
        """Kills the bot with all that it has started; done twice, the second does nothing."""
        if self.pid and self._process.returncode is None:
            self._end_processes()
            self._wires.close()

    def _end_processes(self) -> None:
        self.alive = False
        end_family(self.pid, self._tag)
        self._process.wait()
        if self._group is not None:
            self._group.close()
            self._group = None
        if self._keeper is not None:
            self._keeper.unwatch(self.pid)
            self._keeper = None

    def __repr__(self) -> str:
        return f"<HostedBot {self.label}, {f'process {self.pid}' if self.alive else 'not running'}>"

    def _spawn(self) -> None:
        """Starts the process with pipes on its standard streams.

        Raises OSError, RuntimeError; of what was opened and started nothing is left then.
        """
        pipes: list[tuple[int, int]] = []
        try:
            for _ in range(3):
                pipes.append(os.pipe())  # noqa: PERF401 - one may fail, the others must be closed
            (theirs_in, to_bot), (from_bot, theirs_out), (printed, theirs_err) = pipes
            streams = theirs_in, theirs_out, theirs_err
            self._process, self.bot_pid = self._started(streams)
            self.pid = self._process.pid
            ended = self._opened_end()
        except (OSError, RuntimeError):
            for pipe in pipes:
                for descriptor in pipe:
                    os.close(descriptor)
            raise
        for descriptor in streams:
            os.close(descriptor)
        self._clock = CpuClock(self.bot_pid, self._group.cpu_seconds if self._group else None)
        self._memory = MemoryWatch(self.bot_pid, self.limits.memory_mb)
        self._charged = 0.0
        self._wires = Wires(to_bot, from_bot, printed, ended, self.command.announces)

    def _opened_end(self) -> int | None:
        """A descriptor by which the end of the process is seen, where there are such.

        Raises OSError; the process is ended then.
        """
        try:
            return os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else None
        except OSError:
            self._end_processes()
            raise

    def _started(
        self, streams: tuple[int, int, int]
    ) -> tuple[subprocess.Popen[bytes] | Forked, int]:
        """The process that leads, and the number of the bot's own. Raises OSError.

        Forked of a warm interpreter if there is one for it; else that looks after what it starts.
        """
        environ = environment(self._tag)
        if self.command.warm and (zygote := self._zygote()) is not None:
            with suppress(OSError):
                forked = zygote.fork(self.command.warm, environ, streams, self._cwd)
                return forked, forked.pid
        spawned = spawn(self.command, environ, streams, self._cwd)
        self._group = spawned.group
        self._keeper = watched(spawned.process.pid)
        return spawned.process, spawned.pid

    def _zygote(self) -> Zygote | None:
        """The warm interpreter for this bot."""
        return zygote_of(self.command[0], package_of(Path(self.command[-1])))

    def _turn(self, seconds: float, began: float, bank: float) -> Turn:
        """The clocks of a turn of so many seconds, and of what else there is in the bank."""
        clocks = self._clock, Crowd(self.bot_pid)
        allowed = seconds, bank, self.limits.grace_seconds
        return Turn(clocks, allowed, self._charged, began, self.limits.last_try)

    def _exchange(self, message: Mapping[str, Any], turn: Turn) -> Answer:
        """Sends a message and makes an Answer of what comes back, or does not, in time."""
        wires = self._wires
        silent = self._dialect.silent and not self._ready
        wires.begin(self._dialect.write(message), self.limits.output_kb << 10, silent)
        self._go_on()
        done = False
        while not done and not turn.over and not self._memory.exceeded:
            rest, before = turn.rest(), turn.wall
            done = wires.wait(rest * 1000)
            if done:
                self._stop()  # before the clock is read: what it goes on to use is charged too
            turn.look(rest)
            self._memory.look(turn.wall - before)
        if not done:
            self._stop()
        self._charged += turn.cpu
        if wires.ended and wires.line is None:
            self._settle()
        found = self._judge(turn)
        fault = found.fault
        lost = fault is Fault.PROTOCOL and (self._dialect.strict or not wires.sent)
        over = fault in _ENDING or self._memory.exceeded
        if lost or over or (wires.ended and wires.line is None):
            self.close()
        held = self._held(turn) if fault is Fault.TIMEOUT else 0.0
        # Output of a silent bot before its first move, its last words perhaps, goes with that move.
        later = self._dialect.silent and not self._ready and fault is None
        return Answer(
            action=found.action,
            fault=fault,
            detail=found.detail,
            cpu_ms=turn.cpu * 1000,
            wall_ms=turn.wall * 1000,
            output="" if later else wires.take_output(),
            message=found.message,
            note="\n".join(found.annotations.remarks),
            annotations=found.annotations,
            alive=self.alive,
            busy=turn.busy,
            held_ms=held * 1000,
        )

    def _go_on(self) -> None:
        signal_group(self.pid, signal.SIGCONT)
        if self._group is not None:
            self._group.freeze(False)

    def _stop(self) -> None:
        """Stops all its processes; frozen, too, by their group where they have one."""
        signal_group(self.pid, signal.SIGSTOP)
        if self._group is not None:
            self._group.freeze(True)

    def _settle(self) -> None:
        """Lets a bot end whose channel has closed, so that its end can be told from a closing."""
        self._go_on()  # a process of ours that waits for it was stopped with it
        self._wires.settle(_SETTLE_SECONDS * 1000)
        if stat(self.bot_pid)[:1] in ([], [b"Z"]):
            self._wires.settle(_TELLING_SECONDS * 1000)

    def _held(self, turn: Turn) -> float:
        """The seconds for which a bot's flag had fallen and its slot was not free; at most."""
        held = turn.since(turn.in_time)
        if held > _HELD_SECONDS:
            _log.warning("%s: its slot was held for %.2f s after a flag fall", self.label, held)
        return held

    def _judge(self, turn: Turn) -> Judgment:
        """The answer or the fault that the pipes hold."""
        wires = self._wires
        if self._memory.exceeded:
            return Judgment(None, Fault.MEMORY, too_much(self.limits.memory_mb))
        if wires.too_long:
            return Judgment(None, Fault.OUTPUT_LIMIT, _why("long", most=LINE_BYTES))
        if turn.late:
            return Judgment(None, Fault.TIMEOUT, self._with_unended(turn.words()))
        if turn.hopeless and wires.line is None:
            return Judgment(None, Fault.INFRASTRUCTURE, turn.words())
        if wires.line is None and not wires.announced:
            words = _why("unstarted", reason=self._end()[1])
            return Judgment(None, Fault.INFRASTRUCTURE, f"{words}\n{wires.take_output()}".strip())
        if wires.line is None:
            fault, words = self._end()
            return Judgment(None, fault, with_printed(self._with_unended(words), wires.output))
        if not wires.sent:
            return Judgment(None, Fault.PROTOCOL, _why("early"))
        found = self._dialect.judge(wires.line, self._ready)
        if found.fault is Fault.SANDBOX and self.level < Level.KERNEL:
            return found._replace(fault=Fault.CRASH)  # nothing was forbidden by isolation
        return found

    def _with_unended(self, words: str) -> str:
        """The reason why there is no answer, and the beginning of one whose line has no end."""
        if not self._wires.unended:
            return words
        start = self._wires.unended[:QUOTED_BYTES].decode("utf-8", "replace")
        return english(Sentence("error.answer.unended", reason=words, line=start))

    def _end(self) -> tuple[Fault, str]:
        """The end of the process, as a fault and in words."""
        if self._group is not None and self._group.exhausted():
            most = self.limits.memory_mb
            return Fault.MEMORY, _why("memories", most=most)
        if not isinstance(self._process, Forked):
            return Fault.CRASH, end_words(self.pid, self.level)
        words = exit_words(*(self._process.ended() or (None, False)))
        # In a jail no bot can reach it; elsewhere one may have killed it to escape a loss.
        if self._process.lost and self.level >= Level.KERNEL:
            return Fault.INFRASTRUCTURE, _why("orphan")
        return Fault.CRASH, words


def _why(key: str, **values: object) -> str:
    """The reason a process failed, as records keep it."""
    return english(Sentence(f"error.process.{key}", **values))


def _failure(fault: Fault, key: str, **values: object) -> Answer:
    """The answer of a bot that has no process."""
    return Answer(None, fault, _why(key, **values), 0.0, 0.0, "", "", alive=False)
