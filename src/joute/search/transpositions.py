"""Transpositions: a table of the states met before, and the levels of a search that use it.

States are found by a hash of their words, of 62 free bits. Two states of one hash are taken for
each other, which among 2^30 states happens with probability below 2^-3 once a table is full of
them, and is accepted, as everywhere.

A level is a row in the stack of a search with windows; the stacks have arrays of the same names,
and nothing else of them is used here.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int64, uint64

from joute.core.arrays import index
from joute.core.compiling import shared_overload
from joute.core.interface import inline
from joute.core.random import INLINE
from joute.search.evaluation import bounds

EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # how a stored value compares to the state's
LONG = 32  # words of a state that is hashed in four quarters
_MASK = (1 << 64) - 1
_SET = 1 << 62  # no hash is 0, which stands for an empty place
_FACTOR = 0x9E3779B97F4A7C15  # 2^64 / golden ratio


class Transpositions(NamedTuple):
    """Entries by hash; a newer one replaces an older. All arrays have 2^k places."""

    keys: np.ndarray  # int64, the whole hash; 0 where nothing is stored
    values: np.ndarray  # float64, for the player to move
    facts: np.ndarray  # int64: 8 * depth + 4 * whole + bound
    actions: np.ndarray  # int32, the best action found


def transpositions(size_log2: int) -> Transpositions:
    """An empty table of 2^size_log2 entries of 28 bytes."""
    types = np.int64, np.float64, np.int64, np.int32
    return Transpositions(*(np.zeros(1 << size_log2, each) for each in types))


def hashed(state: Any, size: int) -> int:
    """A hash of the first `size` words of a state, in 2^62..2^63 - 1; its low bits say a place.

    Of long states four quarters are hashed on their own, word by word in turn, so that a processor
    can do so at the same time.
    """
    quarter = size // 4 if size >= LONG else 0
    one = two = three = four = size
    for place in range(quarter):
        one = _mixed(one, int(state[place]))
        two = _mixed(two, int(state[quarter + place]))
        three = _mixed(three, int(state[2 * quarter + place]))
        four = _mixed(four, int(state[3 * quarter + place]))
    found = size
    if quarter > 0:
        found = _mixed(_mixed(_mixed(_mixed(found, one), two), three), four)
    for place in range(4 * quarter, size):
        found = _mixed(found, int(state[place]))
    return (found >> 2) | _SET


def _mixed(found: int, word: int) -> int:
    found = ((found ^ (word & _MASK)) * _FACTOR) & _MASK
    return found ^ (found >> 32)


@shared_overload(hashed, INLINE)
def _compiled_hashed(state, size):
    def compiled(state, size):
        quarter = size // 4 if size >= LONG else 0
        one = two = three = four = uint64(size)
        for place in range(quarter):
            one = _mixed(one, uint64(int64(state[place])))
            two = _mixed(two, uint64(int64(state[quarter + place])))
            three = _mixed(three, uint64(int64(state[2 * quarter + place])))
            four = _mixed(four, uint64(int64(state[3 * quarter + place])))
        found = uint64(size)
        if quarter > 0:
            found = _mixed(_mixed(_mixed(_mixed(found, one), two), three), four)
        for place in range(4 * quarter, size):
            found = _mixed(found, uint64(int64(state[place])))
        return int64(found >> uint64(2)) | _SET

    return compiled


@shared_overload(_mixed, INLINE)
def _compiled_mixed(found, word):
    def compiled(found, word):
        found = (found ^ word) * uint64(_FACTOR)
        return found ^ (found >> uint64(32))

    return compiled


@inline
def recall(work, table, level):
    """Whether the table knows the value of a level's state well enough; then the level takes it."""
    here = index(level)
    key = hashed(work.states[here], work.states.shape[1])
    work.keys[here] = key
    place = index(key & (table.keys.size - 1))
    if level == 0 or table.keys[place] != key:
        return False
    facts, value = table.facts[place], table.values[place]
    bound, whole = facts & 3, (facts >> 2) & 1
    if not whole and facts >> 3 < work.depths[here]:
        return False
    work.values[here] = value
    work.whole[here] = whole
    return (
        bound == EXACT
        or (bound == AT_LEAST and value >= work.betas[here])
        or (bound == AT_MOST and value <= work.alphas[here])
    )


@inline
def decided(game, evaluation, work, level):
    """Whether all that can follow is outside a level's window; if so, the level takes its bound."""
    here = index(level)
    lowest, highest = bounds(evaluation, game, work.states[here], work.players[here])
    work.values[here] = highest if highest <= work.alphas[here] else lowest
    work.whole[here] = 1
    return level > 0 and (highest <= work.alphas[here] or lowest >= work.betas[here])


@inline
def remember(work, table, here):
    """Puts the result of a finished level into the table."""
    value = work.values[here]
    bound = EXACT
    if value >= work.betas[here]:
        bound = AT_LEAST
    elif value <= work.floors[here]:
        bound = AT_MOST
    place = index(work.keys[here] & (table.keys.size - 1))
    table.keys[place] = work.keys[here]
    table.values[place] = value
    table.facts[place] = 8 * work.depths[here] + 4 * work.whole[here] + bound
    table.actions[place] = work.best[here]


@inline
def take_next(work, here):
    """Takes the action of the highest score off a level's list; the last one takes its place."""
    actions, scores = work.actions[here], work.scores[here]
    last = work.counts[here] - 1
    chosen, highest = 0, scores[0]
    for each in range(1, last + 1):
        if scores[each] > highest:
            chosen, highest = each, scores[each]
    action = actions[index(chosen)]
    actions[index(chosen)], scores[index(chosen)] = actions[index(last)], scores[index(last)]
    work.counts[here] = last
    return action
