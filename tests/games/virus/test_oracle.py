"""Virus against the plain oracle, on random games of all sizes and both layouts."""

import random

import pytest
from games.virus.oracle import PASS, Oracle, number
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.core.interface import (
    OVER,
    legal,
    mover,
    observe,
    play,
    points,
    properties,
    returns,
    start,
    tell,
)
from joute.core.registry import make
from joute.games.virus.rules import VirusGrid

# Size, random games per layout and kind of pass: usually, and in the full tier.
FAST = [(3, 6), (4, 5), (5, 4), (6, 3), (7, 2), (8, 1), (9, 1), (10, 1), (11, 1), (12, 1)]
FULL = [(3, 500), (4, 400), (5, 300), (6, 150), (7, 80), (8, 40), (9, 25), (10, 25), (11, 12)]
FULL += [(12, 8), (15, 2), (20, 1)]


def games_of(size, voluntary_pass):
    """Every layout of a size."""
    games = [make("virus", size=size, voluntary_pass=voluntary_pass)]
    if size <= 10:
        games.append(VirusGrid(size, voluntary_pass))
    return games


def legal_list(game, state):
    out = [0] * properties(game).max_legal
    return out[: legal(game, state, out)]


def follow(games, rng, shy=True):
    """Play one random game of the oracle and of `games` side by side, comparing everything.

    `shy` avoids most passes by choice, which would end nearly every game early.
    """
    size, voluntary_pass = games[0].size, games[0].voluntary_pass
    starter = rng.randrange(2)
    oracle = Oracle(size, voluntary_pass, starter)
    states = [start(game).tolist() for game in games]
    for game, state in zip(games, states, strict=True):
        play(game, state, starter)
    while not oracle.over:
        expected = oracle.legal()
        action = rng.choice(expected)
        if shy and action == PASS and rng.randrange(4):
            action = expected[0]
        chosen = number(action, size)
        turned = [] if action == PASS else [list(cell) for cell in oracle.turned(action)]
        for game, state in zip(games, states, strict=True):
            assert mover(game, state) == oracle.to_move
            assert legal_list(game, state) == [number(each, size) for each in expected]
            told = tell(game, state, 0, chosen)
            assert (told["player"], told["action"]) == (oracle.to_move, chosen)
            assert told["turned"] == turned
            play(game, state, chosen)
        oracle.play(action)
        for game, state in zip(games, states, strict=True):
            seen = observe(game, state, 0)
            assert seen["grid"] == oracle.rows()
            assert seen["scores"] == oracle.scores()
            assert seen["passes"] == oracle.passes
    lead = oracle.scores()[0] - oracle.scores()[1]
    value = float((lead > 0) - (lead < 0))
    for game, state in zip(games, states, strict=True):
        found = [0.0, 0.0]
        returns(game, state, found)
        assert mover(game, state) == OVER
        assert found == [value, -value]
        assert [points(game, state, player) for player in (0, 1)] == oracle.scores()


@pytest.mark.parametrize("voluntary_pass", [True, False])
@pytest.mark.parametrize(("size", "count"), FAST)
def test_random_games_agree_with_the_oracle(size, count, voluntary_pass):
    rng = random.Random(1000 * size + voluntary_pass)
    for _ in range(count):
        follow(games_of(size, voluntary_pass), rng)


@pytest.mark.thorough
@pytest.mark.parametrize("voluntary_pass", [True, False])
@pytest.mark.parametrize(("size", "count"), FULL)
def test_thousands_of_random_games_agree_with_the_oracle(size, count, voluntary_pass):
    rng = random.Random(f"{size} {voluntary_pass}")
    for index in range(count):
        follow(games_of(size, voluntary_pass), rng, shy=index % 4 > 0)


@given(size=st.integers(3, 7), voluntary_pass=st.booleans(), seed=st.integers(0, 2**32))
@settings(max_examples=25, derandomize=True)
def test_any_game_agrees_with_the_oracle(size, voluntary_pass, seed):
    follow(games_of(size, voluntary_pass), random.Random(seed), shy=seed % 2 == 0)
