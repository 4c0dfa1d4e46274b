"""Rounds that come by themselves: a game in real time, for the people of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from joute.core.interface import OVER, mover
from joute.play.steering import COUNTDOWN, Steering, timed, warm_up


class Closed(Exception):
    """The table is closed: nobody plays on."""


class Pace:
    """`speed` rounds a second, once a countdown is over."""

    def __init__(
        self,
        speed: float,
        people: Iterable[int],
        bots: Iterable[str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.left = 0  # seconds before the first round, while it is counted down
        self._step = 1 / speed
        self._people = frozenset(people)
        self._bots = tuple(bots)
        self._clock = clock
        self._steering = Steering(self._people)
        self._due = 0.0  # when the coming round is to be played
        self._timed = -1  # the last round that was waited for
        self._wait: Callable[[float], None] = time.sleep
        self._changed: Callable[[], None] = lambda: None

    def attach(self, wait: Callable[[float], None], changed: Callable[[], None]) -> None:
        """Wait by `wait`, which may raise Closed, and tell of the countdown by `changed`."""
        self._wait, self._changed = wait, changed

    def steer(self, player: int, turn: int) -> None:
        """A player turns, in one of the coming rounds."""
        self._steering.steer(player, turn)

    def choose(self, game: Any, state: Any, player: int) -> int:
        """Where a player goes, said when the time of the round is up."""
        self._wait_for(game, int(timed(game).rounds(game, state)))
        return self._steering.direction(game, state, player)

    def follow(self, game: Any, state: Any) -> None:
        """Returns when a round in which no person chooses any more may go on."""
        if mover(game, state) == OVER:
            return
        played = int(timed(game).rounds(game, state))
        people = self._people.intersection(timed(game).driving(game, state))
        if played and self._timed < played and not people:
            self._wait_for(game, played)

    def _wait_for(self, game: Any, number: int) -> None:
        if self._timed == number:
            return
        if self._timed < 0:
            self._count_down(game)
        else:
            self._wait(max(0.0, self._due - self._clock()))
        self._timed = number
        # A round that came late does not make the next ones come in a hurry.
        now = self._clock()
        self._due = (self._due if now - self._due < self._step else now) + self._step

    def _count_down(self, game: Any) -> None:
        self.left = COUNTDOWN
        self._changed()
        for bot in self._bots:
            warm_up(game, bot)
        for left in range(COUNTDOWN, 0, -1):
            self.left = left
            self._changed()
            self._wait(1.0)
        self.left = 0
        self._due = self._clock()
        self._changed()
