"""The rows of the store as plain data; apart from the store, so that they cost no import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from joute.errors import Error
from joute.i18n.words import Sentence
from joute.text import cut


@dataclass(frozen=True)
class StoredGame:
    """One played game. Lists are by seat."""

    identity: str  # a hash of all that determines the game
    members: list[str]  # the names of the bots, in alphabetical order
    set_number: int  # which set of the games between these bots, from 0
    map: str  # its name, "" where none was named
    bots: list[str]  # names
    ending: str
    returns: list[float]
    points: list[int]
    plies: int
    faults: list[dict[str, Any]]  # seat, ply, fault, detail, cost
    cpu_ms: list[float]  # milliseconds of processor time in all
    asked: list[int]  # how many actions were asked for
    chain: str  # the hash carried by the record's last line
    record: str  # the record's name in the folder of records, "" if none was kept
    played_at: str  # ISO 8601, UTC
    isolation: list[str] = field(default_factory=list)  # what held each bot; empty if unknown


class Configuration(NamedTuple):
    """A configuration of a contest, as it came into force."""

    number: int
    configuration: str  # JSON
    seed: str
    contents: str  # JSON, the hash of each bot's files by its name; "" if unknown
    made_at: str  # ISO 8601, UTC; "" if unknown


class Lineup(NamedTuple):
    """The players, their seats and the map; many games share one."""

    members: tuple[str, ...]  # in alphabetical order
    bots: tuple[str, ...]  # in seat order
    map: str


class StoredResult(NamedTuple):
    """The result of a game, for whoever goes through all of them; games share its parts."""

    identity: str
    lineup: Lineup
    set_number: int
    returns: tuple[float, ...]  # by seat, like what follows
    faults: Sequence[dict[str, Any]]  # as a StoredGame's
    points: tuple[int, ...]
    cpu_ms: tuple[float, ...]
    asked: tuple[int, ...]
    isolation: tuple[str, ...]


ANNULLED, REPLAYED, WITHDRAWN, RETIRED, DISQUALIFIED, REINSTATED = KINDS = (
    "annulled",  # a game counts for nothing
    "replayed",  # a game counts for nothing, and another is played in its place
    "withdrawn",  # a bot plays no more, and what it played counts for nobody
    "retired",  # a bot plays no more; what it played counts
    "disqualified",  # a bot is shut out, and what it played counts for nobody
    "reinstated",  # the game or the bot is back as if nothing had been said
)
OF_GAMES = (ANNULLED, REPLAYED)
OF_BOTS = (WITHDRAWN, RETIRED, DISQUALIFIED)


class Decision(msgspec.Struct, frozen=True, order=True):
    """A decision. Of all about one subject the last is in force."""

    kind: str  # one of KINDS
    subject: str  # a game's identity or a bot's name
    who: str
    why: str
    made_at: str  # ISO 8601, UTC


def checked(decision: Decision) -> Decision:
    """The decision itself. Raises ValueError if its kind is not known, or if it lacks something."""
    if decision.kind not in KINDS:
        known = ", ".join(KINDS)
        raise ValueError(Sentence("error.decision.kind", kind=decision.kind, known=known))
    for name, value in msgspec.structs.asdict(decision).items():
        if not value.strip():
            raise ValueError(Sentence("error.decision.missing", kind=decision.kind, name=name))
    return decision


def in_force(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """The decisions that hold, by subject; `decisions` are all, oldest first."""
    last = {decision.subject: decision for decision in decisions}
    return {subject: made for subject, made in last.items() if made.kind != REINSTATED}


CHAINED = "chained"  # {rows, layout}: so many rows were chained when an older layout was changed
LOST = "lost"  # {file, rows, link, kept}: a file of results has so many rows, there were `kept`


class Note(NamedTuple):
    """Something that was noted. Whoever writes a kind of note says what is in it."""

    kind: str
    content: dict[str, Any]
    made_at: str  # ISO 8601, UTC


LONGEST_SHOWN = 60  # characters of a value


class StoreError(Error):
    """The database cannot be used: not one of ours, damaged, away, or of another layout.

    `short` is what the machine has too little of, as `joute.machine` calls it, if that is why.
    """

    def __init__(self, message: Sentence, short: str | None = None) -> None:
        super().__init__(message)
        self.short = short


class ForbiddenError(StoreError):
    """The database may be there, and we may not read it, or not write it, or do not reach it."""


class DamagedError(StoreError):
    """A row holds something that is never written there."""

    def __init__(self, table: str, row: object, column: str, value: object) -> None:
        self.table = table
        self.row = row  # its number, or whose it is
        self.column = column
        text = value if isinstance(value, str) else repr(value)
        self.value = value if isinstance(value, Sentence) else cut(text, LONGEST_SHOWN)
        place = {"table": table, "row": row, "column": column}
        super().__init__(Sentence("error.store.damaged", **place, value=self.value))
