"""How the value of Paradise is learned: games of whole turns, and a fit to how they end."""

import math

import numpy as np
import pytest

from joute.bots.paradise_evaluation import Linear
from joute.games import make
from joute.games.paradise_state import CHOOSING, DRAWING, PHASE
from joute.learn import paradise
from joute.learn.turn_games import games

pytestmark = pytest.mark.full

GAME = make("paradise")


def played(seed=1, count=400):
    return games(GAME, (Linear(), Linear()), seed, count, 50, 0.05)


def test_positions_are_those_between_turns_seen_by_both():
    found = played(count=10)
    assert set(found.states[:, PHASE]) <= {DRAWING, CHOOSING}
    assert np.array_equal(found.states[::2], found.states[1::2])
    assert np.array_equal(found.players, np.arange(found.players.size) % 2)
    assert np.array_equal(found.results[::2], -found.results[1::2])
    assert set(found.results) == {-1.0, 1.0}


def test_the_same_seed_plays_the_same_games():
    one, same, other = played(count=4), played(count=4), played(seed=2, count=4)
    assert np.array_equal(one.states, same.states)
    assert not np.array_equal(one.states, other.states)


def test_a_fit_foretells_games_that_it_has_not_seen():
    first, again = (paradise.Fit(GAME, played(), 1) for _ in range(2))
    assert first.run() == again.run() < math.log(2)
    assert np.array_equal(first.weights.inner, again.weights.inner)


def test_what_plays_no_better_is_not_promoted(monkeypatch):
    monkeypatch.setattr(paradise, "MOST_PAIRS", 20)
    assert not paradise.promoted(GAME, Linear(), Linear(), 1)
