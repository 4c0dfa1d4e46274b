"""The evaluation of Vampires by the war after the race for the humans."""

import numpy as np
import pytest
from games.vampires.maps import ALL
from games.vampires.positions import course

from joute.bots import Seating, make
from joute.core.interface import OVER, mover, play, start
from joute.core.registry import make as make_game
from joute.core.weights import save_weights
from joute.games.vampires.map import VampiresMap, write_map
from joute.games.vampires.order import actions, moves_of
from joute.games.vampires.players.war import (
    ALL_AFTER,
    ALL_NOW,
    BATTLE,
    FEATURES,
    HIDDEN,
    MOST_VALUE,
    NEXT,
    SIDE,
    SIDES,
    TOGETHER,
    load,
    measure,
    split,
    war,
)
from joute.games.vampires.state import COUNTS, MOVER, VAMPIRES, WEREWOLVES, cell_at, put
from joute.search.evaluation import bounds, evaluate


def position(columns, rows, humans, vampires, werewolves, to_move=0):
    """A game without a past in which each side has groups, and its state."""
    first, other = vampires[0], werewolves[0]
    text = write_map(VampiresMap(rows, columns, tuple(humans), first, other))
    game = make_game("vampires", map=text)
    state = start(game)
    for kind, groups in ((VAMPIRES, vampires), (WEREWOLVES, werewolves)):
        for x, y, units in groups[1:]:
            put(game, state, cell_at(game, x, y), kind, units)
            state[COUNTS + kind - VAMPIRES] += units
    state[MOVER] = to_move
    return game, state


def value(game, state, player=0):
    return evaluate(war(game), game, state, player)


def seen(game, state):
    """The features of a state."""
    evaluation = war(game)
    measure(evaluation, game, state)
    return evaluation.features


def drawn(seed):
    """Both sides' groups and some humans anywhere on a grid of 7 x 6."""
    rng = np.random.default_rng(seed)
    cells = [divmod(int(each), 6) for each in rng.permutation(42)]
    groups = [
        (*cell, int(units)) for cell, units in zip(cells, rng.integers(1, 12, 42), strict=True)
    ]
    houses, mine, theirs = (int(each) for each in rng.integers(1, 5, 3))
    begin, end = houses + mine, houses + mine + theirs
    return groups[:houses], groups[houses:begin], groups[begin:end]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("to_move", [0, 1])
def test_sides_exchanged_exchange_the_value(seed, to_move):
    humans, mine, theirs = drawn(seed)
    one = position(7, 6, humans, mine, theirs, to_move)
    other = position(7, 6, humans, theirs, mine, 1 - to_move)
    assert value(*one) == pytest.approx(value(*other, 1), abs=1e-5)
    assert value(*one, 1) == -value(*one, 0)


@pytest.mark.parametrize("name", ALL)
def test_values_lie_within_their_bounds_and_only_an_end_is_worth_all(name):
    game = make_game("vampires", map=ALL[name], plies=30)
    evaluation = war(game)
    for state in course(game, 1):
        known = np.array(state, start(game).dtype)
        found = evaluate(evaluation, game, known, 0)
        lowest, highest = bounds(evaluation, game, known, 0)
        assert lowest <= found <= highest
        assert mover(game, known) == OVER or abs(found) <= MOST_VALUE


def test_more_units_are_worth_more():
    few = position(9, 9, [], [(1, 4, 8)], [(7, 4, 8)])
    many = position(9, 9, [], [(1, 4, 11)], [(7, 4, 8)])
    assert value(*many) > value(*few)


def test_a_sure_kill_is_of_who_is_to_move():
    groups = [(3, 4, 9), (0, 0, 3)], [(4, 4, 5), (8, 8, 7)]
    assert value(*position(9, 9, [], *groups, 0)) > value(*position(9, 9, [], *groups, 1))


def test_attackers_next_to_a_group_are_counted_together():
    mine = [(3, 3, 4), (3, 5, 4)]
    together = position(9, 9, [], mine, [(4, 4, 5)])
    apart = position(9, 9, [], mine, [(6, 4, 5)])
    assert value(*together) > value(*apart)


def test_a_battle_counts_for_who_may_begin_it():
    known = seen(*position(9, 9, [], [(3, 4, 9)], [(4, 4, 8)]))
    # 9 against 8 win with 5/8; 8 against 9 with 4/9, which is no chance worth taking.
    # Of 19: as in every ratio, each side counts one more than its units.
    assert known[SIDES + BATTLE] == pytest.approx((5 / 8 * 8 - 3 / 8 * 9) / 19)
    assert known[SIDES + SIDE + BATTLE] == 0


def test_features_are_those_of_who_is_to_move_and_of_the_other():
    groups = [(3, 4, 9), (0, 0, 3)], [(4, 4, 5), (8, 8, 7)]
    mine, theirs = (seen(*position(9, 9, [], *groups, to_move)) for to_move in (0, 1))
    assert mine[SIDES : SIDES + SIDE] == pytest.approx(theirs[SIDES + SIDE :])
    assert mine[ALL_NOW] == -theirs[ALL_NOW]
    assert mine[SIDES + NEXT] == pytest.approx(5 / 26)
    assert mine[ALL_AFTER] > mine[ALL_NOW]


def test_groups_two_turns_away_that_are_enough_together_are_a_feature():
    known = seen(*position(9, 9, [], [(2, 2, 4), (2, 6, 4)], [(4, 4, 5)]))
    assert known[SIDES + TOGETHER] == pytest.approx(5 / 15)
    assert known[SIDES + SIDE + TOGETHER] == 0


def test_weights_of_a_file_give_the_value(tmp_path):
    game, state = position(9, 9, [], [(1, 4, 11)], [(7, 4, 8)])
    weights = np.zeros(FEATURES * HIDDEN + HIDDEN, np.float32)
    split(weights)[0][ALL_NOW, 0] = 2.0
    save_weights(weights, tmp_path / "w.npz", "by hand")
    found = evaluate(war(game, load(tmp_path / "w.npz")), game, state, 0)
    # The logarithm of the odds is twice that of 12 to 9.
    assert found == pytest.approx(MOST_VALUE * (16 - 9) / (16 + 9))
    save_weights(weights[1:], tmp_path / "other.npz", "by hand")
    with pytest.raises(ValueError, match=r"other\.npz: expected \d+ weights"):
        load(tmp_path / "other.npz")


def test_who_wins_sooner_has_more():
    game, state = position(3, 1, [], [(0, 0, 6)], [(1, 0, 4)])
    late = state.copy()
    late[2] = 100
    for known in (state, late):
        for action in actions(game, [[0, 0, 6, 1, 0]]):
            play(game, known, action)
    assert value(game, state) > value(game, late) > 1.0


def test_the_champion_gives_no_smaller_group_a_battle_that_it_can_do_without():
    # 12 next to 18 would win one battle in three; the larger force may wait for the end.
    game, state = position(7, 7, [], [(4, 4, 18)], [(6, 2, 12)])
    bot = make("champion", {"nodes": "3000"}, Seating(game, 0, 1, 10.0))
    for _, _, _, x, y in moves_of(game, bot.play(state).action):
        assert max(abs(x - 6), abs(y - 2)) > 1
