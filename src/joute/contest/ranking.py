"""Standings: the official ranking of the HX2 contest, and beside it what the games say.

The official order: bots beaten (one beats another by finishing above it in more games than below;
equal is not beaten), then among the tied the bots beaten within their group, again within groups
still tied, then games won. Bots that this cannot separate share their place.

A game is won by the seat, or the team, that is alone at the top; where others share the top it is
drawn. Beside the order: wins, draws and losses, the mean score over complete sets (all rotations
of the bots over the seats) with a 95 % interval, faults, forfeits, processor time. Pure functions
over plain rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from joute.contest.rows import FaultCount, Row, faults_of, mean_ms
from joute.contest.statistics import Interval, wilson


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


def rank(names: Sequence[str], rows: Iterable[Row]) -> list[Standing]:
    """The standings of the bots `names` after the games `rows`, best first.

    Bots that share a place are in alphabetical order.
    """
    rows = list(rows)
    won = _games_won(rows)
    beats = _beats(names, rows)
    places = _places(list(names), beats, {name: won[name][0] for name in names})
    scores = _set_scores(rows)
    table = []
    for place, among, name in places:
        by_map = scores[name]
        sets = [score for of_map in by_map.values() for score in of_map]
        score = sum(sets) / len(sets) if sets else None
        wins, draws, losses = won[name]
        faults, forfeits = faults_of(name, rows)
        table.append(
            Standing(
                rank=place,
                name=name,
                beaten=len(beats[name]),
                beaten_among_tied=among,
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
            )
        )
    return table


def seat_scores(returns: Sequence[float], teams: Sequence[Sequence[int]] = ()) -> list[float]:
    """Each seat's score, 0..1: the mean over its opponents of 1 above them, 1/2 level, 0 below."""
    sides = _sides(len(returns), teams)
    scores = []
    for mine, side in zip(returns, sides, strict=True):
        others = [his for his, its in zip(returns, sides, strict=True) if its != side]
        above = sum((mine > his) + (mine == his) / 2 for his in others)
        scores.append(above / len(others) if others else 0.5)
    return scores


def _sides(seats: int, teams: Sequence[Sequence[int]]) -> list[int]:
    """The side of each seat: equal for those of one team, which is the team's first seat."""
    first = {seat: min(team) for team in teams for seat in team}
    return [first.get(seat, seat) for seat in range(seats)]


def _games_won(rows: Sequence[Row]) -> dict[str, tuple[int, int, int]]:
    """Games won, drawn and lost, by bot."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        best = max(row.returns)
        sides = _sides(len(row.bots), row.teams)
        top = {side for side, value in zip(sides, row.returns, strict=True) if value == best}
        for name, value in zip(row.bots, row.returns, strict=True):
            counts[name][2 if value < best else int(len(top) > 1)] += 1
    return defaultdict(lambda: (0, 0, 0), {name: (c[0], c[1], c[2]) for name, c in counts.items()})


def _beats(names: Sequence[str], rows: Sequence[Row]) -> dict[str, set[str]]:
    """Whom each bot has beaten: it finished above the other in more games than below."""
    lead: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        for me, mine in zip(row.bots, row.returns, strict=True):
            for other, his in zip(row.bots, row.returns, strict=True):
                lead[me, other] += (mine > his) - (mine < his)
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for (me, other), games in lead.items():
        if games > 0 and me in beaten:
            beaten[me].add(other)
    return beaten


def _places(
    names: list[str], beats: Mapping[str, set[str]], won: Mapping[str, int]
) -> list[tuple[int, int, str]]:
    """(place, bots beaten within the first tied group, name), best first."""
    places: list[tuple[int, int, str]] = []
    for tied in _groups(names, {name: len(beats[name]) for name in names}):
        among = {name: len(beats[name].intersection(tied)) for name in tied}
        for group in _by_head_to_head(tied, beats, won):
            place = len(places) + 1
            places += [(place, among[name], name) for name in sorted(group)]
    return places


def _by_head_to_head(
    tied: list[str], beats: Mapping[str, set[str]], won: Mapping[str, int]
) -> list[list[str]]:
    """A tied group in order, as groups that share a place."""
    groups = _groups(tied, {name: len(beats[name].intersection(tied)) for name in tied})
    if len(groups) == 1:
        return _groups(tied, won)
    return [place for group in groups for place in _by_head_to_head(group, beats, won)]


def _groups(names: Iterable[str], value: Mapping[str, int]) -> list[list[str]]:
    """The names grouped by value, highest first."""
    ordered = sorted(names, key=lambda name: -value[name])
    return [list(group) for _, group in groupby(ordered, key=lambda name: value[name])]


def _set_scores(rows: Sequence[Row]) -> dict[str, dict[str, list[float]]]:
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
            scores[name][games[0].map].append(sum(values) / len(values))
    return scores
