"""What rules rank by, read off the games: games won, scores, whom each bot has beaten."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from joute.contest.ranking.rows import Row

Beaten = Mapping[str, set[str]]
"""Whom each bot has beaten."""


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
    """Whom each bot finished above in more games than below."""
    lead: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        for me, mine in zip(row.bots, row.returns, strict=True):
            for other, his in zip(row.bots, row.returns, strict=True):
                lead[me, other] += row.times * ((mine > his) - (mine < his))
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for (me, other), games in lead.items():
        if games > 0 and me in beaten:
            beaten[me].add(other)
    return beaten


def meetings(
    names: Sequence[str], rows: Iterable[Row], first_to: int | None
) -> tuple[dict[str, set[str]], dict[str, int]]:
    """Whom each bot has beaten in its meetings of two, and the games it won in them.

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
