"""Games of self-play are complete, legal and the same for the same seed."""

import numpy as np
import pytest

from joute.core.interface import OVER, legal_actions, mover
from joute.core.registry import make
from joute.games.virus.players.evaluation import fitted
from joute.games.virus.players.spread import spread
from joute.learn.self_play import WHOLE, Player, joined, self_play

pytestmark = pytest.mark.game("virus")

GAME = make("virus", size=6)


def played(seed, games=3):
    return self_play(GAME, Player(fitted(), spread(), 1.0), seed, games, simulations=20)


def test_the_same_seed_plays_the_same_games():
    one, same, other = played(1), played(1), played(2)
    for field, again in zip(one, same, strict=True):
        assert np.array_equal(field, again)
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


def test_the_shares_of_a_position_are_of_its_legal_actions_and_add_up():
    found = played(1, games=8)
    for state, shares in zip(found.states, found.shares, strict=True):
        assert set(np.flatnonzero(shares).tolist()) <= set(legal_actions(GAME, state.tolist()))
        assert abs(int(shares.sum()) - WHOLE) <= shares.size / 2


def test_a_value_that_is_certain_is_large():
    found = played(1, games=8)
    ends = np.flatnonzero(found.last)
    won = np.where(found.movers == 0, found.results, -found.results)[ends]
    assert (found.values[ends][won > 0] > 5).all()
    assert (np.abs(found.values) < 20).all()


def test_parts_are_joined_in_order():
    one, two = played(1), played(2)
    both = joined([one, two])
    assert np.array_equal(both.states, np.concatenate([one.states, two.states]))
    assert both.last.sum() == 6
