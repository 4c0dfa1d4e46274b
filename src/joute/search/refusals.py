"""What games searches refuse that do not average over chance."""

from typing import Any

import numpy as np

from joute.core.interface import CHANCE, OVER, draw, mover, pick, play, properties, start
from joute.core.random import generator

GAMES = 3  # random ones, to see whether chance has a say


def chance_goes_on(game: Any, games: int = GAMES) -> bool:
    """Whether chance decides after a player has: that it says who begins, is no matter.

    A few random games are looked at; a search that is told otherwise takes a state where chance
    decides for one to be judged.
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
