"""Uniformly random games from a state, one after the other or several in turns.

One after the other is the simplest kernel, and the measure of a game's speed. A random game is a
chain of steps, each of which waits for the one before, with branches that no processor can foresee.
Steps of different games wait for nothing of each other, so games in *lanes*, one ply of each in
turn, are faster.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import CHANCE, OVER, draw, mover, pick, play, properties, start
from joute.core.interface import returns as game_returns

LANES = 8  # with 4 they wait, more are no faster


class PlayoutWork(NamedTuple):
    """The arrays that random games write to; one set per thread."""

    states: np.ndarray  # [lanes, words], as the game's states
    actions: np.ndarray  # int32[max_legal or max_outcomes, the larger]
    weights: np.ndarray  # float64[as `actions`], of outcomes or of legal actions
    returns: np.ndarray  # float64[players], of the last game that ended
    total: np.ndarray  # float64[players], summed over the games


def playout_work(game: Any, lanes: int = LANES) -> PlayoutWork:
    """Arrays for random games of this game."""
    facts, state = properties(game), start(game)
    choices = max(facts.max_legal, facts.max_outcomes, 1)
    return PlayoutWork(
        states=np.zeros((lanes, state.size), state.dtype),
        actions=np.zeros(choices, np.int32),
        weights=np.zeros(choices),
        returns=np.zeros(facts.players),
        total=np.zeros(facts.players),
    )


@kernel
def playouts(game, root, count, rng, work):
    """Plays `count` uniformly random games from `root`; returns how many plies they took in all.

    `work.total` receives the sum of the returns of each player. `rng` (uint64[2]) advances.
    """
    state, total = work.states[0], work.total
    plies = 0
    total[:] = 0.0
    for _ in range(count):
        copy(state, root)
        player = mover(game, state)
        while player != OVER:
            if player == CHANCE:
                action = draw(game, state, work.actions, work.weights, rng)
            else:
                action = pick(game, state, work.actions, rng)
            play(game, state, action)
            plies += 1
            player = mover(game, state)
        game_returns(game, state, work.returns)
        for player in range(total.size):
            total[player] += work.returns[player]
    return plies


@kernel
def lanes(game, root, count, rng, work):
    """Plays as `playouts`, in as many lanes as there are states; returns the plies of all games.

    It is equal in distribution; with one lane it is equal draw by draw.
    """
    states, total = work.states, work.total
    plies = 0
    total[:] = 0.0
    live = min(count, states.shape[0])
    waiting = count - live
    for lane in range(live):
        copy(states[lane], root)
    while live > 0:
        lane = 0
        while lane < live:
            state = states[index(lane)]
            player = mover(game, state)
            if player == OVER:
                game_returns(game, state, work.returns)
                for each in range(total.size):
                    total[each] += work.returns[each]
                if waiting > 0:
                    waiting -= 1
                    copy(state, root)
                else:
                    live -= 1
                    if lane < live:
                        copy(state, states[index(live)])
                continue
            if player == CHANCE:
                action = draw(game, state, work.actions, work.weights, rng)
            else:
                action = pick(game, state, work.actions, rng)
            play(game, state, action)
            plies += 1
            lane += 1
    return plies
