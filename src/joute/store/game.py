"""What the store keeps, as plain data; apart from the store, so that it costs no import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Game:
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
    """Who plays, who sits where, on which map; many games share one."""

    members: tuple[str, ...]  # in alphabetical order
    bots: tuple[str, ...]  # in seat order
    map: str


class Result(NamedTuple):
    """What decides about a game, for whoever goes through all of them; games share its parts."""

    identity: str
    lineup: Lineup
    set_number: int
    returns: tuple[float, ...]  # by seat, like what follows
    faults: Sequence[dict[str, Any]]  # as a Game's
    points: tuple[int, ...]
    cpu_ms: tuple[float, ...]
    asked: tuple[int, ...]
    isolation: tuple[str, ...]


class SeatSum(NamedTuple):
    """What a seat came to over all games of a line-up."""

    points: int
    most_points: int  # of a single game
    cpu_ms: float
    asked: int


class Tally(NamedTuple):
    """All games of one line-up in one place."""

    lineup: Lineup
    games: int
    outcomes: Mapping[tuple[float, ...], int]  # how many games had these returns, by seat
    seats: tuple[SeatSum, ...]
