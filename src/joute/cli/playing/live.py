"""A game in real time at this terminal: people steer by keys, in rounds of the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from joute.cli.playing.asking import Left, rules_pages
from joute.cli.playing.display import Display, size
from joute.cli.playing.session import TerminalGame
from joute.cli.terminal import waiting
from joute.i18n.words import say
from joute.play.game import GameResult, GameSpec
from joute.play.preparing import remember
from joute.play.seats import open_seat
from joute.play.steering import (
    DOWN,
    DOWNSTAIRS,
    LEFT,
    RIGHT,
    UP,
    UPSTAIRS,
    RoundClock,
    warm_up,
)
from joute.play.thinkers import Thinkers
from joute.play.timeline import Step

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
RULES = frozenset({"?", "h", "H"})  # letters that steer no bike; in a pause, R too
MOST_PEOPLE = 2  # as many as there are sets of keys

Keys = Callable[[float], list[str]]
"""Waits for keys, for so many seconds at most; the names of those pressed."""


class RealTimeGame(TerminalGame):
    """A game at `speed` rounds a second; keys and clock are those of the terminal."""

    def __init__(
        self,
        spec: GameSpec,
        display: Display,
        label: str,
        speed: float,
        keys: Keys = waiting,
        clock: Callable[[], float] = time.monotonic,
        thinkers: Thinkers | None = None,
    ) -> None:
        super().__init__(spec, display, label, thinkers=thinkers, waits=True)
        self._keys = keys
        self._clock = clock
        self._rounds = RoundClock(speed, self.people, (), clock)
        self._rounds.attach(self._wait_for_keys, self._counted)
        self._said = ""
        self._size = (0, 0)

    def run(self) -> GameResult:
        """Plays the game; its last moment stays on the screen for a while."""
        with self._display.open():
            self._said = say("play.ready")
            self._draw()
            self._wait_for_bots()
            for seat in self.spec.bots:
                warm_up(self.game, seat.bot)
                remember(self.game, seat.bot)
            self._said = ""
            result = self.play(opener=open_seat)
            self._said = say("play.over")
            self._rest()
        return result

    def _wait_for_bots(self) -> None:
        """Shows which bot is being compiled, until none is: in real time none is waited for.

        Raises Left.
        """
        self._have_compiled()
        for place, seat in enumerate(self.spec.bots):
            while self._compiling(seat.bot):
                self._said = self._waited_for(place)
                self._draw()
                if LEAVE.intersection(self._keys(LOOK_SECONDS)):
                    raise Left

    def _rest(self) -> None:
        """Until it was seen, or somebody wants to go on; keys that still steer do nothing."""
        due = self._clock() + OVER_SECONDS
        self._draw()
        while (left := due - self._clock()) > 0:
            if set(self._keys(min(left, LOOK_SECONDS))) & {" ", "\n", "\r", *LEAVE}:
                return

    def ask(self, game: Any, state: Any, player: int) -> int:
        """The key pressed, or straight ahead, when the round's time is up."""
        return self._rounds.choose(game, state, player)

    def heard(self, step: Step | None) -> None:
        """Shows the round that was played; one without people takes its time all the same."""
        self._draw()
        self._rounds.follow(self.game, self.timeline.state)

    def _counted(self) -> None:
        """Shows the countdown, then the keys."""
        if self._rounds.left:
            self._said = say("play.countdown", left=self._rounds.left)
        else:
            self._said = say("play.live_keys.two" if len(self.people) > 1 else "play.live_keys")
        self._draw()

    def _wait_for_keys(self, seconds: float) -> None:
        end = self._clock() + seconds
        while (left := end - self._clock()) > 0:
            pressed = self._keys(min(left, LOOK_SECONDS))
            if size() != self._size:
                self._draw()
            if LEAVE.intersection(pressed):
                raise Left
            for key in pressed:
                self._steer(key)
            if (PAUSE | RULES).intersection(pressed):
                paused = self._pause(rules=not RULES.isdisjoint(pressed))
                self._rounds.delay(paused)
                end += paused

    def _steer(self, key: str) -> None:
        for place, seat in enumerate(self.people):
            keys = ARROWS if place == 0 else LETTERS
            if len(self.people) == 1:
                keys = ARROWS | LETTERS
            if (turn := keys.get(key.lower())) is not None:
                self._rounds.steer(seat, turn)

    def _pause(self, rules: bool) -> float:
        """Returns when the game may go on: after how many seconds; shows the `rules` first."""
        said, self._said = self._said, say("play.paused")
        began = self._clock()
        if rules:
            self._rules()
        self._draw()
        while True:
            pressed = self._keys(LOOK_SECONDS)
            if size() != self._size:
                self._draw()
            if LEAVE.intersection(pressed):
                raise Left
            if PAUSE.intersection(pressed):
                break
            if (RULES | {"r", "R"}).intersection(pressed):
                self._rules()
                self._draw()
        self._said = said
        self._draw()
        return self._clock() - began

    def _rules(self) -> None:
        """Shows the rules, a page for each key. Raises Left."""
        view = self.view(self.game, self.timeline.state, self._viewer)
        for page, prompt in rules_pages(self.game, view):
            self._display.show(page._replace(said=prompt.strip()))
            while not (pressed := self._keys(LOOK_SECONDS)):
                pass
            if LEAVE.intersection(pressed):
                raise Left

    def _draw(self) -> None:
        self._size = size()
        view = self.view(self.game, self.timeline.state, self._viewer)
        self._display.show(view._replace(log=[], said=self._said))
