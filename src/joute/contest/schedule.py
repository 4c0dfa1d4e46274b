"""Schedules: which games a contest is made of, an object that hands them out as results come in.

The unit is the pair: two games from one seed (so with the same opening, deal and starter's seat)
with the seats exchanged. Pairs are handed out whole.

A schedule is resumed by replaying into it the results already known: which games it hands out in
the end depends on the results alone, never on the order in which they arrive or on the workers.
A pair's seed depends on the contest's seed, the two names and the pair's number, so that adding a
bot, or reordering the file, changes no other game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

Pairing = tuple[str, str]
"""The names of two bots, in alphabetical order."""


class Slot(NamedTuple):
    """The place of one game in the schedule."""

    pairing: Pairing
    pair: int  # from 0, within the pairing
    seats: tuple[str, ...]  # the bots' names in seat order
    seed: str  # 32 hex digits, the same for both games of the pair


def pair_seed(seed: str, pairing: Pairing, pair: int) -> str:
    """The seed (32 hex digits) of a pair of games."""
    text = json.dumps([seed, *pairing, pair])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


class RoundRobin:
    """Every bot against every other, `max_games` games a pairing or until one has won `first_to`.

    With `first_to`, a pair is handed out only when the pairs before it, whatever the results still
    missing, cannot have decided the pairing. Draws are nobody's wins.
    """

    def __init__(
        self, names: Sequence[str], seed: str, max_games: int, first_to: int | None = None
    ) -> None:
        self._seed = seed
        pairings = [(min(a, b), max(a, b)) for a, b in combinations(names, 2)]
        self._pairings = {pairing: _Progress(max_games, first_to) for pairing in pairings}

    def take(self) -> list[Slot]:
        """The games not handed out before that are certain to be part of the contest.

        Pair 0 of every pairing comes first, then pair 1 of each ..., so that an unfinished
        contest has played about as much of each.
        """
        slots: list[Slot] = []
        for pairing, progress in self._pairings.items():
            while progress.certain():
                slots += self._pair(pairing, progress.taken)
                progress.taken += 1
                progress.missing += 2
        slots.sort(key=lambda slot: slot.pair)
        return slots

    def record(self, slot: Slot, returns: Sequence[float]) -> None:
        """Tell the result of a game handed out: its returns, by seat."""
        progress = self._pairings[slot.pairing]
        progress.missing -= 1
        first = returns[slot.seats.index(slot.pairing[0])]
        second = returns[slot.seats.index(slot.pairing[1])]
        if first > second:
            progress.wins[0] += 1
        elif second > first:
            progress.wins[1] += 1

    def left_at_most(self) -> int:
        """How many games may still come: those handed out without a result and later ones."""
        return sum(progress.left_at_most() for progress in self._pairings.values())

    def _pair(self, pairing: Pairing, pair: int) -> list[Slot]:
        seed = pair_seed(self._seed, pairing, pair)
        exchanged = (pairing[1], pairing[0])
        return [Slot(pairing, pair, seats, seed) for seats in (pairing, exchanged)]


class _Progress:
    """Where one pairing stands."""

    def __init__(self, max_games: int, first_to: int | None) -> None:
        self.pairs = max_games // 2
        self.first_to = first_to
        self.taken = 0  # pairs handed out
        self.missing = 0  # games handed out whose result is not known
        self.wins = [0, 0]

    def certain(self) -> bool:
        """Whether the next pair is played whatever the missing results."""
        if self.taken == self.pairs:
            return False
        return self.first_to is None or max(self.wins) + self.missing < self.first_to

    def left_at_most(self) -> int:
        if self.first_to is not None and max(self.wins) >= self.first_to:
            return self.missing
        return self.missing + 2 * (self.pairs - self.taken)
