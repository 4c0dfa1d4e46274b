"""Flat Monte Carlo: its means against exact ones, what it may not know, when it stops."""

import numpy as np
import pytest
from games.pennies import Pennies
from games.poker import BET, FOLD, Poker
from search.plain import actions_of
from search.positions import position

from joute.core.interface import OVER, chances, mover, play, properties, returns, start
from joute.core.random import generator
from joute.core.registry import make
from joute.search.evaluation import Playout
from joute.search.flat_search import FlatMonteCarlo, weigh
from joute.search.playouts import playout_work
from joute.search.policy import Promises


def alone(*rows):
    """A game of Tron for one, on a map of these rows."""
    size = f"size {len(rows[0])} {len(rows)} 1"
    text = "\n".join(["tron 1", "name small", size, "floor 0", *rows, "end", ""])
    return make("tron", map=text, players=1)


def expected(game, state, player):
    """The exact mean return of a player when everybody plays at random."""
    to_move = mover(game, state)
    if to_move == OVER:
        out = [0.0] * properties(game).players
        returns(game, state, out)
        return out[player]
    if to_move < 0:
        out, weights = [0] * 8, [0.0] * 8
        count = chances(game, state, out, weights)
        choices = list(zip(out[:count], weights[:count], strict=True))
    else:
        actions = actions_of(game, state)
        choices = [(action, 1 / len(actions)) for action in actions]
    mean = 0.0
    for choice, weight in choices:
        after = state.copy()
        play(game, after, choice)
        mean += weight * expected(game, after, player)
    return mean


def after(game, state, action):
    found = state.copy()
    play(game, found, action)
    return found


@pytest.mark.game("tron")
def test_values_are_the_exact_means_of_random_games():
    game = alone("....", "..1.", ".#..")
    state = start(game)
    found = FlatMonteCarlo(game, seed=1).search(state, 20_000)
    assert found.actions == actions_of(game, state.tolist())
    assert found.simulations == 20_000
    exact = [expected(game, after(game, state.tolist(), each), 0) for each in found.actions]
    assert found.values == pytest.approx(exact, abs=0.1)  # of a spread of 2.5, five standard errors
    assert max(exact) - min(exact) > 0.5
    assert found.best == found.actions[exact.index(max(exact))]


@pytest.mark.game("tron")
def test_forced_games_have_exact_values():
    game = alone("#######", "#  1  #", "##### #", "#######")
    found = FlatMonteCarlo(game).search(start(game), 3)
    assert dict(zip(found.actions, found.values, strict=True)) == {0: 2.0, 2: 3.0}
    assert found.best == 2
    assert found.in_words(game, start(game)) == ["right 3.00", "left 2.00"]


@pytest.mark.game("tron")
def test_of_equal_actions_the_first_is_best():
    game = alone("#  1  #")
    assert FlatMonteCarlo(game).search(start(game), 5).best == 0


@pytest.mark.game("virus")
def test_the_value_is_for_the_player_to_move():
    game, state = position(3, 4, seed=1)
    player = mover(game, state.tolist())
    found = FlatMonteCarlo(game).search(state, 5000)
    exact = [expected(game, after(game, state.tolist(), each), player) for each in found.actions]
    assert found.values == pytest.approx(exact, abs=0.08)


def dealt(first, second, third):
    """A state of poker in which the first player is to choose."""
    game = Poker()
    state = start(game).tolist()
    for card in (first, second, third):
        play(game, state, card)
    return game, state


def test_hidden_cards_are_drawn_anew_and_not_looked_at():
    found = [
        FlatMonteCarlo(Poker(), seed=3).search(dealt(2, *others)[1], 640)
        for others in ((0, 1), (4, 3))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("card", range(5))
def test_values_with_hidden_cards_are_means_over_all_that_they_may_be(card):
    others = [(x, y) for x in range(5) for y in range(5) if len({card, x, y}) == 3]
    game, state = dealt(card, *others[0])
    found = FlatMonteCarlo(game, seed=1).search(state, 20_000)
    assert found.actions == [FOLD, BET]
    for action, value in zip(found.actions, found.values, strict=True):
        exact = [expected(game, after(game, dealt(card, *each)[1], action), 0) for each in others]
        assert value == pytest.approx(np.mean(exact), abs=0.1)  # of a spread of 3, five errors


def test_python_and_compiled_code_weigh_alike():
    game, state = dealt(2, 0, 1)
    found = []
    for function in (weigh, weigh.function):
        rng, totals, root = generator(4), np.zeros(2), np.array(state, np.int16)
        actions = np.array([FOLD, BET], np.int32)
        arguments = (root, start(game), actions, totals, 1.0, 20, rng, playout_work(game))
        function(game, Playout(), Promises(), *arguments)
        found.append((totals.tolist(), rng.tolist(), root.tolist()))
    assert found[0] == found[1]
    assert found[0][2] == state


def test_actions_are_compared_on_the_same_deals():
    # Nobody acts after the third player: nothing is drawn but the others' cards.
    game, state = dealt(2, 0, 1)
    for action in (FOLD, BET):
        play(game, state, action)
    twice, totals = np.array([BET, BET], np.int32), np.zeros(2)
    root, room = np.array(state, np.int16), playout_work(game)
    arguments = (root, start(game), twice, totals, 1.0, 25, generator(1), room)
    weigh(game, Playout(), Promises(), *arguments)
    assert totals[0] == totals[1] != 0


def test_a_choice_of_the_same_round_is_not_looked_at():
    game = Pennies()
    found = []
    for choice in (0, 1):
        state = after(game, start(game).tolist(), choice)
        found.append(FlatMonteCarlo(game, seed=1).search(state, 400))
    assert found[0] == found[1]


@pytest.mark.parametrize("count", [1, 100])
def test_as_many_games_are_played_as_asked_for(count):
    assert FlatMonteCarlo(Poker()).search(dealt(1, 2, 3)[1], count).simulations == count


@pytest.mark.game("tron")
def test_a_search_is_reproducible_and_leaves_the_state_alone():
    game = make("tron", players=1)
    state = start(game)
    found = [FlatMonteCarlo(game, seed=5).search(state, 100) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0] != FlatMonteCarlo(game, seed=6).search(state, 100)
    assert np.array_equal(state, start(game))


@pytest.mark.game("tron")
def test_with_seconds_it_plays_until_they_are_over():
    game = make("tron", players=1)
    search = FlatMonteCarlo(game)
    assert search.search(start(game), seconds=0.0).simulations > 0
    assert search.search(start(game), seconds=0.05).simulations > 500


@pytest.mark.parametrize("state", [start(Poker()), [0, 2, 4, 0, 0, 0, 6]])
def test_where_no_player_is_to_move_it_says_so(state):
    with pytest.raises(ValueError, match="none is to move"):
        FlatMonteCarlo(Poker()).search(state, 1)


def test_without_simulations_nothing_can_be_said():
    with pytest.raises(ValueError, match="needs at least one simulation, got 0"):
        FlatMonteCarlo(Poker()).search(dealt(1, 2, 3)[1], 0)
