"""The searches as functions, with evaluations and policies in Python and as kernels."""

from pathlib import Path

import numpy as np
import pytest

import joute
from joute.core.errors import SearchError
from joute.core.interface import points
from joute.search import alphabeta, batches, expectimax, flat, ismcts, uct

pytestmark = pytest.mark.game("virus")

CONNECT_FOUR = str(Path(__file__).parents[2] / "examples" / "games" / "connect_four.py")
SIMULATIONS = {uct: 150, ismcts: 150, flat: 8}
DEPTHS = {alphabeta: 3, expectimax: 2}


def middle(seed=7, plies=6):
    position = joute.game("virus", size=6).start(seed=seed)
    for ply in range(plies):
        position = position.play(position.legal[ply % len(position.legal)])
    return position


def lead(position, player):
    cells = position.observe(player)["scores"]
    return cells[player] - cells[1 - player]


@joute.kernel
def fast_lead(game, state, player):
    return points(game, state, player) - points(game, state, 1 - player)


def low(position):
    return [1 + 5 * (action < 12) for action in position.legal]


def low_by_action(position):
    return {action: 1 + 5 * (action < 12) for action in position.legal}


@joute.kernel
def fast_ahead(game, state, player):
    return points(game, state, player) > points(game, state, 1 - player)


def ahead(position, player):
    return lead(position, player) > 0


@joute.kernel
def fast_low(game, state, actions, weights):
    for each in range(len(actions)):
        weights[each] = 6.0 if actions[each] < 12 else 1.0


def height(position, player):
    if position.over:
        return 100.0 * position.returns[player]
    mine = "XO"[player]
    return float(sum(row.count(mine) * 7**line for line, row in enumerate(rows(position))))


def rows(position):
    return position.observe(0)["rows"]


@joute.kernel
def fast_height(game, state, player):
    if state[3]:
        return 100.0 if (state[2] - 1) % 2 == player else -100.0
    total = 0.0
    for column in range(7):
        for row in range(6):
            if state[player] >> (7 * column + row) & 1:
                total += 7.0 ** (5 - row)
    return total


def test_the_state_of_a_game_may_be_wider_than_its_actions():
    # Actions are int32 in the arrays of searches; the bits of Connect Four's last columns are not.
    position = joute.game(CONNECT_FOUR).position([3, 3, 5, 6, 5])
    for plies in (1, 2, 3):
        slow = alphabeta(position, depth=plies, evaluate=height)
        assert slow == alphabeta(position, depth=plies, evaluate=fast_height)
    slow = uct(position, simulations=100, evaluate=height)
    assert slow == uct(position, simulations=100, evaluate=fast_height)


@pytest.mark.parametrize("search", SIMULATIONS)
@pytest.mark.parametrize(
    ("slow", "fast"),
    [
        ({"evaluate": lead}, {"evaluate": fast_lead}),
        ({"evaluate": ahead}, {"evaluate": fast_ahead}),
        ({"policy": low}, {"policy": fast_low}),
        ({"policy": low_by_action}, {"policy": fast_low}),
        ({"evaluate": lead, "policy": low}, {"evaluate": fast_lead, "policy": fast_low}),
        ({"evaluate": lead, "policy": fast_low}, {"evaluate": fast_lead, "policy": low}),
    ],
)
def test_python_and_kernels_find_the_same_with_the_same_simulations(search, slow, fast):
    position = middle()
    found = [search(position, simulations=SIMULATIONS[search], **each) for each in (slow, fast)]
    assert found[0] == found[1]
    assert found[0] != search(position, simulations=SIMULATIONS[search])


@pytest.mark.parametrize("search", DEPTHS)
def test_python_and_kernels_find_the_same_at_the_same_depth_and_nodes(search):
    position = middle()
    for budget in ({"depth": DEPTHS[search]}, {"nodes": 60}):
        found = [search(position, evaluate=each, **budget) for each in (lead, fast_lead)]
        assert found[0] == found[1]


@pytest.mark.parametrize("search", [*SIMULATIONS, *DEPTHS])
def test_a_result_is_complete(search):
    position = middle()
    found = search(position)
    assert found.action in position.legal and found.text == position.text(found.action)
    assert found.line[0] == found.action and found.values[found.action] == found.value
    assert found.nodes > 0
    assert set(found.visits) == (set(position.legal) if search in SIMULATIONS else set())


@pytest.mark.parametrize("search", SIMULATIONS)
def test_the_seed_decides_and_seconds_end_a_search(search):
    position = middle()
    found = [search(position, simulations=60, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] and found[0].values != found[2].values
    assert search(position, seconds=0.02).nodes > 0


@pytest.mark.parametrize("search", SIMULATIONS)
def test_with_simulations_and_seconds_the_first_of_the_two_ends_a_search(search):
    position = middle()
    assert search(position, simulations=10_000_000, seconds=0.02).nodes < 10_000_000
    counted = search(position, simulations=SIMULATIONS[search])
    assert search(position, simulations=SIMULATIONS[search], seconds=1000.0).nodes == counted.nodes


@pytest.mark.parametrize("search", SIMULATIONS)
@pytest.mark.parametrize("given", [{"evaluate": lead}, {"policy": low}])
def test_of_a_python_function_no_more_than_one_simulation_is_run_past_the_time(search, given):
    position = middle()
    one = len(position.legal) if search is joute.search.flat else 1  # a game after each action
    assert search(position, seconds=1e-6, **given).nodes == one
    assert search(position, seconds=1e-6).nodes > one


@pytest.mark.parametrize("search", [uct, ismcts])
def test_a_tree_is_the_same_in_one_batch_and_in_many(search, monkeypatch):
    whole = search(middle(), simulations=1000)
    monkeypatch.setattr(batches, "MOST", 37)
    assert search(middle(), simulations=1000) == whole


def test_a_kernel_that_is_defined_again_is_another():
    position, found = middle(), []
    for sign in (1, -1):

        @joute.kernel
        def mine(game, state, player, sign=sign):
            return sign * (points(game, state, player) - points(game, state, 1 - player))

        found.append(alphabeta(position, depth=1, evaluate=mine).value)
    assert found[0] != found[1]


def test_a_policy_makes_its_actions_likelier_to_be_tried():
    position = middle()
    favoured = position.legal[-1]

    def only(seen):
        return {favoured: 1.0} if favoured in seen.legal else [1.0] * len(seen.legal)

    plain, guided = (uct(position, simulations=150, policy=each) for each in (None, only))
    assert guided.visits[favoured] > plain.visits[favoured]
    nothing = uct(position, simulations=50, policy=lambda seen: [0.0] * len(seen.legal))
    assert nothing == uct(position, simulations=50, policy=lambda seen: [2.0] * len(seen.legal))


@pytest.mark.game("tron")
def test_where_all_choose_at_once_whole_rounds_are_judged():
    judged = []

    def fair(position, player):
        judged.append(position.player)
        return 0.0

    position = joute.game("tron").start(seed=1)
    ismcts(position, simulations=30, evaluate=fair)
    flat(position, simulations=3, evaluate=fair)
    assert set(judged) == {0}


@pytest.mark.game("love-letter")
def test_hidden_cards_are_imagined_before_a_position_is_judged():
    position, seen = joute.game("love-letter").start(seed=1), set()

    def note(imagined, player):
        seen.add(imagined.state.tobytes())
        return 0.0

    flat(position, simulations=10, evaluate=note)
    assert len(seen) > len(position.legal)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda at: uct(at, policy=lambda seen: [1.0]), "one for each of the"),
        (lambda at: uct(at, policy=lambda seen: [-1.0] * len(seen.legal)), "at least 0"),
        (lambda at: flat(at, policy=lambda seen: [float("nan")] * len(seen.legal)), "nan"),
        (
            lambda at: uct(at, policy=lambda seen: {seen.texts[0]: 1.0}),
            "for 'd1': .* legal actions",
        ),
        (lambda at: flat(at, policy=lambda seen: {99: 1.0}), "for 99: expected the numbers of"),
        (lambda at: uct(at, evaluate=lead, scale=0), "scale must be above 0"),
        (lambda at: ismcts(at, evaluate=lead, scale=-1), "scale must be above 0"),
        (lambda at: uct(at, simulations=0), "at least one simulation"),
        (lambda at: uct(joute.game("love-letter").start(seed=1)), "needs to see everything"),
        (lambda at: alphabeta(joute.game("tron", players=3).start(seed=1)), "zero-sum"),
        (lambda at: flat(joute.game("tron", players=3).start(seed=1), evaluate=lead), "zero-sum"),
    ],
)
@pytest.mark.game("love-letter", "tron")
def test_what_cannot_be_searched_is_refused(call, words):
    with pytest.raises(SearchError, match=words) as raised:
        call(middle())
    assert isinstance(raised.value, joute.Error)


@pytest.mark.parametrize("search", [*SIMULATIONS, *DEPTHS])
def test_nothing_is_searched_where_the_game_is_over(search):
    position = middle()
    while not position.over:
        position = position.play(position.legal[0])
    with pytest.raises(joute.SearchError, match="none is to move"):
        search(position)


@joute.kernel
def misspelt(game, state, player):
    return pionts(game, state, player)  # noqa: F821


@joute.kernel
def allocating(game, state, player):
    return float(len([points(game, state, player)]))


@joute.kernel
def with_too_few(game, state):
    return 0.0


@joute.kernel
def weighing_by_text(game, state, actions, weights):
    weights[0] = "much"


@joute.kernel
def giving_nothing(game, state, player):
    pass


@joute.kernel
def giving_a_text(game, state, player):
    return "much"


@joute.kernel
def not_a_number(game, state, player):
    return np.nan if points(game, state, player) > 3 else 0.0


@joute.kernel
def endless(game, state, player):
    return -np.inf


@joute.kernel
def negative(game, state, actions, weights):
    weights[:] = 1.0
    weights[len(actions) - 1] = -2.0


@joute.kernel
def not_numbers(game, state, actions, weights):
    weights[:] = np.nan


@pytest.mark.parametrize("search", [*SIMULATIONS, *DEPTHS])
@pytest.mark.parametrize(("kernel", "given"), [(not_a_number, "nan"), (endless, "-inf")])
def test_a_kernel_that_gives_no_finite_number_is_refused_as_a_function_is(search, kernel, given):
    with pytest.raises(joute.SearchError, match=f"evaluate: expected a finite number, got {given}"):
        search(middle(), evaluate=kernel)


@pytest.mark.full
@pytest.mark.parametrize("search", SIMULATIONS)
@pytest.mark.parametrize(
    ("kernel", "words"),
    [(negative, "a policy gave the weight -2.0"), (not_numbers, "policy: expected a finite num")],
)
def test_a_kernel_that_gives_no_weights_is_refused_as_a_function_is(search, kernel, words):
    with pytest.raises(joute.SearchError, match=words):
        search(middle(), simulations=50, policy=kernel)


@pytest.mark.parametrize("given", [lambda game, state, player: 0.0, 3, "lead", fast_lead])
def test_a_kernel_is_a_function_with_a_name(given):
    with pytest.raises(joute.GameError, match="kernel: expected a function that def gives a name"):
        joute.kernel(given)


@pytest.mark.full
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"evaluate": giving_nothing}, "it returns an object of type none: expected a number"),
        ({"evaluate": giving_a_text}, "it returns an object of type .*: expected a number"),
        ({"evaluate": misspelt}, "return pionts.*: nothing is called pionts"),
        ({"evaluate": allocating}, "return float.*kernels allocate nothing"),
        ({"evaluate": with_too_few}, "3 argument types given, but function takes 2"),
        ({"policy": weighing_by_text}, 'weights.0. = "much"'),
    ],
)
def test_a_mistake_in_a_kernel_is_told_with_its_authors_line(given, words):
    (function,) = given.values()
    with pytest.raises(joute.GameError, match=words) as raised:
        uct(middle(), simulations=10, **given)
    assert function.function.__name__ in str(raised.value) and __file__ in str(raised.value)
