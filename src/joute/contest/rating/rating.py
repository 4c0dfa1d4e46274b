"""Ratings: how strong each bot is, how surely, and who cannot be told from whom.

Fitted jointly on the games of all complete sets. An Elo of 400 more stands for ten wins to a loss,
whatever is drawn besides; the bots rated have a mean of 0, or a bot of reference has 0. A bot whose
results do not bound its strength on both sides has no rating.

Groups are the largest runs, in the order of Elo, of which no two can be told apart. Where some bots
have far fewer games than others, it may be that of two without a group in common only two between
them can.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log, sqrt
from typing import Literal

import msgspec
import numpy as np

from joute.contest.ranking.rows import Row
from joute.contest.rating.fit import (
    EMPTY,
    Array,
    GameArrays,
    Ints,
    RatingFit,
    arrays_of,
    components,
    freedom,
    spread,
    within,
)
from joute.contest.rating.models import davidson, plackett_luce
from joute.contest.rating.statistics import Interval, student, student95

ELO = 400 / log(10)  # per nat
WIDEST = 1000.0  # Elo on each side; what is known no better than that is not known
MOST_GAMES = 100_000  # that are said to separate two bots

FIGURES = 2
"""The version of ratings: it goes up whenever the same games give others than before."""

DAVIDSON, PLACKETT_LUCE = "davidson", "plackett-luce"

Unrated = Literal["", "games", "won", "lost", "reference"]


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """The rating of a bot: an Elo and an interval, or the reason why there is none.

    The reasons: "won", it never lost or drew against those who are rated; "lost", it never won or
    drew; "games", there are too few decisive games; "reference", the bot of reference is not rated.
    """

    name: str
    elo: float | None
    interval: Interval | None  # 95 %
    reason: Unrated = ""
    groups: list[int] = []  # numbers, from 1, in a row; two bots with one in common may be equal
    next: str | None = None  # the bot that is next by Elo, to which the last two figures refer
    superiority: float | None = None  # the likelihood that it is stronger than the next, 0.5..1
    games: int | None = None  # about, that would tell it from the next; 0: it is stronger


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """The ratings of a contest."""

    model: str  # DAVIDSON, or PLACKETT_LUCE for three seats and more
    bots: list[Rating]  # the strongest first, then those without a rating
    seat: float | None  # the advantage of the first seat, Elo
    spread: float | None  # of sets, as a ratio of variances: 1 where their games are independent


class _Found(msgspec.Struct, frozen=True):
    """The rated bots, the strongest first."""

    names: list[str]
    elos: Array  # float[bots], of mean 0
    variances: Array  # float[bots, bots], of the difference of two Elos
    own: Array  # float[bots], of the Elo itself
    freedom: int  # degrees, of the estimate of the variances
    quantile: float  # of 95 % intervals
    seats: int  # of a game
    even: float  # 1 / variance that a game adds to what is known of the difference of two equals


def rate(names: Sequence[str], rows: Sequence[Row], reference: str | None = None) -> Ratings | None:
    """The ratings of the bots `names` after the games `rows`; None where games allow of none.

    That is where teams play, where one plays alone, or before a set is complete.
    """
    results = arrays_of(names, rows)
    return None if results is None else rate_results(names, results, reference)


def rate_results(
    names: Sequence[str], results: GameArrays, reference: str | None = None
) -> Ratings:
    """The ratings of the bots `names` after games of complete sets."""
    two = results.bots.shape[1] == 2
    members = _comparable(len(names), results, two)
    inner = within(results, members)
    fit = None
    if len(members) > 1 and (inner.ranks > 0).any():
        fit = (davidson if two else plackett_luce)(len(members), inner)
    if fit is None or freedom(fit) < 1:
        lines, fit = [], None
    else:
        lines = _rated(_found([names[bot] for bot in members], fit), reference)
        lines.sort(key=lambda line: line.elo is None)
    known = {line.name for line in lines}
    rated = np.array([bot for bot in members if names[bot] in known])
    lines += [
        Rating(name=name, elo=None, interval=None, reason=_reason(bot, results, rated))
        for bot, name in enumerate(names)
        if name not in known
    ]
    return Ratings(
        model=DAVIDSON if two else PLACKETT_LUCE,
        bots=lines,
        seat=None if fit is None or fit.seat is None else ELO * fit.seat,
        spread=None if fit is None else spread(fit),
    )


def _comparable(count: int, results: GameArrays, level: bool) -> Ints:
    """The largest group of bots with finite ratings; of equal ones the one with more games."""
    groups = components(count, results, level)
    games = [int(within(results, group).times.sum()) for group in groups]
    return max(zip(groups, games, strict=True), key=lambda each: (len(each[0]), each[1]))[0]


def _found(names: list[str], fit: RatingFit) -> _Found:
    order = np.argsort(-fit.strengths, kind="stable")
    wider = spread(fit)
    covariance = (wider * ELO**2 * fit.covariance)[np.ix_(order, order)]
    own = np.diag(covariance)
    return _Found(
        names=[names[place] for place in order],
        elos=ELO * fit.strengths[order],
        variances=(own[:, None] + own[None, :] - 2 * covariance).clip(0.0),
        own=own,
        freedom=freedom(fit),
        quantile=student95(freedom(fit)),
        seats=fit.bots.shape[1],
        even=fit.even / (wider * ELO**2),
    )


def _rated(found: _Found, reference: str | None) -> list[Rating]:
    """The rated bots, the strongest first, then those of which too little is known."""
    if reference is not None and reference not in found.names:
        return [
            Rating(name=name, elo=None, interval=None, reason="reference") for name in found.names
        ]
    bounded, halves = _bounded(found, reference)
    zero = 0.0 if reference is None else float(bounded.elos[bounded.names.index(reference)])
    groups = _groups(bounded) if bounded.names else []
    lines = []
    for place, (name, elo, half) in enumerate(
        zip(bounded.names, (bounded.elos - zero).tolist(), halves.tolist(), strict=True)
    ):
        below, superiority, games = _next(bounded, place)
        lines.append(
            Rating(
                name=name,
                elo=elo,
                interval=Interval(elo - half, elo + half),
                groups=groups[place],
                next=below,
                superiority=superiority,
                games=games,
            )
        )
    unknown = [name for name in found.names if name not in bounded.names]
    return lines + [Rating(name=name, elo=None, interval=None, reason="games") for name in unknown]


def _bounded(found: _Found, reference: str | None) -> tuple[_Found, Array]:
    """The bots that are known well enough, with half the lengths of their intervals."""
    while True:
        variances = found.own
        if reference is not None:
            variances = found.variances[found.names.index(reference)]
        halves = found.quantile * np.sqrt(variances)
        kept = halves <= WIDEST
        if reference is None and kept.sum() < 2:  # of one alone there is nothing to know
            kept[:] = False
        if kept.all():
            return found, halves
        found = _only(found, kept)


def _only(found: _Found, kept: Array) -> _Found:
    """Some of the bots, with a mean of 0 of their own."""
    elos, variances = found.elos[kept], found.variances[np.ix_(kept, kept)]
    if len(elos):
        elos = elos - elos.mean()
    return msgspec.structs.replace(
        found,
        names=[name for name, stays in zip(found.names, kept.tolist(), strict=True) if stays],
        elos=elos,
        variances=variances,
        own=_about_mean(variances),
    )


def _about_mean(variances: Array) -> Array:
    """The variance of each Elo about the mean of all, from those of the differences of two."""
    if not len(variances):
        return np.zeros(0)
    about: Array = (variances.mean(axis=1) - variances.mean() / 2).clip(0.0)
    return about


def _next(found: _Found, place: int) -> tuple[str | None, float | None, int | None]:
    """The next bot, the likelihood that one is stronger than it, and the games that would tell."""
    if place + 1 == len(found.names):
        return None, None, None
    apart = float(found.elos[place] - found.elos[place + 1])
    variance = float(found.variances[place, place + 1])
    superiority = student(apart / sqrt(variance), found.freedom)
    return found.names[place + 1], superiority, _games_to_separate(apart, variance, found)


def _games_to_separate(apart: float, variance: float, found: _Found) -> int | None:
    """The further games of two bots that would show a difference of `apart` Elo, at 95 %."""
    if apart * apart * MOST_GAMES * found.even < found.quantile**2:
        return None
    missing = (found.quantile / apart) ** 2 - 1 / variance
    return found.seats * ceil(max(missing, 0.0) / found.even / found.seats)


def _groups(found: _Found) -> list[list[int]]:
    """For each bot the numbers of its groups: the largest runs of which no two differ at 95 %."""
    count = len(found.names)
    differ = np.abs(found.elos[:, None] - found.elos) > found.quantile * np.sqrt(found.variances)
    differ = np.triu(differ, 1)
    first = np.where(differ.any(axis=1), differ.argmax(axis=1), count)
    ends = np.minimum.accumulate(first[::-1])[::-1]  # where the run that begins at a bot ends
    starts = np.flatnonzero(np.diff(ends, prepend=0) > 0)
    inside = (starts <= np.arange(count)[:, None]) & (np.arange(count)[:, None] < ends[starts])
    return [(np.flatnonzero(row) + 1).tolist() for row in inside]


def _reason(bot: int, results: GameArrays, rated: Ints) -> Unrated:
    """The reason for which a bot has no rating, by its games with those that have one."""
    games, seats = np.nonzero(results.bots == bot)
    against = np.isin(results.bots[games], rated).any(axis=1)
    games, seats = games[against], seats[against]
    own, ranks = results.ranks[games, seats], results.ranks[games]
    ranks = np.where(results.bots[games] == EMPTY, -1, ranks)
    if not len(games) or ((ranks == own[:, None]).sum(axis=1) > 1).any():
        return "games"
    if (own == 0).all():
        return "won"
    return "lost" if (own == ranks.max(axis=1)).all() else "games"
