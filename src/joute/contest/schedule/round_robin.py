"""Schedules of groups without rounds: round robins, leagues and gauntlets, bots alone.

`RoundRobin` has every group meet, or those groups that a format chooses; `SpreadRoundRobin` does so
in an order for which time may run out; `Unresolved` spends its games where it is open who beats
whom; `Alone` has every bot play by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, permutations

from joute.contest.ranking.discipline import Place
from joute.contest.ranking.rules import seat_scores
from joute.contest.schedule.schedule import NOBODY, Members, Slot, digest, in_order, solo_seed, void
from joute.contest.schedule.series import Series, certain_sets, fixed, games_left, set_of


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
        self._series = {
            members: Series(members, fixed(games, first_to))
            for members, games in self._games.items()
        }
        self._left = games_left(self._series, ())
        self._touched = dict(self._series)  # what may have become certain since the last look

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        """The games not handed out before that are certain to be part of the contest.

        Set 0 of every group comes first, then set 1 of each ..., so that an unfinished contest
        has played about as much of each.
        """
        touched, self._touched = self._touched, {}
        return certain_sets(touched.values(), self._seed, self._maps)

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        series = self._touched[slot.members] = self._series[slot.members]
        before = series.left_at_most()
        series.record(slot, returns)
        self._left += series.left_at_most() - before

    def left_at_most(self, without: Collection[str] = ()) -> int:
        return games_left(self._series, without) if without else self._left

    def place(
        self, members: Members, number: int, seats: tuple[str, ...], played_on: str
    ) -> Slot | None:
        games = min(len(members), self._games.get(members, 0) - number * len(members))
        if self._decided or games <= 0 or played_on != self._maps[number % len(self._maps)]:
            return None
        slots = set_of(members, self._seed, number, games, played_on)
        return next((slot for slot in slots if slot.seats == seats), None)


class SpreadRoundRobin(RoundRobin):
    """A round robin that may be cut short anywhere: all bots have played about as much by then.

    The games and their seeds are those of any round robin. In each set pairs meet by rounds, in
    which every bot plays once; larger groups in an order that is drawn.
    """

    def __init__(
        self,
        names: Sequence[str],
        seed: str,
        max_games: int,
        *,
        seats: int = 2,
        maps: Sequence[str] = ("",),
    ) -> None:
        super().__init__(names, seed, max_games, seats=seats, maps=maps)
        groups = (
            by_rounds(names)
            if seats == 2
            else sorted(combinations(names, seats), key=lambda group: digest(seed, *sorted(group)))
        )
        self._turns = {tuple(sorted(group)): turn for turn, group in enumerate(groups)}

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        """The games not handed out before, those of one set by their groups' turns."""
        slots = super().take(out)
        return sorted(slots, key=lambda slot: (slot.number, self._turns[slot.members]))


def by_rounds(names: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs by rounds, in each of which every bot plays once, but for one of an odd number.

    By the circle method: the first stays, the others move on by a place each round.
    """
    around: list[str | None] = [*names, *([None] if len(names) % 2 else [])]
    found: list[tuple[str, str]] = []
    for _ in range(len(around) - 1):
        for one, other in zip(around[: len(around) // 2], reversed(around), strict=False):
            if one is not None and other is not None:
                found.append((one, other))
        around.insert(1, around.pop())
    return found


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
        """Tells the result of a game handed out; one of a batch that is over changes nothing."""
        if slot in self._waiting:
            self._waiting.remove(slot)
            scores = seat_scores(returns)
            first = scores[slot.seats.index(slot.members[0])]
            self._leads[slot.members] += 2 * first - 1

    def left_at_most(self, without: Collection[str] = ()) -> int:
        pairs = [pair for pair in self._sets if not any(name in without for name in pair)]
        later = 2 * self._left if pairs else 0
        return later + sum(
            not any(name in without for name in slot.members) for slot in self._waiting
        )

    def _chosen(self, out: Collection[str]) -> list[Members]:
        pairs = [pair for pair in self._sets if not any(name in out for name in pair)]
        if self._batch < self._first:
            return pairs
        pairs.sort(key=lambda pair: (self._openness(pair), pair))
        return pairs[: min(self._size, self._left)]

    def _openness(self, pair: Members) -> float:
        """The square of the lead by the games that made it; the less, the more open."""
        return self._leads[pair] ** 2 / max(1, self._sets[pair])


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
        self._left[slot.seats[0]] -= 1

    def left_at_most(self, without: Collection[str] = ()) -> int:
        return sum(count for name, count in self._left.items() if name not in without)

    def place(
        self, members: Members, number: int, seats: tuple[str, ...], played_on: str
    ) -> Slot | None:
        known = len(members) == 1 and members[0] in self._left and played_on in self._maps
        if not known or number >= self._games or seats != members:
            return None
        return Slot(members, number, seats, solo_seed(self._seed, played_on, number), played_on)


def against(names: Sequence[str], references: Collection[str]) -> list[Members]:
    """Everybody who is no reference with each reference: a gauntlet."""
    others = [name for name in names if name not in references]
    return [(name, reference) for reference in references for name in others]


def drawn(
    names: Sequence[str], opponents: int, seed: str, leaving: Collection[str] = ()
) -> list[Members]:
    """Pairs in which everybody has at least so many opponents: a league.

    Whom a bot is drawn against depends on the two names alone: a newcomer brings pairs of its own
    and takes few from the others. Those of `leaving` keep their pairs, and are no opponents for
    anybody else: the draw goes on for whoever has too few without them.
    """
    pairs = [tuple(sorted(pair)) for pair in combinations(names, 2)]
    pairs.sort(key=lambda pair: digest(seed, "league", *pair))
    staying = [pair for pair in pairs if not any(name in leaving for name in pair)]
    # Without those who leave nobody wants fewer opponents: the pairs of before are among these.
    return sorted({*_wanted(pairs, opponents), *_wanted(staying, opponents)})


def _wanted(pairs: Iterable[Members], opponents: int) -> list[Members]:
    """The pairs, taken in this order, of which one has not so many opponents yet."""
    had: Counter[str] = Counter()
    found = []
    for pair in pairs:
        if any(had[name] < opponents for name in pair):
            found.append(pair)
        had.update(pair)
    return found


def balanced(names: Sequence[str], seats: int, groups: int, seed: str) -> list[Members]:
    """So many groups of `seats` bots, in which all play, and meet, about equally often.

    Each group is filled one by one with the bot that has played least so far; of those, with the
    one that has met those of the group least; of those, by an order that is drawn. No two have
    played more than one group apart. A group may come several times.
    """
    order = sorted(names, key=lambda name: digest(seed, "groups", name))
    played: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    found: list[Members] = []
    for _ in range(groups):
        group: list[str] = []
        for _ in range(seats):
            free = [name for name in order if name not in group]
            least = min(played[name] for name in free)
            meetings = {
                name: sum(met[name, other] for other in group)
                for name in free
                if played[name] == least
            }
            group.append(min(meetings, key=lambda name: meetings[name]))
        played.update(group)
        met.update(permutations(group, 2))
        found.append(tuple(sorted(group)))
    return found
