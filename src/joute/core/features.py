"""Features: the observation of a player as an array of numbers, for those who learn from it.

A game has `features` of its own: planes of a board, counts, cards that are known. For a game
without them they are made from its observation by feature hashing: every value of the observation
adds to one of HASHED places, which its path and, but for a number, the value itself choose
(Weinberger and others, "Feature hashing for large scale multitask learning", 2009). Features are
from -1 to 1. Two states that a player cannot tell apart have equal features either way.
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.interface import has_rule, observe, operation, plain

HASHED = 512  # features of a game that has none of its own


@operation
def features(game, state, player, out):
    """Writes what `player` sees of a state to `out`, float32 and 0 everywhere before.

    `out` is the array of `features_shape`, flat. A game that has this has `features_shape` too.
    """
    raise NotImplementedError(f"{type(game).__name__} does not implement features")


@plain
def features_shape(game: Any) -> tuple[int, ...]:
    """The shape of a player's features."""
    return (HASHED,)


def features_of(
    game: Any, state: Any, player: int, compiled: bool = False
) -> npt.NDArray[np.float32]:
    """The features of a state for `player`: float32 of `features_shape`.

    With `compiled`, `state` is an array, and a game's own features are compiled: they take seconds
    at first, and then microseconds.
    """
    out = np.zeros(features_shape(game), np.float32)
    if compiled and has_rule(type(game), "features"):
        _write_compiled(game, state, player, out.reshape(-1))
    else:
        _write(game, state, player, out.reshape(-1))
    return out


def batch_features(
    game: Any, states: np.ndarray, players: np.ndarray, out: np.ndarray, low: int, high: int
) -> None:
    """Writes to `out` (float32[n, features]) what `players` see of the states low..high - 1.

    Where a player is negative, as of a game that is over, the features are 0.
    """
    if has_rule(type(game), "features"):
        _write_features(game, states, players, out, low, high)
        return
    for number in range(low, high):
        out[number] = 0.0
        if players[number] >= 0:
            _write(game, states[number].tolist(), int(players[number]), out[number])


def _write(game: Any, state: Any, player: int, out: np.ndarray) -> None:
    if has_rule(type(game), "features"):
        features(game, state, player, out)
        return
    place, sign = _place("")  # a constant: no observation is nothing but zeros
    out[place] += sign
    for path, value in _leaves("", observe(game, state, player)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            place, sign = _place(f"{path}={value}")
            out[place] += sign
        else:
            place, sign = _place(path)
            out[place] += sign * value
    out /= 1.0 + np.abs(out)


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The plain values of an observation with their paths; a text has one a character."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(f"{path}.{key}", each)
    elif isinstance(value, list | str) and len(value) != 1:
        for number, each in enumerate(value):
            yield from _leaves(f"{path}.{number}", each)
    elif isinstance(value, list):
        yield from _leaves(f"{path}.0", value[0])
    else:
        yield path, value


@lru_cache(1 << 16)
def _place(path: str) -> tuple[int, float]:
    """A place and a sign for a path, the same everywhere."""
    number = int.from_bytes(hashlib.blake2b(path.encode(), digest_size=8).digest(), "big")
    return number % HASHED, 1.0 if number >> 63 else -1.0


@kernel
def _write_compiled(game, state, player, out):
    features(game, state, player, out)


@kernel
def _write_features(game, states, players, out, low, high):
    for number in range(low, high):
        row, player = out[index(number)], int(players[index(number)])
        row[:] = 0.0
        if player >= 0:
            features(game, states[index(number)], player, row)
