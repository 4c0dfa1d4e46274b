"""The seat of a bot that its author debugs or profiles, without a game's limits and isolation."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Any

import msgspec

from joute.host.adapters import dialect_of, seat_of, server_of
from joute.host.child.channel import ANNOUNCEMENT
from joute.host.command import debug_command
from joute.host.limits import LINE_BYTES, Limits
from joute.host.names import BotError, BotSpec
from joute.host.protocol import Answer, Fault
from joute.host.sandbox.spawning import exit_words
from joute.i18n.words import Sentence
from joute.play.seats import answer as answered

_LEAVE_SECONDS = 2.0  # for a bot to end by itself once its channel is closed
_PROFILED_TURNS = 20  # times the time of a turn that one under the profiler may take
_PROFILED_SECONDS = 2.0  # that it may take at least
_PROFILED_STARTS = 3  # times the time of a start


class DebugSeat:
    """A Python bot with the standard streams of this process, or a program with its errors there.

    Ctrl-C is for the bot alone while the seat is open: in Python it ends the turn with the place
    where the bot was. A bot that is profiled has no streams, one process for several games, and
    many times a turn's seconds for a turn: nobody is there to end it.
    """

    isolation = "none"
    observes = True

    def __init__(self, bot: BotSpec, purpose: str = "debug") -> None:
        """A seat for a Python bot or a program; see `debug_command` for `purpose`.

        Raises BotError for any other bot.
        """
        if not debuggable(bot):
            raise BotError.of(bot.text, _refusal(bot))
        self._bot = bot
        self._purpose = purpose
        self._dialect = dialect_of(bot.dialect)
        self._seconds = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._held = ExitStack()

    def start(self, message: dict[str, Any]) -> Answer:
        """Starts the bot's process unless it runs, and lets it read the message."""
        self._seconds = message["move_seconds"]
        try:
            if self._process is None:
                self._spawn()
        except OSError as error:
            return replace(answered(), fault=Fault.START_UP, detail=str(error), alive=False)
        seconds = _PROFILED_STARTS * Limits().start_seconds
        reply = self._exchange(message, playing=False, seconds=seconds)
        return replace(reply, fault=reply.fault and Fault.START_UP)

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        """The bot's answer, however long it takes; its clock says what a game's would at first.

        What a Python bot prints is not shown where the message is called `earlier`. A bot that is
        profiled and takes too long is interrupted; its fault is then `timeout`.
        """
        if self._bot.kind != "python":
            message = {key: value for key, value in message.items() if key != "earlier"}
        clock = {"left_ms": 1000 * self._seconds, "bank_ms": 0.0, "last_ms": 0.0}
        seconds = max(_PROFILED_TURNS * self._seconds, _PROFILED_SECONDS)
        return self._exchange({**message, "clock": clock}, playing=True, seconds=seconds)

    def end(self, message: dict[str, Any]) -> None:
        """Tells the bot nothing: its game does not end here."""

    def close(self) -> None:
        """Lets the bot leave, and ends it if it does not."""
        self._held.close()

    def report(self) -> list[dict[str, Any]]:
        """The functions that took time, of a Python bot that is profiled; none if it has ended."""
        line = self._told({"type": "report"})
        return list(msgspec.json.decode(line)["functions"]) if line else []

    def _spawn(self) -> None:
        """Starts the process. Raises OSError."""
        bot = self._bot
        theirs_in, to_bot = os.pipe()
        from_bot, theirs_out = os.pipe()
        self._messages = to_bot
        self._replies = self._held.enter_context(os.fdopen(from_bot, "rb"))
        self._held.callback(self._leave)
        if self._purpose != "profile":
            self._held.callback(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
            signal.signal(
                signal.SIGINT, lambda *_: None
            )  # not SIG_IGN, which the bot would inherit
        try:
            if bot.kind == "python":
                words, environ = debug_command(bot, (theirs_in, theirs_out), self._purpose)
                stream = subprocess.DEVNULL if self._purpose == "profile" else None
                self._process = subprocess.Popen(
                    words,
                    env=environ,
                    pass_fds=(theirs_in, theirs_out),
                    stdin=stream,
                    stdout=stream,
                    stderr=stream,
                )
            else:
                self._process = subprocess.Popen(
                    bot.command, cwd=bot.folder, stdin=theirs_in, stdout=theirs_out
                )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    def _leave(self) -> None:
        os.close(self._messages)
        if self._process is not None:
            try:
                self._process.wait(_LEAVE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _exchange(self, message: Mapping[str, Any], playing: bool, seconds: float) -> Answer:
        """The answer to a message; `seconds` is what a bot that is profiled has for it."""
        began = time.perf_counter()
        with self._interrupted_after(seconds) as interrupted:
            line = self._told(message, heard=playing or not self._dialect.silent)
        if line is None:
            return answered()
        spent = answered(wall_ms=1000 * (time.perf_counter() - began))
        if interrupted.is_set():
            return replace(spent, fault=Fault.TIMEOUT, alive=bool(line))
        if not line:
            return replace(spent, fault=Fault.CRASH, detail=self._end(), alive=False)
        found = self._dialect.judge(line.rstrip(b"\r\n"), playing)
        return replace(
            spent,
            action=found.action,
            fault=found.fault,
            detail=found.detail,
            message=found.message,
            note="\n".join(found.annotations.remarks),
            annotations=found.annotations,
        )

    @contextmanager
    def _interrupted_after(self, seconds: float) -> Iterator[threading.Event]:
        """Interrupts a bot that is profiled as Ctrl-C would, and ends it if it goes on even so.

        The event says whether it was interrupted.
        """
        interrupted = threading.Event()
        process = self._process
        if self._purpose != "profile" or process is None:
            yield interrupted
            return

        def interrupt() -> None:
            interrupted.set()
            process.send_signal(signal.SIGINT)

        timers = [
            threading.Timer(seconds, interrupt),
            threading.Timer(seconds + _LEAVE_SECONDS, process.kill),
        ]
        for timer in timers:
            timer.start()
        try:
            yield interrupted
        finally:
            for timer in timers:
                timer.cancel()

    def _told(self, message: Mapping[str, Any], heard: bool = True) -> bytes | None:
        """The line that answers a message, empty if the bot has ended; None if none is to come."""
        data = self._dialect.write(message)
        with suppress(BrokenPipeError):  # an end is seen below
            while data:
                data = data[os.write(self._messages, data) :]
        if not heard:
            return None
        line = self._replies.readline(LINE_BYTES)
        while line == ANNOUNCEMENT and self._bot.kind == "python":
            line = self._replies.readline(LINE_BYTES)
        return line

    def _end(self) -> str:
        """The end of the process, in words."""
        status = 0 if self._process is None else self._process.wait()
        return exit_words(abs(status), status < 0)


def debuggable(bot: BotSpec) -> bool:
    """Whether a bot is a Python bot or a program that speaks on its standard streams."""
    return bot.kind in ("python", "program") and not seat_of(bot.dialect)


def _refusal(bot: BotSpec) -> Sentence:
    """The reason why a bot cannot be debugged."""
    if bot.kind == "builtin":
        return Sentence("error.bot.debug.builtin")
    if seat_of(bot.dialect):
        return Sentence("error.bot.debug.connects", server=server_of(bot.dialect) or "-")
    return Sentence("error.bot.debug.other")
