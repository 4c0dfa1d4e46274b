"""Standings: bots that meet, in an official order (see `rules`), and bots that play alone.

A game is won by the seat, or the team, that is alone at the top; where others share the top it is
drawn. Beside the order: wins, draws and losses, the mean score over complete sets (all rotations
of the bots over the seats) with a 95 % interval, faults, forfeits, processor time. Bots that play
alone are ranked by the mean of the points of the game. Pure functions over plain rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from joute.contest.ranking.discipline import Offence
from joute.contest.ranking.rows import (
    FaultCount,
    Row,
    among_others,
    faults_of,
    isolation_of,
    mean_ms,
)
from joute.contest.ranking.rules import (
    GAMES_WON,
    HX2,
    NUMBERS,
    OPPONENTS_BEATEN,
    SCORE,
    Ranking,
    RankingFacts,
    places,
    rules_of,
)
from joute.contest.rating.rating import Rating
from joute.contest.rating.statistics import Interval, sample, wilson
from joute.contest.schedule.schedule import Progression
from joute.store.model import Decision

NO_PROGRESSION = Progression(stages={}, byes={})


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line in the standings."""

    rank: int  # from 1; bots that cannot be separated share it
    name: str
    beaten: int  # bots beaten
    beaten_among_tied: int  # of those with as many beaten
    won: int  # alone, or with its team alone, at the top
    drawn: int  # shared the top with opponents
    lost: int
    games: int
    sets: int  # complete ones; a set is a pair where two play
    score: float | None  # mean over complete sets, 0..1; None without one
    interval: Interval | None  # 95 % for the score; None without a set
    by_map: dict[str, float]  # the score on each map, empty where there are none
    forfeits: int  # games lost by a fault
    faults: list[FaultCount]
    mean_ms: float | None  # processor milliseconds per action asked for; None if never asked
    rating: Rating | None = None  # None where games allow of none
    disqualified: list[Offence] = []  # for what; it comes last then, and its results are void
    isolation: list[str] = []  # what held it in its games
    decision: Decision | None = None  # of the organiser, about the bot
    # Games that the machine spoilt when it was waited for; left out where there are none.
    infrastructure: list[str] | UnsetType = UNSET
    by_rule: dict[str, float] = {}  # what the rules of the order that go by a number say of it

    @property
    def spoilt(self) -> list[str]:
        """The games that the machine spoilt when this bot was waited for."""
        return [] if self.infrastructure is UNSET else self.infrastructure

    @property
    def placed(self) -> bool:
        """Whether the rank says anything: by a game that counts, or a round without an opponent."""
        return self.games > 0 or any(number > 0 for number in self.by_rule.values())


def rank(
    names: Sequence[str],
    rows: Sequence[Row],
    ranking: Ranking = HX2,
    first_to: int | None = None,
    out: Mapping[str, list[Offence]] | None = None,
    course: Progression = NO_PROGRESSION,
) -> list[Standing]:
    """The standings of the bots `names` after the games `rows`, best first.

    `rows` are in the order of the schedule, of which `course` tells what the games do not say; a
    meeting is won with `first_to` games where that is given. `out` are the disqualified, for what:
    they come last, and their games count for the others as far as these met each other there. Bots
    that share a place are in alphabetical order.
    """
    out = out or {}
    staying = [name for name in names if name not in out]
    rows_of: dict[str, list[Row]] = {name: [] for name in names}
    for row in rows:
        for name in dict.fromkeys(row.bots):
            rows_of[name].append(row)
    facts = RankingFacts(staying, among_others(rows, out), ranking, first_to, course)
    table: list[Standing] = []
    for group in [*places(ranking, facts), list(out)]:
        place = len(table) + 1
        table += [
            _line(place, name, facts, ranking, rows_of[name], out.get(name, []))
            for name in sorted(group)
        ]
    return table


def _line(
    place: int,
    name: str,
    facts: RankingFacts,
    ranking: Ranking,
    rows: Sequence[Row],
    disqualified: list[Offence],
) -> Standing:
    by_map = facts.set_scores[name]
    sets = [score for of_map in by_map.values() for score in of_map]
    score = sum(sets) / len(sets) if sets else None
    wins, draws, losses = facts.results[name]
    beaten = facts.beaten.get(name, ())
    faults, forfeits = faults_of(name, rows)
    asked = [] if disqualified else [rule for rule in rules_of(ranking) if rule in NUMBERS]
    return Standing(
        rank=place,
        name=name,
        beaten=len(beaten),
        beaten_among_tied=sum(len(facts.beaten[other]) == len(beaten) for other in beaten),
        won=wins,
        drawn=draws,
        lost=losses,
        games=wins + draws + losses,
        sets=len(sets),
        score=score,
        interval=None if score is None else wilson(score, len(sets)),
        by_map={each: sum(of) / len(of) for each, of in by_map.items() if each},
        forfeits=forfeits,
        faults=faults,
        mean_ms=mean_ms(name, rows),
        disqualified=disqualified,
        isolation=isolation_of(name, rows),
        by_rule={rule: NUMBERS[rule](facts)[name] for rule in asked},
    )


def own_columns(table: Sequence[Standing]) -> list[str]:
    """The rules of an order whose numbers standings show in columns of their own."""
    rules = next((line.by_rule for line in table if line.by_rule), {OPPONENTS_BEATEN: 0.0})
    return [rule for rule in rules if rule not in (GAMES_WON, SCORE)]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line in the standings of a contest where each plays alone."""

    rank: int  # from 1; equal means share it, bots without a game come last
    name: str
    mean: float | None  # points over all games; None without one
    interval: Interval | None  # 95 % for the mean; None if a map has one game, or none varies
    deviation: float | None  # of a game's points on its map; None without two games on a map
    best: int | None  # points of the best game
    games: int
    by_map: dict[str, float]  # mean points on each map, empty where there are none
    forfeits: int  # games cut short by a fault; their points until then count
    faults: list[FaultCount]
    mean_ms: float | None  # processor milliseconds per action asked for; None if never asked
    disqualified: list[Offence] = []  # for what; it comes last then, and its points are void
    isolation: list[str] = []  # what held it in its games
    decision: Decision | None = None  # of the organiser, about the bot
    # Games that the machine spoilt when it was waited for; left out where there are none.
    infrastructure: list[str] | UnsetType = UNSET

    @property
    def spoilt(self) -> list[str]:
        """The games that the machine spoilt when this bot was waited for."""
        return [] if self.infrastructure is UNSET else self.infrastructure

    @property
    def placed(self) -> bool:
        """Whether the rank says anything: by a game that counts."""
        return self.games > 0


def rank_scores(
    names: Sequence[str], rows: Iterable[Row], out: Mapping[str, list[Offence]] | None = None
) -> list[Score]:
    """The standings of the bots `names` after the games `rows`, best first.

    `out` are the disqualified, for what; they come last and their points are void. Bots that share
    a place are in alphabetical order.
    """
    played: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        played[row.bots[0]].append(row)
    lines = [_score_line(name, played[name], (out or {}).get(name, [])) for name in sorted(names)]
    lines.sort(key=_score_place)
    table: list[Score] = []
    for number, line in enumerate(lines):
        shared = number > 0 and _score_place(line) == _score_place(table[-1])
        rank = table[-1].rank if shared else number + 1
        table.append(msgspec.structs.replace(line, rank=rank))
    return table


def _score_place(line: Score) -> tuple[bool, bool, float]:
    return bool(line.disqualified), line.mean is None, -(line.mean or 0.0)


def _score_line(name: str, rows: Sequence[Row], disqualified: list[Offence]) -> Score:
    counted = () if disqualified else rows
    points: dict[str, list[int]] = defaultdict(list)
    for row in counted:
        points[row.map] += row.times * [row.points[0]]
    found = sample(list(points.values()))
    faults, forfeits = faults_of(name, rows)
    return Score(
        rank=0,
        name=name,
        mean=found and found.mean,
        interval=found and found.interval,
        deviation=found and found.deviation,
        best=max((row.points[0] for row in counted), default=None),
        games=sum(row.times for row in counted),
        by_map={each: sum(got) / len(got) for each, got in points.items() if each},
        forfeits=forfeits,
        faults=faults,
        mean_ms=mean_ms(name, rows),
        disqualified=disqualified,
        isolation=isolation_of(name, rows),
    )
