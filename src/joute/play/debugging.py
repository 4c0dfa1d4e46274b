"""The seat of a bot that its author debugs: at a terminal, without limits, clock or isolation."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any

from joute.host.adapters import dialect_of, seat_of
from joute.host.command import debug_command
from joute.host.limits import LINE_BYTES
from joute.host.names import BotError, BotSpec
from joute.host.protocol import Answer, Fault
from joute.host.sandbox.spawning import exit_words
from joute.i18n.words import Sentence
from joute.play.seats import answer as answered

_LEAVE_SECONDS = 2.0  # for a bot to end by itself once its channel is closed


class DebugSeat:
    """A Python bot with the standard streams of this process, or a program with its errors there.

    Ctrl-C is for the bot alone while the seat is open: in Python it ends the turn with the place
    where the bot was.
    """

    isolation = "none"
    observes = True

    def __init__(self, bot: BotSpec, post_mortem: bool = False) -> None:
        """A seat for a Python bot or a program; see `debug_command` for `post_mortem`.

        Raises BotError for any other.
        """
        if bot.kind not in ("python", "program") or seat_of(bot.dialect):
            kind = "builtin" if bot.kind == "builtin" else "other"
            raise BotError.of(bot.text, Sentence(f"error.bot.debug.{kind}"))
        self._bot = bot
        self._post_mortem = post_mortem
        self._dialect = dialect_of(bot.dialect)
        self._seconds = 0.0
        self._held = ExitStack()

    def start(self, message: dict[str, Any]) -> Answer:
        """Starts the bot's process, and lets it read its first message."""
        self._seconds = message["move_seconds"]
        self._held.callback(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
        signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which the bot would inherit
        try:
            self._spawn()
        except OSError as error:
            return replace(answered(), fault=Fault.START_UP, detail=str(error), alive=False)
        reply = self._exchange(message, playing=False)
        return replace(reply, fault=reply.fault and Fault.START_UP)

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        """The bot's answer, however long it takes; its clock says what a game's would at first."""
        clock = {"left_ms": 1000 * self._seconds, "bank_ms": 0.0, "last_ms": 0.0}
        return self._exchange({**message, "clock": clock}, playing=True)

    def end(self, message: dict[str, Any]) -> None:
        """Tells the bot nothing: its game does not end here."""

    def close(self) -> None:
        """Lets the bot leave, and ends it if it does not."""
        self._held.close()

    def _spawn(self) -> None:
        """Starts the process. Raises OSError."""
        bot = self._bot
        theirs_in, to_bot = os.pipe()
        from_bot, theirs_out = os.pipe()
        self._replies = self._held.enter_context(os.fdopen(from_bot, "rb"))
        try:
            if bot.kind == "python":
                words, environ = debug_command(bot, (theirs_in, theirs_out), self._post_mortem)
                self._process = subprocess.Popen(
                    words, env=environ, pass_fds=(theirs_in, theirs_out)
                )
            else:
                self._process = subprocess.Popen(
                    bot.command, cwd=bot.folder, stdin=theirs_in, stdout=theirs_out
                )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
            self._held.callback(self._leave, to_bot)
        self._messages = to_bot

    def _leave(self, to_bot: int) -> None:
        os.close(to_bot)
        if hasattr(self, "_process"):
            try:
                self._process.wait(_LEAVE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _exchange(self, message: Mapping[str, Any], playing: bool) -> Answer:
        began = time.perf_counter()
        data = self._dialect.write(message)
        with suppress(BrokenPipeError):  # how the bot ended is told below
            while data:
                data = data[os.write(self._messages, data) :]
        if not playing and self._dialect.silent:
            return answered()
        line = self._replies.readline(LINE_BYTES)
        while line == b"\n" and self._bot.kind == "python":  # said before the bot is read
            line = self._replies.readline(LINE_BYTES)
        spent = answered(wall_ms=1000 * (time.perf_counter() - began))
        if not line:
            status = self._process.wait()
            words = exit_words(abs(status), status < 0)
            return replace(spent, fault=Fault.CRASH, detail=words, alive=False)
        action, fault, detail, said = self._dialect.judge(line.rstrip(b"\r\n"), playing)
        return replace(spent, action=action, fault=fault, detail=detail, message=said)
