"""The rules of rankings, and the order that several of them make.

A rule splits bots that are tied into groups, best first; bots that no rule separates share their
place. `opponents-beaten`, `games-won`, `points`, `score`, `buchholz` and `stage` each go by a
number, the higher the better; `head-to-head` and `meeting` by what the tied did to each other.

A bot beats another by finishing above it in more games than below; equal is not beaten. In an order
that a game brings, and where rules are listed and meetings are won with so many games, by winning
the meeting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from statistics import fmean
from typing import Any

from joute.contest.ranking.rows import Row
from joute.contest.schedule.schedule import Progression
from joute.core.registry import cards

OPPONENTS_BEATEN = "opponents-beaten"
HEAD_TO_HEAD = "head-to-head"
MEETING = "meeting"
GAMES_WON = "games-won"
POINTS = "points"
SCORE = "score"
BUCHHOLZ = "buchholz"
STAGE = "stage"

HX2 = "hx2"
"""The usual order, Joute's own."""

Ranking = str | tuple[str, ...]
"""The name of an order, or the rules of one."""


def rules_of(ranking: Ranking) -> tuple[str, ...]:
    """The rules of a ranking, the first to be asked first."""
    return orders()[ranking] if isinstance(ranking, str) else ranking


def orders() -> dict[str, tuple[str, ...]]:
    """The rules of the orders that have a name: Joute's own, and those that games bring."""
    of_games = {name: rules for card in cards() for name, rules in card.rankings.items()}
    return {**of_games, HX2: (OPPONENTS_BEATEN, HEAD_TO_HEAD, GAMES_WON)}


def of_a_game(ranking: Ranking) -> bool:
    """Whether a ranking is the name of an order that a game brings."""
    return isinstance(ranking, str) and ranking != HX2


class RankingFacts:
    """The figures that rules go by. `rows` are in the order of the schedule."""

    def __init__(
        self,
        names: Sequence[str],
        rows: Sequence[Row],
        ranking: Ranking,
        first_to: int | None,
        course: Progression,
    ) -> None:
        self.names = names
        self._rows = rows
        self._course = course
        self.results = games_won(rows)  # games won, drawn and lost
        self.set_scores = set_scores(rows)
        self.beaten: Beaten
        if of_a_game(ranking) or (first_to is not None and ranking != HX2):
            self.beaten, self.won = meetings(names, rows, first_to)
        else:
            self.beaten = above(names, rows)
            self.won = {name: self.results[name][0] for name in names}

    @cached_property
    def points(self) -> dict[str, float]:
        """The sum of the scores of the games, 1 for a win, with a win for each bye."""
        points = {name: float(self._course.byes.get(name, 0)) for name in self.names}
        for row in self._rows:
            for name, got in zip(row.bots, seat_scores(row.returns, row.teams), strict=True):
                points[name] += row.times * got
        return points

    @cached_property
    def score(self) -> dict[str, float]:
        """The mean score over complete sets; worse than any without one."""
        return {
            name: fmean(score for of_map in by_map.values() for score in of_map) if by_map else -1.0
            for name, by_map in ((name, self.set_scores.get(name)) for name in self.names)
        }

    @cached_property
    def buchholz(self) -> dict[str, float]:
        """The sum over the sets of the points of those met in them."""
        met = {row.key: (row.bots, row.times) for row in self._rows}
        sums = dict.fromkeys(self.names, 0.0)
        for bots, times in met.values():
            whole = sum(self.points[name] for name in bots)
            for name in bots:
                sums[name] += times * (whole - self.points[name])
        return sums

    @cached_property
    def stage(self) -> dict[str, int]:
        """The stage of the schedule that each bot reached."""
        return {name: self._course.stages.get(name, 0) for name in self.names}


NUMBERS: Mapping[str, Callable[[RankingFacts], Mapping[str, float]]] = {
    OPPONENTS_BEATEN: lambda facts: {name: len(facts.beaten[name]) for name in facts.names},
    GAMES_WON: lambda facts: facts.won,
    POINTS: lambda facts: facts.points,
    SCORE: lambda facts: facts.score,
    BUCHHOLZ: lambda facts: facts.buchholz,
    STAGE: lambda facts: facts.stage,
}
"""The rules that go by a number, which these give by bot."""

RULES = (*NUMBERS, HEAD_TO_HEAD, MEETING)


def places(ranking: Ranking, facts: RankingFacts) -> list[list[str]]:
    """The bots in order, best first; those of one group share a place."""
    groups = [list(facts.names)]
    for rule in rules_of(ranking):
        groups = [part for group in groups for part in _split(rule, group, facts)]
    return groups


def _split(rule: str, tied: list[str], facts: RankingFacts) -> list[list[str]]:
    if len(tied) < 2:
        return [tied]
    if rule == HEAD_TO_HEAD:
        return _by_head_to_head(tied, facts.beaten)
    if rule == MEETING:
        return _by_beaten_among(tied, facts.beaten) if len(tied) == 2 else [tied]
    return _ordered(tied, NUMBERS[rule](facts))


def _by_head_to_head(tied: list[str], beaten: Beaten) -> list[list[str]]:
    """By those beaten within the group, and again within groups still tied."""
    groups = _by_beaten_among(tied, beaten)
    if len(groups) == 1:
        return groups
    return [part for group in groups for part in _by_head_to_head(group, beaten)]


def _by_beaten_among(tied: list[str], beaten: Beaten) -> list[list[str]]:
    return _ordered(tied, {name: len(beaten[name].intersection(tied)) for name in tied})


def _ordered(names: Iterable[str], value: Mapping[str, float]) -> list[list[str]]:
    ordered = sorted(names, key=lambda name: -value[name])
    return [list(group) for _, group in groupby(ordered, key=lambda name: value[name])]


Beaten = Mapping[str, set[str]]
"""The bots that each bot has beaten."""


def seat_scores(returns: Sequence[float], teams: Sequence[Sequence[int]] = ()) -> list[float]:
    """Each seat's score, 0..1: the mean over its opponents of 1 above them, 1/2 level, 0 below."""
    sides = _sides(len(returns), teams)
    scores = []
    for mine, side in zip(returns, sides, strict=True):
        others = [theirs for theirs, team in zip(returns, sides, strict=True) if team != side]
        above = sum((mine > theirs) + (mine == theirs) / 2 for theirs in others)
        scores.append(above / len(others) if others else 0.5)
    return scores


def _sides(seats: int, teams: Sequence[Sequence[int]]) -> list[int]:
    """The side of each seat: equal for those of one team, which is the team's first seat."""
    first = {seat: min(team) for team in teams for seat in team}
    return [first.get(seat, seat) for seat in range(seats)]


def games_won(rows: Sequence[Row]) -> dict[str, tuple[int, int, int]]:
    """Games won, drawn and lost, by bot."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        best = max(row.returns)
        sides = _sides(len(row.bots), row.teams)
        top = {side for side, value in zip(sides, row.returns, strict=True) if value == best}
        for name, value in zip(row.bots, row.returns, strict=True):
            counts[name][2 if value < best else int(len(top) > 1)] += row.times
    return defaultdict(lambda: (0, 0, 0), {name: (c[0], c[1], c[2]) for name, c in counts.items()})


def set_scores(rows: Sequence[Row]) -> dict[str, dict[str, list[float]]]:
    """The mean scores of each bot, by map, in the sets of which every game is there."""
    sets: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        sets[row.key].append(row)
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for games in sets.values():
        if len(games) < games[0].size:
            continue
        of_set: dict[str, list[float]] = defaultdict(list)
        for row in games:
            for name, score in zip(row.bots, seat_scores(row.returns, row.teams), strict=True):
                of_set[name].append(score)
        for name, values in of_set.items():
            scores[name][games[0].map] += games[0].times * [sum(values) / len(values)]
    return scores


def above(names: Sequence[str], rows: Iterable[Row]) -> dict[str, set[str]]:
    """The bots that each bot finished above in more games than below."""
    lead: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        for me, mine in zip(row.bots, row.returns, strict=True):
            for other, theirs in zip(row.bots, row.returns, strict=True):
                lead[me, other] += row.times * ((mine > theirs) - (mine < theirs))
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for (me, other), games in lead.items():
        if games > 0 and me in beaten:
            beaten[me].add(other)
    return beaten


def meetings(
    names: Sequence[str], rows: Iterable[Row], first_to: int | None
) -> tuple[dict[str, set[str]], dict[str, int]]:
    """The bots that each bot has beaten in meetings of two, and the games that it won in them.

    A meeting is won by the first to win `first_to` games, or without that by whoever wins more;
    what is played after it was decided does not count. `rows` are in the order of the schedule, and
    with `first_to` each is one game.
    """
    wins_of: dict[tuple[str, ...], dict[str, int]] = {}
    for row in rows:
        wins = wins_of.setdefault(tuple(sorted(row.bots)), dict.fromkeys(row.bots, 0))
        first, second = row.returns
        if first != second and (first_to is None or max(wins.values()) < first_to):
            wins[row.bots[0 if first > second else 1]] += row.times
    beaten: dict[str, set[str]] = {name: set() for name in names}
    won = dict.fromkeys(names, 0)
    for wins in wins_of.values():
        (most, winner), (fewest, loser) = sorted(
            ((count, name) for name, count in wins.items()), reverse=True
        )
        for name, count in wins.items():
            won[name] += count
        if most > fewest and most >= (first_to or 0):
            beaten[winner].add(loser)
    return beaten, won
