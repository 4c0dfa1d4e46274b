"""Expectimax gives the value of a plain recursion, and the same wherever and however it runs."""

import itertools
import time

import numpy as np
import pytest
from games.pennies import Pennies
from games.poker import Poker
from games.vampires import plain_turns as slow
from games.vampires.maps import ALL
from games.vampires.positions import position
from games.virus import evaluations
from search import expectimax_signature, plain
from search.positions import position as virus_position
from search.random_tree import RandomTree, Worth
from search.walk import Walk

from joute.core.interface import mover, start
from joute.games.vampires.players.evaluation import Material, reach
from joute.games.vampires.players.orders import orders
from joute.games.virus.players import evaluation as virus
from joute.play.game import acceptable
from joute.search import batches, expectimax_search
from joute.search.branching import singles, thin
from joute.search.evaluation import evaluate
from joute.search.expectimax_search import Expectimax
from joute.search.transpositions import AT_LEAST, AT_MOST, hashed

pytestmark = pytest.mark.game("vampires", "virus")

# Map, turns played, depth, quantiles kept (0: exact).
SHALLOW = [
    ("pair", 0, 3, 0),
    ("line", 0, 3, 0),
    ("line", 3, 2, 0),
    ("small", 0, 2, 0),
    ("small", 2, 3, 2),
    ("field", 0, 2, 3),
]
DEEP = [
    ("pair", 0, 6, 0),
    ("line", 0, 5, 0),
    ("line", 2, 4, 5),
    ("small", 1, 3, 0),
    ("small", 3, 4, 3),
    ("field", 1, 3, 2),
    ("crowd", 0, 2, 4),
    ("tall", 3, 2, 0),
]


def looked(game, state, depth, evaluation, keep=0, generator=None):
    search = Expectimax(game, state, generator or orders(game), evaluation, keep)
    return search.search(state, depth)


def assert_value(name, turns, depth, keep, seed):
    game, state = position(ALL[name], turns, seed, plies=12)
    evaluation = reach(game)

    def value_of(game, state, player):
        return evaluate(evaluation, game, state, player)

    found = looked(game, state, depth, evaluation, keep)
    before = state.tolist()
    arguments = (game, before, depth, orders(game), value_of, mover(game, before), keep)
    values = slow.values(*arguments)
    assert found.value == pytest.approx(max(values), abs=1e-9)
    place = slow.listed(orders(game), game, before).index(found.turn)
    assert values[place] == pytest.approx(max(values), abs=1e-9)
    assert found.depth == depth or found.whole


@pytest.mark.parametrize(("name", "turns", "depth", "keep"), SHALLOW)
def test_the_value_is_that_of_a_plain_recursion(name, turns, depth, keep):
    for reached in range(1, depth + 1):
        assert_value(name, turns, reached, keep, seed=turns)


@pytest.mark.full
@pytest.mark.parametrize(("name", "turns", "depth", "keep"), DEEP)
def test_the_value_is_that_of_a_plain_recursion_deeper_and_on_more_positions(
    name, turns, depth, keep
):
    for seed in range(2):
        assert_value(name, turns, depth, keep, seed)


@pytest.mark.parametrize("name", ["pair", "line"])
def test_every_order_can_be_looked_at_choice_by_choice(name):
    game, state = position(ALL[name], 0, 0, plies=6)
    found = looked(game, state, 2, Material(), generator=singles(game))
    value = slow.expectimax(game, state.tolist(), 2, singles(game), slow.material, 0)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert len(found.turn) == 1
    # Some of the orders cannot be better than all.
    assert (
        looked(game, state, 1, Material()).value
        <= looked(game, state, 1, Material(), generator=singles(game)).value + 1e-9
    )


def test_without_chance_it_is_minimax():
    game, state = virus_position(5, 6, seed=1)
    value, _ = plain.minimax(game, state.tolist(), 3, evaluations.hand)
    assert Expectimax(game, state, evaluation=virus.Hand()).search(state, 3).value == pytest.approx(
        value, abs=1e-9
    )


def test_bounds_of_what_chance_may_bring_spare_nodes_and_do_not_change_the_value(monkeypatch):
    monkeypatch.setattr(expectimax_search, "advance", expectimax_search.advance.function)
    nodes = {False: 0, True: 0}
    for seed in range(30):
        game = RandomTree(seed, plies=5)
        state = start(game)
        for bounded in nodes:
            evaluation = Worth(bounded=bounded)

            def value_of(*place, evaluation=evaluation):
                return evaluate(evaluation, *place)

            found = Expectimax(game, state, evaluation=evaluation, table_log2=8).search(state, 5)
            arguments = (game, state.tolist(), 5, singles(game), value_of, mover(game, state))
            assert found.value == pytest.approx(slow.expectimax(*arguments), abs=1e-9)
            nodes[bounded] += found.nodes
    assert nodes[True] < nodes[False]


@pytest.mark.parametrize("bounded", [False, True])
def test_what_is_remembered_of_a_state_is_true_wherever_lines_meet(monkeypatch, bounded):
    monkeypatch.setattr(expectimax_search, "advance", expectimax_search.advance.function)
    evaluation, plies, wrong = Worth(bounded=bounded), 7, []

    def value_of(*place):
        return evaluate(evaluation, *place)

    for seed in range(150):
        game = RandomTree(seed, plies, width=3)
        search = Expectimax(game, start(game), evaluation=evaluation, table_log2=10)
        search.search(start(game), 20)
        for place in itertools.product(range(3), range(plies)):
            state = np.array(place)
            key = hashed(state, len(state))
            at = key & (search._table.keys.size - 1)
            if mover(game, state) < 0 or search._table.keys[at] != key:
                continue
            facts, value = int(search._table.facts[at]), float(search._table.values[at])
            if not facts >> 2 & 1:  # not looked at to the end
                continue
            arguments = (game, state.tolist(), 20, singles(game), value_of, mover(game, state))
            true = slow.expectimax(*arguments)
            wrong += [place] * (facts & 3 != AT_MOST and value > true + 1e-9)
            wrong += [place] * (facts & 3 != AT_LEAST and value < true - 1e-9)
    assert not wrong


def test_who_forgets_looks_at_everything_again():
    game, state = virus_position(5, 6, seed=1)
    search = Expectimax(game, state, evaluation=virus.Hand())
    fresh = search.search(state, 3)
    known = search.search(state, 3)
    search.forget()
    assert search.search(state, 3) == fresh
    assert known.nodes < fresh.nodes


def test_a_line_that_ends_is_not_looked_at_again():
    game, state = position(ALL["line"], 0, 0, plies=4)
    found = Expectimax(game, state, orders(game), Material()).search(state)
    assert (found.whole, found.depth) == (True, 4)


def test_a_line_longer_than_the_stack_is_cut_off_there(monkeypatch):
    # In plain Python, where what is beyond an array is an error.
    monkeypatch.setattr(expectimax_search, "advance", expectimax_search.advance.function)
    game = Walk()
    found = Expectimax(game, start(game)).search(start(game), expectimax_search.MAX_DEPTH)
    assert (found.depth, found.whole, found.value) == (expectimax_search.MAX_DEPTH, False, 0.0)


# Outcomes of chance.


def thinned(weights, keep, outcomes=None):
    outcomes, weights = list(outcomes or range(len(weights))), list(weights)
    count = thin(outcomes, weights, len(weights), keep)
    return dict(zip(outcomes[:count], weights[:count], strict=True))


@pytest.mark.parametrize(
    ("keep", "left"),
    [
        (0, {0: 0.1, 2: 0.2, 3: 0.6, 4: 0.1}),
        (5, {0: 0.1, 2: 0.2, 3: 0.6, 4: 0.1}),
        (4, {2: 0.25, 3: 0.75}),
        (2, {2: 0.5, 3: 0.5}),
        (1, {3: 1.0}),
    ],
)
def test_quantiles_are_as_likely_as_they_stand_for(keep, left):
    assert thinned([0.1, 0.0, 0.2, 0.6, 0.1], keep) == left


def test_what_is_unlike_the_others_is_left_however_unlikely():
    lost, won = [0, 1, 2], [512, 513, 514, 515]
    found = thinned([0.01, 0.02, 0.01, 0.2, 0.2, 0.3, 0.26], 2, lost + won)
    assert found == pytest.approx({1: 0.04, 513: 0.48, 515: 0.48})
    assert thinned([0.5, 0.25, 0.25], 1, [0, 512, 513]) == {0: 0.5, 512: 0.5}


@pytest.mark.parametrize("keep", [3, 6])
def test_a_risk_of_a_few_percent_is_not_thinned_away(keep):
    game, state = position(ALL["small"], 8, seed=8)
    exact, thinned = (looked(game, state, 2, Material(), each).value for each in (0, keep))
    assert exact == pytest.approx(124.2, abs=0.1)  # a win counts 1,000
    assert thinned == pytest.approx(exact, abs=0.5)


@pytest.mark.parametrize("keep", [1, 2, 3, 6, 50])
def test_what_is_left_is_all_that_can_happen(keep):
    assert sum(thinned([1 / 300] * 300, keep).values()) == pytest.approx(1.0, abs=1e-12)


# The same search, compiled or not, in one go or in slices, again and again.


def searched(game, state, evaluation=None, nodes=None, **seconds):
    search = Expectimax(game, state, orders(game), evaluation or reach(game), 3)
    return search.search(state, nodes=nodes, **seconds)


@pytest.mark.parametrize(("name", "turns", "nodes"), [("field", 0, 300), ("random", 4, 150)])
def test_compiled_and_pure_python_search_alike(monkeypatch, name, turns, nodes):
    game, state = position(ALL[name], turns, 1)
    compiled = searched(game, state, nodes=nodes)
    monkeypatch.setattr(expectimax_search, "advance", expectimax_search.advance.function)
    plainly = searched(game, state, nodes=nodes)
    assert plainly.value == pytest.approx(compiled.value, abs=1e-9)
    assert plainly._replace(value=0.0) == compiled._replace(value=0.0)


def test_a_number_of_nodes_is_reproducible_and_kept_to():
    game, state = position(ALL["random"], 2, 2)
    found = [searched(game, state, nodes=5000) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].nodes == 5000


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_search_in_slices_is_the_same_search(monkeypatch, size):
    game, state = position(ALL["random"], 2, 2)
    whole = searched(game, state, nodes=3000)
    monkeypatch.setattr(batches, "FIRST_SLICE", size)
    monkeypatch.setattr(batches, "slice_nodes", lambda nodes, taken, left: size)
    assert searched(game, state, nodes=3000, seconds=1e6) == whole


@pytest.mark.parametrize(
    ("ticking", "seconds", "wall_seconds"),
    [("thread_time", 10, 1e9), ("perf_counter", 1e9, 10)],
)
def test_a_search_stops_when_its_time_is_over(monkeypatch, ticking, seconds, wall_seconds):
    game, state = position(ALL["random"], 2, 2)
    clock = iter(range(10**6))
    monkeypatch.setattr(time, ticking, lambda: next(clock))
    monkeypatch.setattr(batches, "slice_nodes", lambda nodes, taken, left: 50)
    found = searched(game, state, seconds=seconds, wall_seconds=wall_seconds)
    assert 50 <= found.nodes <= 50 * 10
    assert acceptable(game, state.tolist(), found.turn)


@pytest.mark.parametrize("nodes", [0, 1, 2, 3, 20])
def test_however_few_nodes_the_turn_is_legal(nodes):
    game, state = position(ALL["field"], 3, 2)
    found = searched(game, state, nodes=nodes)
    assert acceptable(game, state.tolist(), found.turn)
    assert found.nodes <= max(nodes, 1)


def test_the_state_is_left_alone():
    game, state = position(ALL["field"], 2, 3)
    before = state.copy()
    searched(game, state, nodes=2000)
    assert np.array_equal(state, before)


def test_the_size_of_the_table_does_not_change_the_value():
    game, state = position(ALL["field"], 1, 4)
    values = [
        Expectimax(game, state, orders(game), reach(game), 2, log2).search(state, 3).value
        for log2 in (2, 8, 16)
    ]
    assert values == pytest.approx([values[0]] * 3, abs=1e-9)


def test_a_memory_of_earlier_turns_serves_the_next():
    game, state = position(ALL["line"], 0, 0, plies=8)
    search = Expectimax(game, state, orders(game), Material())
    first = search.search(state)
    again = search.search(state)
    assert (again.value, again.turn) == (pytest.approx(first.value), first.turn)
    assert again.nodes < first.nodes


def test_the_search_does_on_fixed_positions_what_it_did():
    expected = expectimax_signature.FILE.read_text("ascii").splitlines()
    assert expectimax_signature.lines() == expected


# Limits.


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Poker(), "zero-sum games for two, poker is not one"),
        (Pennies(), "needs to see everything, pennies hides"),
    ],
)
def test_games_that_it_cannot_play_are_refused(game, words):
    with pytest.raises(ValueError, match=words):
        Expectimax(game, start(game))


def test_numbers_out_of_range_are_refused():
    game, state = position(ALL["pair"], 0, 0)
    with pytest.raises(ValueError, match="thin must be 0 or the number"):
        Expectimax(game, state, thin=-1)
    with pytest.raises(ValueError, match="at least one turn ahead, not 0"):
        Expectimax(game, state, orders(game)).search(state, 0)
