"""UCT in C grows exactly the tree that the kernel does; speed is no matter here."""

import sys
from types import SimpleNamespace

import pytest
from games.pennies import Pennies
from helpers import need

from bench import uct
from bench.against_c import DifferenceError, compiled
from bench.search import SEARCHES, games, search_row
from bench.uct import (
    EXAMPLE_GAMES,
    Uct,
    check_trees,
    example,
    native_row,
    open_spiel_row,
    positions,
)
from joute.core.interface import properties
from joute.search.uct_search import uct_tree

pytestmark = pytest.mark.game("vampires")

CONNECT_FOUR = EXAMPLE_GAMES[0]


@pytest.mark.full
@pytest.mark.parametrize("which", EXAMPLE_GAMES, ids=[each.file for each in EXAMPLE_GAMES])
@pytest.mark.parametrize("log2", [10, 16])
def test_trees_are_the_same_in_c_those_that_are_full_too(which, log2):
    native = compiled(uct.HERE / f"{which.file}.c", need("cc"))
    game = example(which)
    searches = [Uct(game, uct_tree(log2)), Uct(game, uct_tree(log2), native)]
    check_trees(searches, [state for _, state in positions(game)], 3000)


def test_a_difference_is_an_error():
    game = example(CONNECT_FOUR)
    small, large = Uct(game, uct_tree(10)), Uct(game, uct_tree(12))
    with pytest.raises(DifferenceError, match="grow different trees"):
        check_trees([small, large], [positions(game)[0][1]], 2000)


def test_without_c_the_kernel_is_measured_alone():
    row = native_row(CONNECT_FOUR, None, "skipped: no C", 10)
    assert row.value > 0
    assert (row.against, row.ratio, row.met) == ("skipped: no C", None, None)


def test_without_open_spiel_its_row_says_so(monkeypatch):
    monkeypatch.setattr(uct.importlib.util, "find_spec", lambda name: None)
    row = open_spiel_row(CONNECT_FOUR, 1e6, 10)
    assert (row.against, row.aim, row.met) == (
        "skipped: no module pyspiel", "20 of OpenSpiel", None,
    )  # fmt: skip


@pytest.mark.parametrize("right", [True, False])
def test_open_spiel_is_asked_in_the_same_positions(monkeypatch, right):
    played, searched = [], []
    state = SimpleNamespace(
        apply_action=played.append, legal_actions=lambda: list(range(7 if right else 6))
    )
    fake = SimpleNamespace(
        load_game=lambda name: SimpleNamespace(new_initial_state=lambda: state),
        RandomRolloutEvaluator=lambda games, seed: None,
        MCTSBot=lambda *arguments: SimpleNamespace(mcts_search=searched.append),
    )
    monkeypatch.setitem(sys.modules, "pyspiel", fake)
    monkeypatch.setattr(uct.importlib.util, "find_spec", lambda name: fake)
    monkeypatch.setattr(uct, "process_time", iter(range(100)).__next__)
    if right:
        row = open_spiel_row(CONNECT_FOUR, 60.0, 2)
        assert (row.against, row.ratio, row.met) == ("OpenSpiel: 2", 30.0, True)
        assert len(searched) == len(uct.PLIES)
        assert played == [
            each for actions, _ in positions(example(CONNECT_FOUR)) for each in actions
        ]
    else:
        with pytest.raises(DifferenceError, match="OpenSpiel's connect_four"):
            open_spiel_row(CONNECT_FOUR, 60.0, 2)


def test_a_search_is_measured_or_says_why_it_refuses():
    by_name = {each.name: each for each in SEARCHES}
    row = search_row(by_name["uct"], "connect-four", example(CONNECT_FOUR), 0.001, 1)
    assert (row.name, row.unit, row.value > 0) == ("uct, connect-four", "simulations/s", True)
    row = search_row(by_name["alphabeta"], "pennies", Pennies())
    assert row.value is None
    assert row.against == "refused: alpha-beta needs to see everything, pennies hides something"


@pytest.mark.game("love-letter", "paradise", "tron", "vampires", "virus")
def test_every_game_is_measured():
    assert {properties(game).name for game in games().values()} >= {
        "virus", "tron", "vampires", "love-letter", "paradise", "connect-four", "othello",
    }  # fmt: skip
