"""A transposition table: what was found of states met before, by a hash of their words.

Hashes have 62 free bits; two states of one hash are taken for each other, which among 2^30 states
happens with probability below 2^-3 once a table is full of them, and is accepted, as everywhere.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int64, uint64
from numba.extending import overload

from joute.core.compiled import kernel
from joute.core.random import INLINE

EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # what a stored value is to the state's value
LONG = 32  # words of a state that is hashed in four quarters
_MASK = (1 << 64) - 1
_SET = 1 << 62  # no hash is 0, which stands for an empty place
_FACTOR = 0x9E3779B97F4A7C15  # 2^64 / golden ratio


class Table(NamedTuple):
    """Entries by hash; a newer one replaces an older. All arrays have 2^k places."""

    keys: np.ndarray  # int64, the whole hash; 0 where nothing is stored
    values: np.ndarray  # float64, for the player to move
    facts: np.ndarray  # int64: 8 * depth + 4 * whole + bound
    actions: np.ndarray  # int32, the best action found


def table(size_log2: int) -> Table:
    """An empty table of 2^size_log2 entries of 28 bytes."""
    size = 1 << size_log2
    return Table(
        np.zeros(size, np.int64),
        np.zeros(size),
        np.zeros(size, np.int64),
        np.zeros(size, np.int32),
    )


@kernel
def key_of(state):
    """As `hashed`, of a whole state, for callers outside of kernels."""
    return hashed(state, state.size)


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


@overload(hashed, jit_options=INLINE)
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


@overload(_mixed, jit_options=INLINE)
def _compiled_mixed(found, word):
    def compiled(found, word):
        found = (found ^ word) * uint64(_FACTOR)
        return found ^ (found >> uint64(32))

    return compiled
