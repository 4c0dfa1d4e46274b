"""One player's connection: whole frames out, frames in pieces in, and nothing that blocks.

A peer that is slow, silent, talkative or gone holds nobody up: what it does not take waits here,
and every wait has an end.
"""

from __future__ import annotations

import select
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Protocol

from joute.games.vampires.adapters.frames import (
    BYE,
    END,
    TO_SERVER,
    Decoder,
    Frame,
    Unknown,
    encode,
)

LINGER_SECONDS = 1.0
"""The time that a peer may take to leave after BYE."""
_LONGEST_WAIT = 3600.0  # at a time, as the system counts it; who waits longer waits again
_CHUNK = 1 << 14
_MOST_CHUNKS = 512  # more than waits in a connection: a peer that never stops is left
_MOST_FRAMES = 1000  # kept; of a flood the rest is dropped without a look


class ConnectionClock(Protocol):
    """The source of time."""

    def now(self) -> float:
        """Seconds since some moment."""

    def wait(self, poll: select.poll, seconds: float) -> list[tuple[int, int]]:
        """The first events within that time, as `poll` returns them; none at its end."""


class RealClock:
    """The time on the wall."""

    def now(self) -> float:
        return time.monotonic()

    def wait(self, poll: select.poll, seconds: float) -> list[tuple[int, int]]:
        return poll.poll(min(max(seconds, 0.0), _LONGEST_WAIT) * 1000)


class Discarded(NamedTuple):
    """The data that a peer had sent while it was not asked."""

    frames: tuple[Frame | Unknown, ...]
    rest: bytes  # the beginning of a frame


class PlayerConnection:
    """A connection to a player; the caller reads and writes whole frames."""

    def __init__(self, connection: socket.socket, clock: ConnectionClock | None = None) -> None:
        """Takes the connection over."""
        connection.setblocking(False)
        # Programs read a frame's tag with one recv: a frame leaves at once, and whole.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.clock = clock or RealClock()
        self.closed = False
        """Whether the peer has closed its side, or is gone."""
        self._socket = connection
        self._decoder = Decoder(TO_SERVER)
        self._frames: deque[Frame | Unknown] = deque()
        self._unsent = bytearray()
        self._said_bye = False
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self._beside: dict[int, Callable[[], bool]] = {}

    @property
    def pending(self) -> bytes:
        """The beginning of a frame that is not complete."""
        return self._decoder.pending

    def watch(self, descriptor: int, read: Callable[[], bool]) -> None:
        """Calls `read` whenever there is something to read beside; False from it ends that."""
        self._beside[descriptor] = read
        self._poll.register(descriptor, select.POLLIN)

    def send(self, frame: Frame) -> None:
        """Sends a frame at once; what the peer has no room for follows as it reads."""
        waiting = bool(self._unsent)
        self._unsent += encode(frame)
        if not waiting:
            self._flush()

    def receive(self, deadline: float) -> Frame | Unknown | None:
        """The next frame; None if there is none by then, or none will come (see `closed`)."""
        while not self._frames and not self.closed:
            left = deadline - self.clock.now()
            self._wait(left)
            if left <= 0.0:
                break
        return self._frames.popleft() if self._frames else None

    def pause(self, until: float) -> None:
        """Lets time pass; the peer is read meanwhile, and nothing that it sends is lost."""
        while (left := until - self.clock.now()) > 0.0 and not self.closed:
            self._wait(left)

    def discard(self) -> Discarded:
        """Reads and drops all that waits."""
        for _ in range(_MOST_CHUNKS):
            if not self._read():
                break
        found = Discarded(tuple(self._frames), self._decoder.clear())
        self._frames.clear()
        return found

    def farewell(self) -> None:
        """END and BYE, once."""
        if not self._said_bye:
            self._said_bye = True
            self.send(END)
            self.send(BYE)

    def give_up(self) -> bool:
        """Expects nothing more of the peer; it can still be told something."""
        self._gone()
        return False

    def close(self, seconds: float | None = None) -> None:
        """Says END and BYE unless that was done, lets the peer leave first, and closes.

        It may take `seconds` (default: LINGER_SECONDS).

        All that it still sends is read: closing with input unread resets the connection, and
        BYE with it.
        """
        if self._socket.fileno() < 0:
            return
        self.farewell()
        deadline = self.clock.now() + (LINGER_SECONDS if seconds is None else seconds)
        half = False
        while not self.closed and (left := deadline - self.clock.now()) > 0.0:
            if not self._unsent and not half:
                half = True
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_WR)
            self._wait(left)
            self._frames.clear()
        self.discard()
        for descriptor in [*self._beside, self._socket.fileno()]:
            with suppress(KeyError):
                self._poll.unregister(descriptor)
        self._socket.close()

    def _wait(self, seconds: float) -> None:
        """Lets one thing happen, or the time pass."""
        for descriptor, what in self.clock.wait(self._poll, seconds):
            if descriptor in self._beside:
                if not self._beside[descriptor]():
                    del self._beside[descriptor]
                    self._poll.unregister(descriptor)
                continue
            if what & select.POLLOUT:
                self._flush()
            if what & ~select.POLLOUT:
                self._read()

    def _read(self) -> bool:
        """Reads once; whether there was something."""
        try:
            data = self._socket.recv(_CHUNK)
        except BlockingIOError:
            return False
        except OSError:  # reset by the peer
            data = b""
        if not data:
            self._gone()
            return False
        if len(self._frames) < _MOST_FRAMES:
            self._frames += self._decoder.feed(data)
        else:
            self._decoder.clear()
        return True

    def _flush(self) -> None:
        """Sends what waits, as far as the peer takes it."""
        try:
            sent = self._socket.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:  # a read will find the peer gone, after what it had still sent
            sent = len(self._unsent)
        del self._unsent[:sent]
        if self._socket.fileno() >= 0 and not self.closed:
            wanted = select.POLLIN | (select.POLLOUT if self._unsent else 0)
            self._poll.modify(self._socket, wanted)

    def _gone(self) -> None:
        if not self.closed:
            self.closed = True
            self._poll.unregister(self._socket)
