"""A sequential test: is one bot stronger than another by elo0, or by elo1?

Both Elos are normalized. Pairs of games are counted in the order of the schedule until the
logarithm of the likelihood ratio leaves (log(e / (1 - e)), log((1 - e) / e)): then H1, "the
difference is elo1 or more", or H0, "it is elo0 or less", is accepted, and where one of them is
true it is rejected with a probability of at most e = 5 % (A. Wald, "Sequential tests of statistical
hypotheses", 1945). Where the two errors may differ, so do the bounds (see `Errors`).

The counts are pentanomial: pairs in which a bot took 0, 1/2, 1, 3/2 and 2 points of its two games.
The two games of a pair have the same deals, so that they are alike or opposite; the pairs are
independent, and no more is supposed.

Normalized Elo (M. Van den Bergh, "Normalized Elo", 2020; the default of fastchess, and fishtest's
unit) is 800 / ln 10 * (m - 1/2) / s, where m is the mean score of a game and s its standard
deviation, measured on pairs: s = sqrt(2) * (that of a pair's mean score). It says how many games it
takes to see a difference, whatever the share of draws: the number is proportional to 1 / elo^2.

The ratio is the generalized one: each hypothesis is given the distribution over the five results
that makes the counts most likely among those of its Elo (X. Li, J. Liu, Z. Ying, "Generalized
sequential probability ratio test for separate families of hypotheses", 2014). Arrays hold many
tests, so that thousands can be simulated at once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil, erf, isfinite, log, log10, sqrt
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from joute.contest.errors import ConfigError
from joute.contest.ranking.discipline import Place
from joute.contest.rating.statistics import MANY, Interval, of_pairs
from joute.contest.schedule.schedule import NOBODY, Slot
from joute.contest.schedule.series import set_of
from joute.i18n.words import Sentence

H0, H1 = "H0", "H1"
ERROR = 0.05  # the probability of rejecting what is true
MOST_ELO = 200.0  # of a hypothesis, normalized
MOST_APART = 100.0  # Elo: with fewer than some 35 pairs the error is not what it should be
_TINY = 1e-9  # a score this near to 0 or 1 is one
SPARE = 4  # times the pairs needed on average where the truth is in the middle, before giving up


class Errors(NamedTuple):
    """The probabilities with which a test may accept one hypothesis where the other is true."""

    h1: float = ERROR  # of accepting H1 where H0 is true
    h0: float = ERROR  # of accepting H0 where H1 is true

    @property
    def bounds(self) -> Interval:
        """The logarithms of the likelihood ratio that a test without a decision stays within."""
        return Interval(log(self.h0 / (1 - self.h1)), log((1 - self.h0) / self.h1))


USUAL_ERRORS = Errors()


class Hypotheses(msgspec.Struct, frozen=True):
    """The hypotheses: normalized Elos of the first bot against the second."""

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

    def usual_most(self, errors: Errors = USUAL_ERRORS) -> int:
        """The games after which a test may be given up: even then about 1 % are undecided."""
        apart = (self.elo1 - self.elo0) / PER_DEVIATION * sqrt(2)
        low, high = errors.bounds
        return 2 * ceil(SPARE * -low * high / apart**2)


class SequentialResult(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a test of the first bot against the second."""

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

    def __init__(self, hypotheses: Hypotheses, errors: Errors = USUAL_ERRORS) -> None:
        self._hypotheses = hypotheses
        self._bounds = errors.bounds
        self._counts = np.zeros(len(SCORES), int)
        self.llr = 0.0
        self.decision = ""

    @property
    def pairs(self) -> int:
        """The number of pairs counted."""
        return int(self._counts.sum())

    def add(self, points: Sequence[float]) -> None:
        """Counts pairs by what the first bot took in each: 0, 1/2, 1, 3/2 or 2 points.

        What comes after the pair that decides is left out.
        """
        if not points or self.decision:
            return
        places = np.rint(2 * np.asarray(points)).astype(int)
        counts = self._counts[:, None] + np.cumsum(np.eye(len(SCORES), dtype=int)[places], axis=0).T
        # Rounded, so that it does not depend on which pairs come together to the last bit.
        found = np.round(ratios(counts, self._hypotheses.elo0, self._hypotheses.elo1), 6)
        low, high = self._bounds
        outside = np.flatnonzero((found <= low) | (found >= high))
        last = int(outside[0]) if outside.size else len(points) - 1
        self._counts, self.llr = counts[:, last], float(found[last])
        if outside.size:
            self.decision = H1 if self.llr > 0 else H0

    def result(self, bots: tuple[str, str]) -> SequentialResult:
        """The state of the test, with what the pairs say of the difference."""
        score = None if self.pairs == 0 else float(self._counts @ SCORES) / self.pairs
        scores = np.repeat(SCORES, self._counts).tolist()
        interval = of_pairs(scores) or Interval(0.0, 1.0)
        return SequentialResult(
            bots=bots,
            elo0=self._hypotheses.elo0,
            elo1=self._hypotheses.elo1,
            decision=self.decision,
            llr=self.llr,
            bounds=self._bounds,
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


Array = NDArray[Any]

SCORES: Array = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # of a pair, per game
PER_DEVIATION = 800 / log(10)  # normalized Elo of a mean one deviation above one half
UNSEEN = 1e-3  # pairs, in place of 0: any result may still come
_ROUNDS = 50  # of the solution's repetition, at most; about 8 are needed
_STEPS = 60  # of Newton's method, at most; about 4 are needed
_CLOSE = 1e-9
_ROUNDING = 1e-15  # of a number, about
_INSIDE = 1 - 1e-12  # of the way to a pole: no division by 0


def ratios(counts: NDArray[Any], elo0: float, elo1: float) -> Array:
    """The logarithms of the likelihood ratios of elo1 to elo0, float[n], 0 without a pair.

    `counts` are int[5, n]; normalized Elos within 200 of 0 can be had by any counts.
    """
    pairs = counts.sum(axis=0)
    filled = np.where(counts > 0, counts, UNSEEN)
    total = filled.sum(axis=0)
    shares = filled / total
    ratio = _likeliest(shares, elo1) / _likeliest(shares, elo0)
    return np.where(pairs > 0, total * (shares * np.log(ratio)).sum(axis=0), 0.0)


def normalized_elo(counts: NDArray[Any]) -> float | None:
    """The normalized Elo that pentanomial counts, int[5], are seen at; None if none varies."""
    shares = counts / max(counts.sum(), 1)
    mean = float(shares @ SCORES)
    variance = float(shares @ (SCORES - mean) ** 2)
    return PER_DEVIATION * (mean - 0.5) / sqrt(2 * variance) if variance > _CLOSE else None


def _likeliest(shares: Array, elo: float) -> Array:
    """The distributions of this Elo that make the shares likeliest, float[5, n].

    With t the Elo in deviations of a pair, Lagrange's conditions for mean - 1/2 = t * deviation are
    q = p / (1 + x * b), where b is the derivative of mean - 1/2 - t * deviation by q, and x is such
    that q * b sums to 0. As b depends on q, they are solved by repetition.
    """
    target = elo / PER_DEVIATION * sqrt(2)
    scores = SCORES[:, None]
    found = np.full_like(shares, 1 / len(SCORES))
    x = np.zeros(shares.shape[1])
    for _ in range(_ROUNDS):
        distance = scores - (found * scores).sum(axis=0)
        deviation = np.sqrt((found * distance**2).sum(axis=0))
        bend = target * deviation * (1 + (distance / deviation) ** 2) / 2
        slopes = scores - 0.5 - bend
        x = _root(shares, slopes, x)
        new = shares / (1 + x * slopes)
        moved = np.abs(new - found).max(initial=0.0)
        found = new
        if moved < _CLOSE:
            break
    return found


def _root(shares: Array, slopes: Array, start: Array) -> Array:
    """The x, float[n], for which p * b / (1 + x * b) sums to 0; p and b are float[5, n].

    Between the poles around 0, where p / (1 + x * b) is a distribution, the sum falls in x.
    Newton's method from `start`, or from 0 where that is beyond a pole; what leaves the bounds
    found so far goes to their middle.
    """
    low, high = -_INSIDE / slopes.max(axis=0), -_INSIDE / slopes.min(axis=0)
    x = np.where((low < start) & (start < high), start, 0.0)
    for _ in range(_STEPS):
        terms = slopes / (1 + x * slopes)
        value, fall = (shares * terms).sum(axis=0), (shares * terms**2).sum(axis=0)
        # Not by how far x moves, which is little beside a pole, too.
        if (np.abs(value) < _CLOSE + _ROUNDING * np.abs(x) * fall).all():
            break
        low, high = np.where(value > 0, x, low), np.where(value < 0, x, high)
        new = x + value / fall
        x = np.where((low <= new) & (new <= high), new, (low + high) / 2)
    return x


AHEAD = 32  # pairs handed out beyond the first that is not complete
LOOK = 50  # a test is looked at whenever it has grown by one part in LOOK


class PairsUntilDecided:
    """Hands out pairs of the bots `names` while `test` has no decision, `max_games` at most."""

    def __init__(
        self,
        names: tuple[str, str],
        seed: str,
        max_games: int,
        test: SequentialTest,
        *,
        maps: Sequence[str] = ("",),
    ) -> None:
        self._names = names
        self._seed = seed
        self._most = max_games // 2  # pairs
        self._maps = maps
        self._taken = 0  # pairs handed out
        self._recorded = 0  # games
        self._points: dict[int, list[float]] = {}  # of the first bot, by pair, not yet counted
        self._complete = 0  # pairs without a gap
        self.test = test

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        if self.test.decision:
            return []
        first, self._taken = self._taken, min(self._complete + AHEAD, self._most)
        members = tuple(sorted(self._names))
        return [
            slot
            for number in range(first, self._taken)
            for slot in set_of(members, self._seed, number, 2, self._maps[number % len(self._maps)])
        ]

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        mine, other = (returns[slot.seats.index(name)] for name in self._names)
        self._points.setdefault(slot.number, []).append((mine > other) + (mine == other) / 2)
        self._recorded += 1
        if self.test.decision:
            return
        while len(self._points.get(self._complete, ())) == 2:
            self._complete += 1
        counted = self.test.pairs
        if self._complete - counted > counted // LOOK or self._complete == self._most:
            self.test.add([sum(self._points.pop(each)) for each in range(counted, self._complete)])

    def left_at_most(self, without: Collection[str] = ()) -> int:
        return 0 if self.test.decision else 2 * self._most - self._recorded
