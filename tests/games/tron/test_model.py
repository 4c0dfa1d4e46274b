"""Others in Tron are foreseen as they drive, and told apart by what they do."""

import numpy as np
import pytest
from games.tron.maps import superset
from hypothesis import given
from hypothesis import strategies as st

from joute.bots import Seating, make, outlook
from joute.core.interface import OVER, legal, mover, play, start
from joute.core.maps import find_map
from joute.core.registry import make as make_game
from joute.games.tron.players.model import (
    ALONG,
    CONTEMPT,
    LEAST,
    ONE_PLY,
    OTHER,
    SCALE,
    SURE,
    WALL,
    YIELDING,
    Habits,
    compare,
    count_ties,
    drivers,
    worth_of_draw,
)
from joute.search.best_reply import reply

DUEL = make_game("tron", map=find_map("tron", "duel"), players=2)
LEFT, UP, RIGHT, DOWN = range(4)


def played(names, rounds, seed=5):
    """The states in which the first of two chooses, with its action, and then the second's."""
    bots = [make(name, {}, Seating(DUEL, player, seed + player, 1.0)) for player, name in names]
    state = start(DUEL)
    for _ in range(rounds):
        before = state.copy()
        actions = []
        for bot in bots:
            if mover(DUEL, state) == OVER:
                return
            actions.append(bot.play(state.copy()).action)
            play(DUEL, state, actions[-1])
        yield before, actions, state.copy()


@pytest.mark.parametrize(("name", "way"), [("wall", WALL), ("territory", ONE_PLY)])
def test_what_a_bot_plays_is_among_what_is_best_for_who_drives_so(name, way):
    policy = drivers(DUEL)
    policy.way[:] = way
    compared = 0
    for seed in range(6):
        for before, actions, _ in played([(0, "random"), (1, name)], 40, seed):
            compare(policy, DUEL, before, 1, actions[1])
            ties = count_ties(policy, DUEL, before, 1)
            free = legal(DUEL, _second(before, actions[0]), [0] * 4)
            assert policy.chances[way] == pytest.approx((SURE if ties < free else 1.0) / ties)
            compared += 1
    assert compared > 60


def _second(before, action):
    state = before.tolist()
    play(DUEL, state, action)
    return state


def test_chance_decides_among_what_is_as_good_by_the_draws_of_the_round():
    empty = ["#" + " " * 11 + "#"] * 3
    rows = ("#" * 13, *empty, "#   1       #", *empty, "#        2  #", "#" * 13)
    game = make_game("tron", map=superset("room", "\n".join(rows)), players=2)
    policy = drivers(game)
    policy.way[:] = WALL  # for which all four directions are as good in the open
    found = []
    for draw in (0.0, 0.3, 0.6, 0.9):
        policy.draws[:] = draw
        found.append(reply(policy, game, start(game), 0))
    assert found == [LEFT, UP, RIGHT, DOWN]


@pytest.mark.parametrize(("name", "way"), [("wall", WALL), ("territory", ONE_PLY)])
def test_it_is_learned_how_another_drives(name, way):
    habits = Habits(DUEL, 0, 1.0, 7)
    at_first = habits.weak(1)
    assert at_first < 0.1
    for before, actions, after in played([(0, "wall"), (1, name)], 12):
        habits.chose(before, actions[0])
        habits.learn(after)
    habits.expect(after, 1, 0)
    assert habits.policy.way[1] == way
    assert (habits.weak(1) > 0.9) == (way == WALL)
    assert habits.of(1) == pytest.approx(0.5 if way == WALL else 1.0, abs=0.1)


def test_a_step_along_the_walls_is_hardly_likelier_of_who_always_goes_there():
    policy = drivers(DUEL)
    compared = 0
    for seed in range(4):
        for before, actions, _ in played([(0, "random"), (1, "territory")], 40, seed):
            compare(policy, DUEL, before, 1, actions[1])
            assert policy.chances[WALL] <= policy.chances[OTHER] / ALONG
            compared += 1
    assert compared > 40


def test_who_goes_anywhere_is_not_relied_on():
    habits = Habits(DUEL, 0, 1.0, 7)
    for before, actions, after in played([(0, "wall"), (1, "random")], 25, 3):
        habits.chose(before, actions[0])
        habits.learn(after)
    assert habits._chances[1].argmax() == OTHER
    assert habits.weak(1) < 0.01
    assert habits.of(1) < 0.01


def test_a_draw_costs_little_on_a_mere_suspicion_that_the_rival_is_weak():
    assert worth_of_draw(0.0, 0.0) == 0.0
    assert -0.3 < worth_of_draw(0.0, 0.02) < worth_of_draw(0.0, 0.01) < 0.0
    assert worth_of_draw(0.0, 0.5) == worth_of_draw(0.0, 1.0) == CONTEMPT
    assert worth_of_draw(0.0, 0.37) == worth_of_draw(0.0, 0.4999999999) == CONTEMPT
    assert worth_of_draw(1.0, 0.0) == YIELDING
    assert worth_of_draw(0.5, 0.01) == pytest.approx(YIELDING / 2 + worth_of_draw(0.0, 0.01))


@given(st.floats(0.01, 0.36))
def test_where_a_draw_is_worth_going_on_both_together_come_to_nothing(weak):
    against_another = outlook(worth_of_draw(0.0, weak), 2.0 * SCALE)
    assert (1.0 - weak) * against_another + weak == pytest.approx(0.0, abs=1e-9)


def test_no_way_to_drive_is_ever_excluded_and_nothing_is_learned_from_a_gap():
    habits = Habits(DUEL, 0, 1.0, 7)
    states = list(played([(0, "wall"), (1, "wall")], 30))
    for before, actions, after in states:
        habits.chose(before, actions[0])
        habits.learn(after)
    assert habits._chances[1].min() >= LEAST / 2
    assert habits._chances[1].sum() == pytest.approx(1.0)
    known = habits._chances.copy()
    habits.chose(states[0][0], states[0][1][0])
    habits.learn(states[5][2])
    habits.learn(states[6][2])
    assert np.array_equal(habits._chances, known)


@pytest.mark.parametrize("order", ["simultaneous", "turns"])
def test_each_of_several_is_learned_by_itself(order):
    rows = ("#" * 20, *["#" + " " * 18 + "#"] * 3, "#  1    2" + " " * 10 + "#",
            *["#" + " " * 18 + "#"] * 3, "#    3" + " " * 13 + "#", "#" * 20)  # fmt: skip
    game = make_game("tron", map=superset("room", "\n".join(rows)), players=3, order=order)
    habits = Habits(game, 1, 1.0, 7)
    bots = {
        0: make("wall", {}, Seating(game, 0, 1, 1.0)),
        2: make("random", {}, Seating(game, 2, 2, 1.0)),
    }
    state = start(game)
    rounds = 0
    while mover(game, state) != OVER and rounds < 12:
        who = mover(game, state)
        if who == (1 if order == "turns" else 0):
            habits.learn(state)
            opened = state.copy()
            rounds += 1
        if who == 1:
            actions = [0] * 6
            legal(game, state, actions)
            habits.chose(opened, actions[0])
            play(game, state, actions[0])
        else:
            play(game, state, bots[who].play(state).action)
    chances = habits._chances
    assert chances[0, WALL] > 0.3
    assert chances[2, WALL] < 0.1
    assert chances[1, OTHER] == chances[1, ONE_PLY]  # this player's own are not looked at
