"""The evaluation of Vampires by the race for the humans, and the champion that plays by it."""

import math

import numpy as np
import pytest
from games.vampires.maps import ALL

from joute.bots import Seating, make
from joute.core.interface import OVER, mover, play, start
from joute.core.registry import make as make_game
from joute.games.vampires.map import VampiresMap, write_map
from joute.games.vampires.players.evaluation import LATE_SURE, PATIENCE, SURE, race
from joute.play.game import acceptable
from joute.search.evaluation import evaluate


def on(columns, rows, humans, vampires, werewolves, **values):
    """A game on a map of so many columns and rows, and its first state."""
    text = write_map(VampiresMap(rows, columns, tuple(humans), vampires, werewolves))
    game = make_game("vampires", map=text, **values)
    return game, start(game)


def strengths(value, plies=200):
    """The ratio of strengths that a value stands for, at the first turn."""
    return math.exp(math.atanh(value) / (SURE + LATE_SURE / plies))


def value(game, state, player=0):
    return evaluate(race(game), game, state, player)


def test_humans_are_of_who_comes_first_and_late_ones_count_less():
    game, state = on(12, 1, [(3, 0, 2)], (1, 0, 3), (11, 0, 4))
    # The Vampires need two turns; nobody is threatened, as 4 are less than 3 x 1.5.
    assert strengths(value(game, state)) == pytest.approx((4 + 2 * PATIENCE**2) / 5)
    assert value(game, state, 1) == -value(game, state, 0)


def test_who_grows_by_some_humans_may_convert_others():
    game, state = on(12, 3, [(2, 1, 3), (3, 1, 5)], (1, 1, 3), (11, 1, 4))
    won = 3 * PATIENCE + 5 * PATIENCE**2
    assert strengths(value(game, state)) == pytest.approx((4 + won) / 5)


def test_humans_that_nobody_can_convert_are_left():
    game, state = on(12, 1, [(5, 0, 9)], (1, 0, 4), (11, 0, 4))
    assert value(game, state) == 0.0


def test_a_lead_is_the_surer_the_less_turns_are_left():
    early = on(12, 1, [], (1, 0, 5), (11, 0, 4), plies=200)
    late = on(12, 1, [], (1, 0, 5), (11, 0, 4), plies=10)
    assert 0 < value(*early) < value(*late) < 1


@pytest.mark.parametrize("name", ALL)
def test_values_are_between_lost_and_won(name):
    game = make_game("vampires", map=ALL[name])
    assert -1 <= value(game, start(game)) <= 1


def test_a_game_that_is_won_sooner_is_worth_more():
    game, state = on(3, 1, [], (0, 0, 6), (1, 0, 4))
    bot = make("champion", {"seconds": "0.01"}, Seating(game, 0, 1, 1.0))
    choice = bot.play(state)
    assert acceptable(game, state.tolist(), choice.action)
    for action in choice.action:
        play(game, state, action)
    assert mover(game, state) == OVER
    assert 1.9 < value(game, state) < 2.0
    assert isinstance(choice.value, float) and np.isfinite(choice.value)
