"""The lobby: connections are accepted, names read, maps sent, until all places are taken.

The first connection plays the Vampires, the second the Werewolves. A connection that sends nothing,
or no name, is refused, and delays nobody: its place goes to the next that has sent its name.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from joute.games.vampires.adapters.frames import TO_SERVER, Decoder, Frame, encode
from joute.games.vampires.adapters.seat import Tell, in_words
from joute.games.vampires.state import SPECIES

MOST_GUESTS = 64  # connections at once; beyond, the oldest without a name has to go
_CHUNK = 4096


@dataclass(eq=False)
class Guest:
    """A connection in the lobby."""

    connection: socket.socket
    number: int  # in the order of arrival
    name: str = ""
    place: int | None = None  # of a player
    welcomed: bool = False  # whether the map was sent to it
    task: asyncio.Task[None] | None = None

    def __str__(self) -> str:
        return f"connection {self.number}" + (f" ({self.name})" if self.name else "")


class GuestRefused(Exception):
    """The reason why a guest cannot stay."""


class Lobby:
    """Takes the connections of a listening socket; use it as a context of asyncio."""

    def __init__(
        self,
        listener: socket.socket,
        places: int,
        welcome: Callable[[int], Sequence[Frame]],
        tell: Tell,
        name_seconds: float,
    ) -> None:
        """A lobby.

        Args:
            listener: listening; closed by its owner.
            places: how many players a game takes.
            welcome: the frames for a player who has sent a name.
            tell: hears of every coming, going and refusal.
            name_seconds: the time to send a name.
        """
        listener.setblocking(False)
        self._listener = listener
        self._places = places
        self._welcome = welcome
        self._tell = tell
        self._name_seconds = name_seconds
        self._guests: list[Guest] = []  # in the order of arrival
        self._count = 0
        self._change = asyncio.Event()

    async def gather(self) -> list[Guest]:
        """The players of a game, by place, once there are all; they are the caller's then."""
        while True:
            seated = {guest.place: guest for guest in self._guests if guest.name}
            players = [seated[place] for place in range(self._places) if place in seated]
            if len(players) == self._places:
                break
            self._change.clear()
            await self._change.wait()
        for guest in players:
            self._guests.remove(guest)
        for guest in players:
            await _ended(guest.task)
        self._seat()
        return players

    async def shut(self) -> None:
        """Takes no more connections."""
        await _ended(self._accepting)

    async def __aenter__(self) -> Self:
        self._accepting = asyncio.create_task(self._accept())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.shut()
        for guest in self._guests:
            await _ended(guest.task)
            guest.connection.close()
        self._guests.clear()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self._listener)
            except OSError as error:  # too many open files, or a peer that is gone already
                self._tell(f"a connection could not be taken: {error.strerror}")
                await asyncio.sleep(0.1)
                continue
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._count += 1
            guest = Guest(connection, self._count)
            self._guests.append(guest)
            if len(self._guests) > MOST_GUESTS:
                nameless = next(each for each in self._guests if not each.name)
                self._dismiss(nameless, "too many others wait")
            if guest in self._guests:
                self._seat()
                guest.task = asyncio.create_task(self._serve(guest))

    async def _serve(self, guest: Guest) -> None:
        """Reads a guest's name, then watches that it stays."""
        loop = asyncio.get_running_loop()
        try:
            try:
                async with asyncio.timeout(self._name_seconds):
                    guest.name = await self._name(loop, guest)
            except TimeoutError:
                raise GuestRefused(f"no name (NME) within {self._name_seconds:g} s") from None
            self._seat()
            if await loop.sock_recv(guest.connection, _CHUNK):
                self._tell(f"{guest} sent something before its turn, which is dropped")
                while await loop.sock_recv(guest.connection, _CHUNK):
                    pass
            raise GuestRefused("it left")
        except GuestRefused as refused:
            self._dismiss(guest, str(refused))
        except OSError:  # reset, as by who leaves without reading all
            self._dismiss(guest, "it left" if guest.name else "it left without saying its name")

    async def _name(self, loop: asyncio.AbstractEventLoop, guest: Guest) -> str:
        decoder = Decoder(TO_SERVER)
        while data := await loop.sock_recv(guest.connection, _CHUNK):
            for frame in decoder.feed(data):
                if not isinstance(frame, Frame) or frame.tag != "NME":
                    raise GuestRefused(f"its first frame was {in_words(frame)}, not NME")
                if not frame.name:
                    raise GuestRefused("its name is empty")
                # A terminal is not to obey the name of a stranger.
                return "".join(sign if sign.isprintable() else "?" for sign in frame.name)
        raise GuestRefused("it left without saying its name")

    def _seat(self) -> None:
        """Gives places to those who wait, first come first served."""
        for guest in self._guests:
            if not guest.welcomed:  # where somebody before it has left, it moves up
                guest.place = None
        free = set(range(self._places)) - {guest.place for guest in self._guests}
        waiting = [guest for guest in self._guests if guest.place is None]
        for place, guest in zip(sorted(free), waiting, strict=False):
            guest.place = place
        # Guests with a name go before those without.
        named = [guest for guest in self._guests if guest.name and guest.place is None]
        idle = [guest for guest in self._guests if not guest.name and guest.place is not None]
        for guest, other in zip(named, idle, strict=False):
            guest.place, other.place = other.place, None
        for guest in self._guests:
            if guest.name and guest.place is not None and not guest.welcomed:
                self._show(guest, guest.place)
        self._change.set()

    def _show(self, guest: Guest, place: int) -> None:
        """Sends a player the frames before the game."""
        guest.welcomed = True
        self._tell(f"{guest} plays the {SPECIES[place].capitalize()}")
        for frame in self._welcome(place):
            with suppress(OSError):  # gone already; the next read says so
                guest.connection.send(encode(frame))

    def _dismiss(self, guest: Guest, reason: str) -> None:
        if guest not in self._guests:
            return
        self._tell(f"{guest} is refused: {reason}")
        self._guests.remove(guest)
        guest.connection.close()
        if guest.task is not None and guest.task is not asyncio.current_task():
            guest.task.cancel()
        self._seat()


async def _ended(task: asyncio.Task[None] | None) -> None:
    """Stops a task, and waits until it has stopped."""
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
