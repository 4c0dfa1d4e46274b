"""A built-in bot that plays in somebody else's program, which keeps the game: it is only asked."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from joute import bots
from joute.core.interface import expand, start
from joute.host.names import parse_bot


class OutsidePlayer:
    """A built-in bot at a seat of a game, asked about one state after the other."""

    def __init__(
        self, bot: str, game: Any, player: int, move_seconds: float, seed: int | None = None
    ) -> None:
        """Makes the bot.

        Args:
            bot: as people write it, `builtin:NAME?OPTION=VALUE`.
            game: the rules.
            player: the seat.
            move_seconds: CPU that a turn may take, of which the bot usually takes a share.
            seed: of the bot's own generator; None for a random one.

        Raises BotError or BuiltinError.
        """
        spec = parse_bot(bot)
        drawn = secrets.randbits(53) if seed is None else seed
        seat = bots.Seating(game, player, drawn, move_seconds)
        self._game = game
        self._dtype = start(game).dtype
        self._bot = bots.make(spec.name, spec.options, seat)
        self._view = bots.View(seat)

    def choose(self, state: list[int]) -> list[int]:
        """The bot's actions in a state where it is to act: one, or those of its whole turn.

        What its player cannot know may be anything in the state: it is drawn anew.
        """
        choice = self._bot.play(np.array(self._view.of(state), self._dtype))
        return expand(self._game, state, choice.action)
