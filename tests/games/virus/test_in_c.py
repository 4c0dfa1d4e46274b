"""The C that kernels are compared with does exactly what they do; speed is no matter here."""

import pytest
from helpers import need

from bench.against_c import DifferenceError, check_playouts
from bench.virus_c import VirusC
from bench.virus_kernels import (
    check_search,
    positions,
    searchers,
)
from joute.core.registry import make


@pytest.fixture(scope="module", name="native")
def _native():
    return VirusC(need("cc"))


@pytest.mark.parametrize("voluntary_pass", [True, False])
@pytest.mark.parametrize("size", range(3, 11))
def test_random_games_are_the_same(native, size, voluntary_pass):
    check_playouts(native, make("virus", size=size, voluntary_pass=voluntary_pass), 500, seed=size)


@pytest.mark.parametrize("evaluation", ["lead", "fitted"])
def test_searches_from_mid_game_visit_the_same_nodes(native, evaluation):
    game = make("virus")
    states = positions(game, (2, 20, 40, 60))
    nodes = check_search(searchers(native, game, evaluation), states, 5)
    assert min(nodes) > 1000


@pytest.mark.parametrize("evaluation", ["lead", "fitted"])
@pytest.mark.parametrize("voluntary_pass", [True, False])
def test_searches_to_the_end_of_the_game_visit_the_same_nodes(native, evaluation, voluntary_pass):
    game = make("virus", size=5, voluntary_pass=voluntary_pass)
    states = positions(game, (13, 14, 15))
    check_search(searchers(native, game, evaluation), states, 12)


def test_searches_with_a_table_too_small_visit_the_same_nodes(native):
    game = make("virus", size=7)
    check_search(searchers(native, game, "lead", table_log2=6), positions(game, (10, 20)), 6)


def test_a_difference_is_an_error(native):
    game = make("virus")
    lead, fitted = searchers(native, game, "lead"), searchers(native, game, "fitted")
    with pytest.raises(DifferenceError, match="alpha-beta"):
        check_search([lead[0], fitted[-1]], positions(game), 4)
