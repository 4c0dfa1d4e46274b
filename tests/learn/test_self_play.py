"""Games of self-play are complete, legal and the same for the same seed."""

import numpy as np
import pytest

from joute.core.interface import OVER, mover
from joute.core.registry import make
from joute.games.virus.players import evaluation as virus
from joute.learn.self_play import joined, self_play

pytestmark = pytest.mark.game("virus")

GAME = make("virus", size=4)


def played(seed, games=3):
    return self_play(GAME, virus.fitted(), seed, games, depth=2)


def test_the_same_seed_plays_the_same_games():
    one, same, other = played(1), played(1), played(2)
    for field, again in zip(one, same, strict=True):
        assert np.array_equal(field, again, equal_nan=field.dtype == np.float32)
    assert not np.array_equal(one.states, other.states)


def test_positions_have_a_mover_and_belong_to_whole_games():
    found = played(1, games=5)
    assert found.last.sum() == 5
    assert found.last[-1]
    for state, player in zip(found.states, found.movers, strict=True):
        assert mover(GAME, state) == player != OVER
    assert set(found.results.tolist()) <= {-1.0, 0.0, 1.0}
    for game in np.split(found.results, np.flatnonzero(found.last) + 1)[:-1]:
        assert len(set(game.tolist())) == 1


def test_a_position_has_a_value_unless_its_action_was_drawn():
    found = played(1, games=8)
    assert 0 < np.isnan(found.values).sum() < found.values.size


def test_parts_are_joined_in_order():
    one, two = played(1), played(2)
    both = joined([one, two])
    assert np.array_equal(both.states, np.concatenate([one.states, two.states]))
    assert both.last.sum() == 6
