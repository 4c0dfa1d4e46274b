"""The end of a game is solved exactly, or not at all."""

import time

import pytest
from games.pennies import Pennies
from search.positions import position
from search.walk import Walk

from joute.core.interface import mover, play, start
from joute.search.alphabeta_search import AlphaBeta, Solver
from joute.search.evaluation import FinalLead


def solved(game, state):
    """The value that a search to the end of the game finds."""
    found = AlphaBeta(game, state, FinalLead(), table_log2=16).search(state)
    assert found.solved
    return found.value


@pytest.mark.game("virus")
@pytest.mark.parametrize(("size", "plies"), [(3, 0), (4, 0), (4, 5), (5, 8), (5, 15), (10, 84)])
def test_the_value_and_the_action_are_those_of_perfect_play(size, plies):
    game, state = position(size, plies, seed=plies)
    found = Solver(game, state, table_log2=16).settle(state)
    assert found.value == solved(game, state)
    assert found.solved
    after = state.copy()
    play(game, after, found.action)
    assert found.line[0] == found.action
    if mover(game, after) >= 0:
        sign = 1 if mover(game, after) == mover(game, state) else -1
        assert sign * solved(game, after) == found.value


@pytest.mark.game("virus")
def test_a_solution_that_takes_too_long_is_given_up(monkeypatch):
    game, state = position(10, 20, seed=2)
    clock = iter(range(10**6))
    monkeypatch.setattr(time, "thread_time", lambda: next(clock))
    assert Solver(game, state).settle(state, 3) is None


@pytest.mark.game("virus")
@pytest.mark.parametrize("seed", range(8))
def test_a_win_is_proven_before_it_is_known_by_how_much(monkeypatch, seed):
    game, state = position(10, 84, seed)
    solver, windows = Solver(game, state, table_log2=16), []

    def first(*told):
        windows.append(told[-1])
        return len(windows) == 1 and AlphaBeta._iterate(solver, *told)

    monkeypatch.setattr(solver, "_iterate", first)
    found, lead = solver.settle(state), solved(game, state)
    assert windows[0] == (0, 1)
    if lead <= 0:
        assert found is None
        return
    assert 0 < found.value <= lead
    after = state.copy()
    play(game, after, found.action)
    assert -solved(game, after) >= found.value


def test_a_game_that_goes_on_for_too_long_has_no_solution():
    state = start(Walk())
    assert Solver(Walk(), state).settle(state) is None


def test_other_games_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match="needs to see everything, pennies hides something"):
        Solver(Pennies(), start(Pennies()))
