"""Alpha-beta gives the value of plain minimax, and the same wherever and however it runs."""

import itertools
import time

import numpy as np
import pytest
from games.dice import Dice
from games.examples import ConnectFour, Othello
from games.pennies import Pennies
from games.poker import Poker
from games.virus import evaluations
from helpers import COPIES
from search import plain, signature
from search.positions import position

from joute.core.interface import OVER, legal_actions, mover, play, start
from joute.core.random import below, bits, generator
from joute.core.registry import make as make_game
from joute.games.virus.players import evaluation as virus
from joute.games.virus.rules import Virus, VirusGrid
from joute.search import alphabeta_search, batches
from joute.search.alphabeta_search import NO_REDUCTION, AlphaBeta, Reduction, Solver
from joute.search.evaluation import Lead, evaluate
from joute.search.transpositions import hashed, transpositions

pytestmark = pytest.mark.game("virus")

EVALUATIONS = [
    (Lead, plain.lead),
    (virus.Hand, evaluations.hand),
    (virus.fitted, evaluations.fitted),
]

# Size, plies played, depth.
SHALLOW = [(3, 0, 4), (3, 2, 3), (4, 3, 3), (5, 8, 2), (6, 20, 3), (10, 20, 1), (10, 92, 4)]
DEEP = [(4, 0, 4), (5, 4, 4), (6, 10, 3), (7, 15, 3), (10, 10, 2), (10, 50, 2), (10, 88, 4)]


def assert_minimax(size, plies, depth, evaluations, seed, voluntary_pass=True):
    made, slow = evaluations
    game, state = position(size, plies, seed, voluntary_pass)
    value, values = plain.minimax(game, state.tolist(), depth, slow)
    found = AlphaBeta(game, state, made()).search(state, depth)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert values[found.action] == pytest.approx(value, abs=1e-9)
    assert found.depth == depth or found.solved
    assert found.line[0] == found.action


@pytest.mark.parametrize("evaluations", EVALUATIONS, ids=["lead", "hand", "fitted"])
@pytest.mark.parametrize(("size", "plies", "depth"), SHALLOW)
def test_the_value_is_that_of_plain_minimax(size, plies, depth, evaluations):
    for reached in range(1, depth + 1):
        assert_minimax(size, plies, reached, evaluations, seed=plies, voluntary_pass=plies % 4 > 0)


@pytest.mark.thorough
@pytest.mark.parametrize("evaluations", EVALUATIONS, ids=["lead", "hand", "fitted"])
@pytest.mark.parametrize(("size", "plies", "depth"), DEEP)
def test_the_value_is_that_of_plain_minimax_deeper_and_on_more_positions(
    size, plies, depth, evaluations
):
    for seed in range(4):
        assert_minimax(size, plies, depth, evaluations, seed, voluntary_pass=seed % 2 == 0)


def test_the_value_on_the_grid_layout_is_that_of_plain_minimax():
    for seed in range(4):
        assert_minimax(12, 20, 2, EVALUATIONS[0], seed)


@pytest.mark.parametrize("size", [3, 4, 5, 8, 10])
@pytest.mark.parametrize(("made", "slow"), EVALUATIONS, ids=["lead", "hand", "fitted"])
def test_evaluations_are_those_of_the_specification(size, made, slow):
    evaluation = made()
    for plies in range(0, size * size, 3):
        game, state = position(size, plies, plies)
        for player in (0, 1):
            value = evaluate(evaluation, game, state.tolist(), player)
            assert value == pytest.approx(slow(game, state.tolist(), player), abs=1e-9)


def test_the_weights_are_those_of_the_golden_file():
    text = (COPIES / "virus" / "fitted-8x12.txt").read_text("ascii")
    golden = np.array([line.split() for line in text.splitlines()], float)
    assert np.array_equal(virus.fitted().weights, golden)


# Late actions looked at less deep.


@pytest.mark.parametrize("plies", range(8, 25, 4))
def test_what_is_solved_is_so_however_late_actions_are_looked_at(plies):
    game, state = position(5, plies, seed=plies)
    found = AlphaBeta(game, state, reduce=Reduction(), table_log2=16).search(state)
    exact = AlphaBeta(game, state, table_log2=16).search(state)
    assert (found.value, found.solved) == (exact.value, True)


def test_less_depth_for_late_actions_reaches_a_depth_by_half_the_nodes():
    game, state = position(10, 40, seed=0)
    plain, reduced = (
        AlphaBeta(game, state, virus.fitted(), reduce=reduce).search(state, 7)
        for reduce in (NO_REDUCTION, Reduction())
    )
    assert plain.depth == reduced.depth == 7
    assert 2 * reduced.nodes < plain.nodes


# The same search, compiled or not, in one go or in slices, again and again.


@pytest.mark.parametrize("made", [Lead, virus.Hand, virus.fitted])
@pytest.mark.parametrize(("size", "plies", "nodes"), [(4, 0, 400), (10, 30, 300)])
def test_compiled_and_pure_python_search_alike(monkeypatch, size, plies, nodes, made):
    game, state = position(size, plies, seed=1)
    compiled = AlphaBeta(game, state, made(), reduce=Reduction()).search(state, nodes=nodes)
    monkeypatch.setattr(alphabeta_search, "advance", alphabeta_search.advance.function)
    assert AlphaBeta(game, state, made(), reduce=Reduction()).search(state, nodes=nodes) == compiled


def test_a_number_of_nodes_is_reproducible():
    game, state = position(10, 20, seed=2)
    found = [AlphaBeta(game, state, virus.fitted()).search(state, nodes=5000) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].nodes <= 5000


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_search_in_slices_is_the_same_search(monkeypatch, size):
    game, state = position(10, 20, seed=2)
    whole = AlphaBeta(game, state, virus.fitted()).search(state, nodes=3000)
    monkeypatch.setattr(batches, "FIRST_SLICE", size)
    monkeypatch.setattr(batches, "slice_nodes", lambda nodes, taken, left: size)
    sliced = AlphaBeta(game, state, virus.fitted()).search(state, nodes=3000, seconds=1e6)
    assert sliced == whole


def test_a_search_stops_when_its_time_is_over(monkeypatch):
    game, state = position(10, 20, seed=2)
    clock = iter(range(10**6))
    monkeypatch.setattr(time, "thread_time", lambda: next(clock))
    monkeypatch.setattr(batches, "slice_nodes", lambda nodes, taken, left: 100)
    found = AlphaBeta(game, state).search(state, seconds=10)
    # Each depth ends with a slice that is not full and does not look at the clock.
    assert found.nodes <= 100 * (10 + found.depth + 1)
    assert found.action in plain.actions_of(game, state.tolist())


@pytest.mark.parametrize("nodes", [0, 1, 2, 3, 20])
def test_however_few_nodes_the_action_is_legal(nodes):
    game, state = position(10, 20, seed=2)
    found = AlphaBeta(game, state).search(state, nodes=nodes)
    assert found.action in plain.actions_of(game, state.tolist())
    assert found.nodes <= max(nodes, 2)


@pytest.mark.parametrize(
    "game", [ConnectFour(), Othello(), Virus(4)], ids=["connect-four", "othello", "virus"]
)
def test_wherever_a_search_is_cut_off_its_action_and_its_line_are_legal(monkeypatch, game):
    monkeypatch.setattr(batches, "slice_nodes", lambda nodes, taken, left: 1)
    monkeypatch.setattr(time, "thread_time", lambda: next(clock))
    clock, rng = itertools.count(), generator(3)
    search = AlphaBeta(game, start(game), table_log2=10)
    for _ in range(8):
        state = start(game)
        while (player := mover(game, state)) != OVER:
            for looks in (1, 2, 3, 5, 8, 13, 21, 34) if player >= 0 else ():  # of a node each
                found = search.search(state, seconds=looks)
                after = state.tolist()
                for action in found.line:
                    assert action in legal_actions(game, after)
                    play(game, after, action)
                assert found.action == found.line[0]
            actions = legal_actions(game, state) if player >= 0 else [0, 1]
            drawn = actions[below(rng, len(actions))]
            play(game, state, found.action if player >= 0 and below(rng, 2) else drawn)


def test_the_state_is_left_alone():
    game, state = position(6, 5, seed=3)
    before = state.copy()
    AlphaBeta(game, state).search(state, 4)
    assert np.array_equal(state, before)


def test_the_size_of_the_table_does_not_change_the_value():
    game, state = position(5, 8, seed=4)
    values = {AlphaBeta(game, state, table_log2=log2).search(state, 7).value for log2 in (2, 8, 16)}
    assert len(values) == 1


def test_a_memory_of_earlier_turns_does_not_change_values_that_are_exact():
    game, state = position(4, 4, seed=5)
    search = AlphaBeta(game, state)
    while True:
        found = search.search(state)
        fresh = AlphaBeta(game, state).search(state)
        assert found.solved
        assert fresh.solved
        assert found.value == fresh.value
        after = state.copy()
        play(game, after, found.action)
        if mover(game, after) < 0:
            break
        state = after


def test_the_line_is_legal():
    game, state = position(10, 20, seed=2)
    found = AlphaBeta(game, state, virus.fitted()).search(state, 5)
    after = state.tolist()
    for action in found.line:
        assert action in plain.actions_of(game, after)
        play(game, after, action)


def test_the_search_does_on_fixed_positions_what_it_did():
    assert signature.lines() == signature.FILE.read_text("ascii").splitlines()


# Exact values of small boards, from the specification: stone differences for the starter.


@pytest.mark.parametrize(
    ("size", "voluntary_pass", "value"),
    [(3, True, 9), (3, False, 9), (4, False, -8), (4, True, 0)],
)
@pytest.mark.parametrize("starter", [0, 1])
def test_small_boards_have_their_exact_values(size, voluntary_pass, value, starter):
    for game in (Virus(size, voluntary_pass), VirusGrid(size, voluntary_pass)):
        state = start(game)
        play(game, state, starter)
        found = AlphaBeta(game, state).search(state)
        assert (found.value, found.solved) == (value, True)


@pytest.mark.parametrize(
    ("size", "voluntary_pass", "value"),
    [(3, True, 9), (3, False, 9), (4, False, -8), (4, True, 0)],
)
def test_small_boards_are_solved(size, voluntary_pass, value):
    game = Virus(size, voluntary_pass)
    state = start(game)
    play(game, state, 0)
    assert Solver(game, state).settle(state).value == value


@pytest.mark.thorough
@pytest.mark.parametrize("voluntary_pass", [True, False])
def test_the_board_of_five_is_solved(voluntary_pass):
    game = Virus(5, voluntary_pass)
    state = start(game)
    play(game, state, 0)
    assert Solver(game, state, table_log2=22).settle(state).value == 7


@pytest.mark.parametrize("plies", range(8, 25, 4))
def test_solving_gives_the_value_that_search_does(plies):
    game, state = position(5, plies, seed=plies)
    solver = Solver(game, state, table_log2=16)
    solved = solver.settle(state)
    found = solver.search(state)
    assert (found.value, found.solved) == (solved.value, True)


# Refusals.


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Poker(), "alpha-beta plays zero-sum games for two, poker is not one"),
        (Pennies(), "alpha-beta needs to see everything, pennies hides something"),
        (Dice(), "alpha-beta averages over nothing, and in dice chance decides"),
        ("vampires", "and in vampires chance decides"),
    ],
)
def test_other_games_are_refused_with_a_sentence(game, words):
    game = make_game(game) if isinstance(game, str) else game
    with pytest.raises(ValueError, match=words):
        AlphaBeta(game, start(game))


# The transposition table.


def test_hashes_fit_and_differ_for_what_differs():
    rng = generator(9)
    states = [[bits(rng) >> 1 for _ in range(6)] for _ in range(1000)]
    for state in states[:200]:
        states += [[*state[:place], state[place] ^ 1, *state[place + 1 :]] for place in range(6)]
    hashes = [hashed(state, 6) for state in states]
    assert len(set(hashes)) == len(states)
    assert all(0 < each < 2**63 for each in hashes)
    assert hashed([-1, -2], 2) != hashed([-2, -1], 2)


def test_a_table_is_as_large_as_asked():
    assert {array.size for array in transpositions(5)} == {32}
