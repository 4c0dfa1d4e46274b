"""States in the middle of random games, for tests of searches."""

import random

import numpy as np

from joute.core.interface import OVER, legal, mover, play, properties, start
from joute.core.registry import make


def position(size, plies, seed, voluntary_pass=True):
    """A game of Virus and the state after some random plies (stones while there are any)."""
    game = make("virus", size=size, voluntary_pass=voluntary_pass)
    rng = random.Random(seed)
    state = start(game).tolist()
    play(game, state, rng.randrange(2))
    out = [0] * properties(game).max_legal
    for _ in range(plies):
        count = legal(game, state, out)
        stones = [action for action in out[:count] if action != size * size]
        after = state.copy()
        play(game, after, rng.choice(stones or [size * size]))
        if mover(game, after) == OVER:
            break
        state = after
    return game, np.array(state, start(game).dtype)
