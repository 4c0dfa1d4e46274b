"""Pools, then a knockout of the best of each pool."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from joute.contest.ranking.discipline import Place
from joute.contest.ranking.rows import Row, among_others
from joute.contest.schedule.elimination import Elimination
from joute.contest.schedule.meeting import Terms, fixed
from joute.contest.schedule.round_robin import RoundRobin
from joute.contest.schedule.rounds import Rounds
from joute.contest.schedule.schedule import NOBODY, Course, Slot, void

Order = Callable[[Sequence[str], Sequence[Row]], Sequence[Sequence[str]]]
"""The bots of a pool after its games, best first, those who share a place together."""


def dealt(seeds: Sequence[str], pools: int) -> list[list[str]]:
    """The names in so many pools, to and fro: 1 2 3, 6 5 4, 7 8 9 ..."""
    found: list[list[str]] = [[] for _ in range(pools)]
    for start in range(0, len(seeds), pools):
        line = found if start // pools % 2 == 0 else found[::-1]
        for pool, name in zip(line, seeds[start : start + pools], strict=False):
            pool.append(name)
    return found


class PoolsThenKnockout:
    """In each pool all meet; the first `qualified` of each then knock each other out.

    `seeds` are the names, the favourites first. In the knockout the firsts of the pools are the
    highest seeds, then the seconds ... A tie at the limit goes to the higher seed. A meeting of the
    pools ends as `terms` say without a tie-break; only those of the knockout have one.
    """

    def __init__(
        self,
        seeds: Sequence[str],
        seed: str,
        terms: Terms,
        maps: Sequence[str],
        order: Order,
        *,
        pools: int,
        qualified: int,
    ) -> None:
        self._seeds = list(seeds)
        self._seed = seed
        self._terms = terms
        self._maps = maps
        self._order = order
        self._qualified = qualified
        self._pools = dealt(seeds, pools)
        groups = [pair for pool in self._pools for pair in combinations(pool, 2)]
        games = terms.games
        self._first = RoundRobin(seeds, seed, games, terms.first_to, maps=maps, groups=groups)
        self._sets = fixed(games).sets(seats=2)
        self._waiting: set[Slot] = set()  # of the pools, without a result
        self._rows: dict[Slot, Row] = {}
        self._stages: dict[str, int] = {}
        self._second: Rounds | None = None

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        """The games not handed out before that are certain to be part of the contest."""
        if self._second is None:
            slots = self._first.take(out)
            self._waiting.update(slots)
            if slots or not all(void(slot, out) for slot in self._waiting):
                return slots
            self._second = self._knockout(out)
        return self._second.take(out)

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        """Tell the result of a game handed out; one of pools that are over changes nothing."""
        if self._second is not None:
            self._second.record(slot, returns, points)
        elif slot in self._waiting:
            self._waiting.remove(slot)
            self._rows[slot] = Row((slot.members, slot.number), slot.seats, returns, points=points)
            self._first.record(slot, returns, points)

    def left_at_most(self, without: Collection[str] = ()) -> int:
        """How many games may still come, without those now in play of the groups of `without`."""
        if self._second is not None:
            return self._second.left_at_most(without)
        through = sum(min(self._qualified, len(pool)) for pool in self._pools)
        return self._first.left_at_most(without) + max(0, through - 1) * self._terms.most

    def course(self, out: Mapping[str, Place] = NOBODY) -> Course:
        """The rounds of the knockout that each reached; 0 for the next in its pool, then -1 ..."""
        if self._second is None:
            return Course({}, {})
        reached = {name: 1 + stage for name, stage in self._second.course(out).stages.items()}
        return Course({**self._stages, **reached}, {})

    def _knockout(self, out: Mapping[str, Place]) -> Rounds:
        played = [row for _, row in sorted(self._rows.items(), key=lambda item: item[0].number)]
        through: list[list[str]] = []
        for pool in self._pools:
            names = [name for name in pool if name not in out]
            rows = [row for row in played if row.bots[0] in pool]
            places = self._order(names, among_others(rows, out))
            ranked = [name for group in places for name in sorted(group, key=self._seeds.index)]
            through.append(ranked[: self._qualified])
            for distance, name in enumerate(ranked[self._qualified :]):
                self._stages[name] = -distance
        ranks = range(self._qualified)
        seeds = [pool[rank] for rank in ranks for pool in through if rank < len(pool)]
        return Rounds(Elimination(seeds), self._seed, self._terms, self._maps, self._sets)
