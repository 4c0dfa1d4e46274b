"""Standings: the official ranking of the HX2 contest, and beside it what the games say.

The official order: bots beaten (a pairing is won by whoever won more of its games; equal is not
beaten), then among the tied the bots beaten within their group, again within groups still tied,
then games won. Bots that this cannot separate share their place.

Beside it: wins, draws and losses, the mean score over complete pairs with a 95 % interval, faults,
forfeits, processor time. Pure functions over plain rows; a row's lists are by seat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from joute.contest.statistics import Interval, wilson


class Row(NamedTuple):
    """A counted game. `key` is the same for the games of one pair, `size` of them in all."""

    key: Any
    bots: tuple[str, ...]
    returns: Sequence[float]
    faults: Sequence[Mapping[str, Any]] = ()  # seat, ply, fault, detail, cost, perhaps game
    cpu_ms: Sequence[float] = ()
    asked: Sequence[int] = ()
    size: int = 2


class FaultCount(msgspec.Struct, frozen=True):
    """How often a bot failed in one way, and what was said the first time."""

    fault: str
    count: int
    first: str
    game: str  # the record of the first time, "" where there is none
    ply: int  # of the first time


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line in the standings."""

    rank: int  # from 1; bots that cannot be separated share it
    name: str
    beaten: int  # bots beaten
    beaten_among_tied: int  # of those with as many beaten
    won: int
    drawn: int
    lost: int
    games: int
    pairs: int  # complete ones
    score: float | None  # mean over complete pairs, 0..1; None without one
    interval: Interval | None  # 95 % for the score; None without a pair
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
    scores = _pair_scores(rows)
    table = []
    for place, among, name in places:
        pairs = scores.get(name, [])
        score = sum(pairs) / len(pairs) if pairs else None
        wins, draws, losses = won[name]
        faults, forfeits = _faults_of(name, rows)
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
                pairs=len(pairs),
                score=score,
                interval=None if score is None else wilson(score, len(pairs)),
                forfeits=forfeits,
                faults=faults,
                mean_ms=_mean_ms(name, rows),
            )
        )
    return table


def seat_scores(returns: Sequence[float]) -> list[float]:
    """Each seat's score, 0..1: the mean over its opponents of 1 above them, 1/2 level, 0 below."""
    others = len(returns) - 1
    return [
        (sum((mine > his) + (mine == his) / 2 for his in returns) - 0.5) / others
        for mine in returns
    ]


def _games_won(rows: Sequence[Row]) -> dict[str, tuple[int, int, int]]:
    """Games won (alone at the top), drawn (sharing the top) and lost, by bot."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        best = max(row.returns)
        shared = sum(value == best for value in row.returns) > 1
        for name, value in zip(row.bots, row.returns, strict=True):
            counts[name][2 if value < best else int(shared)] += 1
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


def _pair_scores(rows: Sequence[Row]) -> dict[str, list[float]]:
    """The mean scores of each bot in the pairs of which every game is there."""
    pairs: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        pairs[row.key].append(row)
    scores: dict[str, list[float]] = defaultdict(list)
    for games in pairs.values():
        if len(games) < games[0].size:
            continue
        of_pair: dict[str, list[float]] = defaultdict(list)
        for row in games:
            for name, score in zip(row.bots, seat_scores(row.returns), strict=True):
                of_pair[name].append(score)
        for name, values in of_pair.items():
            scores[name].append(sum(values) / len(values))
    return scores


def _faults_of(name: str, rows: Sequence[Row]) -> tuple[list[FaultCount], int]:
    """A bot's faults, the most frequent first, and the games that they cost it."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    forfeits = 0
    for row in rows:
        own = [fault for fault in row.faults if row.bots[fault["seat"]] == name]
        forfeits += any(fault["cost"] == "game" for fault in own)
        for fault in own:
            found[fault["fault"]].append(fault)
    counts = [
        FaultCount(code, len(all_), all_[0]["detail"], all_[0].get("game", ""), all_[0]["ply"])
        for code, all_ in found.items()
    ]
    return sorted(counts, key=lambda fault: (-fault.count, fault.fault)), forfeits


def _mean_ms(name: str, rows: Sequence[Row]) -> float | None:
    spent, asked = 0.0, 0
    for row in rows:
        for seat, bot in enumerate(row.bots):
            if bot == name and seat < len(row.asked):
                spent += row.cpu_ms[seat]
                asked += row.asked[seat]
    return spent / asked if asked else None
