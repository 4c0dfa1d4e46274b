"""Simulations of information-set search, a row a game. Rows of `bench love-letter` and `paradise`.

Every state is one in which a player has a choice, and is searched from an empty tree, as a bot of
0.1 seconds would.
"""

from statistics import median
from time import process_time
from typing import Any

import numpy as np

from bench.rows import Row
from joute.core.interface import CHANCE, OVER, draw, legal, mover, pick, play, properties, start
from joute.core.random import generator
from joute.search.ismcts_search import Ismcts

SECONDS = 0.1  # a search's, at the speed that is aimed at
ROUNDS = 5
STATES = 6
EVERY = 3  # choices between two states


def states(game: Any, count: int = STATES, seed: int = 1) -> list[np.ndarray]:
    """States of random games in which a player has several actions."""
    facts, rng = properties(game), generator(seed)
    out = np.zeros(max(facts.max_legal, facts.max_outcomes), np.int32)
    weights, state, choices = np.zeros(facts.max_outcomes), start(game), 0
    found: list[np.ndarray] = []
    while len(found) < count:
        player = int(mover(game, state))
        if player == OVER:
            state = start(game)
        elif player == CHANCE:
            play(game, state, draw(game, state, out, weights, rng))
        else:
            if legal(game, state, out) > 1:
                choices += 1
                if choices % EVERY == 1:
                    found.append(state.copy())
            play(game, state, pick(game, state, out, rng))
    return found


def search_row(
    game: Any, name: str, aim: int, simulations: int = 0, rounds: int = ROUNDS, count: int = STATES
) -> Row:
    """Simulations a second on one core, by CPU time; `simulations` a search, 0 for those of 0.1 s.

    The median of the rounds.
    """
    simulations = simulations or int(SECONDS * aim)
    search, roots, taken = Ismcts(game, seed=1), states(game, count), []
    for _ in range(rounds):
        began = process_time()
        for root in roots:
            search.search(root, simulations)
        taken.append(simulations * len(roots) / (process_time() - began))
    rate = median(taken)
    against = f"{count} states, {simulations:,} each"
    return Row(f"ismcts, {name}", rate, "simulations/s", against, aim=f"{aim:,}", met=rate >= aim)
