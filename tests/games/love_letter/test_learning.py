"""The habits of Love Letter are learned: rounds by search, and what was played in them."""

import math

import numpy as np
import pytest
from games.love_letter.rounds import choice_number, play_number, scene, turn

from joute.core.weights import save_weights
from joute.games.love_letter import learning
from joute.games.love_letter.learning import AIM, GUESS, KEEP, PLAY
from joute.games.love_letter.players import habits
from joute.games.love_letter.state import (
    BARON,
    CARDS,
    CHANCELLOR,
    COUNTESS,
    GUARD,
    KING,
    KNOWN,
    NONE,
    PRINCE,
    PRINCESS,
    SPY,
)
from joute.learn.training import TrainingRequest, learn, trainer_of

EVEN = np.full(habits.SIZE, 0.5, np.float32)


def test_the_same_seed_plays_the_same_rounds():
    one, same, other = (learning.self_play(seed, 6, 30).cases for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    assert set(one[:, 0]) == {PLAY, GUESS, AIM, KEEP}
    played = one[one[:, 0] == PLAY]
    assert np.all(played[:, 4] != played[:, 5])


@pytest.mark.parametrize(
    ("held", "drawn", "free"),
    [(GUARD, BARON, True), (GUARD, GUARD, False), (COUNTESS, KING, False), (COUNTESS, SPY, True)],
)
def test_a_choice_is_free_where_either_of_two_cards_may_be_played(held, drawn, free):
    _, state = scene([held, PRINCESS], drawn)
    assert learning.is_free(np.array(state), 0) == free


def test_a_choice_is_not_free_where_the_others_card_was_seen():
    _, state = scene([GUARD, PRINCESS], BARON)
    state[KNOWN + 1] |= 1
    assert not learning.is_free(np.array(state), 0)


def test_a_decision_tells_of_the_card_of_the_guess_and_of_the_target():
    game, state = scene([GUARD, PRINCESS], BARON, deck=[SPY, SPY, KING, COUNTESS])  # five have two
    found = learning.cases(game, np.array(state), 0, play_number(GUARD, 1, KING))
    assert found == [[PLAY, 1, 0, 0, GUARD, BARON, 0], [GUESS, 1, 0, 1, 5, 4, 0]]
    assert learning.cases(game, np.array(state), 0, play_number(GUARD, 1, SPY))[1][3] == 0
    game, state = scene([PRINCE, PRINCESS], BARON)
    assert [AIM, 0, 0, BARON, 1, 0, 0] in learning.cases(
        game, np.array(state), 0, play_number(PRINCE, 0)
    )
    state[KNOWN + 1] |= 1  # who knows another's hand has a reason that is no habit
    assert learning.cases(game, np.array(state), 0, play_number(PRINCE, 0)) == []


def test_a_decision_tells_which_card_of_a_chancellors_was_kept():
    game, state = scene([CHANCELLOR, SPY], BARON)
    turn(game, state, play_number(CHANCELLOR), ("draw", PRINCE), ("draw", PRINCE))
    told = learning.cases(game, np.array(state), 0, choice_number(PRINCE, BARON, PRINCE))
    assert told == [[KEEP, 0, 0, PRINCE, BARON, PRINCE, NONE]]


def test_a_habit_is_how_often_a_card_was_played_and_each_way_once_more():
    rows = [[PLAY, 0, 2, 0, GUARD, KING, 0]] * 76 + [[PLAY, 0, 2, 0, KING, GUARD, 0]] * 4
    found = learning.fit(learning.Choices(np.array(rows, np.int8)), 1)
    table = habits.of_weights(found.weights).plays
    assert found.positions == 76
    assert table[0, 2, 0, GUARD, KING] + table[0, 2, 0, KING, GUARD] == pytest.approx(1.0)
    assert 73 <= round(78 * table[0, 2, 0, GUARD, KING], 3) <= 77
    assert table[1, 2, 0, GUARD, KING] == table[0, 2, 1, GUARD, KING] == 0.5
    assert table[0, 0, 0, GUARD, KING] == table[0, 1, 0, GUARD, KING] == 0.5
    assert 0 < found.loss < math.log(2)


def test_weights_are_those_of_what_was_chosen_from():
    weights = np.array([1.0, 0.5, 0.1, 0.3])
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 3, (4000, 4))
    counts[:, 0] = 1
    shares = counts * weights / (counts @ weights)[:, None]
    taken = (rng.random(4000)[:, None] > shares.cumsum(axis=1)).sum(axis=1)
    found = learning.choice_weights(counts, taken, np.ones(4), 2.0)
    assert found == pytest.approx(weights, abs=0.05)
    assert learning.choice_weights(counts[:0], taken[:0], weights, 2.0) == pytest.approx(weights)


def test_the_stage_of_a_round_is_told_by_the_deck():
    assert [habits.stage(deck) for deck in (15, 9, 8, 4, 3, 0)] == [0, 0, 1, 1, 2, 2]


@pytest.mark.full
def test_habits_that_were_learned_foretell_rounds_better_than_none(monkeypatch):
    monkeypatch.setattr(learning, "SIMULATIONS_TESTED", 1000)
    shipped = trainer_of("love-letter").shipped_weights()
    assert learning.promoted(shipped, EVEN, 1).better
    assert not learning.promoted(EVEN, shipped, 1).better


def test_equal_habits_are_not_better(monkeypatch):
    monkeypatch.setattr(learning, "SIMULATIONS_TESTED", 1)
    monkeypatch.setattr(learning, "MOST_PAIRS", 3)
    found = learning.promoted(EVEN, EVEN, 1)
    assert (found.better, found.score) == (False, 0.5)


def test_a_course_keeps_what_it_learned(tmp_path, monkeypatch):
    monkeypatch.setattr(learning, "SIMULATIONS_TESTED", 50)
    wish = TrainingRequest(game="love-letter", seed="1", games=60, simulations=50, scratch=True)
    [one] = learn(wish, tmp_path / "w.npz", progress=lambda *_: None)
    assert one.promoted
    assert trainer_of("love-letter").load(tmp_path / "w.npz").shape == (habits.SIZE,)


def test_shipped_habits_are_chances_of_which_two_make_one():
    table = habits.learned().plays
    assert np.all((table > 0) & (table < 1))
    assert table + table.swapaxes(-2, -1) == pytest.approx(1.0, abs=1e-3)
    assert np.all(table[0, 0, 0, PRINCESS, :PRINCESS] < 0.1)
    assert table.shape[-2:] == (CARDS, CARDS)
    assert np.all(habits.learned().guesses.max(axis=2) == 1.0)
    assert np.all(habits.learned().keeps.max(axis=2) == 1.0)
    assert np.all(habits.learned().oneself[0, :, SPY] > 0.5)  # a Spy may well be thrown away
    assert np.all(habits.learned().oneself[..., PRINCESS] < 0.1)


def test_other_weights_are_refused(tmp_path):
    file = tmp_path / "w.npz"
    save_weights(np.zeros(3), file, "none")
    with pytest.raises(ValueError, match=r"w\.npz: expected \d+ weights, got \(3,\)"):
        habits.load(file)
