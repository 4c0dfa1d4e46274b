"""The comparison of a game's plain Python with the same rules compiled, ply by ply.

Plain Python is run on guarded lists and arrays, and what is compiled checks every index.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from joute.core.compiled import checked_kernel
from joute.core.features import features, features_shape
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    determinize,
    draw,
    has_rule,
    legal,
    mask,
    mover,
    pick,
    play,
    properties,
    returns,
    start,
)
from joute.core.laws import LawError
from joute.core.random import generator
from joute.i18n.words import Sentence
from joute.library.guarded import Guarded, GuardedArray, GuardedGame


@checked_kernel
def _look(game: Any, state: Any, actions: Any, weights: Any, values: Any) -> tuple[int, int]:
    """The mover, how many choices there are, and the choices and their weights, in place."""
    player = mover(game, state)
    count = 0
    if player == CHANCE:
        count = chances(game, state, actions, weights)
    elif player != OVER:
        count = legal(game, state, actions)
    else:
        returns(game, state, values)
    return player, count


@checked_kernel
def _play_compiled(game: Any, state: Any, action: int) -> None:
    play(game, state, action)


@checked_kernel
def _features_compiled(game: Any, state: Any, player: int, out: Any) -> None:
    features(game, state, player, out)


def compare(game: Any, actions: list[int]) -> None:
    """Plays a sequence in plain Python and compiled.

    Raises LawError where they part or where an index is out of range that plain Python does not
    see, and IndexError where it does.
    """
    facts, guard = properties(game), GuardedGame(game)
    plain, state = Guarded(start(game).tolist()), start(game)
    most = max(facts.max_legal, facts.max_outcomes, 1)
    out, weights = np.zeros(most, np.int32), np.zeros(max(facts.max_outcomes, 1))
    values = np.zeros(facts.players)
    for number, action in enumerate([*actions, None]):
        with guard:
            expected = _facts(guard.game, plain)
            _try_others(guard.game, plain, number)
        with _bounds(game, plain, expected.operation):
            player, count = _look(game, state, out, weights, values)
        found = _Facts(int(player), out[:count].tolist(), weights[:count].tolist(), values.tolist())
        _compare_facts(game, plain, found, expected)
        if has_rule(type(game), "features"):
            _compare_features(game, guard, plain, state)
        if action is None:
            return
        with guard:
            play(guard.game, plain, action)
        _check_range(game, plain, state)
        with _bounds(game, plain, "play"):
            _play_compiled(game, state, action)
        _same(game, plain, "play", state.tolist(), [int(each) for each in plain])


def compile_play(game: Any) -> None:
    """Compiles what `compare` plays with: an alarm during its games may not fall into that."""
    _play_compiled.bound(game, start(game), 0)


class _Facts(NamedTuple):
    """The answers that a state gives."""

    player: int
    choices: list[int]
    weights: list[float]
    values: list[float]

    @property
    def operation(self) -> str:
        """The one that is asked besides the mover."""
        return {CHANCE: "chances", OVER: "returns"}.get(self.player, "legal")


def _facts(game: Any, state: list[int]) -> _Facts:
    facts = properties(game)
    player = int(mover(game, state))
    if player == OVER:
        values = Guarded([0.0] * facts.players)
        returns(game, state, values)
        return _Facts(player, [], [], [float(each) for each in values])
    if player == CHANCE:
        out, weights = Guarded([0] * facts.max_outcomes), Guarded([0.0] * facts.max_outcomes)
        count = chances(game, state, out, weights)
        return _Facts(player, out[:count], weights[:count], [])
    out = Guarded([0] * facts.max_legal)
    return _Facts(player, out[: legal(game, state, out)], [], [])


def _compare_facts(game: Any, plain: list[int], found: _Facts, expected: _Facts) -> None:
    _same(game, plain, "mover", found.player, expected.player)
    if expected.player == OVER:
        _same(game, plain, "returns", found.values, expected.values)
        return
    _same(game, plain, expected.operation, found.choices, expected.choices)
    if expected.player == CHANCE:
        _same(game, plain, "chances", found.weights, expected.weights)


def _try_others(game: Any, state: list[int], seed: int) -> None:
    """Runs the other rules of a state, of which only the indices matter here."""
    facts, rng = properties(game), generator(seed)
    player = mover(game, state)
    room = Guarded([0] * max(facts.max_legal, facts.max_outcomes))
    if player == CHANCE:
        draw(game, state, room, Guarded([0.0] * facts.max_outcomes), rng)
    elif player != OVER:
        pick(game, state, room, rng)
        mask(game, state, np.zeros(facts.max_actions, np.bool_).view(GuardedArray), room)
    for each in range(facts.players):
        determinize(game, Guarded(state), each, rng)


@contextmanager
def _bounds(game: Any, state: list[int], name: str) -> Iterator[None]:
    """Tells an index out of range in compiled code as a law."""
    try:
        yield
    except IndexError:
        told = Sentence("error.law.outside", name=name)
        raise LawError(game, state, told, name) from None


def _compare_features(game: Any, guard: GuardedGame, plain: list[int], state: np.ndarray) -> None:
    size = int(np.prod(features_shape(game)))
    for player in range(properties(game).players):
        one, other = np.zeros(size, np.float32), np.zeros(size, np.float32)
        with guard:
            features(guard.game, plain, player, one.view(GuardedArray))
        with _bounds(game, plain, "features"):
            _features_compiled(game, state, player, other)
        _same(game, plain, "features", other.tolist(), one.tolist())


def _check_range(game: Any, plain: list[int], state: np.ndarray) -> None:
    """Finds a number that the array of `start` has no room for: compiled, it would be another."""
    bounds = np.iinfo(state.dtype)
    for value in plain:
        if not bounds.min <= value <= bounds.max:
            told = Sentence("error.law.range", value=value, type=state.dtype)
            raise LawError(game, plain, told, "start")


def _same(game: Any, state: list[int], name: str, compiled: Any, plain: Any) -> None:
    if compiled != plain:
        told = Sentence("error.law.compiled", name=name, compiled=compiled, plain=plain)
        raise LawError(game, state, told, name)


def compiled_speed(game: Any) -> float:
    """Plies a second of compiled random games."""
    from joute.search.playouts import playout_work, playouts

    room, rng, root = playout_work(game), generator(1), start(game)
    playouts(game, root, 1, rng, room)
    begun, plies = time.thread_time(), 0
    while (spent := time.thread_time() - begun) < 0.2:
        plies += playouts(game, root, 10, rng, room)
    return plies / spent


def plain_speed(game: Any) -> float:
    """Plies a second of random games in plain Python."""
    from joute.search.playouts import playout_work, playouts

    room, rng, root = playout_work(game), generator(1), start(game)
    begun, plies = time.thread_time(), 0
    while (spent := time.thread_time() - begun) < 0.2:
        plies += playouts.function(game, root, 1, rng, room)
    return plies / spent
