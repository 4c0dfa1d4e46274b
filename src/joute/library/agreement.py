"""The comparison of a game's plain Python with the same rules compiled, ply by ply."""

from __future__ import annotations

import linecache
import sys
import time
from typing import Any

import numpy as np

from joute.core.compiled import kernel
from joute.core.features import features, features_shape
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    has_rule,
    legal,
    mover,
    play,
    properties,
    returns,
    start,
)
from joute.core.laws import LawError
from joute.core.random import generator
from joute.i18n.words import Sentence


class Guarded(list[int]):
    """A state that refuses to be counted from its end, but by a number in the source: `state[-1]`.

    Compiled code reads another place, or memory that is not the state's, where an index that was
    computed is negative.
    """

    def __getitem__(self, place: Any) -> Any:
        _refuse_negative(place)
        return super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        _refuse_negative(place)
        super().__setitem__(place, value)


def _refuse_negative(place: Any) -> None:
    if isinstance(place, slice) or place >= 0:
        return
    frame = sys._getframe(2)
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    if f"[{place}]" not in line:
        raise IndexError(f"index {place} is negative")


@kernel
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


@kernel
def _play_compiled(game: Any, state: Any, action: int) -> None:
    play(game, state, action)


@kernel
def _features_compiled(game: Any, state: Any, player: int, out: Any) -> None:
    features(game, state, player, out)


def compare(game: Any, actions: list[int]) -> None:
    """Plays a sequence in plain Python and compiled. Raises LawError where they part."""
    facts = properties(game)
    plain, state = Guarded(start(game).tolist()), start(game)
    most = max(facts.max_legal, facts.max_outcomes, 1)
    out, weights = np.zeros(most, np.int32), np.zeros(max(facts.max_outcomes, 1))
    values = np.zeros(facts.players)
    for action in [*actions, None]:
        player, count = _look(game, state, out, weights, values)
        _compare_facts(game, plain, int(player), out[:count].tolist(), weights, values)
        if has_rule(type(game), "features"):
            _compare_features(game, plain, state)
        if action is None:
            return
        play(game, plain, action)
        _check_range(game, plain, state)
        _play_compiled(game, state, action)
        _same(game, plain, "play", state.tolist(), [int(each) for each in plain])


def _compare_facts(
    game: Any, plain: list[int], player: int, choices: list[int], weights: Any, values: Any
) -> None:
    facts = properties(game)
    expected = int(mover(game, plain))
    _same(game, plain, "mover", player, expected)
    if expected == OVER:
        ends = [0.0] * facts.players
        returns(game, plain, ends)
        _same(game, plain, "returns", values.tolist(), [float(each) for each in ends])
    elif expected == CHANCE:
        out, given = [0] * facts.max_outcomes, [0.0] * facts.max_outcomes
        count = chances(game, plain, out, given)
        _same(game, plain, "chances", choices, out[:count])
        _same(game, plain, "chances", weights[:count].tolist(), given[:count])
    else:
        out = [0] * facts.max_legal
        _same(game, plain, "legal", choices, out[: legal(game, plain, out)])


def _compare_features(game: Any, plain: list[int], state: np.ndarray) -> None:
    size = int(np.prod(features_shape(game)))
    for player in range(properties(game).players):
        one, other = np.zeros(size, np.float32), np.zeros(size, np.float32)
        features(game, plain, player, one)
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
