"""Choices that two bikes make at once, where both may enter one cell."""

import numpy as np
import pytest
from games.tron.maps import superset

from joute.bots import Seating
from joute.core.interface import start
from joute.core.registry import make
from joute.games.tron.players.champion import ArenaBot, meets
from joute.search.matrix import solve

LEFT, UP, RIGHT, DOWN = range(4)


def duel(*rows):
    return make("tron", map=superset("room", "\n".join(rows)), players=2)


def bot_of(game, nodes=3000, draw=0.0):
    return ArenaBot(Seating(game, 0, 1, 1.0), None, nodes, draw, 0.0)


@pytest.mark.parametrize(
    ("rows", "met"),
    [
        (("#######", "#1 2  #", "#######"), True),
        (("#######", "#1  2 #", "#######"), False),
        (("#######", "#12   #", "#     #", "#######"), False),
        (("#######", "#1 #  #", "#  # 2#", "#######"), False),
        (("########", "#1A#A2 #", "########"), True),  # the two ends of a pair
    ],
)
def test_bikes_meet_where_both_may_enter_one_cell_or_one_pair(rows, met):
    game = duel(*rows)
    assert meets(game, start(game)) is met


def test_where_the_middle_is_all_there_is_none_gives_way():
    # Who enters the middle alone has the room below; who gives way has a dead end.
    game = duel("#########", "#  1 2  #", "####.####", "#.......#", "#.......#", "#########")
    bot = bot_of(game)
    actions, values = bot._choices(start(game), 12)
    assert actions == [LEFT, RIGHT]
    crash, alone = values[actions.index(RIGHT)]
    assert crash == 0.0 and alone > 0.9
    assert values[actions.index(LEFT)][0] < -0.9
    solution = solve(values)
    assert solution.value == pytest.approx(0.0)
    assert solution.rows == pytest.approx([0, 1])
    assert bot.play(start(game)).action == RIGHT


def test_a_draw_that_is_worth_a_loss_is_not_taken_for_certain():
    game = duel("#########", "#  1 2  #", "#       #", "#       #", "#       #", "#########")
    actions, values = bot_of(game, draw=-30.0)._choices(start(game), 4)
    crashes = values[actions.index(RIGHT)]
    assert crashes.min() < -0.9
    assert solve(values).rows[actions.index(RIGHT)] < 1.0


def test_the_value_of_a_round_is_that_of_its_matrix_whatever_the_order_of_the_bikes():
    game = duel("#########", "#  1 2  #", "####.####", "#.......#", "#.......#", "#########")
    state = start(game)
    _, values = bot_of(game)._choices(state, 12)
    other = make("tron", map=superset("room", "#########\n#  2 1  #\n####.####\n#.......#\n"
                                      "#.......#\n#########"), players=2)  # fmt: skip
    _, mirrored = bot_of(other)._choices(start(other), 12)
    assert solve(values).value == pytest.approx(solve(mirrored).value)


def test_a_choice_at_once_does_not_change_the_state():
    game = duel("#######", "#1 2  #", "#     #", "#######")
    state = start(game)
    before = state.copy()
    bot_of(game).play(state)
    assert np.array_equal(state, before)
