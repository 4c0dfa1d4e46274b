"""Games of complete sets as arrays, the bots that can be compared, and the fit of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from joute.contest.ranking.rows import Row

Ints = NDArray[np.integer[Any]]

EMPTY = -1  # in place of a bot


class GameArrays(NamedTuple):
    """Games between the bots 0..n-1; the games of one set have the same number, from 0.

    A set stands for as many as went alike, `times` being their number.
    """

    bots: Ints  # int[games, seats], by seat; EMPTY where nobody counts
    ranks: Ints  # int[games, seats], by seat: 0 the first, equal ones share the better rank
    sets: Ints  # int[games]
    times: Ints  # int[games], the same for all games of a set


def arrays_of(names: Sequence[str], rows: Sequence[Row]) -> GameArrays | None:
    """The games of complete sets between the bots `names`, None if there are none.

    None too where teams play: no rating says what one bot is worth there.
    """
    number = {name: place for place, name in enumerate(names)}
    played = Counter(row.key for row in rows)
    complete = [row for row in rows if played[row.key] == row.size and len(row.bots) > 1]
    if not complete or any(row.teams for row in complete):
        return None
    seats = max(len(row.bots) for row in complete)
    sets: dict[Any, int] = {}
    returns = _table([row.returns for row in complete], seats, -np.inf)
    return GameArrays(
        bots=_table([[number[name] for name in row.bots] for row in complete], seats, EMPTY),
        ranks=(returns[:, :, None] < returns[:, None, :]).sum(axis=2),
        sets=np.array([sets.setdefault(row.key, len(sets)) for row in complete]),
        times=np.array([row.times for row in complete]),
    )


def _table(lines: Sequence[Sequence[float]], width: int, missing: float) -> NDArray[Any]:
    return np.array([[*line, *[missing] * (width - len(line))] for line in lines])


def within(results: GameArrays, members: Ints) -> GameArrays:
    """The games as they concern `members`, sorted numbers, which become 0, 1, 2 ...

    Seats of others are empty; games with fewer than two members are left out.
    """
    place = np.full(max(results.bots.max(), members.max()) + 1, EMPTY)
    place[members] = range(len(members))
    bots = place[results.bots]
    inside = (bots != EMPTY).sum(axis=1) > 1
    sets = np.unique(results.sets[inside], return_inverse=True)[1]
    return GameArrays(bots[inside], results.ranks[inside], sets, results.times[inside])


def times_of_sets(results: GameArrays) -> Ints:
    """The number of sets that went as each, int[sets]."""
    times = np.empty(int(results.sets.max()) + 1, int)
    times[results.sets] = results.times
    return times


def components(count: int, results: GameArrays, level: bool) -> list[Ints]:
    """The strongly connected groups of the bots 0..count-1, each sorted.

    There is an edge from one bot to another if it finished below it in some game, or if `level`
    games count, level with it.
    Ratings of greatest likelihood are finite within a group and nowhere else: whoever never lost to
    the others, and drew with none, may be stronger by any number (L. Ford, "Solution of a ranking
    problem from binary comparisons", 1957).
    """
    edges = np.zeros((count, count), bool)
    seats = results.bots.shape[1]
    for seat in range(seats):
        for other in range(seats):
            one, another = results.bots[:, seat], results.bots[:, other]
            below = results.ranks[:, seat] >= results.ranks[:, other] + (not level)
            below &= (one != EMPTY) & (another != EMPTY)
            edges[one[below], another[below]] = True
    reached = _closure(edges)
    mutual = reached & reached.T
    return [np.flatnonzero(mutual[bot]) for bot in np.unique(mutual.argmax(axis=1))]


def _closure(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The bots that each bot reaches along edges, itself among them."""
    reached = edges | np.eye(len(edges), dtype=bool)
    while True:
        # Paths twice as long each time; as float32 the product is one call of a fast library.
        paths = reached.astype(np.float32)
        further = paths @ paths > 0
        if (further == reached).all():
            return further
        reached = further


Array = NDArray[Any]

STEPS = 100  # of Newton's method, at most; about 6 are needed
CLOSE = 1e-9  # nats


class RatingFit(NamedTuple):
    """Strengths of greatest likelihood, in nats, summing to 0, and the share of each set in it."""

    strengths: Array  # float[bots]
    seat: float | None  # the advantage of the first seat, nats; None where the model has none
    covariance: Array  # float[bots, bots], of the strengths if all games were independent
    known: Array  # the same if the seat's advantage and the share of draws were known
    even: float  # 1 / variance that a game adds to what is known of the difference of two equals
    bots: Ints  # int[sets, seats], the bots of each set
    slopes: Array  # float[sets, seats], of the logarithm of the set's likelihood
    bends: Array  # float[sets, seats, seats], minus its second derivative
    times: Ints  # int[sets], how many sets each stands for


def freedom(fit: RatingFit) -> int:
    """The number of sets beyond that of the strengths to be found in them."""
    return int(fit.times.sum()) - (len(fit.strengths) - 1)


def spread(fit: RatingFit) -> float:
    """The variance of the sets as a multiple of that of independent games.

    The games of a set are alike (one opening favours one bot) or opposite (the better deal wins):
    a covariance of strengths is this many times the one without. With slope s, bend B and
    covariance C, the mean of s' C s is the trace h of B C over independent games, or h * (1 - h)
    about the fit. One set that varies as independent games do is added: however equal few sets
    look, they do not prove that there is no chance.
    """
    shared = fit.known[fit.bots[:, :, None], fit.bots[:, None, :]]
    seen = np.einsum("si,sij,sj->s", fit.slopes, shared, fit.slopes)
    expected = fit.bends @ shared
    free = np.trace(expected - expected @ expected, axis1=1, axis2=2)
    mean = np.average(np.trace(expected, axis1=1, axis2=2), weights=fit.times)
    return float((seen @ fit.times + mean) / (free @ fit.times + mean))
