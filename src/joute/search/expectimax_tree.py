"""The kernel of expectimax: its stack, a row a level, and the steps that go down and up in it.

What it finds is said in `expectimax`. A level is a turn of a player, or chance's. Of every outcome
at a level of chance bounds are kept. An outcome can only matter to the level within a window: the
others' bounds say which (Ballard's Star1). Where the level has a window, all outcomes are *probed*
first: of the player's turns that follow one only the first is looked at, which bounds the outcome's
value for him from below, and often shows the level to be out of its window (Star2).
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import CHANCE, OVER, chances, inline, mover, pending, play, properties
from joute.search.evaluation import bounds, evaluate
from joute.search.outcomes import thin
from joute.search.turns import turns
from joute.search.windows import decided, recall, remember

LEVELS = 96  # turns and outcomes of chance in a line; it is cut off there
INFINITY = float("inf")

LEVEL, ENTERING, NODES = 0, 1, 2  # places in Work.control


class Work(NamedTuple):
    """The search's stack, a row a level; one per thread. A level is a turn, or chance's."""

    control: np.ndarray  # int64[3]: level, is it just entered, nodes so far
    states: np.ndarray  # the game's dtype [levels + 1, words]; the last is of leaves
    actions: np.ndarray  # int32[levels, most_actions], of turns one after the other; or outcomes
    ends: np.ndarray  # int32[levels, most_turns], where each ends
    weights: np.ndarray  # float64[levels, max_outcomes], the outcomes' probabilities
    lows: np.ndarray  # float64[levels, max_outcomes], bounds of their values; equal where known
    highs: np.ndarray  # float64[levels, max_outcomes]
    chance: np.ndarray  # int64[levels], 1 where chance decides
    probing: np.ndarray  # int64[levels], 1 where the outcomes are being probed, and at the level
    # below, of whose turns only the first is looked at
    counts: np.ndarray  # int64[levels], turns or outcomes
    tries: np.ndarray  # int64[levels], how many of them were taken so far
    hints: np.ndarray  # int64[levels], the one to be taken first
    tried: np.ndarray  # int64[levels], the one that leads to the next level
    players: np.ndarray  # int64[levels], whose values these are
    depths: np.ndarray  # int64[levels], turns left
    alphas: np.ndarray  # float64[levels]
    floors: np.ndarray  # float64[levels], alpha when the level was entered
    betas: np.ndarray  # float64[levels]
    values: np.ndarray  # float64[levels], the best so far, or the mean of chance
    best: np.ndarray  # int32[levels], the best turn
    whole: np.ndarray  # int64[levels], 1 while no line below was cut off by the depth
    keys: np.ndarray  # int64[levels], hashes


def work(game: Any, state: np.ndarray, generator: Any) -> Work:
    """A stack for states like `state` and the turns of `generator`."""
    outcomes = properties(game).max_outcomes

    def ints(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    return Work(
        control=ints(3),
        states=np.zeros((LEVELS + 1, state.size), state.dtype),
        actions=np.zeros((LEVELS, max(generator.most_actions, outcomes)), np.int32),
        ends=np.zeros((LEVELS, max(generator.most_turns, outcomes)), np.int32),
        weights=np.zeros((LEVELS, max(outcomes, 1))),
        lows=np.zeros((LEVELS, max(outcomes, 1))),
        highs=np.zeros((LEVELS, max(outcomes, 1))),
        chance=ints(LEVELS),
        probing=ints(LEVELS),
        counts=ints(LEVELS),
        tries=ints(LEVELS),
        hints=ints(LEVELS),
        tried=ints(LEVELS),
        players=ints(LEVELS),
        depths=ints(LEVELS),
        alphas=np.zeros(LEVELS),
        floors=np.zeros(LEVELS),
        betas=np.zeros(LEVELS),
        values=np.zeros(LEVELS),
        best=np.zeros(LEVELS, np.int32),
        whole=ints(LEVELS),
        keys=ints(LEVELS),
    )


@kernel
def advance(game, generator, evaluation, work, table, keep, budget):
    """Go on with the search in `work` until it ends or has visited `budget` nodes in all.

    Return whether it ended; then the root's value, turn and whether its lines are whole stand at
    level 0. An unfinished search holds there the best of the root's turns that were finished.
    Of more than `keep` outcomes of chance so many quantiles are looked at; 0: all outcomes are.
    The stack is explicit, so that a search can stop anywhere and go on. Leaves take no level of it.
    """
    level, entering, nodes = work.control[LEVEL], work.control[ENTERING], work.control[NODES]
    while True:
        here = index(level)
        chance = work.chance[here] == 1
        if entering:
            if nodes >= budget:
                break
            nodes += 1
            entering = 0
            done = False
            if chance:
                _toss(game, evaluation, work, keep, here)
            else:
                done = recall(game, work, table, level) or decided(game, evaluation, work, level)
                if done:
                    work.probing[here] = 0
                else:
                    _list(game, generator, work, table, here)
        elif chance:
            done = _settled(work, here)
        else:
            done = work.tries[here] == work.counts[here] or work.values[here] >= work.betas[here]
            if done:
                work.probing[here] = 0
            elif work.probing[here]:
                done = True
                work.betas[here] = work.values[here]  # so that it is remembered as a bound
            if done:
                remember(work, table, here)
        if done:
            if level == 0:
                work.control[LEVEL], work.control[ENTERING], work.control[NODES] = 0, 0, nodes
                return True
            player, value, whole = work.players[here], work.values[here], work.whole[here]
            probed = not chance and work.probing[here] == 1
            level -= 1
        else:
            if nodes >= budget:
                break
            state = work.states[index(level + 1)]
            copy(state, work.states[here])
            begin, end = _next(work, here)
            for place in range(begin, end):
                play(game, state, int(work.actions[here, index(place)]))
            player = mover(game, state)
            depth = work.depths[here]
            if not chance and pending(game, state) == 0:
                depth -= 1
            if player != OVER and (player == CHANCE or depth > 0) and level + 1 < LEVELS:
                level += 1
                entering = 1
                _enter(work, level, player, depth)
                continue
            nodes += 1
            probed = False
            whole = int(player == OVER)
            if player < 0:  # it is worth to its last mover what it is worth
                player = work.players[here]
            value = evaluate(evaluation, game, state, player)
        _take(work, index(level), player, value, whole, probed)
    work.control[LEVEL], work.control[ENTERING], work.control[NODES] = level, entering, nodes
    return False


@inline
def _enter(work, level, player, depth):
    """Give a level its player, depth and window; those of level 0 are the caller's of `advance`."""
    here, above = index(level), index(level - 1)
    alpha, beta = work.alphas[above], work.betas[above]
    work.probing[here] = 0
    if work.chance[above] == 1:
        alpha, beta = _window(work, above)
        work.probing[here] = work.probing[above]
    work.depths[here] = depth
    work.chance[here] = int(player == CHANCE)
    if player == CHANCE:
        player = work.players[above]
    work.players[here] = player
    if player == work.players[above]:
        work.alphas[here], work.betas[here] = alpha, beta
    else:
        work.alphas[here], work.betas[here] = -beta, -alpha


@inline
def _window(work, here):
    """Where the value of the outcome that is tried must lie to matter, by the others' bounds."""
    tried = work.tried[here]
    low = high = 0.0
    for each in range(work.counts[here]):
        if each != tried:
            low += work.weights[here, index(each)] * work.lows[here, index(each)]
            high += work.weights[here, index(each)] * work.highs[here, index(each)]
    weight = work.weights[here, index(tried)]
    return (work.alphas[here] - high) / weight, (work.betas[here] - low) / weight


@inline
def _settled(work, here):
    """Whether a level of chance is out of its window, or all outcomes are known; then its value.

    If not, the next outcome to be tried is one that is not known.
    """
    lows, highs = work.lows[here], work.highs[here]
    low = high = 0.0
    for each in range(work.counts[here]):
        low += work.weights[here, each] * lows[each]
        high += work.weights[here, each] * highs[each]
    if high <= work.alphas[here] or low == high:
        work.values[here] = high
        return True
    if low >= work.betas[here]:
        work.values[here] = low
        return True
    if work.probing[here] and work.tries[here] == work.counts[here]:
        work.probing[here], work.tries[here] = 0, 0
    while work.tries[here] < work.counts[here]:
        each = index(work.tries[here])
        if lows[each] < highs[each]:
            return False
        work.tries[here] += 1
    work.values[here] = low
    return True


@inline
def _list(game, generator, work, table, here):
    """List the turns of a level, the best of last time to be tried first."""
    work.counts[here] = turns(
        generator, game, work.states[here], work.actions[here], work.ends[here]
    )
    place = index(work.keys[here] & (table.keys.size - 1))
    known = table.keys[place] == work.keys[here] and table.actions[place] >= 0
    work.hints[here] = table.actions[place] if known else 0
    work.tries[here] = 0
    work.values[here] = -INFINITY
    work.floors[here] = work.alphas[here]
    work.best[here] = -1
    work.whole[here] = 1


@inline
def _toss(game, evaluation, work, keep, here):
    """List the outcomes of chance at a level, with what bounds the values of all that follows."""
    state, outcomes, weights = work.states[here], work.actions[here], work.weights[here]
    count = thin(outcomes, weights, chances(game, state, outcomes, weights), keep)
    lowest, highest = bounds(evaluation, game, state, work.players[here])
    for each in range(count):
        work.ends[here, each] = each + 1
        work.lows[here, each], work.highs[here, each] = lowest, highest
    work.counts[here] = count
    work.hints[here] = 0
    work.tries[here] = 0
    work.whole[here] = 1
    bounded = work.alphas[here] > -INFINITY or work.betas[here] < INFINITY
    work.probing[here] = int(bounded and work.depths[here] > 0)


@inline
def _next(work, here):
    """Choose what a level tries next; return where its actions begin and end.

    The hint comes first, then the others in the order listed.
    """
    tries, hint = work.tries[here], work.hints[here]
    chosen = hint if tries == 0 else tries - (tries <= hint)
    work.tries[here] = tries + 1
    work.tried[here] = chosen
    begin = work.ends[here, index(chosen - 1)] if chosen > 0 else 0
    return begin, work.ends[here, index(chosen)]


@inline
def _take(work, here, player, value, whole, probed):
    """Let a level know the value, for `player`, of what it has tried.

    If it was probed, that is only what `player` can be sure of.
    """
    own = player == work.players[here]
    if not own:
        value = -value
    work.whole[here] &= whole
    tried = index(work.tried[here])
    if work.chance[here] == 1:
        if own or not probed:
            work.lows[here, tried] = value
        if not own or not probed:
            work.highs[here, tried] = value
    elif value > work.values[here]:
        work.values[here] = value
        work.best[here] = work.tried[here]
        work.alphas[here] = max(value, work.alphas[here])
