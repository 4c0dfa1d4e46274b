"""The checks by which searches refuse games, with the reasons."""

from typing import Any

import numpy as np

from joute.core.errors import SearchError
from joute.core.interface import (
    CHANCE,
    OVER,
    Properties,
    draw,
    mover,
    pick,
    play,
    properties,
    start,
)
from joute.core.random import generator
from joute.i18n.words import Sentence

GAMES = 3  # random ones, to see whether chance has a say


def check_open(search: str, facts: Properties) -> None:
    """Raises SearchError for a game in which something is hidden."""
    if facts.hidden_information or facts.simultaneous:
        raise SearchError(Sentence("error.search.hidden", search=search, game=facts.name))


def check_evaluation(evaluation: Any, facts: Properties, scale: float) -> None:
    """Raises SearchError where an evaluation, if there is one, cannot take a random game's place.

    `scale` is the value that is worth half a win.
    """
    if evaluation is not None and (facts.players != 2 or not facts.zero_sum):
        raise SearchError(Sentence("error.search.evaluation", game=facts.name))
    if not 0 < scale < float("inf"):
        raise SearchError(Sentence("error.search.scale", scale=scale))


def mover_of(search: str, game: Any, state: Any) -> int:
    """The player to move, for whom a search chooses. Raises SearchError if there is none."""
    player = int(mover(game, state))
    if player < 0:
        raise SearchError(Sentence("error.search.mover", search=search))
    return player


def check_duel(search: str, facts: Properties) -> None:
    """Raises SearchError unless a game is a zero-sum one for two who see everything."""
    if facts.players != 2 or not facts.zero_sum:
        raise SearchError(Sentence("error.search.zero_sum", search=search, game=facts.name))
    check_open(search, facts)


def check_chance(search: str, game: Any) -> None:
    """Raises SearchError for a game in which chance decides after a player has."""
    if chance_goes_on(game):
        raise SearchError(
            Sentence("error.search.chance", search=search, game=properties(game).name)
        )


def chance_goes_on(game: Any, games: int = GAMES) -> bool:
    """Whether chance decides after a player has; chance that says who begins does not matter.

    A few random games tell. A search that expects no chance evaluates a state where chance decides
    as if it were a leaf.
    """
    facts = properties(game)
    if not facts.chance:
        return False
    rng, weights = generator(1), np.zeros(facts.max_outcomes)
    out = np.zeros(max(facts.max_legal, facts.max_outcomes), np.int32)
    for _ in range(games):
        state, begun = start(game), False
        while (player := int(mover(game, state))) != OVER:
            if player == CHANCE:
                if begun:
                    return True
                play(game, state, draw(game, state, out, weights, rng))
            else:
                begun = True
                play(game, state, pick(game, state, out, rng))
    return False
