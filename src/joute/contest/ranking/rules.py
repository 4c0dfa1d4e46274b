"""The rules of rankings, and the order that several of them make.

A rule splits bots that are tied into groups, best first; bots that no rule separates share their
place. `opponents-beaten`, `games-won`, `points`, `score`, `buchholz` and `stage` each go by a
number, the higher the better; `head-to-head` and `meeting` by what the tied did to each other.

A bot beats another by finishing above it in more games than below; equal is not beaten. In an order
that a game brings, and where rules are listed and meetings are won with so many games, by winning
the meeting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from statistics import fmean

from joute.contest.ranking.rows import Row
from joute.contest.ranking.tallies import (
    Beaten,
    above,
    games_won,
    meetings,
    seat_scores,
    set_scores,
)
from joute.contest.schedule.schedule import Course
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


class Facts:
    """What rules go by. `rows` are in the order of the schedule."""

    def __init__(
        self,
        names: Sequence[str],
        rows: Sequence[Row],
        ranking: Ranking,
        first_to: int | None,
        course: Course,
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
        """How far each bot came in the schedule's stages."""
        return {name: self._course.stages.get(name, 0) for name in self.names}


NUMBERS: Mapping[str, Callable[[Facts], Mapping[str, float]]] = {
    OPPONENTS_BEATEN: lambda facts: {name: len(facts.beaten[name]) for name in facts.names},
    GAMES_WON: lambda facts: facts.won,
    POINTS: lambda facts: facts.points,
    SCORE: lambda facts: facts.score,
    BUCHHOLZ: lambda facts: facts.buchholz,
    STAGE: lambda facts: facts.stage,
}
"""The rules that go by a number, which these give by bot."""

RULES = (*NUMBERS, HEAD_TO_HEAD, MEETING)


def places(ranking: Ranking, facts: Facts) -> list[list[str]]:
    """The bots in order, best first; those of one group share a place."""
    groups = [list(facts.names)]
    for rule in rules_of(ranking):
        groups = [part for group in groups for part in _split(rule, group, facts)]
    return groups


def _split(rule: str, tied: list[str], facts: Facts) -> list[list[str]]:
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
    """The names grouped by value, highest first."""
    ordered = sorted(names, key=lambda name: -value[name])
    return [list(group) for _, group in groupby(ordered, key=lambda name: value[name])]
