"""The verifier's rules of Virus against Joute's, on random games."""

import random

import pytest

from joute.core.interface import CHANCE, OVER, describe, legal, mover, openings, play, points, start
from joute.core.registry import make
from joute.play.chance import Streams
from verifier.verify_virus import Chance, Virus

pytestmark = pytest.mark.game("virus")


@pytest.mark.parametrize("voluntary_pass", [True, False])
@pytest.mark.parametrize("size", [3, 4, 5, 7, 10, 12])
def test_random_games_go_alike(size, voluntary_pass):
    game = make("virus", size=size, voluntary_pass=voluntary_pass)
    for seed in range(60 // size):
        rng = random.Random(seed)
        state = start(game).tolist()
        ours = Virus(size, voluntary_pass)
        ours.mover = int(rng.random() < 0.5)
        assert mover(game, state) == CHANCE
        play(game, state, ours.mover)
        while (player := mover(game, state)) != OVER:
            out = [0] * (size * size + 1)
            actions = out[: legal(game, state, out)]
            assert (player, actions) == (ours.mover, ours.legal())
            assert openings(game, state) == (ours.stones() or [ours.pass_])
            # A fault is a pass, even where none is legal.
            action = size * size if rng.random() < 0.15 else rng.choice(actions)
            assert describe(game, state, action) == ours.text(action)
            play(game, state, action)
            ours.play(action)
            assert ours.points() == [points(game, state, 0), points(game, state, 1)]
        assert ours.over


def test_draws_are_those_of_the_referee():
    game = make("virus", size=5)
    for seed in range(50):
        theirs, ours = Streams(f"{seed:032x}"), Chance(f"{seed:032x}")
        assert ours.starter() == theirs.outcome(game, start(game).tolist())
        assert 2 + ours.opening(3) == theirs.opening_length(game, (2, 4))
        assert ours.opening(100) == theirs._below("opening", 100)
