"""Draws of rounds, by the results of the round before: Swiss, knockout, pools then knockout.

Colours have no part in the pairs: a meeting is a set of games in which both bots sit at both seats.
So pairing is simpler than in the systems of chess federations, which balance colours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from joute.contest.ranking.discipline import Place
from joute.contest.ranking.rows import Row, among_others
from joute.contest.schedule.round_robin import RoundRobin
from joute.contest.schedule.rounds import Rounds, SeriesOutcome
from joute.contest.schedule.schedule import NOBODY, Members, Progression, Slot, digest, void
from joute.contest.schedule.series import Terms, fixed


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
        self._losers: list[dict[Members, str]] = []  # of each round that is over, by meeting
        self._byes = dict.fromkeys(seeds, 0)  # of the once beaten
        self._met: set[frozenset[str]] = set()
        self._round = 0  # that is drawn next
        self._meeting = 0  # pairs of the last round drawn
        self._over = False
        self._stages = dict.fromkeys(seeds, 0)

    def next_round(self, outcomes: Sequence[SeriesOutcome], out: Collection[str]) -> list[Members]:
        lost = {outcome.members: self._loser(outcome, out) for outcome in outcomes}
        for loser in lost.values():
            self._lose(loser)
        if lost:
            self._losers.append(lost)
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
        """The most meetings that may come after those of the last round: each costs a life."""
        if self._over:
            return 0
        lives = self._lives * len(self._seeds) - 1
        return max(0, lives - sum(self._losses.values()) - self._meeting)

    def course(self, out: Collection[str]) -> Progression:
        return Progression(self._stages, {}, self._losers)

    def _loser(self, outcome: SeriesOutcome, out: Collection[str]) -> str:
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
    too; of a meeting with one of `retired`, whose results count, so are the games that were not
    played. Among equals the order is drawn from the contest's seed.
    """

    def __init__(
        self,
        names: Sequence[str],
        seed: str,
        rounds: int,
        games: int,
        retired: Collection[str] = (),
    ) -> None:
        self._names = sorted(names, key=lambda name: digest(seed, "draw", name))
        self._games = games
        self._retired = frozenset(retired)
        self._left = rounds  # not drawn yet
        self._outcomes: dict[str, list[SeriesOutcome]] = {name: [] for name in names}
        self._met: set[frozenset[str]] = set()
        self._byes: dict[str, int] = dict.fromkeys(names, 0)

    def next_round(self, outcomes: Sequence[SeriesOutcome], out: Collection[str]) -> list[Members]:
        """The pairs of the next round, the leaders first."""
        for outcome in outcomes:
            for name in outcome.members:
                self._outcomes[name].append(outcome)
        if self._left == 0:
            return []
        self._left -= 1
        standing = [name for name in self._names if name not in out]
        void = frozenset(out) - self._retired
        standing.sort(key=lambda name: -self._points(name, void))
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
        return self._left * (len(self._names) // 2)

    def course(self, out: Collection[str]) -> Progression:
        return Progression({}, {name: self._free(name, frozenset(out)) for name in self._names})

    def _points(self, name: str, void: frozenset[str]) -> float:
        """The points of a bot; the results of those of `void` count for nothing."""
        got = (
            outcome.scores[name]
            for outcome in self._outcomes[name]
            if void.isdisjoint(outcome.members)
        )
        return sum(got) + self._free(name, void)

    def _free(self, name: str, void: frozenset[str]) -> int:
        """The games that count as won without being played."""
        found = self._byes[name] * self._games
        for outcome in self._outcomes[name]:
            [other] = {*outcome.members} - {name}
            if other in void:
                found += self._games
            elif other in self._retired:
                found += self._games - outcome.games
        return found


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
        if self._second is None:
            slots = self._first.take(out)
            self._waiting.update(slots)
            if slots or not all(void(slot, out) for slot in self._waiting):
                return slots
            self._second = self._knockout(out)
        return self._second.take(out)

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        """Tells the result of a game handed out; one of pools that are over changes nothing."""
        if self._second is not None:
            self._second.record(slot, returns, points)
        elif slot in self._waiting:
            self._waiting.remove(slot)
            self._rows[slot] = Row((slot.members, slot.number), slot.seats, returns, points=points)
            self._first.record(slot, returns, points)

    def left_at_most(self, without: Collection[str] = ()) -> int:
        if self._second is not None:
            return self._second.left_at_most(without)
        through = sum(min(self._qualified, len(pool)) for pool in self._pools)
        return self._first.left_at_most(without) + max(0, through - 1) * self._terms.most

    def course(self, out: Collection[str] = ()) -> Progression:
        """The rounds of the knockout that each reached; 0 for the next in its pool, then -1 ..."""
        if self._second is None:
            return Progression({}, {})
        reached = {name: 1 + stage for name, stage in self._second.course(out).stages.items()}
        return Progression({**self._stages, **reached}, {})

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


Pair = tuple[str, str]

MOST_TOGETHER = 12  # names that are paired anew, in all possible ways, where the last ones all met


def pairs(ordered: Sequence[str], met: Collection[frozenset[str]]) -> list[Pair]:
    """Everybody with the nearest below who is free and was not met before.

    Where those at the end have all met each other, the last pairs are taken apart and paired
    anew; where that does not help, some meet again. An even number of names.
    """
    free = list(ordered)
    found: list[Pair] = []
    while free:
        one = free[0]
        other = next((each for each in free[1:] if frozenset((one, each)) not in met), None)
        if other is None:
            repaired = _repaired(found, free, ordered, met)
            if repaired is not None:
                return repaired
            other = free[1]
        found.append((one, other))
        free = [name for name in free if name not in (one, other)]
    return found


def _repaired(
    found: list[Pair], free: list[str], ordered: Sequence[str], met: Collection[frozenset[str]]
) -> list[Pair] | None:
    """All pairs, with as few of those `found` taken apart as can be."""
    for kept in range(len(found), -1, -1):
        loose = {*free, *(name for pair in found[kept:] for name in pair)}
        if len(loose) > MOST_TOGETHER:
            return None
        again = _perfect([name for name in ordered if name in loose], met)
        if again is not None:
            return found[:kept] + again
    return None


def _perfect(names: list[str], met: Collection[frozenset[str]]) -> list[Pair] | None:
    """Pairs of all names without one of `met`; None if there are none."""
    if not names:
        return []
    one, *others = names
    for other in others:
        if frozenset((one, other)) in met:
            continue
        rest = _perfect([name for name in others if name != other], met)
        if rest is not None:
            return [(one, other), *rest]
    return None
