"""Schedules: which games a contest is made of, an object that hands them out as results come in.

The unit of a round robin is the *set*: one game for each rotation of a group of bots over the
seats, all from one seed (so with the same opening, deal and starter's seat) and on one map. With
two seats it is a pair of games, the seats exchanged. Sets are handed out whole.

A schedule is resumed by replaying into it the results already known: which games it hands out in
the end depends on the results alone, never on the order in which they arrive or on the workers.
A set's seed depends on the contest's seed, the group's names and the set's number, so that adding
a bot, or reordering the file, changes no other game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple, Protocol

Members = tuple[str, ...]
"""The names of the bots that play together, a group, in alphabetical order."""


class Slot(NamedTuple):
    """The place of one game in the schedule."""

    members: Members
    number: int  # of the set within its group; of the seed where one plays alone; from 0
    seats: tuple[str, ...]  # the bots' names in seat order
    seed: str  # 32 hex digits, the same for all games of the set
    map: str = ""  # the map's name, "" where there are none


class Schedule(Protocol):
    """What a contest's plan needs of a schedule."""

    def take(self) -> list[Slot]:
        """The games not handed out before that are certain to be part of the contest."""

    def record(self, slot: Slot, returns: Sequence[float]) -> None:
        """Tell the result of a game handed out: its returns, by seat."""

    def left_at_most(self) -> int:
        """How many games may still come: those handed out without a result and later ones."""


def set_seed(seed: str, members: Members, number: int) -> str:
    """The seed (32 hex digits) of a set of games."""
    return _digest(seed, *members, number)


def solo_seed(seed: str, played_on: str, number: int) -> str:
    """The seed (32 hex digits) of a game alone on a map: the same for every bot.

    Maps have seeds of their own: what chance brings on one says nothing of another.
    """
    return _digest(seed, played_on, number)


def _digest(*parts: object) -> str:
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


class RoundRobin:
    """Every group of `seats` bots: `max_games` games each, or until one has won `first_to`.

    Set number k is played on map k modulo their number. With `first_to`, a set is handed out only
    when the sets before it, whatever the results still missing, cannot have decided the group.
    A game in which several bots share the first place is nobody's win.
    """

    def __init__(
        self,
        names: Sequence[str],
        seed: str,
        max_games: int,
        first_to: int | None = None,
        *,
        seats: int = 2,
        maps: Sequence[str] = ("",),
    ) -> None:
        self._seed = seed
        self._maps = maps
        groups = [tuple(sorted(group)) for group in combinations(names, seats)]
        self._groups = {members: _Progress(seats, max_games, first_to) for members in groups}

    def take(self) -> list[Slot]:
        """The games not handed out before that are certain to be part of the contest.

        Set 0 of every group comes first, then set 1 of each ..., so that an unfinished contest
        has played about as much of each.
        """
        slots: list[Slot] = []
        for members, progress in self._groups.items():
            while progress.certain():
                slots += self._set(members, progress.taken)
                progress.taken += 1
                progress.missing += len(members)
        slots.sort(key=lambda slot: slot.number)
        return slots

    def record(self, slot: Slot, returns: Sequence[float]) -> None:
        """Tell the result of a game handed out: its returns, by seat."""
        progress = self._groups[slot.members]
        progress.missing -= 1
        best = [
            name for name, value in zip(slot.seats, returns, strict=True) if value == max(returns)
        ]
        if len(best) == 1:
            progress.wins[slot.members.index(best[0])] += 1

    def left_at_most(self) -> int:
        """How many games may still come: those handed out without a result and later ones."""
        return sum(progress.left_at_most() for progress in self._groups.values())

    def _set(self, members: Members, number: int) -> list[Slot]:
        seed = set_seed(self._seed, members, number)
        played_on = self._maps[number % len(self._maps)]
        rotations = [members[turn:] + members[:turn] for turn in range(len(members))]
        return [Slot(members, number, seats, seed, played_on) for seats in rotations]


class _Progress:
    """Where one group stands."""

    def __init__(self, seats: int, max_games: int, first_to: int | None) -> None:
        self.size = seats  # games in a set: one for each rotation
        self.sets = max_games // seats
        self.first_to = first_to
        self.taken = 0  # sets handed out
        self.missing = 0  # games handed out whose result is not known
        self.wins = [0] * seats

    def certain(self) -> bool:
        """Whether the next set is played whatever the missing results."""
        if self.taken == self.sets:
            return False
        return self.first_to is None or max(self.wins) + self.missing < self.first_to

    def left_at_most(self) -> int:
        if self.first_to is not None and max(self.wins) >= self.first_to:
            return self.missing
        return self.missing + self.size * (self.sets - self.taken)


class Alone:
    """Every bot by itself on every map, `games` times, each time from another seed.

    The seeds are the same for all bots, so that luck is too.
    """

    def __init__(
        self, names: Sequence[str], seed: str, games: int, maps: Sequence[str] = ("",)
    ) -> None:
        self._due = [
            Slot((name,), number, (name,), solo_seed(seed, each, number), each)
            for number in range(games)
            for each in maps
            for name in names
        ]
        self._left = len(self._due)

    def take(self) -> list[Slot]:
        """All games, the first time: one seed of every bot on every map, then the next."""
        due, self._due = self._due, []
        return due

    def record(self, slot: Slot, returns: Sequence[float]) -> None:
        """Note that a game handed out has a result, whatever it is."""
        self._left -= 1

    def left_at_most(self) -> int:
        """How many games have no result yet."""
        return self._left
