"""The most answers of a game, which the time of a contest is foreseen by."""

import numpy as np
import pytest
from games.kuhn import Kuhn
from games.samples import samples

from joute.core.interface import (
    CHANCE,
    OVER,
    draw,
    max_answers,
    mover,
    pending,
    pick,
    play,
    properties,
    start,
)
from joute.core.random import generator
from joute.core.registry import make

ORDERED = ("vampires",)  # games whose bots answer several actions at once


def answers(game, seed):
    """The number of answers in a game played at random."""
    facts = properties(game)
    state, rng, count = start(game).tolist(), generator(seed), 0
    out = np.zeros(max(facts.max_legal, facts.max_outcomes), np.int64)
    weights = np.zeros(facts.max_outcomes)
    while (player := mover(game, state)) != OVER:
        if player == CHANCE:
            action = draw(game, state, out, weights, rng)
        else:
            count += facts.name not in ORDERED or not pending(game, state)
            action = pick(game, state, out, rng)
        play(game, state, int(action))
    return count


@pytest.mark.parametrize(
    "game", [game for each in samples().values() for game in each.QUICK], ids=str
)
def test_no_random_game_takes_more_answers_than_its_rules_say(game):
    most = max_answers(game)
    assert most <= properties(game).max_plies
    assert max(answers(game, seed) for seed in range(20)) <= most


@pytest.mark.game("tron")
def test_bikes_take_cells_again_where_walls_vanish():
    assert max_answers(make("tron", trail="vanish")) == 2 * max_answers(make("tron"))


@pytest.mark.game("love-letter")
def test_the_classic_deck_of_love_letter_has_no_chancellor_to_choose_for():
    assert max_answers(make("love-letter", deck="classic")) == 16 - 1 - 2 - 3


def test_a_game_that_knows_no_better_takes_an_answer_for_each_ply():
    assert max_answers(Kuhn()) == properties(Kuhn()).max_plies
