"""The schedule of a sequential test: pairs of games between two bots, until they decide.

The pairs are those that a round robin of the same seed plays. Workers bring them in any order; the
test counts them in the order of their numbers, so that its decision depends on the results alone.
Some pairs are played ahead, and those beyond the one that decides count for nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from joute.contest.ranking.discipline import Place
from joute.contest.rating.sprt import SequentialTest
from joute.contest.schedule.schedule import NOBODY, Slot, set_seed

AHEAD = 32  # pairs handed out beyond the first that is not complete
LOOK = 50  # a test is looked at whenever it has grown by one part in LOOK


class PairsUntilDecided:
    """Hands out pairs of the bots `names` while `test` has no decision, `max_games` at most."""

    def __init__(
        self,
        names: tuple[str, str],
        seed: str,
        max_games: int,
        test: SequentialTest,
        *,
        maps: Sequence[str] = ("",),
    ) -> None:
        self._names = names
        self._seed = seed
        self._most = max_games // 2  # pairs
        self._maps = maps
        self._taken = 0  # pairs handed out
        self._recorded = 0  # games
        self._points: dict[int, list[float]] = {}  # of the first bot, by pair, not yet counted
        self._complete = 0  # pairs without a gap
        self.test = test

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        """The games not handed out before of the pairs that may be needed soon."""
        if self.test.decision:
            return []
        first, self._taken = self._taken, min(self._complete + AHEAD, self._most)
        return [slot for number in range(first, self._taken) for slot in self._pair(number)]

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        """Tell the result of a game handed out: its returns and points, by seat."""
        mine, other = (returns[slot.seats.index(name)] for name in self._names)
        self._points.setdefault(slot.number, []).append((mine > other) + (mine == other) / 2)
        self._recorded += 1
        if self.test.decision:
            return
        while len(self._points.get(self._complete, ())) == 2:
            self._complete += 1
        counted = self.test.pairs
        if self._complete - counted > counted // LOOK or self._complete == self._most:
            self.test.add([sum(self._points.pop(each)) for each in range(counted, self._complete)])

    def left_at_most(self, without: Collection[str] = ()) -> int:
        """How many games may still come; none after the decision."""
        return 0 if self.test.decision else 2 * self._most - self._recorded

    def _pair(self, number: int) -> list[Slot]:
        members = tuple(sorted(self._names))
        seed = set_seed(self._seed, members, number)
        played_on = self._maps[number % len(self._maps)]
        rotations = (members, members[::-1])
        return [Slot(members, number, seats, seed, played_on) for seats in rotations]
