"""Players of Vampires vs Werewolves in a test's hand, over real connections."""

import asyncio
import socket
import threading

from helpers import wait_until
from play.playing import SEED

from joute.games.vampires.adapters.connection import PlayerConnection
from joute.games.vampires.adapters.frames import SHAPES, Decoder, encode, listing, naming
from joute.games.vampires.adapters.seat import TcpSeat
from joute.games.vampires.server.serve import Hooks, VampiresServer
from joute.host.limits import Limits
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.play.record import read_record
from joute.play.referee import play_game

SECONDS = 10.0  # after which a test that hangs fails

# Vampires (4) at 1,1; Werewolves (4) at 4,1; humans (2) at 2,1 and (9) at 5,2.
MAP = """<Map Rows="3" Columns="6">
<Humans X="2" Y="1" Count="2"/><Humans X="5" Y="2" Count="9"/>
<Vampires X="1" Y="1" Count="4"/><Werewolves X="4" Y="1" Count="4"/></Map>
"""


class HandClock:
    """A clock that stands still until a test lets the next wait run out, or moves it."""

    def __init__(self):
        self.time = 0.0
        self._let = threading.Event()

    def expire(self):
        """The wait that goes on ends by the passing of its time."""
        self._let.set()

    def now(self):
        return self.time

    def wait(self, poll, seconds):
        while True:
            if happened := poll.poll(0):
                return happened
            if seconds <= 0:
                return []
            if self._let.is_set():
                self._let.clear()
                self.time += seconds
                return []
            if happened := poll.poll(2):
                return happened


class Hand:
    """A client: what it gets, frame by frame, and what it sends, byte by byte if need be."""

    def __init__(self, connection):
        connection.settimeout(SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = connection

    @classmethod
    def connect(cls, address, name=None):
        hand = cls(socket.create_connection(address, SECONDS))
        if name is not None:
            hand.send(encode(naming(name)))
        return hand

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            assert more, f"the connection ended after {data!r}"
            data += more
        return data

    def frame(self):
        """The next frame, as (tag, entries)."""
        tag = self.exactly(3).decode()
        shape = SHAPES[tag]
        data = self.exactly(1 if shape.counted else shape.width)
        if shape.counted:
            data += self.exactly(data[0] * shape.width)
        [frame] = Decoder([tag]).feed(tag.encode() + data)
        return frame.tag, frame.entries

    def tags(self, count):
        return [self.frame()[0] for _ in range(count)]

    def send(self, data):
        self.socket.sendall(data)

    def move(self, *moves):
        self.send(encode(listing("MOV", moves)))

    def rest(self):
        """All that still comes until the connection ends."""
        data = bytearray()
        while more := self.socket.recv(1 << 16):
            data += more
        return bytes(data)

    def close(self):
        self.socket.close()


def pair():
    """Both ends of a connection on this machine: the server's, the client's."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname(), SECONDS)
        return listener.accept()[0], client


def specification(bots=("remote", "remote"), text=MAP, **values):
    limits = {"limits": Limits(move_seconds=2.0), "costs": usual_costs("vampires"), **values}
    parameters = {"map": text, **limits.pop("parameters", {})}
    seats = tuple(
        SeatSpec(name=name, bot=bot) for name, bot in zip(("Vlad", "Wolf"), bots, strict=True)
    )
    return GameSpec(game="vampires", parameters=parameters, bots=seats, seed=SEED, **limits)


class Game:
    """A game of two clients, played by the referee in a thread of its own."""

    def __init__(self, spec=None, *, clock=None, before=(), **seat):
        self.clock = clock or HandClock()
        self.spec = spec or specification()
        self._before = before
        self.log = []
        self.result = self.error = None
        ends = [pair(), pair()]
        self.hands = [Hand(client) for _, client in ends]
        self._wires = [PlayerConnection(server, self.clock) for server, _ in ends]
        self._seat = seat
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        for hand in self.hands:
            hand.close()
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()

    def _open(self, seat, spec, game, human):
        wire = self._wires.pop(0)
        return TcpSeat(wire, game, spec.limits.move_seconds, tell=self.log.append, **self._seat)

    def _run(self):
        try:
            self.result = play_game(self.spec, before=self._before, opener=self._open)
        except BaseException as error:
            self.error = error

    def over(self):
        """The result, once both clients have heard END and BYE."""
        for hand in self.hands:
            assert hand.rest() == b"ENDBYE"
            hand.close()
        self._thread.join(SECONDS)
        if self.error is not None:
            raise self.error
        return self.result

    def lines(self):
        """The lines of the record between its header and its end."""
        return read_record(self.result.record).plies


class Serving:
    """A server in a thread of its own."""

    def __init__(self, settings, records=None, **hooks):
        self.log, self.results, self.specs = [], [], []
        self.clock = hooks.pop("clock", None) or HandClock()
        made = Hooks(
            tell=self.log.append,
            opened=self.specs.append,
            over=self.results.append,
            clock=self.clock,
            **hooks,
        )
        self.server = VampiresServer(settings, made, records)
        self.address = self.server.address
        self._task = self._loop = self._error = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self):
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.ensure_future(self.server.run())
        self._ready.set()
        try:
            await self._task
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            self._error = error

    def __enter__(self):
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.stop()
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()
        if self._error is not None:
            raise self._error

    def stop(self):
        self._loop.call_soon_threadsafe(self._task.cancel)

    def said(self, part):
        """Wait for a line of the log."""
        return wait_until(
            lambda: next((line for line in self.log if part in line), ""), SECONDS, part
        )


def serving(settings, records=None, **hooks):
    return Serving(settings, records, **hooks)
