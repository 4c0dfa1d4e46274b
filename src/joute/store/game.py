"""One played game as the store keeps it; apart from the store, so that it costs no import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
    record: str  # file name in the folder of records, "" if none was kept
    played_at: str  # ISO 8601, UTC
