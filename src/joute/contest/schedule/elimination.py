"""Elimination: whoever has lost once, or twice, is out; the last one has won."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from joute.contest.schedule.pairing import pairs
from joute.contest.schedule.rounds import Outcome
from joute.contest.schedule.schedule import Course, Members


class Elimination:
    """The draw of a knockout; with two `lives`, of one in which the once beaten play on.

    `seeds` are the names, the favourites first: the first two can meet in the final only, and
    where their number is no power of two the first have no opponent in the first round. A level
    meeting goes to the higher sum of the game's own points, or else to the higher seed. With two
    lives the once beaten meet among themselves, if they can those they have not met; the last of
    them meets the unbeaten one, who has to be beaten twice.
    """

    def __init__(self, seeds: Sequence[str], lives: int = 1) -> None:
        self._seeds = list(seeds)
        self._lives = lives
        self._line = bracket(seeds)  # the unbeaten; neighbours meet
        self._second: list[str] = []  # the once beaten who play on
        self._losses = dict.fromkeys(seeds, 0)
        self._byes = dict.fromkeys(seeds, 0)  # of the once beaten
        self._met: set[frozenset[str]] = set()
        self._round = 0  # that is drawn next
        self._meeting = 0  # pairs of the last round drawn
        self._over = False
        self._stages = dict.fromkeys(seeds, 0)

    def next_round(self, outcomes: Sequence[Outcome], out: Collection[str]) -> list[Members]:
        """The pairs of the next round."""
        for outcome in outcomes:
            self._lose(self._loser(outcome, out))
        self._second = [name for name in self._second if name not in out]
        if self._round > 0:
            self._move_on(out)
        found = self._pairs(out)
        while not found and len(self._line) > 1:
            self._move_on(out)
            found = self._pairs(out)
        for name in (*self._line, *self._second):
            if name is not None:
                self._stages[name] = self._round
        self._met.update(frozenset(pair) for pair in found)
        self._meeting = len(found)
        self._over = not found
        self._round += 1
        return list(found)

    def meetings_left_at_most(self) -> int:
        """How many meetings may come after those of the last round drawn: each costs a life."""
        if self._over:
            return 0
        lives = self._lives * len(self._seeds) - 1
        return max(0, lives - sum(self._losses.values()) - self._meeting)

    def course(self, out: Collection[str]) -> Course:
        """The rounds that each bot got through."""
        return Course(self._stages, {})

    def _loser(self, outcome: Outcome, out: Collection[str]) -> str:
        def worth(name: str) -> tuple[bool, int, int, int]:
            seed = -self._seeds.index(name)
            return name not in out, outcome.wins[name], outcome.points[name], seed

        return min(outcome.members, key=worth)

    def _lose(self, loser: str) -> None:
        self._losses[loser] += 1
        if self._losses[loser] < self._lives:
            self._second.append(loser)
        elif loser in self._second:
            self._second.remove(loser)

    def _move_on(self, out: Collection[str]) -> None:
        """Whoever is left of each two neighbours takes the place of both."""
        if len(self._line) == 1:
            self._line = [self._left_of(self._line, out)]
        else:
            twos = zip(self._line[::2], self._line[1::2], strict=True)
            self._line = [self._left_of(two, out) for two in twos]

    def _left_of(self, neighbours: Sequence[str | None], out: Collection[str]) -> str | None:
        unbeaten = (name for name in neighbours if name and not self._losses[name])
        return next((name for name in unbeaten if name not in out), None)

    def _pairs(self, out: Collection[str]) -> list[tuple[str, str]]:
        """The pairs of unbeaten neighbours, then those of the once beaten, or the final."""
        if len(self._line) == 1 and self._line[0] is not None and len(self._second) == 1:
            return [(self._line[0], self._second[0])]
        twos = zip(self._line[::2], self._line[1::2], strict=False)
        found = [
            (one, other)
            for one, other in twos
            if one and other and one not in out and other not in out
        ]
        playing = sorted(self._second, key=self._seeds.index)
        if len(playing) > 1 and len(playing) % 2:
            resting = min(playing, key=lambda name: self._byes[name])
            self._byes[resting] += 1
            playing.remove(resting)
        return found + (pairs(playing, self._met) if len(playing) > 1 else [])


def bracket(seeds: Sequence[str]) -> list[str | None]:
    """The seeds as neighbours meet, filled up with None to a power of two.

    The first meets the last, and of any 2, 4, 8 ... first ones none meet before so many are left.
    """
    places = [0]
    while len(places) < len(seeds):
        places = [place for one in places for place in (one, 2 * len(places) - 1 - one)]
    return [seeds[place] if place < len(seeds) else None for place in places]
