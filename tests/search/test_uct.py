"""UCT: right actions, exact values in the end, chance and many players, the same every time."""

from typing import NamedTuple

import numpy as np
import pytest
from games.dice import DIE, WEIGHTS, Dice
from games.examples import ConnectFour, Othello
from games.poker import Poker
from search import uct_signature
from search.positions import position

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import (
    CHANCE,
    OVER,
    implements,
    legal,
    mover,
    play,
    properties,
    returns,
    start,
)
from joute.core.registry import make as make_game
from joute.search.alphabeta_search import AlphaBeta, Solver
from joute.search.montecarlo import FIRST_BATCH, ActionStatistics
from joute.search.uct_search import ACTION, CHILDREN, FIRST, VISITS, Uct


class Level(NamedTuple):
    """An evaluation: all states are worth the same."""


Level.interpreted = True


@implements(Level)
def evaluate(evaluation, game, state, player):
    return 0.0


def dropped(columns):
    game = ConnectFour()
    state = start(game)
    for column in columns:
        play(game, state, column)
    return game, state


@pytest.mark.parametrize("informed", [False, True])
@pytest.mark.parametrize(
    ("columns", "best"),
    [
        ([0, 6, 0, 6, 0, 5], 0),  # wins at once
        ([3, 0, 3, 0, 3], 3),  # must stop the other
        ([3, 3, 2, 2, 4, 4], 1),  # three in a row, open at both ends: either wins
    ],
)
def test_a_win_is_taken_and_a_loss_is_prevented(columns, best, informed):
    game, state = dropped(columns)
    found = Uct(game, 1, informed=informed).search(state, 3000)
    assert found.best == best or (best == 1 and found.best == 5)


@pytest.mark.game("virus")
@pytest.mark.parametrize("seed", range(6))
def test_an_action_that_is_chosen_is_one_of_perfect_play(seed):
    game, state = position(4, 6, seed)
    exact, ends = {}, np.zeros(2)
    out = [0] * properties(game).max_legal
    for action in out[: legal(game, state.tolist(), out)]:
        after = state.copy()
        play(game, after, action)
        player, own = int(mover(game, after)), int(mover(game, state))
        if player == OVER:
            returns(game, after, ends)
            exact[action] = ends[own]
        else:
            value = Solver(game, after).settle(after).value
            exact[action] = value if player == own else -value
    best = Uct(game, seed).search(state, 60_000).best
    assert np.sign(exact[best]) == np.sign(max(exact.values()))


@pytest.mark.game("virus")
def test_with_an_evaluation_it_needs_no_random_game():
    from joute.games.virus.players.evaluation import fitted

    game, state = position(10, 30, 3)
    found = Uct(game, 1, evaluation=fitted(), informed=True).search(state, 2000)
    shallow = AlphaBeta(game, state, fitted()).search(state, 6)
    rank = found.actions.index(shallow.action)
    assert found.visits[rank] >= sorted(found.visits)[-4]
    assert all(-1 <= value <= 1 for value in found.values)


def test_outcomes_come_as_often_as_they_are_likely():
    game = Dice()
    search = Uct(game, 1)
    found = search.search(start(game), 60_000)
    places = search._tree.places
    first = places[0, FIRST]
    for rank, die in enumerate(places[first : first + 3, ACTION]):
        throw = first + rank
        assert places[throw, CHILDREN] == 3
        outcomes = places[throw, FIRST] + np.arange(3)
        assert places[outcomes, ACTION].tolist() == [0, 1, 2]
        if places[throw, VISITS] > 1000:
            share = places[outcomes, VISITS] / places[throw, VISITS]
            assert share == pytest.approx(WEIGHTS[die], abs=0.05)
    exact = [expected(game, after) for after in choices(game, start(game).tolist())]
    assert found.best == exact.index(max(exact))
    assert max(found.values) == pytest.approx(max(exact), abs=0.05)


def choices(game, state):
    """The states after each action of a player, or each outcome."""
    found = []
    for action in range(3):
        found.append(state.copy())
        play(game, found[-1], action)
    return found


def expected(game, state):
    """The exact value for player 0."""
    player = mover(game, state)
    if player == OVER:
        out = [0.0, 0.0]
        returns(game, state, out)
        return out[0]
    values = [expected(game, after) for after in choices(game, state)]
    if player == CHANCE:
        return float(np.dot(values, WEIGHTS[state[DIE]]))
    return max(values) if player == 0 else min(values)


def test_every_visit_of_a_place_goes_on_to_one_after_it():
    game = Othello()
    search = Uct(game, 1)
    search.search(start(game), 3000)
    places = search._tree.places
    for place in range(1, search.places):
        first, count = places[place, FIRST], places[place, CHILDREN]
        if count:
            after = places[first : first + count, VISITS].sum()
            assert places[place, VISITS] - 1 == after
    assert places[0, VISITS] == 3001


def test_a_full_tree_still_answers():
    found = Uct(Othello(), 1, tree_log2=10).search(start(Othello()), 5000)
    assert found.simulations == sum(found.visits) == 5000


def test_where_a_tree_is_full_the_evaluation_judges_and_no_random_game():
    search = Uct(ConnectFour(), 1, evaluation=Level(), tree_log2=10)
    found = search.search(start(ConnectFour()), 3000)
    assert search.places > 1000
    assert sum(found.visits) == found.simulations == 3000
    assert found.values == [0.0] * 7


def test_what_is_forced_takes_no_simulation():
    columns = [pair for low in (0, 2, 4) for pair in [low, low + 1] * 3 + [low + 1, low] * 3]
    game, state = dropped(columns)
    assert Uct(game, 1).search(state, 10) == ActionStatistics([6], [0], [0.0], 0)


def test_with_seconds_the_first_simulations_are_run_in_any_case():
    game = ConnectFour()
    assert Uct(game, 1).search(start(game), seconds=0.0).simulations >= FIRST_BATCH


def test_a_search_changes_when_it_is_meant_to():
    assert uct_signature.lines() == uct_signature.expected()


def test_equal_seeds_search_alike_and_a_search_forgets_the_one_before():
    game = ConnectFour()
    one, other = Uct(game, 5), Uct(game, 5)
    first = one.search(start(game), 500)
    assert first == other.search(start(game), 500)
    again = one.search(start(game), 500)
    assert sum(again.visits) == 500


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("love-letter", {}, "hides something"),
        ("tron", {}, "hides something"),
        (Poker(), {}, "hides something"),
        (ConnectFour(), {"exploration": -0.1}, "exploration"),
        (ConnectFour(), {"scale": 0.0}, "scale"),
        (ConnectFour(), {"tree_log2": 3}, "2\\^10"),
    ],
)
def test_what_it_cannot_do_is_refused_with_a_sentence(game, options, said):
    game = make_game(game) if isinstance(game, str) else game
    with pytest.raises(ValueError, match=said):
        Uct(game, 1, **options)


@pytest.mark.game("virus")
def test_a_state_without_a_player_to_move_or_no_simulations_are_refused():
    game = make_game("virus", size=3)
    search = Uct(game, 1)
    with pytest.raises(ValueError, match="none is to move"):
        search.search(start(game), 10)
    with pytest.raises(ValueError, match="needs at least one simulation"):
        search.search(start(game), 0)


def test_what_was_found_is_said_best_first():
    game = ConnectFour()
    found = ActionStatistics([2, 3], [10, 30], [0.25, -0.5], 40)
    assert found.in_words(game, start(game)) == ["3 -0.50 (75%)", "2 +0.25 (25%)"]
    assert found.best == 3


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"simulations": "-1"}, "above 0"),
        ({"simulations": "5", "seconds": "1"}, "not both"),
        ({"bound": "best"}, "uct or puct"),
        ({"evaluation": "best"}, "there are: lead, hand, fitted"),
        ({"scale": "0"}, "scale"),
    ],
)
def test_options_of_the_bot_that_cannot_be_are_refused(options, said):
    with pytest.raises(BuiltinError, match=said):
        make("uct", options, Seating(make_game("virus"), 0, 1, 1.0))


@pytest.mark.game("virus")
def test_the_bot_says_what_it_expects():
    game, state = position(5, 4, 2)
    bot = make("uct", {"simulations": "500"}, Seating(game, 0, 1, 1.0))
    choice = bot.play(state)
    assert "500 simulations" in choice.message
    assert -1 <= choice.value <= 1
