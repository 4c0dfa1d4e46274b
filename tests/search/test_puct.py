"""PUCT: proven values are those of perfect play, the tree is kept, the same every time."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest
from games.dice import Dice
from games.examples import ConnectFour
from games.poker import Poker
from search.plain import minimax
from search.positions import position
from search.random_tree import RandomTree, drawn

from joute.core.errors import SearchError
from joute.core.interface import (
    OVER,
    Properties,
    implements,
    legal_actions,
    mover,
    play,
    returns,
    rules_of,
    start,
)
from joute.search.alphabeta_search import Solver
from joute.search.evaluation import FinalReturns
from joute.search.policy import Promises
from joute.search.puct_search import Puct
from joute.search.puct_tree import (
    ACTION,
    CHILDREN,
    FIRST,
    LEGAL,
    PROVEN,
    VISITS,
    keep,
    keep_level_by_level,
    puct_tree,
)

MANY = 20_000


class SignedTree(NamedTuple):
    """A random tree without chance, whose ends are won, drawn or lost."""

    seed: int
    plies: int = 6
    players: int = 2
    chance: bool = False
    width: int = 0


for name, rule in rules_of(RandomTree).items():
    implements(SignedTree, name)(rule)
SignedTree.interpreted = True


@implements(SignedTree, "returns")
def signs(game, state, out):
    out[0] = float(drawn(game, state, 3, 3) - 1)
    out[1] = -out[0]


def searching(game, **options):
    """A search that knows the value of what is over, and nothing else."""
    return Puct(game, FinalReturns(np.zeros(2)), Promises(), **options)


def places(search, game, state):
    """Every place of the tree with its state, who chose it, and its row."""
    waiting = [(0, list(state), mover(game, state))]
    while waiting:
        place, here, chooser = waiting.pop()
        row = search._tree.places[place]
        yield place, here, chooser, row
        for child in range(row[FIRST], row[FIRST] + row[CHILDREN]):
            after = here.copy()
            play(game, after, int(search._tree.places[child, ACTION]))
            waiting.append((child, after, mover(game, here)))


def result(game, state, player):
    """The return of a state that is over."""
    out = [0.0, 0.0]
    returns(game, state, out)
    return out[player]


@pytest.mark.parametrize(
    ("columns", "best"),
    [
        ([0, 6, 0, 6, 0, 5], {0}),  # wins at once
        ([3, 0, 3, 0, 3], {3}),  # must stop the other
        ([3, 3, 2, 2, 4, 4], {1, 5}),  # three in a row, open at both ends: either wins
    ],
)
def test_a_win_is_taken_and_a_loss_is_prevented(columns, best):
    game = ConnectFour()
    state = start(game)
    for column in columns:
        play(game, state, column)
    assert searching(game).search(state, 3000).action in best


@pytest.mark.parametrize("seed", range(30))
def test_a_whole_tree_is_solved_as_by_minimax_whoever_moves(seed):
    game = SignedTree(seed)
    state = start(game).tolist()
    if mover(game, state) == OVER:
        return
    found = searching(game, tree_log2=12).search(state, MANY)
    value, values = minimax(game, state, game.plies, result)
    assert found.proven
    assert found.value == value == values[found.action]
    assert found.simulations < MANY  # it stops when all is known


@pytest.mark.game("virus")
@pytest.mark.parametrize(("size", "plies"), [(4, 6), (4, 8), (5, 13), (5, 15)])
def test_what_is_proven_is_what_the_solver_finds(size, plies):
    game, state = position(size, plies, seed=plies)
    search, solver = searching(game, tree_log2=18), Solver(game, state)
    search.search(state, MANY)
    proven = 0
    found = [each for each in places(search, game, state.tolist()) if each[3][PROVEN]]
    for place, here, chooser, _ in found[1 :: max(len(found) // 300, 1)]:
        player = mover(game, here)
        if player == OVER:
            value = result(game, here, chooser)
        else:
            value = np.sign(solver.settle(np.array(here)).value) * (1 if player == chooser else -1)
        assert search._tree.values[place] == value
        proven += 1
    assert proven > 5


@pytest.mark.game("virus")
def test_actions_have_places_the_best_prior_first_and_all_of_them_where_all_are_visited():
    game, state = position(6, 6, seed=1)
    search = searching(game)
    search.search(state, MANY)
    for _, here, _, row in itertools.islice(places(search, game, state.tolist()), 2000):
        if not row[CHILDREN]:
            continue
        known = slice(row[FIRST], row[FIRST] + row[CHILDREN])
        priors, visits = search._tree.priors[known], search._tree.places[known, VISITS]
        actions = search._tree.places[known, ACTION].tolist()
        legal = legal_actions(game, here)
        assert row[LEGAL] == len(legal)
        assert set(actions) <= set(legal)
        assert len(set(actions)) == len(actions)
        assert (np.diff(priors) <= 0).all()
        assert (visits > 0).tolist() == sorted((visits > 0).tolist(), reverse=True)
    assert search._tree.places[0, CHILDREN] == len(legal_actions(game, state.tolist()))


@pytest.mark.game("virus")
def test_the_tree_is_kept_from_turn_to_turn():
    game, state = position(6, 4, seed=2)
    search = searching(game)
    found = search.search(state, 2000)
    for action in found.line[:2]:
        play(game, state, action)
    before = {
        tuple(here): int(row[VISITS]) for _, here, _, row in places(search, game, search._root)
    }
    again = search.search(state, 1)
    assert again.simulations == 1
    assert sum(again.visits.values()) == before[tuple(state.tolist())] - 1 + 1
    assert sum(again.visits.values()) > 20
    for _, here, _, row in places(search, game, state.tolist()):
        assert before.get(tuple(here), 0) <= row[VISITS] <= before.get(tuple(here), 0) + 1


@pytest.mark.game("virus")
def test_what_is_kept_of_a_tree_is_the_same_level_by_level_and_place_by_place():
    game, state = position(6, 4, seed=2)
    search = searching(game)
    search.search(state, 2000)
    unvisited = search._tree.places[: search.places, VISITS].argmin()
    for place in (0, *search._children(0), *search._children(1), int(unvisited)):
        kept, again = puct_tree(14), puct_tree(14)
        used = keep_level_by_level(search._tree, place, kept)
        assert used == keep(search._tree, place, again)
        assert np.array_equal(kept.places[:used], again.places[:used])
        assert np.array_equal(kept.values[:used], again.values[:used])
        assert np.array_equal(kept.priors[1:used], again.priors[1:used])


@pytest.mark.game("virus")
def test_another_state_begins_another_tree():
    game, state = position(6, 4, seed=2)
    search = searching(game)
    search.search(state, 500)
    other = position(6, 7, seed=3)[1]
    assert search.search(other, 500) == searching(game).search(other, 500)


@pytest.mark.game("virus")
def test_the_same_searches_find_the_same_and_what_is_forgotten_does_not_count():
    game, state = position(6, 4, seed=2)
    one = searching(game)
    first = one.search(state, 700)
    assert first == searching(game).search(state, 700)
    one.forget()
    assert one.search(state, 700) == first


@pytest.mark.game("virus")
def test_a_full_tree_is_searched_on():
    game, state = position(6, 4, seed=2)
    search = searching(game, tree_log2=10)
    found = search.search(state, 5000)
    assert search.places <= 1 << 10
    assert found.simulations == 5000
    assert found.action in legal_actions(game, state.tolist())


@pytest.mark.game("virus")
def test_a_clock_is_not_waited_for_where_the_choice_is_made():
    game, state = position(4, 9, seed=1)
    search = searching(game)
    assert search.search(state, seconds=1000.0).proven


@pytest.mark.game("virus")
def test_with_simulations_and_seconds_the_first_of_the_two_ends_a_search():
    game, state = position(6, 4, seed=2)
    found = searching(game).search(state, 10_000_000, seconds=0.002)
    assert 0 < found.simulations < 10_000_000
    assert searching(game).search(state, 50, seconds=1000.0).simulations == 50


@pytest.mark.game("virus")
def test_a_search_by_the_clock_stops():
    game, state = position(6, 4, seed=2)
    found = searching(game).search(state, seconds=0.002)
    assert found.simulations > 0
    assert found.action == max(found.visits, key=found.visits.get)


def test_a_forced_action_takes_no_simulation():
    game = ConnectFour()
    state = start(game)
    for column in [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 4, 3, 3, 3, 3, 3, 3, 4,
                   4, 4, 4, 4, 5, 5, 5, 5, 5, 5]:  # fmt: skip
        if mover(game, state) != OVER:
            play(game, state, column)
    if mover(game, state) == OVER:
        pytest.fail("the columns do not end the game")
    found = searching(game).search(state, 100)
    assert (found.action, found.simulations, found.visits) == (6, 0, {})


@pytest.mark.parametrize("wrong", [{"exploration": -1.0}, {"scale": 0.0}, {"tree_log2": 3}])
def test_an_option_out_of_range_is_refused(wrong):
    with pytest.raises(SearchError):
        searching(ConnectFour(), **wrong)


@pytest.mark.parametrize("game", [Dice(), Poker()])
def test_a_game_it_cannot_play_is_refused(game):
    with pytest.raises(SearchError):
        searching(game)


class Graded(NamedTuple):
    """One choice among ends that are worth more or less, none of them a win."""

    worth: tuple[float, ...] = (0.2, 0.5, -0.5)


Graded.interpreted = True


@implements(Graded, "properties")
def _properties(game):
    return Properties("graded", 2, False, False, False, True, 3, 3, 0, 1, -1.0, 1.0, 1)


@implements(Graded, "start")
def _start(game):
    return np.zeros(1, np.int64)


@implements(Graded, "mover")
def _mover(game, state):
    return OVER if state[0] else 0


@implements(Graded, "legal")
def _legal(game, state, out):
    out[:3] = range(3)
    return 3


@implements(Graded, "play")
def _play(game, state, action):
    state[0] = action + 1


@implements(Graded, "returns")
def _returns(game, state, out):
    out[0] = game.worth[int(state[0]) - 1]
    out[1] = -out[0]


def test_of_graded_ends_that_are_proven_the_best_is_chosen():
    found = searching(Graded()).search(start(Graded()), 100)
    assert (found.action, found.value, found.proven) == (1, 0.5, True)
