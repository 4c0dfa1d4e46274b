"""What a built-in bot thinks of a decision: for students, and for whoever shows it to people."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from joute import bots
from joute.bots.explain import Belief, Option, beliefs_of, options_of
from joute.core.interface import describe, mover, play, properties, start
from joute.host.names import BotSpec
from joute.i18n.words import Sentence


class Explanation(NamedTuple):
    """What was considered, and what was believed of hidden cards."""

    player: int  # to move
    options: list[Option]  # what would be played first, then the rest
    beliefs: list[Belief]


class NothingToExplainError(ValueError):
    """A decision that there is none of, or a bot that cannot be asked."""


def explain(game: Any, state: Any, bot: BotSpec, move_seconds: float, seed: int = 1) -> Explanation:
    """What a built-in bot thinks of the player's decision in a state, knowing what he may know.

    Raises NothingToExplainError where no player is to move, and for a bot that is not built in;
    BuiltinError for one that cannot play the game.
    """
    player = int(mover(game, list(state)))
    if player < 0:
        raise NothingToExplainError(Sentence("error.explain.nobody"))
    if bot.kind != "builtin":
        raise NothingToExplainError(Sentence("error.explain.bot", bot=bot.name))
    table = bots.Table(game, player, seed, move_seconds)
    asked = bots.make(bot.name, bot.options, table)
    known = np.array(bots.View(table).of(list(state)), start(game).dtype)
    return Explanation(
        player, options_of(asked, known), beliefs_of(asked, game, known, player, seed)
    )


def line_in_words(game: Any, state: Any, line: tuple[int, ...]) -> list[str]:
    """The actions of a line as people write them, each in the state that it is played in.

    The line ends where chance decides, or another knows what the first does not.
    """
    words = []
    at = list(state)
    first, hidden = int(mover(game, at)), properties(game).hidden_information
    for action in line:
        player = int(mover(game, at))
        if player < 0 or (hidden and player != first):
            break
        words.append(describe(game, at, action))
        play(game, at, action)
    return words
