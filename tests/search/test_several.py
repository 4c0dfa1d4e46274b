"""Paranoid search and max^n find what a plain recursion does, and play Tron of several bikes."""

import numpy as np
import pytest
from games.pennies import Pennies
from games.poker import Poker
from search.plain import actions_of
from search.random_tree import RandomTree, Worth

from joute.bots import BuiltinError, Seating
from joute.bots import make as make_bot
from joute.core.interface import OVER, mover, play, start
from joute.core.registry import make
from joute.search import several
from joute.search.evaluation import evaluate
from joute.search.several import Several

ROOM = """\
tron 1
name room
size 9 6 1
floor 0
#########
#1     2#
#       #
#       #
#   3   #
#########
end
"""
WORTH = Worth(most=10**9)  # so that no two values tie


def plain(game, state, depth, paranoid, root):
    """The values of all players, and the best action."""
    player = mover(game, state)
    if player == OVER or depth == 0:
        if paranoid:
            value = evaluate(WORTH, game, state, root)
            return [value if each == root else -value for each in range(game.players)], None
        return [evaluate(WORTH, game, state, each) for each in range(game.players)], None
    found = []
    for action in actions_of(game, state):
        after = list(state)
        play(game, after, action)
        found.append((plain(game, after, depth - 1, paranoid, root)[0], action))
    return max(found, key=lambda each: each[0][player])


@pytest.mark.parametrize("paranoid", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_values_are_those_of_a_plain_recursion(monkeypatch, players, paranoid):
    monkeypatch.setattr(several, "advance", several.advance.function)
    for seed in range(15):
        game = RandomTree(seed, 5, players, chance=False)
        state = start(game)
        for depth in (1, 3, 5):
            found = Several(game, state, paranoid, WORTH).search(state, depth)
            root = mover(game, state)
            values, action = plain(game, state.tolist(), depth, paranoid, root)
            assert (found.values, found.action) == (values, action)
            assert found.whole or found.depth == depth


def test_paranoid_cuts_off_what_cannot_matter(monkeypatch):
    monkeypatch.setattr(several, "advance", several.advance.function)
    nodes = [0, 0]
    for seed in range(10):
        game = RandomTree(seed, 6, 3, chance=False)
        for paranoid in (False, True):
            found = Several(game, start(game), paranoid, WORTH).search(start(game), 6)
            nodes[paranoid] += found.nodes
    assert nodes[True] < 0.8 * nodes[False]


@pytest.mark.parametrize("nodes", [1, 5, 100])
def test_a_search_in_few_nodes_has_an_action_and_keeps_to_them(monkeypatch, nodes):
    monkeypatch.setattr(several, "advance", several.advance.function)
    game = RandomTree(3, 6, 3, chance=False)
    found = Several(game, start(game), True, WORTH).search(start(game), nodes=nodes)
    assert found.action in (0, 1, 2)
    assert found.nodes <= max(nodes, 2)


def arena():
    return make("tron", map=ROOM, players=3, order="turns")


@pytest.mark.game("tron")
@pytest.mark.parametrize("name", ["paranoid", "maxn"])
def test_bots_play_tron_of_several_in_turns(name):
    game = arena()
    state = start(game)
    for _ in range(12):
        player = int(mover(game, state))
        options = {"nodes": "300"}
        choices = [
            make_bot(name, options, Seating(game, player, 1, 1.0)).play(state) for _ in (1, 2)
        ]
        assert choices[0] == choices[1]
        assert choices[0].action in actions_of(game, state.tolist())
        assert -1 <= choices[0].value <= 1
        play(game, state, choices[0].action)


@pytest.mark.game("tron")
def test_the_compiled_search_is_the_plain_one(monkeypatch):
    game = arena()
    state = start(game)
    found = []
    for compiled in (True, False):
        if not compiled:
            monkeypatch.setattr(several, "advance", several.advance.function)
        evaluation = make_bot("paranoid", {}, Seating(game, 0, 1, 1.0)).search._evaluation
        found.append(Several(game, state, True, evaluation).search(state, nodes=60))
    assert found[0] == found[1]


# Refusals.


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Poker(), "paranoid search needs to see everything, poker hides something"),
        (Pennies(), "paranoid search needs to see everything, pennies hides something"),
        (RandomTree(1, 6, 3), "averages over nothing, and in random tree chance decides"),
        (RandomTree(1, 6, 1, chance=False), "needs others to play with, random tree is for one"),
    ],
)
def test_games_that_they_cannot_play_are_refused(game, words):
    with pytest.raises(ValueError, match=words):
        Several(game, np.zeros(2, np.int64))


@pytest.mark.game("tron")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"nodes": "-1"}, "nodes must be above 0 and depth in 1..64"),
        ({"evaluation": "hand"}, r"no evaluation 'hand' of tron \(there are: territory, lead\)"),
    ],
)
def test_options_out_of_range_are_refused(options, words):
    with pytest.raises(BuiltinError, match=f"builtin:maxn: .*{words}"):
        make_bot("maxn", options, Seating(arena(), 0, 1, 1.0))


@pytest.mark.game("love-letter")
def test_a_game_that_the_bot_cannot_play_is_refused_in_its_name():
    with pytest.raises(BuiltinError, match=r"builtin:maxn: max\^n needs to see everything"):
        make_bot("maxn", {}, Seating(make("love-letter"), 0, 1, 1.0))
