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
from games.tron.maps import ALL, DUEL
from games.vampires.maps import CROWD, FIELD, LINE, PAIR, RANDOM, SMALL, TALL

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
from joute.games.love_letter.state import LoveLetter
from joute.games.virus.rules import Virus, VirusGrid
from joute.search.playouts import playout_work, playouts

SIZES = (3, 5, 7, 10)
TINY = [Poker(), Poker(ante=3), Pennies()]
BITS = [Virus(size, passing) for size in SIZES for passing in (True, False)]
GRIDS = [VirusGrid(size, passing) for size in (3, 4, 6) for passing in (True, False)]
LARGE = [VirusGrid(size, passing) for size in (12, 20) for passing in (True, False)]
TRON = [make("tron", map=text, players=0) for text in ALL.values()]
TRON += [
    make("tron", map=ALL["crowd"], players=5, order="simultaneous", teams=[[0, 1], [2, 3, 4]]),
    make("tron", map=ALL["tower"], players=2, order="turns", trail="vanish"),
    make("tron", map=ALL["tower"], players=1),
    make("tron", map=DUEL, players=1),
]
LOVE_LETTER = [make("love-letter", players=players) for players in range(2, 7)]
LOVE_LETTER += [make("love-letter", players=players, deck="classic") for players in (2, 3, 4)]
LOVE_LETTER += [make("love-letter", players=players, tokens=2) for players in (2, 6)]
PARADISE = [make("paradise"), make("paradise", quirks=True)]
VAMPIRES = [make("vampires", map=text, plies=10) for text in (PAIR, LINE, SMALL, FIELD)]
VAMPIRES += [
    make("vampires", map=FIELD, plies=20, split=False),
    make("vampires", map=CROWD, plies=2, wrap_counts=True),
    make("vampires", map=CROWD, plies=10, split=False),
]
MEDIUM = [
    make("vampires", plies=20),
    make("vampires", plies=60, split=False),
    make("vampires", map=RANDOM, plies=10),
    make("vampires", map=TALL, plies=20, wrap_counts=True),
]
QUICK = [*TINY, *BITS, *GRIDS, *LOVE_LETTER, *PARADISE, *TRON, *VAMPIRES]
SEEDS = {Poker: 40, Pennies: 20, LoveLetter: 6}


def seeds(game):
    """How many random games of a game are played: more of the short ones."""
    if type(game) in SEEDS:
        return SEEDS[type(game)]
    if properties(game).name in ("paradise", "vampires"):
        return 3
    return 8 if properties(game).name == "tron" or game.size < 6 else 2


def called(game):
    """A short name for a game."""
    facts = properties(game)
    if facts.name not in ("tron", "vampires"):
        return str(game)
    values = parameters(game)
    if facts.name == "vampires":
        split = "split" if game.split else "whole"
        return f"vampires {game.rows} x {game.columns} {split} {game.plies}"
    return f"{values['map'].split()[3]} {facts.players} {values['order']} {values['trail']}"


@pytest.mark.parametrize("game", [*QUICK, VirusGrid(12, False)], ids=called)
def test_the_laws_hold_on_random_games(game):
    long = properties(game).max_plies > 250 and properties(game).name != "vampires"
    for seed in range(1 if long else seeds(game)):
        check_play(game, seed)


@pytest.mark.full
@pytest.mark.parametrize("game", [*LARGE, *MEDIUM], ids=called)
def test_the_laws_hold_on_large_boards(game):
    check_play(game, 1)


@pytest.mark.full
@pytest.mark.parametrize("game", QUICK, ids=called)
def test_the_laws_hold_on_many_random_games(game):
    for seed in range(100, 100 + 5 * seeds(game)):
        check_play(game, seed)


def test_every_registered_game_is_tested_here():
    assert {properties(game).name for game in QUICK} >= set(names())


def test_a_game_is_made_again_from_its_parameters():
    for game in [*BITS, *LARGE]:
        assert make("virus", **parameters(game)) == game
    assert names() == sorted(names())


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("virsu", {}, "did you mean 'virus'"),
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
    """What `run` gives with the compiled kernels, and with the plain functions."""
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
@pytest.mark.parametrize("game", [*QUICK, VirusGrid(12, True)], ids=called)
def test_compiled_and_pure_python_agree(game, run):
    compiled, pure = both(game, run)
    assert compiled == pure


@pytest.mark.full
@pytest.mark.parametrize("game", [*QUICK, *LARGE, *MEDIUM], ids=called)
def test_compiled_and_pure_python_agree_on_many_playouts(game):
    def run(game, *kernels):
        return playing(game, *kernels, count=max(2, 2000 // properties(game).max_plies))

    compiled, pure = both(game, run)
    assert compiled == pure


@pytest.mark.full
@pytest.mark.parametrize("setting", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_the_laws_hold_with(setting):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    tests = "laws_hold_on_random or pure_python_agree"
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
    actions = check_play(Virus(3), 1, lambda state: states.append(state.copy()))
    assert len(states) == len(actions)
    assert mover(Virus(3), states[0]) == CHANCE
