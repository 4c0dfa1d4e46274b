"""The binary frames of the Vampires server, both ways, split anywhere.

A case is a byte that says who reads, a byte that says how long the pieces are, then the bytes of
the peer: of anybody for the decoder, of a player for the server, of a server for our client.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing import games
from fuzzing.mutation import bytes_changed
from fuzzing.target import Pool
from joute.core.interface import describe, legal, properties, start
from joute.core.registry import make
from joute.games.vampires.adapters.connection import PlayerConnection
from joute.games.vampires.adapters.frames import (
    BYE,
    END,
    SHAPES,
    TO_PLAYER,
    TO_SERVER,
    Decoder,
    Frame,
    FrameError,
    Unknown,
    board,
    encode,
    listing,
    naming,
    welcome,
)
from joute.games.vampires.adapters.seat import TcpSeat
from joute.games.vampires.map import read_map
from joute.games.vampires.order import moves_of
from joute.games.vampires.server.client import Client, ClientError
from joute.games.vampires.state import DONE
from joute.host.protocol import Answer
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game
from joute.play.seats import Seat, answer
from joute.play.verify import verify_record

DECODER, SERVER, CLIENT = range(3)
VAMPIRES = 2  # of games.GAMES
_TAGS = tuple(tag.encode() for tag in SHAPES)
_WORDS = (*_TAGS, b"SET\x03\x05", b"HME\x01\x01", b"MOV\x01\x01\x01\x01\x02\x01", b"\x00", b"\xff",
          b"MAP\x00", b"UPD\x00", b"MOV\x00", b"NME\x02ab", b"NME\x01\xe9", b"HUM\x00",
          b"SET\x00\x00",
          b"MAP\x02\x01\x01\x00\x04\x00\x03\x01\x00\x00\x04",
          b"UPD\x01\x00\x00\x09\x00\x00")  # fmt: skip


def seeds() -> list[bytes]:
    """Orders of a game, what a server sends in one, frames of each kind."""
    game = make("vampires", **games.GAMES[VAMPIRES][1])
    state = start(game).tolist()
    out = [0] * properties(game).max_legal
    first = [each for each in out[: legal(game, state, out)] if each != DONE][:3]
    orders = b"".join(encode(listing("MOV", moves_of(game, [each]))) for each in first)
    chart = read_map(games.VILLAGE)
    shown = b"".join(map(encode, [*welcome(chart, 0), board(game, state)]))
    turn = encode(listing("UPD", [[1, 1, 0, 4, 0]])) + encode(listing("UPD", []))
    name = encode(naming("Ann"))
    bodies = {
        DECODER: [name + orders, shown + turn, shown + encode(END) + encode(BYE)],
        SERVER: [orders, orders * 3],
        CLIENT: [shown + turn + encode(END) + encode(BYE), shown + turn * 2 + encode(END)],
    }
    return [
        bytes([reader, size]) + body
        for reader, found in bodies.items()
        for body in found
        for size in (0, 3)
    ]


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Streams with bytes and frames changed, and of frames put together."""
    return bytes_changed(pool, _WORDS) | _frames()


@st.composite
def _frames(draw: DrawFn) -> bytes:
    reader = draw(st.integers(DECODER, CLIENT))
    found = bytes([reader, draw(st.integers(0, 255))])
    for tag in draw(st.lists(st.sampled_from(sorted(SHAPES)), max_size=8)):
        shape = SHAPES[tag]
        small = st.integers(0, 6) | st.integers(0, 255)
        entry = st.lists(small, min_size=shape.width, max_size=shape.width)
        entries = draw(st.lists(entry, min_size=1, max_size=4 if shape.counted else 1))
        head = bytes([len(entries)]) if shape.counted else b""
        found += tag.encode() + head + bytes(each for entry in entries for each in entry)
    return found


def check(case: bytes) -> str:
    """Any bytes are frames or an Unknown, a game is recorded truly, a client says ClientError."""
    if len(case) < 2:
        return "empty"
    body = case[2:]
    pieces = list(_pieces(body, case[1]))
    return (_decoded, _served, _followed)[case[0] % 3](body, pieces)


def _pieces(body: bytes, size: int) -> Iterator[bytes]:
    size = size or len(body) or 1
    return (body[at : at + size] for at in range(0, len(body), size))


def _decoded(body: bytes, pieces: list[bytes]) -> str:
    ended = ""
    for tags in (TO_PLAYER, TO_SERVER):
        whole, parts = Decoder(tags), Decoder(tags)
        found = whole.feed(body)
        assert [frame for piece in pieces for frame in parts.feed(piece)] == found
        assert whole.pending == parts.pending
        again = b"".join(map(_encoded, found))
        lost = bool(found) and isinstance(found[-1], Unknown)
        if all(not isinstance(each, Frame) or each.name.isascii() for each in found):
            assert body.startswith(again) and (lost or again + whole.pending == body)
        ended += "lost " if lost else "pending " if whole.pending else ""
    return "" if len(ended.split()) < 2 else ended


def _encoded(frame: Frame | Unknown) -> bytes:
    if isinstance(frame, Unknown):
        return frame.bytes
    with suppress(FrameError):
        return encode(frame)
    assert not frame.name.isascii()
    return b""


class _Clock:
    """Time that goes by only while it is waited for; then the peer sends its next piece."""

    def __init__(self, peer: socket.socket, pieces: list[bytes]) -> None:
        self._now = 0.0
        self._peer = peer
        self._pieces = iter(pieces)

    def now(self) -> float:
        return self._now

    def wait(self, poll: select.poll, seconds: float) -> list[tuple[int, int]]:
        piece = next(self._pieces, None)
        self._now += max(seconds, 0.0) if piece is None else 0.001
        if piece is not None:
            with suppress(OSError):
                self._peer.send(piece)
        with suppress(OSError):
            self._peer.recv(1 << 16, socket.MSG_DONTWAIT)
        return poll.poll(0)


class _First:
    """A seat that plays its first legal action."""

    isolation = "inline"
    observes = False

    def __init__(self, game: Any) -> None:
        self._game = game

    def start(self, message: dict[str, Any]) -> Answer:
        return answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        out = [0] * properties(self._game).max_legal
        legal(self._game, state, out)
        assert describe(self._game, state, out[0])
        return answer(out[0])

    def end(self, message: dict[str, Any]) -> None:
        pass

    def close(self) -> None:
        pass


def _served(body: bytes, pieces: list[bytes]) -> str:
    """A hostile player at a server's table."""
    ours, peer = socket.socketpair()
    said: list[str] = []
    with peer:
        wire = PlayerConnection(_NoDelay(ours), _Clock(peer, pieces))
        left = [True]

        def opener(seat: SeatSpec, spec: GameSpec, game: Any, human: Any) -> Seat:
            if left.pop():
                left.append(False)
                return TcpSeat(wire, game, 0.01, tell=said.append)
            return _First(game)

        result = play_game(games.spec(VAMPIRES, max_restarts=0), opener=opener)
    assert verify_record(result.record).ok
    assert ours.fileno() < 0
    return "; ".join(fault.fault for fault in result.faults[:2]) if len(result.faults) > 2 else ""


class _NoDelay:
    """A socket of a pair as one of TCP."""

    def __init__(self, own: socket.socket) -> None:
        self._own = own

    def setsockopt(self, *option: int) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)


@cache
def _client(said: str = "") -> Client:
    return Client("builtin:nearest", "Ann", 0.01, lambda line: None)


def _followed(body: bytes, pieces: list[bytes]) -> str:
    """A client of a hostile server."""
    client = _client()
    client.games, client._frames, client._decoder = 0, [], Decoder(TO_PLAYER)
    ours, peer = socket.socketpair()
    with ours, peer:
        client._socket = ours
        peer.sendall(body)
        peer.shutdown(socket.SHUT_WR)
        try:
            client._play()
        except ClientError as error:
            return str(error)
        finally:
            client._close_seat()
    return ""
