"""Hashes of states: the same compiled or not, different for states that differ."""

import numpy as np
import pytest

from joute.core.compiled import kernel
from joute.search.transpositions import LONG, hashed

SIZES = [1, 6, LONG - 1, LONG, LONG + 1, LONG + 3, 421]


@kernel
def compiled_hash(state, size):
    return hashed(state, size)


@pytest.mark.parametrize("dtype", [np.int16, np.int64, np.uint8])
@pytest.mark.parametrize("size", SIZES)
def test_compiled_and_pure_python_hash_alike(size, dtype):
    state = np.arange(3, 3 + size).astype(dtype)
    if dtype != np.uint8:
        state[::2] *= -1
    assert compiled_hash(state, size) == hashed(state.tolist(), size)
    assert 2**62 <= hashed(state.tolist(), size) < 2**63


@pytest.mark.parametrize("size", SIZES)
def test_a_word_that_differs_makes_another_hash(size):
    state = [7] * size
    found = {hashed(state, size)}
    for place in range(size):
        for word in (-1, 0, 8):
            other = [*state[:place], word, *state[place + 1 :]]
            found.add(hashed(other, size))
    assert len(found) == 3 * size + 1


def test_words_that_change_places_make_another_hash():
    state = list(range(1, 1 + 4 * LONG))
    found = {hashed(state[shift:] + state[:shift], len(state)) for shift in range(len(state))}
    assert len(found) == len(state)


def test_every_place_of_a_table_can_be_taken():
    places = {hashed([word, 0], 2) & 63 for word in range(1000)}
    assert places == set(range(64))
