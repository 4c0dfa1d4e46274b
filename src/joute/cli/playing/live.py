"""A game in real time: rounds come by themselves, keys steer.

The referee plays as ever. It asks a person once a round, and is answered when the round's time is
up: with the key pressed, or straight ahead.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from joute.cli import terminal
from joute.cli.playing.asking import Left
from joute.cli.playing.desk import Desk, size
from joute.cli.playing.session import Session
from joute.core.interface import OVER, mover
from joute.i18n.words import say
from joute.play.game import GameResult, GameSpec
from joute.play.steering import (
    COUNTDOWN,
    DOWN,
    DOWNSTAIRS,
    LEFT,
    RIGHT,
    UP,
    UPSTAIRS,
    Steering,
    timed,
    warm_up,
)

OVER_SECONDS = 4.0  # that the end stays on the screen
LOOK_SECONDS = 0.25  # between two looks at the size of the terminal

ARROWS = {
    "left": LEFT, "up": UP, "right": RIGHT, "down": DOWN,
    "page up": UPSTAIRS, "page down": DOWNSTAIRS, "+": UPSTAIRS, "-": DOWNSTAIRS,
}  # fmt: skip
LETTERS = {
    "a": LEFT, "w": UP, "d": RIGHT, "s": DOWN, "r": UPSTAIRS, "f": DOWNSTAIRS,
    "j": LEFT, "i": UP, "l": RIGHT, "k": DOWN, "u": UPSTAIRS, "o": DOWNSTAIRS,
}  # fmt: skip
LEAVE = frozenset({"q", "Q", "\x04", "eof"})
PAUSE = frozenset({" ", "p", "P"})
MOST_PEOPLE = 2  # as many as there are sets of keys

Keys = Callable[[float], list[str]]
"""Waits for keys, for so many seconds at most; the names of those pressed."""


class Live(Session):
    """A game at `speed` rounds a second; keys and clock are those of the terminal."""

    def __init__(
        self,
        spec: GameSpec,
        desk: Desk,
        label: str,
        speed: float,
        keys: Keys = terminal.waiting,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(spec, desk, label)
        self._step = 1 / speed
        self._keys = keys
        self._clock = clock
        self._steering = Steering(self._people)
        self._timing = timed(self._game)
        self._due = 0.0  # when the coming round is to be played
        self._timed = -1  # the last round that was waited for
        self._said = ""
        self._size = (0, 0)

    def run(self) -> GameResult:
        """Play the game; its last moment stays on the screen for a while."""
        with self._desk.open():
            self._said = say("play.ready")
            self._draw()
            for seat in self._spec.bots:
                warm_up(self._game, seat.bot)
            self._said = ""
            result = self._play()
            self._said = say("play.over")
            self._rest()
        return result

    def _rest(self) -> None:
        """Until it was seen, or somebody wants to go on; keys that still steer do nothing."""
        due = self._clock() + OVER_SECONDS
        self._draw()
        while (left := due - self._clock()) > 0:
            if set(self._keys(min(left, LOOK_SECONDS))) & {" ", "\n", "\r", *LEAVE}:
                return

    # What the referee calls.

    def _ask(self, game: Any, state: Any, player: int) -> int:
        self._wait_for(int(self._timing.rounds(game, state)))
        return self._steering.direction(game, state, player)

    def _announce(self) -> None:
        """Show the round that was played; one without people takes its time all the same."""
        player = int(mover(self._game, self._state))
        if player == OVER:
            return
        played = int(self._timing.rounds(self._game, self._state))
        driving = self._timing.driving(self._game, self._state)
        if played and self._timed < played and not set(driving) & set(self._people):
            self._wait_for(played)
        else:
            self._draw()

    # Time and keys.

    def _wait_for(self, number: int) -> None:
        """Returns when round `number` is to be played; counts down before the first one."""
        if self._timed == number:
            return
        if self._timed < 0:
            for left in range(COUNTDOWN, 0, -1):
                self._said = say("play.countdown", left=left)
                self._until(self._clock() + 1.0)
            self._said = say("play.live_keys.two" if len(self._people) > 1 else "play.live_keys")
        else:
            self._until(self._due)
        self._timed = number
        self._due = max(self._due, self._clock() - self._step) + self._step
        self._draw()

    def _until(self, due: float) -> None:
        self._due = due
        self._draw()
        while (left := self._due - self._clock()) > 0:
            self._take(self._keys(min(left, LOOK_SECONDS)))

    def _take(self, pressed: list[str]) -> None:
        if size() != self._size:
            self._draw()
        for key in pressed:
            if key in LEAVE:
                raise Left
            if key in PAUSE:
                self._pause()
            self._steer(key)

    def _steer(self, key: str) -> None:
        for place, seat in enumerate(self._people):
            keys = ARROWS if place == 0 else LETTERS
            if len(self._people) == 1:
                keys = ARROWS | LETTERS
            if (turn := keys.get(key.lower())) is not None:
                self._steering.steer(seat, turn)

    def _pause(self) -> None:
        said, self._said = self._said, say("play.paused")
        left = self._due - self._clock()
        self._draw()
        while True:
            pressed = self._keys(LOOK_SECONDS)
            if size() != self._size:
                self._draw()
            if LEAVE.intersection(pressed):
                raise Left
            if PAUSE.intersection(pressed):
                break
        self._said = said
        self._due = self._clock() + left
        self._draw()

    def _draw(self) -> None:
        self._size = size()
        view = self.view(self._game, self._state, self._viewer)
        self._desk.show(view._replace(log=[], said=self._said))
