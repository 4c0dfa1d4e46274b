"""Meetings of two in rounds, each drawn when the one before is over.

A round is over when each of its games has a result, or comes after one that shut a bot of it out.
A draw looks at no game of a bot that is out, so that the next round is the same whatever the order
in which results arrive.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from joute.contest.ranking.discipline import Place
from joute.contest.ranking.rules import seat_scores
from joute.contest.schedule.schedule import NOBODY, Members, Progression, Slot, void
from joute.contest.schedule.series import Series, Terms, certain_sets, games_left


class SeriesOutcome(NamedTuple):
    """A meeting that is over: what each bot got in it."""

    members: Members
    wins: dict[str, int]
    scores: dict[str, float]  # 1 for a game won, 1/2 for a draw
    points: dict[str, int]  # the game's own
    games: int  # that count; fewer than were drawn where one of the two has left


class Draw(Protocol):
    """The draw of the next round."""

    def next_round(self, outcomes: Sequence[SeriesOutcome], out: Collection[str]) -> list[Members]:
        """The groups that meet after a round with these outcomes, without those of `out`.

        Called first without outcomes; not called any more after it has said nobody meets.
        """

    def meetings_left_at_most(self) -> int:
        """The most meetings that may come after those of the last round drawn."""

    def course(self, out: Collection[str]) -> Progression:
        """The course of each bot so far, where the results of those of `out` are void."""


class Rounds:
    """The meetings that a draw asks for, round by round; set k is played on map k modulo theirs.

    `first_number` is that of the first set.
    """

    def __init__(
        self,
        draw: Draw,
        seed: str,
        terms: Terms,
        maps: Sequence[str] = ("",),
        first_number: int = 0,
    ) -> None:
        self.draw = draw
        self._seed = seed
        self._terms = terms
        self._maps = maps
        self._first = first_number
        self._series: dict[Members, Series] | None = None  # of this round
        self._touched: dict[Members, Series] = {}  # may have become certain since the last look
        self._waiting: set[Slot] = set()  # of this round, without a result
        self._results: dict[Slot, tuple[Sequence[float], Sequence[int]]] = {}  # of this round
        self._over = False

    def take(self, out: Mapping[str, Place] = NOBODY) -> list[Slot]:
        slots = self._sets()
        while not slots and not self._over and all(void(slot, out) for slot in self._waiting):
            self._draw_round(out)
            slots = self._sets()
        return slots

    def record(self, slot: Slot, returns: Sequence[float], points: Sequence[int] = ()) -> None:
        """Tells the result of a game handed out; one of a round that is over changes nothing."""
        if slot in self._waiting and self._series is not None:
            self._waiting.remove(slot)
            self._results[slot] = returns, points
            series = self._touched[slot.members] = self._series[slot.members]
            series.record(slot, returns)

    def left_at_most(self, without: Collection[str] = ()) -> int:
        later = self.draw.meetings_left_at_most() * self._terms.most
        return later if self._series is None else later + games_left(self._series, without)

    def course(self, out: Collection[str] = ()) -> Progression:
        return self.draw.course(out)

    def _sets(self) -> list[Slot]:
        touched, self._touched = self._touched, {}
        slots = certain_sets(touched.values(), self._seed, self._maps, self._first)
        self._waiting.update(slots)
        return slots

    def _draw_round(self, out: Mapping[str, Place]) -> None:
        outcomes = [] if self._series is None else [self._outcome(m, out) for m in self._series]
        if self._series is not None:
            self._first += self._terms.sets(seats=2)
        groups = [tuple(sorted(group)) for group in self.draw.next_round(outcomes, out)]
        self._over = not groups
        self._series = {members: Series(members, self._terms) for members in groups}
        self._touched = dict(self._series)
        self._waiting = set()
        self._results = {}

    def _outcome(self, members: Members, out: Mapping[str, Place]) -> SeriesOutcome:
        wins = dict.fromkeys(members, 0)
        scores = dict.fromkeys(members, 0.0)
        points = dict.fromkeys(members, 0)
        games = 0
        for slot, (returns, natural) in self._results.items():
            if slot.members != members or void(slot, out):
                continue
            games += 1
            for seat, (name, score) in enumerate(
                zip(slot.seats, seat_scores(returns), strict=True)
            ):
                wins[name] += score == 1
                scores[name] += score
                points[name] += natural[seat] if natural else 0
        return SeriesOutcome(members, wins, scores, points, games)
