"""A fit learns from how games go on, and foretells games that it has not seen."""

import numpy as np
import pytest

from joute.core.registry import make
from joute.games.virus import learning as virus_learning
from joute.games.virus.players import patterns as virus_patterns
from joute.games.virus.players import policy as virus_policy
from joute.games.virus.players import weights as virus_weights
from joute.learn import fit as learn_fit
from joute.learn.fit import LAMBDA, LinearEvaluation, LinearPolicy, fit, fit_policy, targets
from joute.learn.self_play import Positions, self_play

pytestmark = pytest.mark.game("virus")

SUM = LinearEvaluation(make("virus"), virus_learning.form(), virus_learning.MOST_TERMS)


def game_of(values, movers, result):
    """The positions of one game, without their states."""
    count = len(values)
    return Positions(
        np.zeros((count, 6), np.int64),
        np.array(movers, np.int8),
        np.array(values, np.float32),
        np.zeros((count, 1), np.uint8),
        np.full(count, result, np.float32),
        np.arange(1, count + 1) == count,
    )


@pytest.mark.parametrize(("result", "chance"), [(1, 1.0), (0, 0.5), (-1, 0.0)])
def test_without_values_a_position_is_taught_the_result_for_its_mover(result, chance):
    found = targets(game_of([np.nan] * 3, [0, 1, 0], result))
    assert found == pytest.approx([chance, 1 - chance, chance])


def test_a_value_counts_beside_what_comes_later():
    found = targets(game_of([np.nan, 0.0, np.nan], [0, 1, 0], 1))
    second = (1 - LAMBDA) * 0.5 + LAMBDA * 1.0  # the chance of player 0
    assert found == pytest.approx([second, 1 - second, 1.0])


def test_games_do_not_teach_each_other():
    one, two = game_of([np.nan] * 2, [0, 1], 1), game_of([np.nan] * 2, [0, 1], -1)
    both = Positions(*(np.concatenate(pair) for pair in zip(one, two, strict=True)))
    assert targets(both) == pytest.approx([1.0, 0.0, 0.0, 1.0])


@pytest.fixture(scope="module")
def positions():
    """Some games of weights that have learned nothing."""
    player = virus_learning.player(virus_weights.first_weights())
    return self_play(SUM.game, player, 1, 60, simulations=30)


def test_a_fit_foretells_unseen_games_better_than_chance_and_is_reproducible(positions):
    first = virus_patterns.first_weights()
    fitted, again = (fit(SUM, positions, first, seed=5) for _ in range(2))
    assert np.array_equal(fitted.weights, again.weights)
    assert fitted.positions < positions.last.size
    assert fitted.loss == again.loss < np.log(2) - 0.05


def test_a_fitted_policy_likes_what_searches_liked_and_is_reproducible(positions, monkeypatch):
    first, total = virus_policy.first_weights(), LinearPolicy(
        SUM.game, virus_learning.policy_form(), virus_policy.CELLS
    )  # fmt: skip
    fitted, again = (fit_policy(total, positions, first, seed=5) for _ in range(2))
    assert np.array_equal(fitted.weights, again.weights)
    monkeypatch.setattr(learn_fit, "RATE", 0.0)
    assert fitted.loss == again.loss < fit_policy(total, positions, first, seed=5).loss - 0.05
