"""The evaluation of Vampires is learned: maps drawn at random, games on them, and a fit."""

import math

import numpy as np
import pytest

from joute.core.interface import start
from joute.core.registry import make
from joute.games.vampires import learning
from joute.games.vampires.learning import (
    FEATURES,
    SIZE,
    Lessons,
    first_weights,
    fit,
    gradient,
    logits,
    promoted,
    self_play,
    taught,
    trainer,
)
from joute.games.vampires.map import read_map, write_map
from joute.games.vampires.state import COUNTS
from joute.games.vampires.training_maps import drawn_game, drawn_map
from joute.learn.training import TrainingRequest, learn, trainer_of


def lessons(count, seed):
    """States without a game, 10 to a game, whose mover wins by the difference of two features."""
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((count, FEATURES)).astype(np.float32)
    chances = 1 / (1 + np.exp(3 * (features[:, 1] - np.abs(features[:, 0]))))
    return Lessons(features, chances.astype(np.float32), np.arange(count) % 10 == 9)


# Maps.


def test_drawn_maps_are_sound_and_of_many_sizes():
    rng = np.random.default_rng(1)
    maps = [drawn_map(rng) for _ in range(200)]
    assert all(read_map(write_map(each)) == each for each in maps)
    sizes = [size for each in maps for size in (each.rows, each.columns)]
    assert (min(sizes), max(sizes)) == (4, 12)


def test_drawn_maps_are_symmetric_in_several_ways_or_not_at_all():
    def images(chart):
        x, y, _ = chart.vampires
        right, below = chart.columns - 1, chart.rows - 1
        image = {(right - x, below - y): "turned", (right - x, y): "mirrored", (y, x): "diagonal"}
        return image.get(chart.werewolves[:2], "other")

    rng = np.random.default_rng(2)
    found = {images(drawn_map(rng)) for _ in range(200)}
    assert found == {"turned", "mirrored", "diagonal", "other"}


def test_drawn_games_begin_with_units_on_both_sides_and_differ_in_their_length():
    rng = np.random.default_rng(3)
    games = [drawn_game(rng) for _ in range(60)]
    assert all(start(game)[COUNTS : COUNTS + 2].min() > 0 for game in games)
    assert len({game.plies for game in games}) > 2


# Games.


def test_the_same_seed_plays_the_same_games():
    one, same, other = (self_play(first_weights(), seed, 3, 30) for seed in (1, 1, 2))
    assert all(np.array_equal(*columns) for columns in zip(one, same, strict=True))
    assert not np.array_equal(one.features[:4], other.features[:4])
    assert one.last[-1]
    assert one.chances.min() >= 0
    assert one.chances.max() <= 1


def test_what_is_taught_is_mixed_with_the_values_and_the_result_that_follow():
    # Vampires, Werewolves, Vampires; the Vampires win.
    found = taught(np.array([0.2, 0.4, 0.0]), np.array([0, 1, 0]), np.array([True] * 3), 1.0)
    last = (0.5 + 1) / 2
    second = ((1 - 0.7) + last) / 2
    assert found == pytest.approx([(0.6 + second) / 2, 1 - second, last])


def test_an_order_that_the_search_has_not_chosen_says_nothing_of_the_state_before():
    chosen = np.array([False, True])
    found = taught(np.array([0.2, 0.4]), np.array([0, 1]), chosen, -1.0)
    assert found == pytest.approx([0.6, (0.7 + 1) / 2])


# The fit.


def test_a_fit_foretells_states_that_it_has_not_seen_by_more_than_a_sum(monkeypatch):
    monkeypatch.setattr(learning, "BATCH", 256)
    monkeypatch.setattr(learning, "EPOCHS", 20)
    played = lessons(8000, 1)
    found, again = (fit(played, first_weights(), 1) for _ in range(2))
    assert np.array_equal(found.weights, again.weights)
    assert found.positions == 7200
    fresh = lessons(1000, 2)
    # A sum of the features can make nothing of how far one of them is from 0.
    errors = 1 / (1 + np.exp(-logits(found.weights, fresh.features)[0])) - fresh.chances
    assert np.abs(errors).mean() < 0.1


def test_the_gradient_is_that_of_the_loss():
    played = lessons(50, 1)
    weights = np.random.default_rng(1).standard_normal(SIZE).astype(np.float32)

    def loss(row):
        found = logits(row, played.features.astype(float))[0]
        inner = row[: -learning.HIDDEN]
        whole = np.logaddexp(0, found) - played.chances * found
        return whole.mean() + learning.DECAY / 2 * (inner**2).sum()

    found = gradient(weights, played.features, played.chances)
    for place in (0, 1, 17, SIZE - 2, SIZE - 1):
        more, less = weights.astype(float), weights.astype(float)
        more[place] += 1e-5
        less[place] -= 1e-5
        assert found[place] == pytest.approx((loss(more) - loss(less)) / 2e-5, rel=1e-3, abs=1e-5)


# The training.


def test_only_better_weights_win_the_test(monkeypatch):
    monkeypatch.setattr(learning, "MOST_PAIRS", 3)
    monkeypatch.setattr(learning, "TESTED_NODES", 30)
    assert promoted(first_weights(), first_weights(), 1).score == pytest.approx(0.5, abs=0.4)
    assert not promoted(-first_weights(), first_weights(), 1).better
    assert promoted(first_weights(), -first_weights(), 1).score > 0.8


def test_a_training_keeps_what_it_learned(tmp_path, monkeypatch):
    monkeypatch.setattr(learning, "MOST_PAIRS", 1)
    monkeypatch.setattr(learning, "TESTED_NODES", 30)
    wish = TrainingRequest(game="vampires", seed="1", games=4, simulations=30, scratch=True)
    [one] = learn(wish, tmp_path / "w.npz", progress=lambda *_: None)
    assert one.positions > 50
    assert math.isfinite(one.loss)
    kept = trainer_of("vampires").load(tmp_path / "w.npz.course" / "weights-001.npz")
    assert kept.shape == (SIZE,)


def test_training_goes_on_from_the_weights_that_are_shipped():
    shipped = trainer(make("vampires")).shipped_weights()
    assert shipped.shape == first_weights().shape
    assert not np.array_equal(shipped, first_weights())
