"""Paradise: what a player may not know, and chance."""

import random
from collections import Counter
from itertools import combinations
from math import comb
from statistics import mean, stdev

import pytest
from games.paradise.tables import GAME, choices, table

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    determinize,
    draw,
    mover,
    observe,
    pick,
    play,
    properties,
    render,
    seen,
    start,
    stream,
    tell,
)
from joute.core.random import generator
from joute.games.paradise.state import (
    AIM,
    AIMS,
    BOOK,
    CARDS,
    DECK,
    DECK_SIZE,
    DESTROYED,
    HAND,
    HAND_SIZE,
    PHASE,
    PLAY,
    SHOOTING,
    STRIKE,
    TURN,
    block,
)
from joute.play.chance import Streams


def random_states(count, game=GAME):
    """States of random games: (state, an action or outcome that is about to come)."""
    rng = random.Random(count)
    for _ in range(count):
        state = start(game).tolist()
        while mover(game, state) != OVER:
            if mover(game, state) == CHANCE:
                out, weights = [0] * CARDS, [0.0] * CARDS
                options = out[: chances(game, state, out, weights)]
            else:
                options = choices(state, game)
                # Cards are hoarded now and then, so that hands overflow.
                options = options[:1] if rng.random() < 0.4 else options
            action = rng.choice(options)
            yield state, action
            play(game, state, action)


def disguised(state, player, rng):
    """The same state to `player`: everything that they cannot know is dealt anew."""
    other = state.copy()
    own, theirs = block(player), block(1 - player)
    for first in (own, theirs):
        pool = []
        for place in (DECK, DESTROYED):
            for card in range(CARDS):
                pool += [card] * other[first + place + card]
                other[first + place + card] = 0
        size = other[first + HAND_SIZE] if first == theirs else 0
        pool += other[first + HAND : first + HAND + size]
        rng.shuffle(pool)
        for place in range(size):
            other[first + HAND + place] = pool.pop()
        for _ in range(other[first + DECK_SIZE]):
            other[first + DECK + pool.pop()] += 1
        for card in pool:
            other[first + DESTROYED + card] += 1
    return other


def test_what_a_player_cannot_know_changes_nothing_that_it_sees():
    rng, drawn, changed = random.Random(1), Counter(), 0
    for state, action in random_states(12):
        for player in (0, 1):
            other = disguised(state, player, rng)
            changed += other != state
            assert observe(GAME, other, player) == observe(GAME, state, player)
            assert render(GAME, other, player) == render(GAME, state, player)
            assert mover(GAME, other) == mover(GAME, state)
            if mover(GAME, state) == CHANCE and state[PHASE] != SHOOTING:
                told = tell(GAME, state, player, action)
                drawn[told["text"]] += 1
                if told["card"] < 0:
                    every = [tell(GAME, state, player, card) for card in range(CARDS)]
                    assert every == [told] * CARDS
    assert changed > 1000
    assert drawn["a card is destroyed"] > 10
    assert drawn["draws a card"] > 100


def test_an_opponents_card_looks_the_same_wherever_it_was_in_its_hand():
    rng, compared = random.Random(2), 0
    for state, action in random_states(12):
        player = mover(GAME, state)
        if player == CHANCE or not PLAY <= action < STRIKE:
            continue
        first, place = block(player), action - PLAY
        size, aim = state[first + HAND_SIZE], None
        if action >= AIM:
            place, aim = divmod(action - AIM, AIMS)
        other, new = state.copy(), rng.randrange(size)
        hand = other[first + HAND : first + HAND + size]
        hand.insert(new, hand.pop(place))
        other[first + HAND : first + HAND + size] = hand
        moved = PLAY + new if aim is None else AIM + AIMS * new + aim
        assert tell(GAME, other, 1 - player, moved) == tell(GAME, state, 1 - player, action)
        assert seen(GAME, other, 1 - player, moved) == seen(GAME, state, 1 - player, action)
        compared += new != place
    assert compared > 100


def test_what_is_seen_tells_apart_what_can_be_told_apart():
    state = table([["wolf", "fireball", "mole", "arcane shot"], []], [["mole"], ["wolf"]])
    codes = [seen(GAME, state, 1, action) for action in choices(state)]
    assert len(set(codes)) == len(codes)
    assert [seen(GAME, state, 0, action) for action in choices(state)] == choices(state)


def test_determinize_deals_each_consistent_hand_as_often_as_chance_does():
    """Seven unseen cards: three in the opponent's hand, two in the deck, two destroyed."""
    pool = [0, 0, 1, 9, 9, 9, 9]
    state = table()
    first = block(1)
    state[first + DECK : first + DECK + CARDS] = [0] * CARDS
    for card in (0, 9):
        state[first + DECK + card] += 1
    for card in (1, 9):
        state[first + DESTROYED + card] += 1
    state[first + HAND : first + HAND + 3] = [0, 9, 9]
    state[first + HAND_SIZE], state[first + DECK_SIZE] = 3, 2
    expected = Counter()
    for hand in combinations(range(7), 3):
        for deck in combinations(sorted(set(range(7)) - set(hand)), 2):
            rest = set(range(7)) - set(hand) - set(deck)
            parts = (hand, deck, rest)
            expected[tuple(tuple(sorted(pool[i] for i in part)) for part in parts)] += 1
    total, draws, rng = comb(7, 3) * comb(4, 2), 20_000, generator(3)
    found = Counter()
    for _ in range(draws):
        guess = state.copy()
        determinize(GAME, guess, 0, rng)
        found[dealt(guess, first)] += 1
        assert guess[first + DECK_SIZE] == 2
    assert sum(expected.values()) == total
    assert set(found) == set(expected)
    for deal, ways in expected.items():
        expected_count = draws * ways / total
        assert abs(found[deal] - expected_count) < 5 * expected_count**0.5, deal


def dealt(state, first):
    """The cards of hand, deck and destroyed of a player, each sorted."""
    counts = [
        tuple(card for card in range(CARDS) for _ in range(state[first + place + card]))
        for place in (DECK, DESTROYED)
    ]
    return tuple(sorted(state[first + HAND : first + HAND + state[first + HAND_SIZE]])), *counts


def test_a_player_does_not_know_which_of_its_own_cards_were_destroyed():
    state = table()
    first = block(0)
    state[first + DECK + 9] -= 1
    state[first + DESTROYED + 9] += 1
    state[first + DECK_SIZE] -= 1
    rng, found = generator(1), Counter()
    for _ in range(2500):
        guess = state.copy()
        determinize(GAME, guess, 0, rng)
        found[dealt(guess, first)[2]] += 1
    assert set(found) == {(card,) for card in range(CARDS)}
    for card in range(CARDS):
        expected = 100 * BOOK[card].copies
        assert abs(found[card,] - expected) < 5 * expected**0.5


def test_a_deck_is_one_order_whatever_the_players_do():
    orders = []
    for seed in range(2):
        rng, state, streams = random.Random(seed), start(GAME).tolist(), Streams("5" * 32)
        order = {"deck 0": [], "deck 1": []}
        while mover(GAME, state) != OVER:
            if mover(GAME, state) == CHANCE:
                name = stream(GAME, state)
                outcome = streams.outcome(GAME, state)
                if name in order:
                    order[name].append(outcome)
                play(GAME, state, outcome)
            else:
                play(GAME, state, rng.choice(choices(state)))
        orders.append(order)
    for name in ("deck 0", "deck 1"):
        shortest = min(len(order[name]) for order in orders)
        assert shortest > 8
        assert orders[0][name][:shortest] == orders[1][name][:shortest]
    assert orders[0]["deck 0"][:shortest] != orders[0]["deck 1"][:shortest]


@pytest.mark.full
def test_random_games_are_as_long_as_the_specification_says():
    """Uniform over the legal actions, the end included: 77.3 decisions and 23.7 turns a game."""
    games, rng = 2000, generator(8)
    decisions, turns, out, weights = [], [], [0] * properties(GAME).max_legal, [0.0] * CARDS
    for _ in range(games):
        state, asked = start(GAME).tolist(), 0
        while (player := mover(GAME, state)) != OVER:
            if player == CHANCE:
                play(GAME, state, draw(GAME, state, out, weights, rng))
            else:
                asked += 1
                play(GAME, state, pick(GAME, state, out, rng))
        decisions.append(asked)
        turns.append(state[TURN])
    for found, expected in ((decisions, 77.3), (turns, 23.7)):
        error = stdev(found) / games**0.5
        assert abs(mean(found) - expected) < 3 * error + 0.05
