"""Poker of five cards: what hidden cards, chance and shared winners need of the interface."""

import functools
import itertools
from collections import Counter

import pytest
from games.poker import BET, CARDS, FOLD, PLAYERS, Poker

from joute.core.interface import (
    CHANCE,
    determinize,
    mover,
    observe,
    parse,
    play,
    returns,
    start,
    tell,
)
from joute.core.random import generator

GAME = Poker()
DRAWS = 6000


def after(*plies):
    """The state after these deals and actions."""
    state = start(GAME).tolist()
    for ply in plies:
        play(GAME, state, ply)
    return state


def all_states():
    """Every state that can be reached, deals and actions."""
    partial = [
        after(*cards)
        for dealt in range(PLAYERS)
        for cards in itertools.permutations(range(CARDS), dealt)
    ]
    return partial + [
        after(*cards, *actions)
        for cards in itertools.permutations(range(CARDS), PLAYERS)
        for count in range(PLAYERS + 1)
        for actions in itertools.product((FOLD, BET), repeat=count)
    ]


STATES = all_states()


def consistent(state, player):
    """By exact enumeration: the states in which the player would have been told the same."""
    told = told_so_far(tuple(state), player)
    return {each for each in map(tuple, STATES) if told_so_far(each, player) == told}


@functools.cache
def told_so_far(state, player):
    """All that a player was told on the way to a state."""
    told, reached = [], start(GAME).tolist()
    for ply in [*state[:PLAYERS], *state[PLAYERS : 2 * PLAYERS]]:
        if ply >= 0:
            told.append(tell(GAME, reached, player, ply))
            play(GAME, reached, ply)
    return told


SAMPLE = [after(), after(3), after(3, 0), after(3, 0, 4), after(0, 1, 2, BET), after(4, 2, 1, 1, 0)]


@pytest.mark.parametrize("player", range(PLAYERS))
@pytest.mark.parametrize("state", SAMPLE, ids=str)
def test_determinize_draws_each_consistent_state_equally_often(state, player):
    expected = consistent(state, player)
    rng, counts = generator(17 + player), Counter()
    for _ in range(DRAWS):
        guess = state.copy()
        determinize(GAME, guess, player, rng)
        counts[tuple(guess)] += 1
    assert set(counts) == expected
    mean = DRAWS / len(expected)
    for count in counts.values():
        assert abs(count - mean) <= 5 * mean**0.5


def test_the_enumeration_has_the_sizes_that_combinatorics_gives():
    sizes = [len(consistent(state, 0)) for state in SAMPLE]
    assert sizes == [1, 1, 4, 12, 12, 12]
    assert len(consistent(after(3), 1)) == 5
    assert len(STATES) == 1 + 5 + 20 + 60 * (1 + 2 + 4 + 8)


@pytest.mark.parametrize("player", range(PLAYERS))
def test_states_that_differ_in_what_a_player_cannot_see_look_the_same_to_it(player):
    for state in STATES[:: 7 + player]:
        view = observe(GAME, state, player)
        for other in consistent(state, player):
            assert observe(GAME, list(other), player) == view
            assert mover(GAME, list(other)) == mover(GAME, state)


def test_a_player_is_told_its_own_card_and_that_others_got_one():
    state = after(2)
    assert tell(GAME, state, 1, 4) == {"player": CHANCE, "action": 4, "text": "card 4"}
    for other in (0, 2):
        hidden = [tell(GAME, state, other, card) for card in (0, 1, 3, 4)]
        assert hidden == [{"player": CHANCE, "action": CARDS, "text": "a card"}] * 4


def test_actions_are_told_to_everyone():
    state = after(2, 0, 1)
    for player in range(PLAYERS):
        assert tell(GAME, state, player, BET) == {"player": 0, "action": BET, "text": "bet"}
    assert parse(GAME, state, "fold") == FOLD
    with pytest.raises(ValueError, match="expected fold or bet"):
        parse(GAME, state, "raise")


@pytest.mark.parametrize(
    ("cards", "actions", "expected"),
    [
        ((0, 2, 4), (BET, BET, BET), [-2, -2, 4]),  # the highest rank takes a pot of six
        ((0, 1, 4), (BET, BET, FOLD), [0.5, 0.5, -1]),  # ranks 0 and 0 share a pot of five
        ((2, 0, 3), (BET, BET, BET), [1, -2, 1]),  # ranks 1 and 1 share a pot of six
        ((2, 0, 3), (FOLD, BET, FOLD), [-1, 2, -1]),
        ((2, 0, 3), (FOLD, FOLD, FOLD), [0, 0, 0]),
    ],
)
def test_winners_of_one_rank_share_the_pot(cards, actions, expected):
    state = after(*cards, *actions)
    for ante in (1, 3):
        values = [0.0] * PLAYERS
        returns(Poker(ante), state, values)
        assert values == [ante * value for value in expected]
        assert sum(values) == 0
