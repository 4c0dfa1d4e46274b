"""The frames of the Vampires vs Werewolves protocol, as values and as bytes; no sockets here.

A frame is three letters and integers of one unsigned byte each. To a player: SET rows columns, HUM
n (x y)*, HME x y, MAP n (x y humans vampires werewolves)*, UPD likewise, END, BYE. To the server:
NME t and t ASCII bytes, MOV n (x y count x' y')*.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from joute.games.vampires.map import VampiresMap
from joute.games.vampires.state import Vampires
from joute.games.vampires.text import cells, contents

Entries = tuple[tuple[int, ...], ...]

MOST = 255  # what a byte holds


class FrameError(ValueError):
    """A frame that bytes cannot say."""


class Frame(NamedTuple):
    """A frame: its tag, and what follows it."""

    tag: str
    entries: Entries = ()  # of SET and HME one, of HUM, MAP, UPD and MOV any number
    name: str = ""  # of NME


class Unknown(NamedTuple):
    """Three bytes that begin no frame; how long it is, and what follows, cannot be known."""

    bytes: bytes


class Shape(NamedTuple):
    """The form of the data after a tag."""

    counted: bool  # a byte with the number of entries comes first
    width: int  # integers in an entry; 0: the entries are the bytes of a name


SHAPES = {
    "SET": Shape(False, 2),
    "HUM": Shape(True, 2),
    "HME": Shape(False, 2),
    "MAP": Shape(True, 5),
    "UPD": Shape(True, 5),
    "END": Shape(False, 0),
    "BYE": Shape(False, 0),
    "NME": Shape(True, 0),
    "MOV": Shape(True, 5),
}
TO_PLAYER = ("SET", "HUM", "HME", "MAP", "UPD", "END", "BYE")
TO_SERVER = ("NME", "MOV")

END, BYE = Frame("END"), Frame("BYE")


def pair(tag: str, first: int, second: int) -> Frame:
    """SET with rows and columns, or HME with x and y."""
    return Frame(tag, ((first, second),))


def listing(tag: str, entries: Iterable[Sequence[int]]) -> Frame:
    """HUM, MAP, UPD or MOV with these entries."""
    return Frame(tag, tuple(tuple(int(number) for number in entry) for entry in entries))


def naming(name: str) -> Frame:
    """NME with a player's name."""
    return Frame("NME", (), name)


def encode(frame: Frame) -> bytes:
    """The bytes of a frame. Raises FrameError if a number or a length exceeds a byte."""
    shape = SHAPES[frame.tag]
    body = _name(frame) if frame.tag == "NME" else _numbers(frame, shape)
    head = frame.tag.encode()
    if not shape.counted:
        return head + body
    count = len(body) if frame.tag == "NME" else len(frame.entries)
    if count > MOST:
        raise FrameError(f"{frame.tag} has {count} entries, and a byte counts up to {MOST}")
    return head + bytes([count]) + body


def _name(frame: Frame) -> bytes:
    try:
        return frame.name.encode("ascii")
    except UnicodeEncodeError:
        raise FrameError(f"the name {frame.name!r} is not ASCII") from None


def _numbers(frame: Frame, shape: Shape) -> bytes:
    if any(len(entry) != shape.width for entry in frame.entries):
        raise FrameError(f"an entry of {frame.tag} has {shape.width} numbers: {frame.entries}")
    if not shape.counted and len(frame.entries) != (shape.width > 0):
        raise FrameError(f"{frame.tag} has no list of entries: {frame.entries}")
    try:
        return bytes(number for entry in frame.entries for number in entry)
    except ValueError:
        raise FrameError(f"a number of {frame.tag} is outside 0..{MOST}") from None


class Decoder:
    """Finds the frames in bytes that come in pieces of any shape.

    After an Unknown nothing more can be understood: bytes are dropped until `clear`.
    """

    def __init__(self, tags: Iterable[str]) -> None:
        """`tags` are those expected: TO_PLAYER or TO_SERVER."""
        self._shapes = {tag.encode(): SHAPES[tag] for tag in tags}
        self._bytes = bytearray()
        self._lost = False

    @property
    def pending(self) -> bytes:
        """The beginning of a frame that is not complete."""
        return bytes(self._bytes)

    def clear(self) -> bytes:
        """Drops what is pending, and returns it; what follows is the beginning of a frame."""
        dropped = bytes(self._bytes)
        self._bytes.clear()
        self._lost = False
        return dropped

    def feed(self, data: bytes) -> list[Frame | Unknown]:
        """The frames that these bytes complete."""
        found: list[Frame | Unknown] = []
        if self._lost:
            return found
        self._bytes += data
        start = 0
        while length := self._length(start):
            frame = self._frame(start, length)
            found.append(frame)
            start += length
            if isinstance(frame, Unknown):
                self._lost = True
                start = len(self._bytes)
        del self._bytes[:start]
        return found

    def _length(self, start: int) -> int:
        """The length of the frame that starts there; 0 if it is not complete."""
        here = len(self._bytes) - start
        if here < 3:
            return 0
        shape = self._shapes.get(bytes(self._bytes[start : start + 3]))
        if shape is None:
            return 3
        if not shape.counted:
            length = 3 + shape.width
        elif here == 3:
            return 0
        else:
            length = 4 + self._bytes[start + 3] * (shape.width or 1)
        return length if here >= length else 0

    def _frame(self, start: int, length: int) -> Frame | Unknown:
        whole = bytes(self._bytes[start : start + length])
        shape = self._shapes.get(whole[:3])
        if shape is None:
            return Unknown(whole)
        tag, body = whole[:3].decode(), whole[4:] if shape.counted else whole[3:]
        if tag == "NME":
            return Frame(tag, (), _text(body))
        width = shape.width
        entries = tuple(tuple(body[at : at + width]) for at in range(0, len(body), width or 1))
        return Frame(tag, entries)


def _text(name: bytes) -> str:
    """A name as its sender meant it: names are to be ASCII, and not all are."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("latin-1")


Cell = tuple[int, int]


def welcome(chart: VampiresMap, player: int) -> list[Frame]:
    """SET, HUM and HME, sent once the player's name is known."""
    x, y, _ = (chart.vampires, chart.werewolves)[player]
    return [
        pair("SET", chart.rows, chart.columns),
        listing("HUM", [group[:2] for group in chart.humans]),
        pair("HME", x, y),
    ]


def board(game: Vampires, state: Any) -> Frame:
    """MAP: all cells that are not empty, row by row."""
    return listing("MAP", cells(game, state))


def update(
    game: Vampires, state: Any, vampires: Iterable[Cell], werewolves: Iterable[Cell]
) -> Frame:
    """UPD: what the cells hold now that the last order of each player changed, each cell once.

    `encode` refuses more than 255 cells, which two orders of many moves can change.
    """
    changed = dict.fromkeys([*vampires, *werewolves])
    return listing("UPD", [contents(game, state, x, y) for x, y in changed])
