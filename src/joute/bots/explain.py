"""Explanations of a bot's choice: its options, the values it expects of them, its beliefs.

A bot that can say more than its choice has `explain(state)`, which returns its options; of every
other bot the choice is the only one. A bot that concludes from the play which cards the others hold
has `beliefs(state)`. A bot that searches a tree and can show it has `tree(state, plies)`, which
returns the root of its first so many plies, or turns where these are what it searches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from joute.bots import Choice
from joute.core.interface import determinize, observe, play, properties
from joute.core.random import generator

WORLDS = 1000  # states drawn to estimate hidden hands


class Option(NamedTuple):
    """A line that a bot considered, which begins with its own action, or with its whole turn."""

    line: tuple[int, ...]
    value: float | None = None  # its own expected result: from -1, lost, to 1, won
    visits: int | None = None  # simulations, or random games, that began with it
    depth: int | None = None  # plies or turns looked ahead


class SearchNode(NamedTuple):
    """A place in the tree of a search, with those below it, the best first.

    `state` is the one that the search was in; of what is hidden from the bot it holds what the bot
    imagined.
    """

    line: tuple[int, ...]  # actions and outcomes since the node above; () at the root
    state: list[int]
    value: float | None  # for the player of `line`, in units of the search
    visits: int | None  # simulations that came here
    ways: int  # to go on from here, that the search knows
    children: tuple[SearchNode, ...]  # none below the last ply that was asked for


class Belief(NamedTuple):
    """The probability that another player holds a card, in the bot's view."""

    player: int
    card: int
    probability: float


def after(game: Any, state: Any, line: tuple[int, ...]) -> list[int]:
    """The state after some actions and outcomes."""
    reached = [int(word) for word in state]
    for action in line:
        play(game, reached, action)
    return reached


def ranked(nodes: Iterable[SearchNode]) -> tuple[SearchNode, ...]:
    """Nodes below one, the best first: by visits where they are counted, else by value."""
    return tuple(sorted(nodes, key=lambda node: (-(node.visits or 0), -(node.value or 0.0))))


def options_of(bot: Any, state: np.ndarray) -> list[Option]:
    """The options of a bot, its choice first. `state` is as for `play`."""
    if hasattr(bot, "explain"):
        options: list[Option] = bot.explain(state)
        return options
    return [option_of(bot.play(state))]


def option_of(choice: Choice) -> Option:
    """The option that was chosen."""
    turn = choice.action if isinstance(choice.action, list) else [choice.action]
    return Option(choice.line or tuple(turn), choice.value)


def beliefs_of(bot: Any, game: Any, state: np.ndarray, player: int, seed: int = 1) -> list[Belief]:
    """The beliefs of a bot about hidden hands; without its own `beliefs(state)`, as `beliefs`."""
    if hasattr(bot, "beliefs"):
        found: list[Belief] = bot.beliefs(state)
        return found
    return beliefs(game, state, player, seed=seed)


def beliefs(
    game: Any, state: Any, player: int, worlds: int = WORLDS, seed: int = 1
) -> list[Belief]:
    """The cards that others may hold, the likeliest of each first; none where no hand is hidden.

    Searches by determinization believe so: nothing is concluded from how others played.
    """
    facts = properties(game)
    if not facts.hidden_information or "hand" not in observe(game, list(state), player):
        return []
    rng = generator(seed)
    found: list[Counter[int]] = [Counter() for _ in range(facts.players)]
    for _ in range(worlds):
        world = list(state)
        determinize(game, world, player, rng)
        for other in range(facts.players):
            if other != player:
                found[other].update(set(observe(game, world, other)["hand"]))
    return [
        Belief(other, card, count / worlds)
        for other, cards in enumerate(found)
        for card, count in sorted(cards.items(), key=lambda each: (-each[1], each[0]))
    ]
