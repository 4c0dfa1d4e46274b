"""Counted games of complete sets as arrays, for what is fitted to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from joute.contest.ranking.rows import Row

Ints = NDArray[np.integer[Any]]

EMPTY = -1  # in place of a bot


class Results(NamedTuple):
    """Games between the bots 0..n-1; the games of one set have the same number, from 0.

    A set stands for as many as went alike, `times` being their number.
    """

    bots: Ints  # int[games, seats], by seat; EMPTY where nobody counts
    ranks: Ints  # int[games, seats], by seat: 0 the first, equal ones share the better rank
    sets: Ints  # int[games]
    times: Ints  # int[games], the same for all games of a set


def results_of(names: Sequence[str], rows: Sequence[Row]) -> Results | None:
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
    return Results(
        bots=_table([[number[name] for name in row.bots] for row in complete], seats, EMPTY),
        ranks=_ranks(_table([row.returns for row in complete], seats, -np.inf)),
        sets=np.array([sets.setdefault(row.key, len(sets)) for row in complete]),
        times=np.array([row.times for row in complete]),
    )


def _table(lines: Sequence[Sequence[float]], width: int, missing: float) -> NDArray[Any]:
    """The lines as rows of equal width; some are short where a bot was disqualified."""
    return np.array([[*line, *[missing] * (width - len(line))] for line in lines])


def _ranks(returns: NDArray[Any]) -> Ints:
    ranks: Ints = (returns[:, :, None] < returns[:, None, :]).sum(axis=2)
    return ranks


def within(results: Results, members: Ints) -> Results:
    """The games as they concern `members`, sorted numbers, which become 0, 1, 2 ...

    Seats of others are empty; games with fewer than two members are left out.
    """
    place = np.full(max(results.bots.max(), members.max()) + 1, EMPTY)
    place[members] = range(len(members))
    bots = place[results.bots]
    inside = (bots != EMPTY).sum(axis=1) > 1
    sets = np.unique(results.sets[inside], return_inverse=True)[1]
    return Results(bots[inside], results.ranks[inside], sets, results.times[inside])


def times_of_sets(results: Results) -> Ints:
    """How many sets went as each, int[sets]."""
    times = np.empty(int(results.sets.max()) + 1, int)
    times[results.sets] = results.times
    return times
