"""Expectimax over whole orders of Vampires vs Werewolves. Rows of `bench vampires`."""

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from bench.rows import Row
from joute.bots import Seating
from joute.bots.expectimax import THIN
from joute.core.interface import CHANCE, OVER, draw, mover, play, properties, start
from joute.core.random import generator
from joute.core.registry import make
from joute.games.vampires.players.evaluations import evaluations
from joute.games.vampires.players.nearest import NearestBot
from joute.games.vampires.players.orders import orders
from joute.search.expectimax_search import Expectimax

NODES = 200_000  # a position
ROUNDS = 3
EVERY = 4  # turns between two positions
POSITIONS = 6
AIMS = {"material": 4e6, "reach": 0.8e6}  # nodes a second
NAMES = {"material": "units alone", "reach": "with distances"}


def positions(game: Any, count: int = POSITIONS, seed: int = 1) -> list[np.ndarray]:
    """The first state, and others of a game in which each goes to the nearest humans."""
    facts, rng = properties(game), generator(seed)
    outcomes, weights = np.zeros(facts.max_outcomes, np.int32), np.zeros(facts.max_outcomes)
    players = [NearestBot(Seating(game, player, seed, 1.0)) for player in (0, 1)]
    state, turns, found = start(game), 0, []
    while len(found) < count and (player := int(mover(game, state))) != OVER:
        if player == CHANCE:
            play(game, state, draw(game, state, outcomes, weights, rng))
            continue
        if turns % EVERY == 0:
            found.append(state.copy())
        turns += 1
        for action in players[player].play(state).action:
            play(game, state, action)
    return found


def search_row(game: Any, evaluation: str, nodes: int = NODES, rounds: int = ROUNDS) -> Row:
    """Nodes a second, leaves included; every position is looked at without what others taught."""
    states, taken = positions(game), []
    for _ in range(rounds):
        searches = [
            Expectimax(game, state, orders(game), evaluations(game)[evaluation].make(), THIN)
            for state in states
        ]
        searches[0].search(states[0], nodes=1)  # compiled, or loaded
        began = process_time()
        visited = sum(
            search.search(state, nodes=nodes).nodes
            for search, state in zip(searches, states, strict=True)
        )
        taken.append(visited / (process_time() - began))
    rate, aim = median(taken), AIMS[evaluation]
    name = f"expectimax, {NAMES[evaluation]}"
    against = "whole orders, 11 x 9"
    return Row(name, rate, "nodes/s", against, aim=f"{aim:,.0f}", met=rate >= aim)


def rows() -> Iterator[Row]:
    """A row an evaluation: some seconds."""
    game = make("vampires")
    for evaluation in AIMS:
        yield search_row(game, evaluation)
