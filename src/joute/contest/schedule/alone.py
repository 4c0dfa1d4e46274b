"""The schedule of bots that play alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from joute.contest.ranking.discipline import Place
from joute.contest.schedule.schedule import NOBODY, Members, Slot, in_order, solo_seed


class Alone:
    """Every bot by itself on every map, `games` times, each time from another seed.

    The seeds are the same for all bots, so that luck is too.
    """

    def __init__(
        self, names: Sequence[str], seed: str, games: int, maps: Sequence[str] = ("",)
    ) -> None:
        self._seed = seed
        self._games = games
        self._maps = maps
        self._left = Counter(dict.fromkeys(names, games * len(maps)))
        self._taken = False

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        """All games, the first time: one seed of every bot on every map, then the next."""
        if self._taken:
            return []
        self._taken = True
        due = [
            Slot((name,), number, (name,), solo_seed(self._seed, each, number), each)
            for number in range(self._games)
            for each in self._maps
            for name in self._left
        ]
        return in_order(due, lambda slot: slot)

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        """Note that a game handed out has a result, whatever it is."""
        self._left[slot.seats[0]] -= 1

    def left_at_most(self, without: Collection[str] = ()) -> int:
        """How many games have no result yet, without those of the bots of `without`."""
        return sum(count for name, count in self._left.items() if name not in without)

    def place(
        self, members: Members, number: int, seats: tuple[str, ...], played_on: str
    ) -> Slot | None:
        """The place of a game, None if it is not asked for."""
        known = len(members) == 1 and members[0] in self._left and played_on in self._maps
        if not known or number >= self._games or seats != members:
            return None
        return Slot(members, number, seats, solo_seed(self._seed, played_on, number), played_on)
