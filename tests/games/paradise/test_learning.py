"""The value of Paradise is learned: games of whole turns, and a fit to how they end."""

import math

import numpy as np
import pytest

from joute.core.registry import make
from joute.core.weights import save_weights
from joute.games.paradise import learning as paradise
from joute.games.paradise.players import value as paradise_value
from joute.games.paradise.state import CHOOSING, DRAWING, PHASE, TURN
from joute.learn.training import TrainingRequest, learn, trainer_of

pytestmark = pytest.mark.full

GAME = make("paradise")
NOTHING = np.zeros(0, np.float32)


def played(weights=NOTHING, seed=1, count=400):
    return paradise.self_play(GAME, weights, seed, count)


def test_positions_are_those_between_turns_and_belong_to_whole_games():
    found = played(count=10)
    assert set(found.states[:, PHASE]) <= {DRAWING, CHOOSING}
    assert found.last.sum() == 10
    assert found.last[-1]
    turns = np.diff(found.states[:, TURN])
    assert np.array_equal(turns <= 0, found.last[:-1])
    assert set(found.results) == {-1.0, 1.0}


def test_the_same_seed_plays_the_same_games_with_weights_and_without():
    shipped = paradise_value.load(paradise_value.LEARNED)
    for weights in (NOTHING, shipped):
        one, same, other = played(weights, 1, 8), played(weights, 1, 8), played(weights, 2, 8)
        assert np.array_equal(one.states, same.states)
        assert not np.array_equal(one.states, other.states)
        assert one.last.sum() == 8


def test_a_fit_foretells_games_that_it_has_not_seen_and_goes_on_from_weights():
    first, again = (paradise.fit(GAME, played(), NOTHING, 1) for _ in range(2))
    assert np.array_equal(first.weights, again.weights)
    assert first.loss < math.log(2)
    more = paradise.fit(GAME, played(seed=2), first.weights, 1)
    assert more.loss < math.log(2)
    assert not np.array_equal(more.weights, first.weights)


def test_what_is_taught_is_mixed_with_what_is_said_of_the_next_position_of_the_game():
    taught = np.array([[0.5, 0.5, 0.6, 0.4, 0.3, 0.7], [1, 0, 1, 0, 0, 1]], np.float32)
    paradise.look_back(GAME, taught, np.array([False, True, True]), 0.8)
    assert taught[1] == pytest.approx([0.2 * 0.6 + 0.8, 0.2 * 0.4, 1, 0, 0, 1])


def test_better_weights_win_the_test_and_equal_ones_do_not(monkeypatch):
    monkeypatch.setattr(paradise, "MOST_PAIRS", 20)
    shipped = paradise.evaluation(paradise_value.load(paradise_value.LEARNED))
    random = paradise.evaluation(paradise.beginning(np.random.default_rng(1)))
    assert not paradise.promoted(GAME, shipped, shipped, 1).better
    assert paradise.promoted(GAME, shipped, random, 1).score > 0.9
    assert paradise.promoted(GAME, random, shipped, 1).score < 0.1


def test_a_course_of_paradise_keeps_what_it_learned(tmp_path, monkeypatch):
    monkeypatch.setattr(paradise, "MOST_PAIRS", 1)
    wish = TrainingRequest(game="paradise", seed="1", games=60, scratch=True)
    [one] = learn(wish, tmp_path / "w.npz", progress=lambda *_: None)
    assert one.positions > 1000
    kept = trainer_of("paradise").load(tmp_path / "w.npz.course" / "weights-001.npz")
    assert kept.shape == (paradise.SIZE,)


def test_other_weights_are_refused(tmp_path):
    file = tmp_path / "w.npz"
    save_weights(np.zeros(3), file, "none")
    with pytest.raises(ValueError, match=r"w\.npz: expected \d+ weights, got \(3,\)"):
        paradise_value.load(file)
