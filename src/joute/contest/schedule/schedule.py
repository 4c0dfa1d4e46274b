"""Schedules: objects that hand out the games of a contest as results come in.

A schedule is resumed by replaying into it the results already known: which games it hands out in
the end depends on the results alone, never on the order in which they arrive or on the workers.
What depends on results is therefore decided when all results that it depends on are there.
A set's seed depends on the contest's seed, the group's names and the set's number, so that in a
round robin adding a bot, or reordering the file, changes no other game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from joute.contest.ranking.discipline import Place

T = TypeVar("T")

SHARED, ANEW = DEALS = ("shared", "anew")
"""Whether the games of a set, which exchange seats, have the same deals, or each its own.

With the same deals luck weighs less on who is better; but a bot of somebody's that leaves itself a
message, however slowly, knows in the later games what was hidden in the first. Where something is
hidden and bots are such programs, each game is dealt anew.
"""

Members = tuple[str, ...]
"""The names of the bots that play together, a group, in alphabetical order."""


NOBODY: Mapping[str, Place] = MappingProxyType({})


class Slot(NamedTuple):
    """The place of one game in the schedule."""

    members: Members
    number: int  # of the set within its group; of the seed where one plays alone; from 0
    seats: tuple[str, ...]  # the bots' names in seat order
    seed: str  # 32 hex digits, the same for all games of the set
    map: str = ""  # the map's name, "" where there are none


def place_of(slot: Slot) -> tuple[int, Slot]:
    """The place of a game in the schedule, set by set; of two games the smaller comes first."""
    return slot.number, slot


class Schedule(Protocol):
    """The interface of a schedule.

    `out` are the bots that are shut out, each after the game at a place of the schedule: games
    with it that come later are never played.
    """

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        """The games not handed out before that are certain to be part of the contest."""

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        """Tells the result of a game handed out: its returns and points, by seat."""

    def left_at_most(self, without: Collection[str] = ()) -> int:
        """The most games that may still come: those handed out without a result and later ones.

        Groups with a bot of `without` are left out.
        """


class Progression(NamedTuple):
    """Facts of bots that their games do not tell: how far each came, its byes, who lost."""

    stages: Mapping[str, int]  # how far each came; more is better; empty where there are none
    byes: Mapping[str, int]  # games that count as won, because nobody was there to play them
    losers: Sequence[Mapping[Members, str]] = ()  # of a knockout's rounds that are over, by meeting


@runtime_checkable
class Staged(Protocol):
    """A schedule that knows more of its bots than their results."""

    def course(self, out: Collection[str] = ()) -> Progression:
        """The course of each bot so far, where the results of those of `out` are void."""


@runtime_checkable
class Fixed(Protocol):
    """A schedule that may ask for the same games whatever their results."""

    def place(
        self, members: Members, number: int, seats: tuple[str, ...], played_on: str
    ) -> Slot | None:
        """The place of a game, None if it is not asked for, or not whatever the results."""


def before(slot: Slot) -> Place:
    """The place between a game and those that come before it in the schedule."""
    return slot.number, tuple(slot)[:-1]


def in_order(games: list[T], slot_of: Callable[[T], Slot]) -> list[T]:
    """The same list in the order of the schedule, where `slot_of` says where each game is."""
    # As by `place_of`, without a place for each: there may be a million.
    games.sort(key=slot_of)
    games.sort(key=lambda game: slot_of(game).number)
    return games


def void(slot: Slot, out: Mapping[str, Place]) -> bool:
    """Whether a game comes after one that shut a bot of it out."""
    return any(place_of(slot) > out[name] for name in slot.seats if name in out)


def set_seed(seed: str, members: Members, number: int) -> str:
    """The seed (32 hex digits) of a set of games."""
    return digest(seed, *members, number)


def solo_seed(seed: str, played_on: str, number: int) -> str:
    """The seed (32 hex digits) of a game alone on a map: the same for every bot.

    Maps have seeds of their own: what chance brings on one says nothing of another.
    """
    return digest(seed, played_on, number)


def digest(*parts: object) -> str:
    """32 hex digits that depend on the parts alone: what is drawn, once for all, is drawn so."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def seed_of_game(deals: str, seed: str, seats: Sequence[str]) -> str:
    """The seed of the game of a set in which the bots have these seats."""
    return digest(seed, "deal", *seats) if deals == ANEW else seed
