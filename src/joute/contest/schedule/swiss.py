"""The Swiss system: in each round those meet who have done about equally well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from joute.contest.schedule.pairing import pairs
from joute.contest.schedule.rounds import Outcome
from joute.contest.schedule.schedule import Course, Members, digest


def usual_rounds(bots: int) -> int:
    """Two more than it takes until one at most can have won all, and at most half the bots.

    So long everybody is a stranger to half of the others, and all can be paired with strangers
    (Dirac's theorem).
    """
    return min((bots - 1).bit_length() + 2, max(1, bots // 2))


class Swiss:
    """The draw of a Swiss contest of so many rounds, with meetings of `games` games.

    Nobody meets another twice while that can be avoided. Of an odd number the last who has had no
    bye yet has one: a meeting won. A meeting with a bot that is shut out, then or later, is one
    too. Among equals the order is drawn from the contest's seed.
    """

    def __init__(self, names: Sequence[str], seed: str, rounds: int, games: int) -> None:
        self._names = sorted(names, key=lambda name: digest(seed, "draw", name))
        self._games = games
        self._left = rounds  # not drawn yet
        self._scores: dict[str, dict[str, float]] = defaultdict(dict)  # by bot, by opponent
        self._met: set[frozenset[str]] = set()
        self._byes: dict[str, int] = dict.fromkeys(names, 0)

    def next_round(self, outcomes: Sequence[Outcome], out: Collection[str]) -> list[Members]:
        """The pairs of the next round, the leaders first."""
        for outcome in outcomes:
            one, other = outcome.members
            for me, opponent in ((one, other), (other, one)):
                before = self._scores[me].get(opponent, 0.0)
                self._scores[me][opponent] = before + outcome.scores[me]
        if self._left == 0:
            return []
        self._left -= 1
        standing = [name for name in self._names if name not in out]
        standing.sort(key=lambda name: -self._points(name, out))
        if len(standing) % 2:
            resting = min(reversed(standing), key=lambda name: self._byes[name])
            self._byes[resting] += 1
            standing.remove(resting)
        found = pairs(standing, self._met)
        self._met.update(frozenset(pair) for pair in found)
        if not found:
            self._left = 0
        return list(found)

    def meetings_left_at_most(self) -> int:
        """How many meetings may come after those of the last round drawn."""
        return self._left * (len(self._names) // 2)

    def course(self, out: Collection[str]) -> Course:
        """The games that count as won by each bot."""
        return Course({}, {name: self._free(name, out) for name in self._names})

    def _points(self, name: str, out: Collection[str]) -> float:
        got = (score for other, score in self._scores[name].items() if other not in out)
        return sum(got) + self._free(name, out)

    def _free(self, name: str, out: Collection[str]) -> int:
        void = sum(other in out for other in self._scores[name])
        return (self._byes[name] + void) * self._games
