"""Games of bots of known strength, drawn from the models that ratings suppose."""

from itertools import combinations
from math import erf, sqrt

import numpy as np

from joute.contest.ranking.rows import Row
from joute.contest.rating.fit import GameArrays

NAMES = "abcdefghijklmnopqrst"

_normal = np.vectorize(lambda value: (1 + erf(value / sqrt(2))) / 2)


def everybody(bots: int, seats: int, sets: int) -> np.ndarray:
    """Each group of the bots, `sets` times, int[groups, seats]."""
    return np.repeat(np.array(list(combinations(range(bots), seats))), sets, axis=0)


def pairs(strengths, groups, draw, *, odds=0.0, seat=0.0, alike=0.0) -> GameArrays:
    """Pairs of games by Davidson's model, drawn from the generator `draw`.

    `odds` are those of draws, `seat` is the advantage of the first seat in nats, `alike` the
    correlation of the luck of a pair's games.
    """
    first, second = groups.T
    luck = draw.normal(size=(2, len(groups)))
    luck[1] = alike * luck[0] + sqrt(1 - alike**2) * luck[1]
    luck = _normal(luck)
    lead = strengths[first] - strengths[second]
    bots = np.stack([groups, groups[:, ::-1]], axis=1)
    ranks = np.empty_like(bots)
    for game, advantage in enumerate((seat, -seat)):
        won, lost = np.exp((lead + advantage) / 2), np.exp(-(lead + advantage) / 2)
        total = won + lost + odds
        ranks[:, game, game] = luck[game] < lost / total
        ranks[:, game, 1 - game] = luck[game] >= (lost + odds) / total
    sets = np.repeat(np.arange(len(groups)), 2)
    return GameArrays(bots.reshape(-1, 2), ranks.reshape(-1, 2), sets, np.ones_like(sets))


def tables(strengths, groups, draw) -> GameArrays:
    """Sets of games of several bots by Plackett and Luce's model, one game for each rotation."""
    seats = groups.shape[1]
    bots = np.stack([np.roll(groups, turn, axis=1) for turn in range(seats)], axis=1)
    bots = bots.reshape(-1, seats)
    order = strengths[bots] + draw.gumbel(size=bots.shape)
    ranks = (-order).argsort(axis=1).argsort(axis=1)
    sets = np.repeat(np.arange(len(groups)), seats)
    return GameArrays(bots, ranks, sets, np.ones_like(sets))


def rows(results: GameArrays, size: int | None = None) -> list[Row]:
    """The same games as rows of a contest."""
    return [
        Row(
            key=int(number),
            bots=tuple(NAMES[bot] for bot in bots),
            returns=[-float(rank) for rank in ranks],
            size=size or len(bots),
        )
        for bots, ranks, number in zip(*results[:3], strict=True)
    ]


def won(*wins: tuple[str, str], start: int = 0) -> list[Row]:
    """Pairs of games that the first of two names wins; both games are drawn where it is "=name"."""
    found = []
    for number, (first, other) in enumerate(wins, start):
        one = first.removeprefix("=")
        returns = [1.0, -1.0] if one == first else [0.0, 0.0]
        found.append(Row(key=number, bots=(one, other), returns=returns))
        found.append(Row(key=number, bots=(other, one), returns=returns[::-1]))
    return found
