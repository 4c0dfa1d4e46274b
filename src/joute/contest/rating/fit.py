"""What a model of strengths says after it was fitted, and how far its independence holds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from joute.contest.rating.results import Ints

Array = NDArray[Any]

STEPS = 100  # of Newton's method, at most; about 6 are needed
CLOSE = 1e-9  # nats


class Fit(NamedTuple):
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


def freedom(fit: Fit) -> int:
    """How many sets there are more than strengths to be found in them."""
    return int(fit.times.sum()) - (len(fit.strengths) - 1)


def spread(fit: Fit) -> float:
    """How much more the sets vary than independent games would, as a ratio of variances.

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
