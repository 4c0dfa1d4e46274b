"""A sequential test: is one bot stronger than another by elo0, or by elo1?

Both Elos are normalized (see `likelihood`). Pairs of games are counted in the order of the schedule
until the logarithm of the likelihood ratio leaves (log(e / (1 - e)), log((1 - e) / e)): then H1,
"the difference is elo1 or more", or H0, "it is elo0 or less", is accepted, and where one of them is
true it is rejected with a probability of at most e = 5 % (A. Wald, "Sequential tests of statistical
hypotheses", 1945).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, erf, isfinite, log, log10, sqrt

import msgspec
import numpy as np

from joute.contest.errors import ConfigError
from joute.contest.rating.likelihood import PER_DEVIATION, SCORES, normalized_elo, ratios
from joute.contest.rating.statistics import Interval
from joute.contest.study.comparison import MANY, of_pairs
from joute.i18n.words import Sentence

H0, H1 = "H0", "H1"
ERROR = 0.05  # the probability of rejecting what is true
BOUND = log((1 - ERROR) / ERROR)
MOST_ELO = 200.0  # of a hypothesis, normalized
MOST_APART = 100.0  # Elo: with fewer than some 35 pairs the error is not what it should be
_TINY = 1e-9  # a score this near to 0 or 1 is one
SPARE = 4  # times the pairs needed on average where the truth is in the middle, before giving up


class Hypotheses(msgspec.Struct, frozen=True):
    """What is tested: normalized Elos of the first bot against the second."""

    elo0: float
    elo1: float

    def __post_init__(self) -> None:
        """Raises ConfigError unless -200 <= elo0 < elo1 <= 200 and they are 100 apart at most."""
        low, high = self.elo0, self.elo1
        if not (isfinite(low) and isfinite(high) and -MOST_ELO <= low < high <= MOST_ELO):
            key = "range"
        elif high - low > MOST_APART:
            key = "apart"
        else:
            return
        values = {"low": low, "high": high, "most": MOST_APART}
        raise ConfigError("match", "sprt", Sentence(f"error.sprt.{key}", **values))

    def usual_most(self) -> int:
        """The games after which a test may be given up: even then about 1 % are undecided."""
        apart = (self.elo1 - self.elo0) / PER_DEVIATION * sqrt(2)
        return 2 * ceil(SPARE * (BOUND / apart) ** 2)


class SequentialResult(msgspec.Struct, frozen=True, kw_only=True):
    """Where a test stands, of the first bot against the second."""

    bots: tuple[str, str]
    elo0: float  # normalized, as elo1
    elo1: float
    decision: str  # H0, H1, or "" while there is none
    llr: float  # the logarithm of the likelihood ratio
    bounds: Interval  # that it stays within until there is a decision
    pairs: int  # that were counted
    pentanomial: tuple[int, ...]  # pairs in which the first took 0, 1/2, 1, 3/2 and 2 points
    score: float | None  # the mean of a game, 0..1; None without a pair
    elo: float | None  # 400 * log10(score / (1 - score)); None where that is no number
    interval: list[float | None]  # 95 % for the Elo, low and high; None where it has no end
    normalized_elo: float | None  # None where pairs do not vary
    superiority: float | None  # the likelihood that the first is the stronger; None without a pair


class SequentialTest:
    """Counts pairs, in order, up to the one that decides."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self._hypotheses = hypotheses
        self._counts = np.zeros(len(SCORES), int)
        self.llr = 0.0
        self.decision = ""

    @property
    def pairs(self) -> int:
        """How many pairs were counted."""
        return int(self._counts.sum())

    def add(self, points: Sequence[float]) -> None:
        """Count pairs by what the first bot took in each: 0, 1/2, 1, 3/2 or 2 points.

        What comes after the pair that decides is left out.
        """
        if not points or self.decision:
            return
        places = np.rint(2 * np.asarray(points)).astype(int)
        counts = self._counts[:, None] + np.cumsum(np.eye(len(SCORES), dtype=int)[places], axis=0).T
        # Rounded, so that it does not depend on which pairs come together to the last bit.
        found = np.round(ratios(counts, self._hypotheses.elo0, self._hypotheses.elo1), 6)
        outside = np.flatnonzero(np.abs(found) >= BOUND)
        last = int(outside[0]) if outside.size else len(points) - 1
        self._counts, self.llr = counts[:, last], float(found[last])
        if outside.size:
            self.decision = H1 if self.llr > 0 else H0

    def result(self, bots: tuple[str, str]) -> SequentialResult:
        """Where the test stands, with what the pairs say of the difference."""
        score = None if self.pairs == 0 else float(self._counts @ SCORES) / self.pairs
        scores = np.repeat(SCORES, self._counts).tolist()
        interval = of_pairs(scores) or Interval(0.0, 1.0)
        return SequentialResult(
            bots=bots,
            elo0=self._hypotheses.elo0,
            elo1=self._hypotheses.elo1,
            decision=self.decision,
            llr=self.llr,
            bounds=Interval(-BOUND, BOUND),
            pairs=self.pairs,
            pentanomial=tuple(self._counts.tolist()),
            score=score,
            elo=None if score is None else elo_of(score),
            interval=[elo_of(interval.low), elo_of(interval.high)],
            normalized_elo=normalized_elo(self._counts),
            superiority=superiority(scores),
        )


def elo_of(score: float) -> float | None:
    """The difference in Elo that a mean score stands for; None at 0 and 1."""
    return 400 * log10(score / (1 - score)) if _TINY < score < 1 - _TINY else None


def superiority(scores: Sequence[float]) -> float | None:
    """The likelihood that a mean score is above one half; None without a pair.

    Where pairs are few, or all alike, their variance counts as the largest that scores can have.
    """
    if not scores:
        return None
    values = np.asarray(scores)
    known = len(values) >= MANY and values.var() > 0
    deviation = values.std(ddof=1) if known else 0.5
    return (1 + erf(float((values.mean() - 0.5) / deviation) * sqrt(len(values) / 2))) / 2
