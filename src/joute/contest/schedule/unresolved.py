"""A round robin that spends its games where it is open who beats whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from joute.contest.ranking.discipline import Place
from joute.contest.ranking.tallies import seat_scores
from joute.contest.schedule.meeting import set_of
from joute.contest.schedule.schedule import NOBODY, Members, Slot, in_order, void

FIRST_SHARE = 4  # the first batch gives every pair one in so many of its games
BATCHES = 16  # in which the others are spent


class Unresolved:
    """Pairs with `games` games each on the mean, more where the pair is level, fewer where not.

    After a first batch, which is the same for all, each further one gives a set to the pairs whose
    lead is least in proportion to the square root of their games: to those where a coin would most
    often do as well. A batch is chosen when the one before is over, so that what is played depends
    on the results alone. The games come to the same number as with `games` for each pair.
    """

    def __init__(
        self,
        names: Sequence[str],
        seed: str,
        games: int,
        *,
        maps: Sequence[str] = ("",),
        groups: Iterable[Members] | None = None,
    ) -> None:
        self._seed = seed
        self._maps = maps
        found = combinations(names, 2) if groups is None else groups
        self._sets = {tuple(sorted(group)): 0 for group in found}  # handed out, by pair
        each = games // 2
        self._left = each * len(self._sets)  # sets not handed out
        self._first = max(1, each // FIRST_SHARE)
        self._batch = 0  # that comes next
        later = self._left - self._first * len(self._sets)
        self._size = max(1, -(-later // BATCHES))
        self._leads: dict[Members, float] = dict.fromkeys(self._sets, 0.0)  # of the first bot
        self._waiting: set[Slot] = set()

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        """The next batch, when the one before is over."""
        if not all(void(slot, out) for slot in self._waiting):
            return []
        chosen = self._chosen(out) if self._left > 0 else []
        if not chosen:
            return []
        slots: list[Slot] = []
        for members in chosen:
            played_on = self._maps[self._sets[members] % len(self._maps)]
            slots += set_of(members, self._seed, self._batch, 2, played_on)
            self._sets[members] += 1
        self._left -= len(chosen)
        self._batch += 1
        self._waiting = set(slots)
        return in_order(slots, lambda slot: slot)

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        """Tell the result of a game handed out; one of a batch that is over changes nothing."""
        if slot in self._waiting:
            self._waiting.remove(slot)
            scores = seat_scores(returns)
            first = scores[slot.seats.index(slot.members[0])]
            self._leads[slot.members] += 2 * first - 1

    def left_at_most(self, without: Collection[str] = ()) -> int:
        """How many games may still come, without those now in play of the pairs of `without`."""
        pairs = [pair for pair in self._sets if not any(name in without for name in pair)]
        later = 2 * self._left if pairs else 0
        return later + sum(
            not any(name in without for name in slot.members) for slot in self._waiting
        )

    def _chosen(self, out: Collection[str]) -> list[Members]:
        """The pairs of the next batch; a pair has one set at most of a batch."""
        pairs = [pair for pair in self._sets if not any(name in out for name in pair)]
        if self._batch < self._first:
            return pairs
        pairs.sort(key=lambda pair: (self._openness(pair), pair))
        return pairs[: min(self._size, self._left)]

    def _openness(self, pair: Members) -> float:
        """The square of the lead by the games that made it; the less, the more open."""
        return self._leads[pair] ** 2 / max(1, self._sets[pair])
