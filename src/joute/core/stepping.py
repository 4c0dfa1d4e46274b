"""The kernels of a batch: games begun, stepped and played out, in arrays of them all.

What is legal is kept as masks, as lists or not at all, see `Offers`. A game that has a `mask` of
its own writes it in one go; of another the lists are kept along with the masks, so that only what
the last state offered is cleared, and what the next one offers is marked.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import (
    CHANCE,
    OVER,
    Properties,
    draw,
    inline,
    legal,
    mask,
    mover,
    pick,
    play,
)
from joute.core.interface import returns as game_returns
from joute.core.random import below

_BLOCK = 64  # games that are played, and then marked while their states are near


class Games(NamedTuple):
    """The arrays of n games that kernels write to."""

    first: np.ndarray  # the game's first state
    states: np.ndarray  # [n, length of a state]
    players: np.ndarray  # int8[n]: the mover, or OVER
    over: np.ndarray  # bool[n]: whether the game ended with the last step, or was over
    rewards: np.ndarray  # float32[n, players]
    chance: np.ndarray  # uint64[n, 2]: a generator each
    choices: np.ndarray  # uint64[n, 2]: a generator each


class Offers(NamedTuple):
    """The legal actions of n games. An array that nobody has asked for has no rows."""

    masks: np.ndarray  # bool[n, max_actions]
    actions: np.ndarray  # int32[n, max_legal], ascending; past the count, anything
    counts: np.ndarray  # int32[n]; 0 where the game is over


class Scratch(NamedTuple):
    """Room that kernels of one thread work in."""

    state: np.ndarray  # as the game's states
    actions: np.ndarray  # int32[max_legal or max_outcomes, the larger]
    weights: np.ndarray  # float64[max_outcomes]
    returns: np.ndarray  # float64[players]
    sums: np.ndarray  # float64[players]


def scratch_of(facts: Properties, first: np.ndarray) -> Scratch:
    """Room for a game whose first state is given."""
    return Scratch(
        state=first.copy(),
        actions=np.zeros(max(facts.max_legal, facts.max_outcomes, 1), np.int32),
        weights=np.zeros(max(facts.max_outcomes, 1)),
        returns=np.zeros(facts.players),
        sums=np.zeros(facts.players),
    )


@inline
def settle(game, games, at, state, scratch):
    """Plays what chance decides; the mover then, a player or OVER."""
    player = mover(game, state)
    while player == CHANCE:
        play(game, state, draw(game, state, scratch.actions, scratch.weights, games.chance[at]))
        player = mover(game, state)
    return player


@inline
def offer(game, games, offers, where, low, high, scratch):
    """As `offer_games`."""
    masks, actions, counts = offers.masks, offers.actions, offers.counts
    marked = masks.shape[0] > 0
    if counts.shape[0] == 0:
        if marked:
            masks[low:high] = False
            for number in range(low, high):
                at = index(number)
                if games.players[at] != OVER:
                    mask(game, games.states[at], masks[at], scratch.actions)
        return
    for number in range(low, high):
        at = index(number)
        if where[at]:
            if marked:
                for place in range(counts[at]):
                    masks[at, index(actions[at, index(place)])] = False
            counts[at] = 0
            if games.players[at] != OVER:
                counts[at] = legal(game, games.states[at], actions[at])
            if marked:
                for place in range(counts[at]):
                    masks[at, index(actions[at, index(place)])] = True


@kernel
def begin_games(game, games, which, low, high, scratch):
    """Begins anew those of the games low..high - 1 that `which` (bool[n]) marks."""
    for number in range(low, high):
        at = index(number)
        if which[at]:
            state = games.states[at]
            copy(state, games.first)
            player = settle(game, games, at, state, scratch)
            games.players[at] = player
            games.over[at] = player == OVER
            games.rewards[at] = 0.0


@inline
def refused(game, games, offers, actions, where, low, high, scratch):
    """As `refused_games`."""
    masks = offers.masks
    for number in range(low, high):
        at = index(number)
        if where[at] and games.players[at] != OVER:
            action, found = actions[at], False
            if masks.shape[0] > 0:
                found = 0 <= action < masks.shape[1] and masks[at, index(action)]
            else:
                count, listed = _listed(game, games, offers, at, scratch)
                for place in range(count):
                    found |= listed[index(place)] == action
            if not found:
                return number
    return -1


@inline
def _listed(game, games, offers, at, scratch):
    """The number of legal actions in a game, and the actions."""
    if offers.counts.shape[0] > 0:
        return int(offers.counts[at]), offers.actions[at]
    return int(legal(game, games.states[at], scratch.actions)), scratch.actions


@kernel
def refused_games(game, games, offers, actions, where, low, high, scratch):
    """The first of the games low..high - 1 in play in `where` whose action is illegal; or -1."""
    return refused(game, games, offers, actions, where, low, high, scratch)


@inline
def step(game, games, actions, where, restart, low, high, scratch):
    """Applies an action each to games; what is legal is as it was."""
    count = games.rewards.shape[1]
    games.rewards[low:high] = 0.0
    for number in range(low, high):
        at = index(number)
        state, player = games.states[at], games.players[at]
        games.over[at] = player == OVER
        if player != OVER and where[at]:
            play(game, state, actions[at])
            player = settle(game, games, at, state, scratch)
            if player == OVER:
                games.over[at] = True
                game_returns(game, state, scratch.returns)
                for each in range(count):
                    games.rewards[at, index(each)] = scratch.returns[index(each)]
                if restart:
                    copy(state, games.first)
                    player = settle(game, games, at, state, scratch)
            games.players[at] = player


@kernel
def step_games(game, games, offers, actions, where, restart, check, low, high, scratch):
    """Applies an action each to the games low..high - 1 in `where` (bool[n]) that are not over.

    What is legal is brought up to date. With `check`, the first game whose action is illegal is
    returned, and nothing played; -1 otherwise.
    """
    if check:
        wrong = refused(game, games, offers, actions, where, low, high, scratch)
        if wrong >= 0:
            return wrong
    begin = low
    while begin < high:
        end = min(begin + _BLOCK, high)
        step(game, games, actions, where, restart, begin, end, scratch)
        # A pass of its own: right after `play` it would wait for what that has written.
        offer(game, games, offers, where, begin, end, scratch)
        begin = end
    return -1


@kernel
def offer_games(game, games, offers, where, low, high, scratch):
    """Writes in `offers` what is legal in the games low..high - 1 in `where` (bool[n])."""
    offer(game, games, offers, where, low, high, scratch)


@kernel
def choose_games(game, games, offers, actions, low, high, scratch):
    """Draws a legal action, each as likely as the others, for the games low..high - 1.

    From the lists of `offers` where it has them, which is what the default of `pick` does.
    """
    listed = offers.counts.shape[0] > 0
    for number in range(low, high):
        at, action = index(number), 0
        if games.players[at] != OVER:
            if listed:
                rank = below(games.choices[at], offers.counts[at])
                action = int(offers.actions[at, index(rank)])
            else:
                action = pick(game, games.states[at], scratch.actions, games.choices[at])
        actions[at] = action


@kernel
def play_out_games(game, games, count, means, low, high, scratch):
    """The mean of the returns of `count` random games from each of the games low..high - 1."""
    players, state = means.shape[1], scratch.state
    for number in range(low, high):
        at = index(number)
        rng = games.choices[at]
        scratch.sums[:] = 0.0
        for _ in range(count):
            copy(state, games.states[at])
            player = mover(game, state)
            while player != OVER:
                if player == CHANCE:
                    action = draw(game, state, scratch.actions, scratch.weights, rng)
                else:
                    action = pick(game, state, scratch.actions, rng)
                play(game, state, action)
                player = mover(game, state)
            game_returns(game, state, scratch.returns)
            for each in range(players):
                scratch.sums[index(each)] += scratch.returns[index(each)]
        for each in range(players):
            means[at, index(each)] = scratch.sums[index(each)] / count
