"""Best reply finds what a plain recursion does, if its beams are wide, and how others drive."""

from typing import NamedTuple

import pytest
from search.plain import actions_of, after
from search.random_tree import CHOICES, RandomTree, Worth, drawn

from joute.core.interface import OVER, implements, mover, start
from joute.search import best_reply
from joute.search.best_reply import BestReply
from joute.search.evaluation import evaluate

WORTH = Worth(most=10**9)  # so that no two values tie


class Fixed(NamedTuple):
    """A policy that plays an action of its own in each state."""


@implements(Fixed)
def reply(policy, game, state, player):
    return drawn(game, state, 9, CHOICES)


def plain(game, state, player):
    """The best end that a player can come to if the others play by the policy."""
    who = mover(game, state)
    if who == OVER:
        return evaluate(WORTH, game, state, player)
    if who != player:
        return plain(game, after(game, state, reply(Fixed(), game, state, who)), player)
    return max(plain(game, after(game, state, each), player) for each in actions_of(game, state))


def search_for(game, state, width):
    return BestReply(game, state, mover(game, state), WORTH, Fixed(), width, False)


@pytest.mark.parametrize("players", [2, 3])
def test_the_values_are_those_of_a_plain_recursion(monkeypatch, players):
    monkeypatch.setattr(best_reply, "expand", best_reply.expand.function)
    for seed in range(15):
        game = RandomTree(seed, 4, players, chance=False)
        state = start(game)
        for worth in search_for(game, state, 30).search(state, 5):
            found = after(game, state.tolist(), worth.action)
            assert worth.value == plain(game, found, mover(game, state))
            assert worth.final


def test_it_keeps_to_its_nodes_but_looks_one_turn_ahead(monkeypatch):
    monkeypatch.setattr(best_reply, "expand", best_reply.expand.function)
    game = RandomTree(3, 6, 3, chance=False)
    search = search_for(game, start(game), 2)
    assert [each.depth for each in search.search(start(game), 5, nodes=1)] == [1, 1, 1]
    few, many = (search.search(start(game), 5, nodes=nodes) for nodes in (4, 40))
    assert sum(each.depth for each in few) < sum(each.depth for each in many)


def test_it_refuses_games_in_which_chance_decides():
    game = RandomTree(1, 6)
    with pytest.raises(ValueError, match="averages over nothing"):
        search_for(game, start(game), 2)
