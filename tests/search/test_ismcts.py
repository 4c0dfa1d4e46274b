"""Information-set search: right actions, no look at what is hidden, the same every time."""

import itertools

import numpy as np
import pytest
from games.pennies import Pennies
from games.poker import BET, FOLD, Poker
from search import ismcts_signature
from search.ismcts_signature import GAMES, state_after
from search.plain import actions_of, minimax
from search.positions import position

from joute.core.interface import OVER, determinize, mover, play, properties, returns, start
from joute.core.random import generator
from joute.core.registry import make
from joute.search.evaluation import Playout
from joute.search.ismcts_search import (
    ROOT,
    End,
    Ismcts,
    follow,
    information_tree,
    place_of,
    room,
    simulate,
    stops,
)
from joute.search.montecarlo import ActionStatistics, simulation
from joute.search.policy import Promises

STATES = [(name, plies) for name, plies in ismcts_signature.STATES if name != "virus"]


def dealt(*cards, actions=()):
    """A state of poker after these cards and actions."""
    game = Poker()
    state = start(game)
    for action in (*cards, *actions):
        play(game, state, action)
    return game, state


def final(game, state, player):
    out = [0.0] * 3
    returns(game, state, out)
    return out[player]


@pytest.mark.parametrize("card", range(5))
def test_the_last_to_act_learns_what_each_action_is_worth(card):
    game, state = dealt(card - 1, card - 2, card, actions=(BET, FOLD))
    exact = []
    for action in (FOLD, BET):
        values = []
        for others in itertools.permutations(set(range(5)) - {card}, 2):
            _, end = dealt(*others, card, actions=(BET, FOLD, action))
            values.append(final(game, end, 2))
        exact.append(np.mean(values))
    found = Ismcts(game, seed=1).search(state, 8000)
    best = exact.index(max(exact))
    assert found.best == best
    # A spread of 3, of nearly all simulations; the other action has fewer.
    assert found.values[best] == pytest.approx(exact[best], abs=0.15)
    assert sum(found.visits) == found.simulations == 8000


@pytest.mark.parametrize(("card", "action"), [(0, FOLD), (4, BET)])
def test_the_first_to_act_bets_on_the_best_card_and_folds_the_worst(card, action):
    # Everybody else bets on the best card and on those that share it, so the worst never wins.
    game, state = dealt(card, 2, 3)
    assert Ismcts(game, seed=2).search(state, 4000).best == action


def won(game, state, player):
    out = [0.0] * 2
    returns(game, state, out)
    return out[player]


@pytest.mark.game("virus")
@pytest.mark.parametrize(("plies", "seed"), [(8, 3), (8, 4), (8, 9), (9, 0), (9, 5)])
def test_where_everything_is_seen_the_value_is_that_of_minimax(plies, seed):
    game, state = position(4, plies, seed)
    _, values = minimax(game, state.tolist(), 99, won)
    assert list(values.values()).count(max(values.values())) == 1
    found = Ismcts(game, seed=1).search(state, 5000)
    assert values[found.best] == max(values.values())
    rank = found.actions.index(found.best)
    assert found.values[rank] == pytest.approx(max(values.values()), abs=0.15)


@pytest.mark.parametrize(("name", "plies"), STATES)
def test_states_that_the_player_cannot_tell_apart_get_the_same_answer(name, plies):
    game = GAMES[name]
    state = state_after(game, plies, plies)
    other, rng = state.copy(), generator(9)
    while np.array_equal(state, other):
        determinize(game, other, int(mover(game, state)), rng)
    found = [Ismcts(game, seed=3).search(each, 300) for each in (state, other)]
    assert found[0] == found[1]


@pytest.mark.parametrize("choice", [0, 1])
def test_a_choice_of_the_same_round_is_not_looked_at(choice):
    game = Pennies()
    state, other = start(game), start(game)
    play(game, state, choice)
    play(game, other, 1 - choice)
    found = [Ismcts(game, seed=3).search(each, 300) for each in (state, other)]
    assert found[0] == found[1]


def test_in_the_tree_nobody_answers_a_choice_of_the_same_round():
    game = Pennies()
    found = Ismcts(game, seed=1).search(start(game), 20_000)
    # If the second player saw the first one's choice, it would win all: -1.
    assert all(abs(value) < 0.3 for value in found.values)


@pytest.mark.game("love-letter")
def test_a_card_that_was_seen_is_guessed():
    from joute.games.love_letter.state import (
        BARON,
        CURRENT,
        GUARD,
        HANDS,
        KNOWN,
        PLAYED,
        PRINCESS,
        SECOND,
    )

    game = make("love-letter")
    state = state_after(game, 9, 3)
    player = int(state[CURRENT])
    state[HANDS + player], state[SECOND] = GUARD, BARON
    state[HANDS + 1 - player], state[KNOWN + 1 - player] = PRINCESS, 0b11
    found = Ismcts(game, seed=1).search(state, 2000)
    assert found.best == GUARD * PLAYED + 10 * (1 - player) + PRINCESS
    assert found.values[found.actions.index(found.best)] == 1.0


@pytest.mark.game("paradise")
def test_a_blow_that_wins_is_struck():
    from joute.games.paradise.state import HERO, POWER_ACTION, block

    game = make("paradise")
    state = state_after(game, 60, 60)
    state[block(1 - mover(game, state)) + HERO] = 2
    found = Ismcts(game, seed=1).search(state, 2000)
    assert POWER_ACTION in found.actions
    assert found.values[found.actions.index(found.best)] > 0.95


def test_no_history_of_few_sights_is_that_of_the_root():
    histories = {ROOT}
    for length in range(1, 8):
        for sights in itertools.product(range(4), repeat=length):
            found = ROOT
            for sight in sights:
                found = follow(found, sight)
            assert found not in histories
            histories.add(found)


@pytest.mark.game("tron")
def test_the_root_is_visited_once_a_simulation_where_everything_is_seen():
    game = make("tron")
    found = Ismcts(game, seed=1).search(start(game), 1000)
    assert sum(found.visits) == 1000


def test_the_tree_does_what_it_did():
    assert ismcts_signature.lines() == ismcts_signature.expected()


@pytest.mark.parametrize("name", ["poker", "pennies", "love-letter", "virus"])
def test_python_and_compiled_code_search_alike(name):
    game = Pennies() if name == "pennies" else GAMES[name]
    root = start(game) if name == "pennies" else state_after(game, 12 if name != "poker" else 4, 1)
    player, rounds, found = int(mover(game, root)), name == "pennies", []
    for function in (simulate, simulate.function):
        rng, space, memory, seats = (
            generator(5),
            simulation(game),
            information_tree(8),
            properties(game).players,
        )
        histories = np.zeros((2, seats), np.int64)
        for many in (False, True):
            arguments = (1.0, 1.0, 60, rng, space, memory, histories)
            guides = (End(), Playout(), Promises())
            function(game, *guides, root, player, many, rounds, *arguments)
        found.append((rng.tolist(), memory.keys.tolist(), memory.edges.tolist()))
    assert found[0] == found[1]


def test_histories_are_the_same_in_python_and_compiled():
    history = ROOT
    for sight in (0, 1, 5, 2**20, 12345):
        history = follow(history, sight)
        assert 0 < history < 2**63
    assert len({follow(follow(ROOT, a), b) for a in range(100) for b in range(100)}) == 10_000


def test_edges_of_one_place_are_put_side_by_side():
    memory = information_tree(2)
    keys = [1 + 8 * number for number in range(3)]  # all fall on place 0
    places = []
    for key in keys:
        place = place_of(memory, key)
        memory.keys[place] = key
        places.append(place)
    assert places == [0, 1, 2]
    assert [place_of(memory, key) for key in keys] == places
    assert room(memory) == 3


@pytest.mark.game("virus")
@pytest.mark.parametrize(("size_log2", "edges"), [(2, 3), (4, 12)])
def test_a_full_tree_does_not_grow_and_the_search_goes_on(size_log2, edges):
    game = GAMES["virus"]
    state = state_after(game, 12, 12)
    search = Ismcts(game, seed=1, tree_log2=size_log2)
    found = search.search(state, 500)
    assert search.edges == edges
    # Nine actions: those that have an edge are weighed against each other.
    assert sum(found.visits) == found.simulations == 500
    assert sum(visits > 0 for visits in found.visits) == min(edges, 9)
    assert found.best in actions_of(game, state.tolist())


@pytest.mark.game("paradise")
def test_a_search_is_reproducible_forgets_the_last_and_leaves_the_state_alone():
    game = GAMES["paradise"]
    state = state_after(game, 8, 8)
    before = state.copy()
    found = [Ismcts(game, seed=5).search(state, 200) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0] != Ismcts(game, seed=6).search(state, 200)
    assert np.array_equal(state, before)
    search = Ismcts(game, seed=5)
    search.search(state, 200)
    again = search.search(state, 100)
    assert again.simulations == sum(again.visits) == 100


@pytest.mark.game("love-letter")
def test_a_forced_action_takes_no_simulation():
    game = GAMES["love-letter"]
    state = state_after(game, 7, 7)
    actions = actions_of(game, state.tolist())
    assert Ismcts(game).search(state, 100) == ActionStatistics(actions, [0], [0.0], 0)
    assert Ismcts(game).search(state, 100).best == actions[0]


def test_of_equal_visits_the_higher_value_is_best():
    assert ActionStatistics([3, 5, 8], [2, 4, 4], [0.9, 0.1, 0.2], 10).best == 8
    assert ActionStatistics([3, 5, 8], [4, 4, 4], [0.1, 0.1, 0.1], 12).best == 3


def test_the_answer_can_be_read():
    game, state = dealt(0, 1, 2)
    found = ActionStatistics([FOLD, BET], [25, 75], [-1.0, 0.456], 100)
    assert found.in_words(game, state) == ["bet +0.46 (75%)", "fold -1.00 (25%)"]
    assert ActionStatistics([FOLD], [0], [0.0], 0).in_words(game, state) == ["fold +0.00 (0%)"]


def test_with_seconds_it_searches_at_least_a_little():
    game, state = dealt(0, 1, 2)
    assert Ismcts(game).search(state, seconds=0.0).simulations > 0


@pytest.mark.game("love-letter")
def test_a_round_is_worth_the_tokens_that_it_gives():
    from joute.games.love_letter.players.outlook import RoundEnd
    from joute.games.love_letter.state import PHASE, STARTING, TOKENS

    game = make("love-letter", players=3, tokens=4)
    root = state_after(game, 30, 1)
    state, out = root.copy(), [0.0] * 3
    assert not stops(RoundEnd(), game, root, state, out)
    state[PHASE] = STARTING
    state[TOKENS : TOKENS + 3] += np.array([2, 0, 1], np.int16)
    assert stops(RoundEnd(), game, root, state, out)
    assert out == [0.75, -0.75, 0.0]


@pytest.mark.game("love-letter")
def test_with_a_horizon_simulations_end_there():
    from joute.games.love_letter.players.outlook import RoundEnd

    game = make("love-letter", tokens=6)
    root = state_after(game, 9, 3)
    short, whole = (Ismcts(game, seed=1, horizon=each) for each in (RoundEnd(), None))
    values = short.search(root, 500).values
    assert all(abs(value) <= 1.0 for value in values)
    assert short.edges <= 500 and whole.search(root, 500).values != values


@pytest.mark.parametrize("state", [start(Poker()), [0, 2, 4, 0, 0, 0, 6]])
def test_where_no_player_is_to_move_it_says_so(state):
    assert mover(Poker(), state) in (-1, OVER)
    with pytest.raises(ValueError, match="none is to move"):
        Ismcts(Poker()).search(state, 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"exploration": -0.1}, "exploration must be 0 or more, got -0.1"),
        ({"exploration": float("nan")}, "got nan"),
        ({"tree_log2": 0}, "tree_log2 must be in 1..30, got 0"),
        ({"tree_log2": 31}, "got 31"),
    ],
)
def test_what_makes_no_search_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        Ismcts(Poker(), **options)


def test_without_simulations_nothing_can_be_said():
    with pytest.raises(ValueError, match="needs at least one simulation, got 0"):
        Ismcts(Poker()).search(dealt(0, 1, 2)[1], 0)
