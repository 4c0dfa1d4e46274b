"""What is known of two bots after some games: a table's worth of numbers, with intervals.

All that is measured comes from `study`, which plays the games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from joute.contest.rating.statistics import Interval, sample, wilson
from joute.contest.study.effort import Effort

MANY = 30  # pairs of games from which on their own variance is known well enough


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two bots."""

    name: str
    bot: str  # in full: builtin:greedy, bots/mine.py ...
    peeks: bool  # whether it was shown what is hidden
    won: int
    drawn: int
    lost: int
    score: float | None  # the mean of its games: 1 won, 0.5 drawn, 0 lost; None without a game
    interval: Interval | None  # 95 % for the score, from pairs
    moves: int  # turns at which it was asked
    mean_ms: float | None  # processor milliseconds per move; None if never asked
    worst_ms: float | None
    faults: int
    effort: Effort


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What both bots chose in the same positions."""

    positions: int
    differ: int
    interval: Interval | None  # 95 % for the share that differs
    judge: str  # the bot that played on after each of two choices that differ
    gain: float | None  # how much better the first bot's choices are; 1 is a game won, not lost
    gain_interval: Interval | None  # 95 %


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two bots side by side."""

    game: str
    parameters: dict[str, Any]
    move_seconds: float
    pairs: int
    sides: list[Side]
    choices: Choices | None  # None where one of the two is no built-in bot
    seed: str


class Tally(msgspec.Struct):
    """What a bot did so far."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    times: list[float] = []  # processor milliseconds of each move
    faults: int = 0

    def count(self, score: float) -> None:
        """Note a game: 1 won, 0.5 drawn, 0 lost."""
        self.won += score == 1.0
        self.drawn += score == 0.5
        self.lost += score == 0.0


def side(
    name: str, bot: str, peeks: bool, tally: Tally, pairs: Sequence[float], effort: Effort
) -> Side:
    """A bot's numbers; `pairs` are its mean scores of each pair of games."""
    times = tally.times
    return Side(
        name=name,
        bot=bot,
        peeks=peeks,
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        score=sum(pairs) / len(pairs) if pairs else None,
        interval=of_pairs(pairs),
        moves=len(times),
        mean_ms=sum(times) / len(times) if times else None,
        worst_ms=max(times, default=None),
        faults=tally.faults,
        effort=effort,
    )


def choices(judge: str, positions: int, gains: Sequence[float]) -> Choices:
    """What the judged positions tell; `gains` are of those where the choices differ."""
    found = sample([gains])
    return Choices(
        positions=positions,
        differ=len(gains),
        interval=wilson(len(gains) / positions, positions) if positions else None,
        judge=judge,
        gain=found and found.mean,
        gain_interval=found and found.interval,
    )


def of_pairs(pairs: Sequence[float]) -> Interval | None:
    """A 95 % interval for the mean of scores within 0..1; None without a pair.

    Student's, which knows how far equal deals make the two games of a pair alike or opposite;
    Wilson's, which never claims too much, where pairs are few or do not vary.
    """
    found = sample([pairs]) if len(pairs) >= MANY else None
    if found is None or found.interval is None:
        return wilson(sum(pairs) / len(pairs), len(pairs)) if pairs else None
    return Interval(max(0.0, found.interval.low), min(1.0, found.interval.high))
