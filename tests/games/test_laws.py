"""The laws of the interface on every game; compiled and pure Python agree; the laws can fail."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from games.broken import FAULTS, Broken
from games.kernels import found, look, once
from games.pennies import Pennies
from games.poker import Poker
from games.samples import samples
from helpers import some

from joute.core.errors import GameError
from joute.core.interface import (
    CHANCE,
    OVER,
    mover,
    parameters,
    play,
    properties,
    start,
)
from joute.core.laws import LawError, check_play
from joute.core.random import generator
from joute.core.registry import make, names
from joute.search.playouts import playout_work, playouts

TINY = [Poker(), Poker(ante=3), Pennies()]
QUICK = [*TINY, *(game for each in samples().values() for game in each.QUICK)]
LARGE = [game for each in samples().values() for game in each.LARGE]


def seeds(game):
    """The number of random games of a game that are played usually, and in the full tier."""
    if game in TINY:
        return (40, 200) if properties(game).chance else (20, 100)
    return samples()[properties(game).name].seeds(game)


def called(game):
    """A short name for a game."""
    values = parameters(game)
    said = [f"{key}={value}" for key, value in values.items() if key != "map"]
    return " ".join([properties(game).name, *str(values.get("map", "")).split()[3:4], *said])


@pytest.mark.parametrize("game", QUICK, ids=called)
def test_the_laws_hold_on_random_games(game):
    for seed in range(seeds(game)[0]):
        check_play(game, seed)


@pytest.mark.full
@pytest.mark.parametrize("game", some(LARGE, 2), ids=called)
def test_the_laws_hold_on_large_boards(game):
    check_play(game, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("game", QUICK, ids=called)
def test_the_laws_hold_on_many_random_games(game):
    for seed in range(100, 100 + seeds(game)[1]):
        check_play(game, seed)


def test_every_registered_game_is_tested_here():
    assert {properties(game).name for game in QUICK} >= set(names())


def test_a_game_is_made_again_from_its_parameters():
    for game in [*QUICK, *LARGE]:
        if game not in TINY:
            again = make(properties(game).name, **parameters(game))
            assert parameters(again) == parameters(game)
    assert names() == sorted(names())


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("viruss", {}, "did you mean 'virus'"),
        ("go", {}, "there is no game 'go'"),
        ("virus", {"sise": 5}, "no parameter 'sise'"),
        ("virus", {"size": 2}, "size must be in 3..20, got 2"),
        ("virus", {"size": 21}, "size must be in 3..20, got 21"),
        ("virus", {"size": True}, "size must be in 3..20, got True"),
        ("virus", {"size": "10"}, "size must be in 3..20, got '10'"),
        ("virus", {"voluntary_pass": 1}, "must be true or false, got 1"),
    ],
)
def test_a_game_that_cannot_be_made_is_refused(name, values, words):
    with pytest.raises(GameError, match=words):
        make(name, **values)


# Compiled and pure Python.


def both(game, run):
    """The results of `run` with the compiled kernels, and with the plain functions."""
    return run(game, playouts, look, once), run(
        game, playouts.function, look.function, once.function
    )


def playing(game, playouts, _look, _once, count=4):
    rng, room = generator(7), playout_work(game)
    plies = playouts(game, start(game), count, rng, room)
    return plies, room.total.tolist(), rng.tolist()


def looking(game, _playouts, look, once):
    """Everything that the operations say of every state of a random game."""
    rng, state, seen = generator(3), start(game), []
    out = np.zeros(properties(game).max_actions + 5, np.int32)
    weights = np.zeros(max(properties(game).max_outcomes, 1))
    while True:
        room = found(game)
        look(game, state, rng, properties(game).players, room)
        seen.append([array.tolist() for array in room])
        if mover(game, state) == OVER:
            return seen, rng.tolist()
        play(game, state, once(game, state, rng, out, weights))


@pytest.mark.parametrize("run", [playing, looking])
@pytest.mark.parametrize("game", QUICK, ids=called)
def test_compiled_and_pure_python_agree(game, run):
    compiled, pure = both(game, run)
    assert compiled == pure


@pytest.mark.thorough
@pytest.mark.parametrize("game", [*QUICK, *LARGE], ids=called)
def test_compiled_and_pure_python_agree_on_many_playouts(game):
    def run(game, *kernels):
        return playing(game, *kernels, count=max(2, 2000 // properties(game).max_plies))

    compiled, pure = both(game, run)
    assert compiled == pure


@pytest.mark.full
@pytest.mark.parametrize("setting", some(["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"], 2))
def test_the_laws_hold_with(setting):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    tests = "laws_hold_on_random"
    if setting != "NUMBA_DISABLE_JIT":  # there is nothing compiled to agree with
        tests += " or pure_python_agree"
    known = {key: os.environ[key] for key in ("PATH", "HOME", "JOUTE_CACHE") if key in os.environ}
    ended = subprocess.run(
        [*command, __file__, "-k", tests],
        env={**known, setting: "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr
    assert " passed" in ended.stdout


# The laws can fail.


def test_a_game_without_a_fault_passes():
    for seed in range(5):
        check_play(Broken(), seed)


@pytest.mark.parametrize(("fault", "law"), FAULTS.items())
def test_a_broken_law_is_found(fault, law):
    with pytest.raises(LawError, match=law):
        for seed in range(10):
            check_play(Broken(fault), seed)


def test_own_laws_see_every_state():
    states = []
    actions = check_play(Poker(), 1, lambda state: states.append(state.copy()))
    assert len(states) == len(actions)
    assert mover(Poker(), states[0]) == CHANCE
