"""The orders that a search of Vampires looks at, and what it thinks of a state."""

from itertools import chain, islice

import numpy as np
import pytest
from games.vampires import plain_turns as plain
from games.vampires.maps import ALL
from games.vampires.plain_turns import listed
from games.vampires.positions import course
from helpers import some

from joute.bots import own_evaluations
from joute.core.compiled import kernel
from joute.core.interface import describe, start
from joute.core.maps import find_map, shipped
from joute.core.registry import make
from joute.games.vampires.map import VampiresMap, write_map
from joute.games.vampires.order import moves_of, write
from joute.games.vampires.players.evaluation import Material, reach
from joute.games.vampires.players.orders import MOST_TURNS, orders
from joute.games.vampires.state import COUNTS, VAMPIRES, cell_at, put
from joute.play.game import acceptable
from joute.search.branching import turns
from joute.search.evaluation import evaluate


def on(columns, rows, humans, vampires, werewolves, **values):
    """A game on a map of so many columns and rows, and its first state."""
    text = write_map(VampiresMap(rows, columns, tuple(humans), vampires, werewolves))
    game = make("vampires", map=text, **values)
    return game, start(game).tolist()


def texts(game, state):
    """The orders as text, without what ends them."""
    return [
        "; ".join(describe(game, state, action) for action in turn[:-1])
        for turn in listed(orders(game), game, state)
    ]


@kernel
def compiled_turns(game, generator, state, out, ends):
    return turns(generator, game, state, out, ends)


# Which orders.


def test_a_group_is_sent_to_the_humans_that_it_can_convert():
    game, state = on(9, 9, [(7, 4, 3), (0, 0, 9)], (4, 4, 4), (4, 8, 1))
    assert texts(game, state)[0].startswith("4,4 x4 -> 5,")


def test_two_houses_are_taken_by_two_parts():
    game, state = on(5, 5, [(1, 0, 3), (3, 0, 4)], (2, 1, 8), (4, 4, 1))
    assert texts(game, state)[0] in (
        "2,1 x3 -> 1,0; 2,1 x5 -> 3,0",
        "2,1 x4 -> 1,0; 2,1 x4 -> 3,0",
    )


def test_without_splitting_whole_groups_move():
    game, state = on(5, 5, [(1, 0, 3), (3, 0, 4)], (2, 1, 8), (4, 4, 1), split=False)
    assert texts(game, state)[0] in ("2,1 x8 -> 3,0", "2,1 x8 -> 1,0")
    assert all(text.count("x8") == 1 for text in texts(game, state))


def test_groups_that_are_strong_enough_only_together_attack_together():
    game, state = on(5, 3, [], (1, 1, 3), (2, 1, 4))
    assert "1,1 x3 -> 2,1" not in texts(game, state)[:3]
    put(game, state, cell_at(game, 3, 1), VAMPIRES, 3)
    assert texts(game, state)[0] == "1,1 x3 -> 2,1; 3,1 x3 -> 2,1"


def test_a_group_leaves_the_neighbourhood_of_a_stronger_enemy():
    game, state = on(9, 3, [], (4, 1, 4), (5, 1, 9))
    best = texts(game, state)[:3]
    assert set(best) == {"4,1 x4 -> 3,0", "4,1 x4 -> 3,1", "4,1 x4 -> 3,2"}


@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("name", ALL)
def test_orders_are_legal_and_differ(name, split):
    check_course(make("vampires", map=ALL[name], split=split, plies=30), 3, 30)


@pytest.mark.full
@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("name", some(shipped("vampires"), 3))
def test_orders_are_legal_and_differ_on_every_shipped_map_compiled_or_not(name, split):
    game = make("vampires", map=find_map("vampires", name), split=split)
    check_course(game, 3, 100, compiled=True)


def check_course(game, games, states, compiled=False):
    generator = orders(game)
    out = np.zeros(generator.most_actions, np.int32)
    ends = np.zeros(generator.most_turns, np.int32)
    for seed in range(games):
        for state in islice(course(game, seed), states):
            found = listed(generator, game, state)
            check_orders(game, state, found)
            assert not generator.marks.any()
            if compiled:
                known = np.array(state, start(game).dtype)
                assert compiled_turns(game, generator, known, out, ends) == len(found)
                assert out[: ends[len(found) - 1]].tolist() == list(chain(*found))


def check_orders(game, state, found):
    assert 1 <= len(found) <= MOST_TURNS
    assert len({tuple(turn) for turn in found}) == len(found)
    assert all(acceptable(game, state, turn) for turn in found)


def crowd(count, split=True):
    """So many groups of two beside each other, and a large one."""
    game, state = on(16, 16, [(0, 15, 200)], (0, 0, 200), (15, 15, 1), split=split)
    for number in range(count):
        put(game, state, cell_at(game, number % 14, number // 14 + 1), VAMPIRES, 2)
    state[COUNTS] += 2 * count
    return game, state


@pytest.mark.parametrize("count", [1, 5, 9, 40, 150])
def test_however_many_groups_there_are_the_orders_are_few(count):
    game, state = crowd(count)
    found = listed(orders(game), game, state)
    check_orders(game, state, found)
    assert len(found) > 5


def test_the_number_of_orders_can_be_chosen():
    game, state = on(9, 9, [(7, 4, 3), (0, 0, 2)], (4, 4, 9), (4, 8, 1))
    assert len(listed(orders(game, 5), game, state)) <= 5


def test_if_all_would_rather_stay_one_moves_all_the_same():
    game, state = on(3, 1, [], (0, 0, 2), (2, 0, 9))
    (only,) = listed(orders(game, 1), game, state)
    assert write(moves_of(game, only)) == "0,0 x2 -> 1,0"
    assert texts(game, state) == ["0,0 x2 -> 1,0"]


def test_a_generator_without_turns_is_refused():
    with pytest.raises(NotImplementedError, match="tuple does not implement turns"):
        turns((), make("vampires"), [], [], [])


# Evaluations.


@pytest.mark.parametrize("name", [*ALL, ""])
def test_evaluations_are_what_they_say(name):
    game = make("vampires", map=ALL.get(name, ""), plies=30)
    looked = reach(game, 0.7, 0.2)
    for seed in range(2):
        for state in course(game, seed):
            for player in (0, 1):
                value = evaluate(looked, game, state, player)
                slow = plain.reach(game, state, player, 0.7, 0.2)
                assert value == pytest.approx(slow, abs=1e-9)
                assert value == pytest.approx(-evaluate(looked, game, state, 1 - player))
                units = evaluate(Material(), game, state, player)
                assert units == plain.material(game, state, player)


@pytest.mark.game("virus")
def test_other_games_have_none_of_these_evaluations():
    assert "reach" not in own_evaluations(make("virus"))
    assert list(own_evaluations(make("vampires"))) == ["reach", "material", "race", "war"]
