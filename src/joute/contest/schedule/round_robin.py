"""The round robin: every group meets, or those groups that a format chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from joute.contest.ranking.discipline import Place
from joute.contest.schedule.meeting import Meeting, fixed, set_of
from joute.contest.schedule.schedule import NOBODY, Members, Slot, in_order


class RoundRobin:
    """Every group of `seats` bots, or those of `groups`, meets for `max_games` games.

    A group that is there several times plays as many times more. With `first_to`, until one has won
    that many. Set number k is played on map k modulo their number. A set is handed out only when
    the sets before it, whatever the results still missing, cannot have decided the meeting.
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
        groups: Iterable[Members] | None = None,
    ) -> None:
        self._seed = seed
        self._maps = maps
        self._decided = first_to is not None  # by results, how long a meeting is
        found = combinations(names, seats) if groups is None else groups
        times = Counter(tuple(sorted(group)) for group in found)
        self._games = {members: count * max_games for members, count in times.items()}
        self._meetings = {
            members: Meeting(members, fixed(games, first_to))
            for members, games in self._games.items()
        }
        self._left = sum(meeting.left_at_most() for meeting in self._meetings.values())
        self._touched = dict(self._meetings)  # what may have become certain since the last look

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        """The games not handed out before that are certain to be part of the contest.

        Set 0 of every group comes first, then set 1 of each ..., so that an unfinished contest
        has played about as much of each.
        """
        slots: list[Slot] = []
        touched, self._touched = self._touched, {}
        for meeting in touched.values():
            while meeting.certain():
                played_on = self._maps[meeting.sets % len(self._maps)]
                slots += meeting.next_set(self._seed, meeting.sets, played_on)
        return in_order(slots, lambda slot: slot)

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        """Tell the result of a game handed out: its returns and points, by seat."""
        meeting = self._touched[slot.members] = self._meetings[slot.members]
        before = meeting.left_at_most()
        meeting.record(slot, returns)
        self._left += meeting.left_at_most() - before

    def left_at_most(self, without: Collection[str] = ()) -> int:
        """How many games may still come, without those of the groups with a bot of `without`."""
        if not without:
            return self._left
        return sum(
            meeting.left_at_most()
            for members, meeting in self._meetings.items()
            if not any(name in without for name in members)
        )

    def place(
        self, members: Members, number: int, seats: tuple[str, ...], played_on: str
    ) -> Slot | None:
        """The place of a game, None if it is not asked for, or not whatever the results."""
        games = min(len(members), self._games.get(members, 0) - number * len(members))
        if self._decided or games <= 0 or played_on != self._maps[number % len(self._maps)]:
            return None
        slots = set_of(members, self._seed, number, games, played_on)
        return next((slot for slot in slots if slot.seats == seats), None)
