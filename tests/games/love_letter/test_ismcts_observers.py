"""Information-set search with one observer and with many: whose eyes an action is told apart by."""

import numpy as np
import pytest
from search.ismcts_signature import state_after
from search.plain import actions_of
from search.positions import position

from joute.core.interface import seen
from joute.core.random import generator
from joute.core.registry import make
from joute.games.love_letter.state import (
    BARON,
    CHANCELLOR,
    CHOOSING,
    CURRENT,
    HANDS,
    PHASE,
    SECOND,
    SPY,
    THIRD,
)
from joute.search.evaluation import Playout
from joute.search.ismcts_search import (
    EDGES,
    ROOT,
    End,
    Ismcts,
    follow,
    information_tree,
    place_of,
    select,
    simulate,
)
from joute.search.montecarlo import simulation
from joute.search.policy import Promises


@pytest.mark.game("virus")
def test_where_everything_is_seen_many_observers_are_one():
    game, state = position(4, 8, 3)
    found = [Ismcts(game, seed=1, many=many).search(state, 1000) for many in (False, True)]
    assert found[0] == found[1]


@pytest.mark.parametrize("many", [False, True])
def test_only_with_many_observers_a_hidden_choice_is_a_choice(many):
    game = make("love-letter")
    state = state_after(game, 13, 13)
    mine = 1 - int(state[CURRENT])
    state[PHASE], state[SECOND], state[THIRD] = CHOOSING, SPY, BARON
    state[HANDS + state[CURRENT]] = CHANCELLOR
    root, space, memory = state.copy(), simulation(game), information_tree(10)
    histories, rng = np.zeros((2, 2), np.int64), generator(1)
    arguments = (many, False, 1.0, 1.0, 200, rng, space, memory, histories)
    simulate(game, End(), Playout(), Promises(), root, mine, *arguments)
    # Of the edges of the first ply, which are the other's choices.
    keys = [follow(follow(ROOT, 1 - mine), each) for each in actions_of(game, state)]
    places = [place_of(memory, key) for key in keys]
    chosen = sum(memory.keys[place] != 0 for place in places)
    assert (chosen > 1) == many
    assert many or chosen == 0


def test_choices_that_the_player_cannot_see_are_one_branch():
    game = make("love-letter")
    state = state_after(game, 13, 13)
    other = 1 - int(state[CURRENT])
    state[PHASE], state[SECOND], state[THIRD] = CHOOSING, SPY, BARON
    state[HANDS + state[CURRENT]] = CHANCELLOR
    assert {seen(game, state, other, each) for each in actions_of(game, state)} == {1740}
    space, memory, chosen = simulation(game), information_tree(4), set()
    space.state[:] = state
    for number in range(40):
        space.control[:] = number + 1, space.control[EDGES], 0, 1
        arguments = (other, int(state[CURRENT]), ROOT, 1.0, generator(number), space, memory)
        chosen.add(select(game, *arguments))
        edge = memory.edges[space.path[0]]
        edge[1] += 1  # a visit
        assert edge[2] == number + 1  # available once in each, as one edge
    assert space.control[EDGES] == 1
    assert chosen == set(actions_of(game, state))
