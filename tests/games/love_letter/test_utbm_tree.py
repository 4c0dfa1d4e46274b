"""The tree of the student project's player: its values are those of a search without pruning."""

import numpy as np
import pytest
from games.love_letter.plain_utbm import plain, positions
from games.love_letter.rounds import legal_actions

from joute import bots
from joute.bots import Seating
from joute.bots.explain import after
from joute.core.interface import mover
from joute.core.random import generator
from joute.games.love_letter.players.utbm import shuffle, work
from joute.games.love_letter.players.utbm_tree import TurnTree
from joute.games.love_letter.state import CARDS, CURRENT, ENDED, PHASE, PLAYED, POOL, STARTING


def dealt(state):
    """The work of a search with an order of the deck, and that order as a list."""
    room = work()
    shuffle(state, room, generator(1))
    return room, room.order[: sum(state[POOL : POOL + CARDS])].tolist()


@pytest.mark.parametrize("depth", [2, 3])
def test_the_nodes_have_the_values_of_a_plain_search(depth):
    for game, state in positions(4, 3, 8):
        room, deck = dealt(state)
        cards = sorted({action // PLAYED for action in legal_actions(game, state)})
        root = TurnTree(game, state, depth, room).root(cards, 2)
        for card in cards:
            value, _ = plain(game, state, deck, state[CURRENT], depth, card)
            nodes = [each for each in root.children if each.line[0] // PLAYED == card]
            assert max(node.value for node in nodes) == value
        assert list(root.children) == sorted(root.children, key=lambda node: -node.value)


def test_the_best_turn_of_the_other_gives_a_turn_its_value():
    for game, state in positions(4, 3, 8):
        room, _ = dealt(state)
        cards = sorted({action // PLAYED for action in legal_actions(game, state)})
        for node in TurnTree(game, state, 3, room).root(cards, 2).children:
            assert node.state == after(game, state, node.line)
            assert bool(node.children) == (node.state[PHASE] not in (ENDED, STARTING))
            assert node.ways == len(node.children)
            if node.children:
                assert node.value == -max(each.value for each in node.children)


def test_of_the_last_turn_shown_the_ways_to_go_on_are_counted():
    game, state = next(iter(positions(1, 6, 8)))
    room, _ = dealt(state)
    cards = sorted({action // PLAYED for action in legal_actions(game, state)})
    shown, whole = (TurnTree(game, state, 2, room).root(cards, turns) for turns in (1, 2))
    assert [node.ways for node in shown.children] == [len(node.children) for node in whole.children]
    assert [node.value for node in shown.children] == [node.value for node in whole.children]


def test_the_bot_shows_its_tree_where_a_card_is_to_be_played():
    game, state = next(iter(positions(1, 6, 8)))
    bot = bots.make("utbm", {"depth": 2}, Seating(game, mover(game, state), 1, 1.0))
    root = bot.tree(np.array(state, np.int16), 1)
    assert {node.line[0] for node in root.children} <= set(legal_actions(game, state))
    assert all(node.children == () for node in root.children)
