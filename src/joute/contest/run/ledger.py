"""Games by identity: of each, the facts that schedules and standings use, in about 80 bytes."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from joute.host.protocol import Fault
from joute.play.game import FAULT_COSTS
from joute.store.model import DamagedError, Decision, StoredGame, StoredResult

Figures = tuple[Any, ...]

FAULTS = frozenset(fault.value for fault in Fault)
FINISHED = "finished"
ENDINGS = (FINISHED, "forfeit", "resignation")
DIGITS = 32  # of an identity
HALF = 8  # bytes of one
MOST_LOOSE = 50_000  # rows that are found by a dictionary, which takes more room than all else


class GameOutcome(NamedTuple):
    """A game as the ledger has it; sequences are by seat."""

    identity: str
    returns: tuple[float, ...]
    points: Sequence[int]
    faults: Sequence[Mapping[str, Any]]
    cpu_ms: Sequence[float]
    asked: Sequence[int]
    isolation: tuple[str, ...]


AnyGame = StoredGame | StoredResult | GameOutcome
"""Games that the ledger takes in."""


class Ledger:
    """Games of so many seats, each a row, numbered from 0 in the order of their arrival."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._identities = bytearray()
        self._returns: list[Figures] = []
        self._isolation: list[Figures] = []
        self._shared: dict[Figures, Figures] = {}
        self._points = array("q")
        self._cpu_ms = array("d")
        self._asked = array("q")
        self._faults: dict[int, Sequence[Mapping[str, Any]]] = {}
        self._halves = array("Q")  # the first half of each identity but the loose, ascending
        self._rows = array("q")  # whose each is
        self._loose: dict[str, int] = {}

    @classmethod
    def of(cls, seats: int, games: Iterable[StoredResult]) -> Ledger:
        """The ledger of the games of a store; those of other numbers of seats are left out."""
        ledger = cls(seats)
        for game in games:
            check_words(game.identity, game.faults)
            if len(game.returns) == seats:
                ledger.add(game.identity, game)
        return ledger

    def __len__(self) -> int:
        return len(self._returns)

    def add(self, identity: str, game: AnyGame) -> int:
        """Takes in a game that is not there; returns its row.

        Raises ValueError unless it has figures for every seat.
        """
        for figures in (game.returns, game.points, game.cpu_ms, game.asked):
            if len(figures) != self._seats:
                raise ValueError(f"game {identity}: expected {self._seats} seats, got {figures}")
        row = len(self._returns)
        self._identities += bytes.fromhex(identity)
        self._returns.append(self._one(game.returns))
        self._isolation.append(self._one(game.isolation))
        self._points.extend(game.points)
        self._cpu_ms.extend(game.cpu_ms)
        self._asked.extend(game.asked)
        if game.faults:
            self._faults[row] = game.faults
        self._loose[identity] = row
        if len(self._loose) > max(MOST_LOOSE, row // 8):
            self._sort()
        return row

    def find(self, identity: str) -> int | None:
        """The row of a game, None if it is not there."""
        row = self._loose.get(identity)
        if row is not None or not self._halves:
            return row
        half = int(identity[: DIGITS // 2], 16)
        place = bisect_left(self._halves, half)
        while place < len(self._halves) and self._halves[place] == half:
            if self.identity(self._rows[place]) == identity:
                return self._rows[place]
            place += 1
        return None

    def identity(self, row: int) -> str:
        """The identity of the game of a row."""
        return self._identities[2 * HALF * row : 2 * HALF * (row + 1)].hex()

    def outcome(self, row: int) -> GameOutcome:
        """The game of a row."""
        mine = slice(self._seats * row, self._seats * (row + 1))
        return GameOutcome(
            self.identity(row),
            self._returns[row],
            self._points[mine],
            self._faults.get(row, ()),
            self._cpu_ms[mine],
            self._asked[mine],
            self._isolation[row],
        )

    def _one(self, figures: Sequence[Any]) -> Figures:
        """The figures as a tuple, of which there is one for equal figures."""
        found = tuple(figures)
        return self._shared.setdefault(found, found)

    def _sort(self) -> None:
        """Has all rows found by their place in order, which takes 16 bytes each."""
        import numpy as np

        halves = np.frombuffer(self._identities, ">u8")[::2].astype(np.uint64)
        order = np.argsort(halves)
        self._halves = array("Q", halves[order].tobytes())
        self._rows = array("q", order.astype(np.int64).tobytes())
        self._loose.clear()


class Chosen:
    """Some of a ledger's games, as a set of identities that takes a bit more than a byte each."""

    def __init__(self, ledger: Ledger, rows: Iterable[int]) -> None:
        self._ledger = ledger
        self._flags = bytearray(len(ledger))
        for row in rows:
            self._flags[row] = True

    def __contains__(self, identity: str) -> bool:
        row = self._ledger.find(identity)
        return row is not None and row < len(self._flags) and bool(self._flags[row])

    def __len__(self) -> int:
        return self._flags.count(True)


def check_words(game: str, faults: Iterable[Mapping[str, Any]], ending: str = FINISHED) -> None:
    """Raises DamagedError for a fault, a cost or an ending of a game that there is not."""
    for fault in faults:
        if fault["fault"] not in FAULTS or fault["cost"] not in FAULT_COSTS:
            raise DamagedError("games", game, "faults", dict(fault))
    if ending not in ENDINGS:
        raise DamagedError("games", game, "ending", ending)


class KnownResults(NamedTuple):
    """The results in the folder of a contest."""

    seed: str | None
    games: Ledger
    in_force: dict[str, Decision]  # by bot and by game
    contents: Mapping[str, str] | None = None
    """The hashes of the bots' files, by name, for whoever does not play and does not look."""
