"""Advice by a built-in bot: what it would play, and what it thinks of the game."""

from __future__ import annotations

import re
import secrets
from typing import Any, NamedTuple

import numpy as np

from joute import bots
from joute.bots.explain import Belief, Option, SearchNode, beliefs_of, options_of
from joute.bots.ladder import with_time
from joute.core.interface import describe, mover, play, properties, start
from joute.core.registry import card_of
from joute.errors import Error
from joute.host.names import BotSpec, parse_bot
from joute.i18n.figures import figure
from joute.i18n.words import Sentence, say, spoken

SECONDS = 0.5  # of thought
SLACK = 10  # a bot is told that it may take so many times as long; some take a tenth of that
ADVISERS = ("champion", "alphabeta", "ismcts", "greedy")
"""The built-in bots that advise, the best first; not each of them plays every game."""


_SEARCHED = re.compile(
    r"(?P<turn>.*): (?P<value>[+-]\d+\.\d\d) at depth (?P<depth>\d+), (?P<nodes>\d+) nodes"
    r"(?P<solved>, solved)?"
)
"""The message of a bot that searches, which is in English as records are."""


class Advice(NamedTuple):
    """The advice of a built-in bot on a state."""

    bot: str  # its name
    actions: list[int]  # what it would play: an action, or those of a whole turn
    value: float | None  # for the player to move, from -1, lost, to 1, won; None if it has none
    line: tuple[int, ...]  # the actions that it expects, those of the player to move first
    message: str


def adviser(game: Any) -> str:
    """The built-in bot that advises a player of a game, the best there is; "" if none can."""
    for name in ADVISERS:
        if _plays(name, game):
            return f"builtin:{name}"
    return ""


def _plays(name: str, game: Any) -> bool:
    if name == "champion":  # known without making it, which may take seconds of compiling
        return bool(card_of(game).champion)
    return bots.suits(name, game)


def advise(game: Any, state: Any, player: int, seconds: float = SECONDS) -> Advice | None:
    """The advice to the player to move, of the first adviser that plays the game.

    None if there is no such bot. The bot is given what the player may know, and no more; so is who
    says why.
    """
    text = adviser(game)
    if not text:
        return None
    spec = parse_bot(f"builtin:{with_time(text.removeprefix('builtin:'), seconds)}")
    seat = _seat(game, player, seconds)
    known = np.array(bots.View(seat).of(list(state)), start(game).dtype)
    choice = bots.make(spec.name, spec.options, seat).play(known)
    actions = choice.action if isinstance(choice.action, list) else [choice.action]
    return Advice(spec.name, actions, choice.value, choice.line, choice.message)


def _seat(game: Any, player: int, seconds: float) -> bots.Seating:
    return bots.Seating(game, player, secrets.randbits(32), SLACK * seconds)


class Explanation(NamedTuple):
    """The options that were considered, and what was believed of hidden cards."""

    player: int  # to move
    options: list[Option]  # what would be played first, then the rest
    beliefs: list[Belief]


class NothingToExplainError(Error, ValueError):
    """A decision that there is none of, or a bot that cannot be asked."""


def explain(game: Any, state: Any, bot: BotSpec, move_seconds: float, seed: int = 1) -> Explanation:
    """A built-in bot's view of the player's decision in a state, knowing what the player may know.

    Raises NothingToExplainError where no player is to move, and for a bot that is not built in;
    BuiltinError for one that cannot play the game.
    """
    player = int(mover(game, list(state)))
    if player < 0:
        raise NothingToExplainError(Sentence("error.explain.nobody"))
    asked, known = _asked(game, state, player, bot, move_seconds, seed)
    return Explanation(
        player, options_of(asked, known), beliefs_of(asked, game, known, player, seed)
    )


def tree(
    game: Any, state: Any, bot: BotSpec, plies: int, move_seconds: float, seed: int = 1
) -> SearchNode:
    """The first plies of what a built-in bot searches in a state, as `explain` asks it.

    Raises as `explain` does, and NothingToExplainError for a bot that has no tree to show.
    """
    player = int(mover(game, list(state)))
    if player < 0:
        raise NothingToExplainError(Sentence("error.explain.nobody"))
    asked, known = _asked(game, state, player, bot, move_seconds, seed)
    root: SearchNode | None = asked.tree(known, plies) if hasattr(asked, "tree") else None
    if root is None:
        raise NothingToExplainError(Sentence("error.explain.tree", bot=bot.name))
    return root


def _asked(
    game: Any, state: Any, player: int, bot: BotSpec, move_seconds: float, seed: int
) -> tuple[Any, np.ndarray]:
    """A built-in bot, and the state as it may know it."""
    if bot.kind != "builtin":
        raise NothingToExplainError(Sentence("error.explain.bot", bot=bot.text))
    seat = bots.Seating(game, player, seed, move_seconds)
    asked = bots.make(bot.name, bot.options, seat)
    return asked, np.array(bots.View(seat).of(list(state)), start(game).dtype)


def message_in_words(message: str) -> str:
    """A built-in bot's message in the language spoken now, where it tells of a search."""
    found = _SEARCHED.fullmatch(message)
    if found is None:
        return message
    key = "play.searched.solved" if found.group("solved") else "play.searched"
    return say(
        key,
        turn="; ".join(map(spoken, found["turn"].split("; "))),
        value=figure(float(found["value"]), 2, sign=True),
        depth=found["depth"],
        nodes=found["nodes"],
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
