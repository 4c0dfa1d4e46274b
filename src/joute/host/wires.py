"""The three pipes to a bot's process, without threads and without ever blocking on it.

While the answer is waited for, what the bot prints is read too, so that a talkative bot is never
held up by a full pipe; beyond the limit it is counted and dropped.
"""

from __future__ import annotations

import os
import select
import time
from contextlib import suppress

from joute.host.child.channel import ANNOUNCEMENT
from joute.host.limits import LINE_BYTES

_CHUNK = 1 << 16
# A stopped bot leaves at most a pipe's content behind; only a process that it has hidden from
# the signal writes more, and is not waited for.
_LEFT_BEHIND_CHUNKS = 32
# A core that has gone to sleep takes longer to wake than many bots to answer.
_AWAKE_SECONDS = 60e-6


class Wires:
    """The referee's ends of the pipes, and the end of the process itself as an event."""

    def __init__(
        self, to_bot: int, from_bot: int, printed: int, process: int | None, announces: bool
    ) -> None:
        """Takes four file descriptors over; `process` is a pidfd, where the system has them.

        With `announces` an empty line comes before all else, from the launcher of the bot.
        """
        self._to = to_bot
        self._from = from_bot
        self._printed = printed
        self._process = process
        self._poll = select.poll()
        for descriptor in (to_bot, from_bot, printed):
            os.set_blocking(descriptor, False)
        for descriptor in (from_bot, printed, *(() if process is None else (process,))):
            self._poll.register(descriptor, select.POLLIN)
        self._open = {to_bot, from_bot, printed} | ({process} if process is not None else set())
        self._unsent = b""
        self._answer = b""
        self._kept: list[bytes] = []
        self._room = 0
        self._dropped = 0
        self.line: bytes | None = None  # The answer, once it is there
        self.too_long = False  # Whether the answer is longer than a line may be
        self.ended = False  # Whether the bot's process has ended or closed its side
        self.announced = not announces  # Whether the bot itself has begun, as far as can be told
        self._until_announced = False

    def begin(self, data: bytes, output_bytes: int, silent: bool = False) -> None:
        """Sends a line and prepares for its answer; what came before it is thrown away.

        Only what has come: a bot stopped in the middle of answering twice goes on when it is
        continued, and its second answer counts for this turn. It has only itself to harm.

        Args:
            data: the line with its end.
            output_bytes: how much to keep of what the bot prints from now on.
            silent: the answer is that the bot has begun; it says nothing by itself.
        """
        if self.announced:
            self._throw_away()
        self._until_announced = silent
        self._answer = b""
        self.line = None
        self._room = output_bytes
        self._unsent = data
        self._write()
        if self._unsent:
            self._poll.register(self._to, select.POLLOUT)

    def wait(self, milliseconds: float) -> bool:
        """Waits for something to happen; whether there is an answer, or can be none."""
        for descriptor, _ in self._awake() or self._poll.poll(milliseconds):
            if descriptor == self._from:
                self._read_answer()
            elif descriptor == self._printed:
                self._read_printed()
            elif descriptor == self._to:
                self._write()
                if not self._unsent:
                    self._poll.unregister(self._to)
            else:
                self._read_last_words()
                self.ended = True
        return self.line is not None or self.too_long or self.ended

    def _awake(self) -> list[tuple[int, int]]:
        """Events of the pipes within moments, awaited without sleep; others may have the core."""
        until = time.perf_counter() + _AWAKE_SECONDS
        while not (happened := self._poll.poll(0)) and time.perf_counter() < until:
            if hasattr(os, "sched_yield"):
                os.sched_yield()
        return happened

    def settle(self, milliseconds: float) -> None:
        """Waits for the process to end, if its end can be seen, and reads what it has left."""
        if self._process is not None:
            poll = select.poll()
            poll.register(self._process, select.POLLIN)
            poll.poll(milliseconds)
        self._read_last_words()

    @property
    def sent(self) -> bool:
        """Whether the bot's pipe has taken the whole line."""
        return not self._unsent

    @property
    def unended(self) -> bytes:
        """The beginning of an answer whose line has no end yet; none of a whole one."""
        return self._answer if self.line is None else b""

    @property
    def output(self) -> str:
        """The text printed by the bot since it was last taken, and how much was dropped."""
        text = b"".join(self._kept).decode("utf-8", "replace")
        return f"{text}... {self._dropped} bytes more" if self._dropped else text

    def take_output(self) -> str:
        """The output, which is then gone."""
        text = self.output
        self._kept = []
        self._dropped = 0
        return text

    def hang_up(self) -> None:
        """Closes the bot's input."""
        self._shut(self._to)

    def close(self) -> None:
        """Closes everything."""
        for descriptor in list(self._open):
            self._shut(descriptor)

    def _throw_away(self) -> None:
        """Empties the answer's pipe: nothing that a bot says before it is asked counts."""
        for _ in range(_LEFT_BEHIND_CHUNKS):
            if not self._read(self._from):
                break

    def _read(self, descriptor: int) -> bytes:
        """The bytes at hand in a pipe; none, too, if its other end is closed."""
        if descriptor not in self._open:
            return b""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._shut(descriptor)
            self.ended = self.ended or descriptor == self._from
        return data

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""

    def _read_answer(self) -> bool:
        """Reads once; whether there was something."""
        data = self._read(self._from)
        heard = bool(data)
        if heard and not self.announced:
            self.announced = True
            self.line = b"" if self._until_announced else None
            data = data[len(ANNOUNCEMENT) :]
        if self.line is None:
            at = data.find(b"\n")
            self._answer += data if at < 0 else data[:at]
            if len(self._answer) > LINE_BYTES:
                self.too_long = True
            elif at >= 0:
                self.line = self._answer
        return heard

    def _read_printed(self) -> bool:
        """Reads once; whether there was something."""
        data = self._read(self._printed)
        kept = data[: self._room]
        if kept:
            self._kept.append(kept)
        self._room -= len(kept)
        self._dropped += len(data) - len(kept)
        return bool(data)

    def _read_last_words(self) -> None:
        """Reads what an ended process has left in its pipes."""
        for read in (self._read_answer, self._read_printed):
            for _ in range(_LEFT_BEHIND_CHUNKS):
                if not read():
                    break

    def _shut(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            with suppress(KeyError):
                self._poll.unregister(descriptor)
            os.close(descriptor)
