"""A level that is ready plays for a built-in bot whose code is still being compiled.

That is for games with people alone, who would have to wait: matches and contests wait. The line of
such an action in the record names the bot that chose it, under the key `stand_in`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from joute import bots
from joute.bots.ladder import levels, player_at
from joute.host.names import parse_bot
from joute.host.protocol import Answer
from joute.play.seats import InlineSeat, answer
from joute.play.thinkers import Thinkers

RANDOM = "builtin:random"  # plays any game


def stand_in(game: Any) -> str:
    """The strongest level of a game that has nothing to compile, as people write it."""
    ready = tuple(each for each in levels(game) if bots.interpreted(each.partition("?")[0], game))
    try:
        return player_at(game, len(ready), ready) if ready else RANDOM
    except bots.BuiltinError:  # none of them plays a game of these parameters
        return RANDOM


class PreparedSeat(InlineSeat):
    """The seat of a built-in bot that `thinkers` compile while the game is going on.

    It is made when it is first asked and compiled; until then another plays for it, unless people
    `wait`. With `at_once` it is made when the game begins.
    """

    def __init__(
        self,
        bot: str,
        game: Any,
        thinkers: Thinkers,
        waits: Callable[[], bool],
        at_once: bool = False,
    ) -> None:
        super().__init__(parse_bot(bot), game)
        self._name = bot
        self._thinkers = thinkers
        self._waits = waits
        self._at_once = at_once
        self._beginning: dict[str, Any] = {}  # the message by which the bots begin
        self._made = False
        self._other: InlineSeat | None = None  # who plays for it

    def start(self, message: dict[str, Any]) -> Answer:
        self._beginning, self._made, self._other = message, self._at_once, None
        return super().start(message) if self._at_once else answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        if self._thinkers.pending(self._game, self._name) and not self._waits():
            return self._stood_in(state, message)
        with self._thinkers.turn(self._game, self._name):
            if not self._made:
                super().start(self._beginning)
                self._made = True
            return super().ask(state, message)

    def _stood_in(self, state: list[int], message: dict[str, Any]) -> Answer:
        name = stand_in(self._game)
        if self._other is None:
            self._other = InlineSeat(parse_bot(name), self._game)
            self._other.start(self._beginning)
        found = self._other.ask(state, message)
        self.thought = self._other.thought
        return replace(found, stand_in=name)
