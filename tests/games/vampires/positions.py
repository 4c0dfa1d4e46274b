"""States of Vampires in the middle of games, for tests of searches."""

from itertools import islice
from random import Random

import numpy as np
from games.vampires.plain_turns import listed, outcomes

from joute.core.interface import CHANCE, OVER, mover, play, start
from joute.core.registry import make
from joute.games.vampires.players.orders import orders


def course(game, seed):
    """The states of a game in which both play orders of the generator at random, from the start.

    Only those where a player is to begin a turn.
    """
    rng, generator = Random(seed), orders(game)
    state = start(game).tolist()
    while mover(game, state) != OVER:
        if mover(game, state) == CHANCE:
            found = outcomes(game, state)
            weights = [weight for _, weight in found]
            play(game, state, rng.choices([each for each, _ in found], weights)[0])
            continue
        yield state.copy()
        for action in rng.choice(listed(generator, game, state)):
            play(game, state, action)


def position(map_text, turns, seed, **parameters):
    """A game and the last state of a course after at most so many turns."""
    game = make("vampires", map=map_text, **parameters)
    *_, state = islice(course(game, seed), turns + 1)
    return game, np.array(state, start(game).dtype)
