"""A series: the games of one group of bots, set by set, until they are enough.

A *set* is one game for each rotation of the group over the seats, all from one seed (so with the
same opening, deal and starter's seat) and on one map. With two seats it is a pair of games, the
seats exchanged. Where the games of a series are no multiple of the seats, its last set is cut
short, and its seats are drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from joute.contest.schedule.schedule import Members, Slot, digest, in_order, set_seed


class Terms(NamedTuple):
    """The length of a meeting: `games`, or until one has won `first_to`, `most` at the latest.

    Where `most` is more than `games`, a meeting that is level then goes on, a set at a time.
    """

    games: int
    first_to: int | None
    most: int

    def sets(self, seats: int) -> int:
        """The most sets of a meeting, the one cut short included."""
        return -(-self.most // seats)


def fixed(games: int, first_to: int | None = None) -> Terms:
    """The terms of a meeting that no tie-break prolongs."""
    return Terms(games, first_to, games)


class Series:
    """The state of one group, with those of its games that come next."""

    def __init__(self, members: Members, terms: Terms) -> None:
        self.members = members
        self.sets = 0  # handed out
        self.missing = 0  # games handed out whose result is not known
        self.wins = [0] * len(members)
        self._terms = terms
        self._left = terms.most  # games not handed out

    def certain(self) -> bool:
        """Whether the next set is played whatever the missing results.

        Those handed out already, whatever their results, cannot have decided the meeting.
        """
        if self._left == 0:
            return False
        if self._terms.first_to is not None:
            return max(self.wins) + self.missing < self._terms.first_to
        return self._handed_out < self._terms.games or (self.missing == 0 and self.level())

    def level(self) -> bool:
        """Whether nobody has won more games than all others."""
        return self.wins.count(max(self.wins)) > 1

    def next_set(self, seed: str, number: int, played_on: str) -> list[Slot]:
        """The next set, as number `number` of the group; its games are handed out then."""
        games = min(len(self.members), self._left)
        self.sets += 1
        self._left -= games
        self.missing += games
        return set_of(self.members, seed, number, games, played_on)

    def record(self, slot: Slot, returns: Sequence[float]) -> None:
        """Counts a game; one in which several share the first place is nobody's win."""
        self.missing -= 1
        best = [name for name, got in zip(slot.seats, returns, strict=True) if got == max(returns)]
        if len(best) == 1:
            self.wins[self.members.index(best[0])] += 1

    def left_at_most(self) -> int:
        """The most games that may still come, those without a result included."""
        first_to = self._terms.first_to
        if first_to is not None and max(self.wins) >= first_to:
            return self.missing
        over = self._handed_out >= self._terms.games and self.missing == 0 and not self.level()
        return 0 if first_to is None and over else self.missing + self._left

    @property
    def _handed_out(self) -> int:
        return self._terms.most - self._left


def certain_sets(
    touched: Iterable[Series], seed: str, maps: Sequence[str], first: int = 0
) -> list[Slot]:
    """The sets that are certain by now, from number `first`; set k is on map k modulo theirs."""
    slots: list[Slot] = []
    for series in touched:
        while series.certain():
            number = first + series.sets
            slots += series.next_set(seed, number, maps[number % len(maps)])
    return in_order(slots, lambda slot: slot)


def games_left(series: Mapping[Members, Series], without: Collection[str]) -> int:
    """The most games that may still come, without those of the groups with a bot of `without`."""
    return sum(
        each.left_at_most()
        for members, each in series.items()
        if not any(name in without for name in members)
    )


def set_of(members: Members, seed: str, number: int, games: int, played_on: str) -> list[Slot]:
    """The first `games` of a set; in a set cut short chance decides who sits where."""
    own = set_seed(seed, members, number)
    seats = len(members)
    first = 0 if games == seats else int(digest(own, "seats"), 16) % seats
    seated = _rotations(members)
    return [
        Slot(members, number, seated[(first + game) % seats], own, played_on)
        for game in range(games)
    ]


@lru_cache(4096)
def _rotations(members: Members) -> tuple[Members, ...]:
    """The bots in each order of seats; kept, so that the sets of a group share them."""
    return tuple(members[turn:] + members[:turn] for turn in range(len(members)))
