"""Kernels that only tests use: every operation of a game, called once."""

from typing import Any, NamedTuple

import numpy as np

from joute.core.compiled import kernel
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    determinize,
    draw,
    legal,
    mover,
    pending,
    pick,
    play,
    points,
    promise,
    properties,
    returns,
    seen,
    start,
)


class Found(NamedTuple):
    """The numbers that `look` writes."""

    numbers: np.ndarray  # int64[4 + 3 * players]
    choices: np.ndarray  # int64, legal actions or outcomes
    weights: np.ndarray  # float64
    values: np.ndarray  # float64[players]
    after: np.ndarray  # states, one row a choice
    guesses: np.ndarray  # states, one row a player


def found(game: Any) -> Found:
    """Room for what `look` writes about a state of this game."""
    facts, state = properties(game), start(game)
    most = max(facts.max_legal, facts.max_outcomes, 1)
    return Found(
        np.zeros(4 + 3 * facts.players, np.int64),
        np.zeros(most, np.int64),
        np.zeros(max(facts.max_outcomes, 1)),
        np.zeros(facts.players),
        np.zeros((most, state.size), state.dtype),
        np.zeros((facts.players, state.size), state.dtype),
    )


@kernel
def look(game, state, rng, players, found):
    """Write all that the operations say of a state; the state is left alone."""
    player = mover(game, state)
    numbers, choices = found.numbers, found.choices
    numbers[0] = player
    numbers[1], numbers[2] = pending(game, state), 0
    count = 0
    if player == CHANCE:
        count = chances(game, state, choices, found.weights)
    elif player == OVER:
        returns(game, state, found.values)
    else:
        count = legal(game, state, choices)
    numbers[3] = count
    for each in range(players):
        place = 4 + 3 * each
        numbers[place] = points(game, state, each)
        for word in range(state.size):
            found.guesses[each, word] = state[word]
        determinize(game, found.guesses[each], each, rng)
        if count > 0:
            numbers[place + 2] = 0
            for index in range(count):
                numbers[place + 2] += (index + 1) * seen(game, state, each, choices[index])
    for index in range(count):
        for word in range(state.size):
            found.after[index, word] = state[word]
        if player >= 0:
            numbers[2] += (index + 1) * promise(game, state, choices[index])
        play(game, found.after[index], choices[index])


@kernel
def once(game, state, rng, out, weights):
    """One choice of the mover, drawn as the game draws it."""
    if mover(game, state) == CHANCE:
        return draw(game, state, out, weights, rng)
    return pick(game, state, out, rng)


@kernel
def perft(game, states, actions, counts, depth):
    """The number of ways to play `depth` plies from `states[0]`; chance counts as a choice.

    `states` [depth + 1, words], `actions` [depth + 1, max_legal] and `counts` [depth + 1] are a
    stack; `counts` must be -1 at level 0.
    """
    level, total = 0, 0
    while level >= 0:
        state = states[level]
        if level == depth:
            total += 1
            level -= 1
            continue
        if counts[level] < 0:
            counts[level] = 0 if mover(game, state) == OVER else legal(game, state, actions[level])
        counts[level] -= 1
        if counts[level] < 0:
            level -= 1
            continue
        for word in range(state.size):
            states[level + 1, word] = state[word]
        counts[level + 1] = -1
        play(game, states[level + 1], actions[level, counts[level]])
        level += 1
    return total


@kernel
def draws(game, state, count, rng, seen, out, weights):
    """Count in `seen` how often each outcome comes in `count` draws."""
    for _ in range(count):
        seen[draw(game, state, out, weights, rng)] += 1
