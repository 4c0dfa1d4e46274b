"""Rounds of Love Letter in the form of the golden files, driven through the rules."""

import numpy as np

from joute.core.interface import CHANCE, OVER, chances, legal, mover, play, properties, start
from joute.games.love_letter.players.habits import SIZE, of_weights
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import (
    ALIVE,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CHOICE,
    GUARD,
    HANDS,
    KNOWN,
    NOBODY,
    PLAYED,
    POOL,
    PROTECTED,
    RANDOM,
    SINGLE,
    members,
)

# Of two cards the lower is played in seven cases of ten; what has fewer copies is named half as
# often as what has more; three Princes of ten are for who plays them; and of a Chancellor's cards a
# Guard is kept three times as often as another.
HABITS = of_weights(np.full(SIZE, 0.3))
HABITS.plays[..., *np.triu_indices(CARDS)] = 0.7
HABITS.plays[..., range(CARDS), range(CARDS)] = 0.5
HABITS.guesses[..., 0] = 0.6
HABITS.keeps[..., GUARD] = 0.9


def play_number(card, target=None, guess=None):
    """The action of playing a card."""
    if target is None:
        return card * PLAYED + NOBODY
    return card * PLAYED + target * 10 + (guess or 0)


def choice_number(keep, *bottom):
    """The action of a Chancellor's choice."""
    number = int("".join(map(str, [keep, *bottom])))
    return (SINGLE if len(bottom) == 1 else CHOICE) + number


def as_listed(action):
    """An action as the golden files list it: [card, target, guess] or [keep, first, second]."""
    if action >= SINGLE:
        return [*divmod(action - SINGLE, 10)]
    if action >= CHOICE:
        return [int(each) for each in f"{action - CHOICE:03}"]
    card, how = divmod(action, PLAYED)
    if how == NOBODY:
        return [card]
    return [card, how // 10, how % 10] if card == 1 else [card, how // 10]


def legal_actions(game, state):
    """The mover's legal actions, in a list."""
    out = [0] * properties(game).max_legal
    return out[: legal(game, state, out)]


def outcomes(game, state):
    """The outcomes of chance, in a list."""
    out, weights = [0] * 10, [0.0] * 10
    return out[: chances(game, state, out, weights)]


def give(game, state, card):
    """Let chance choose a card, which must be possible."""
    assert mover(game, state) == CHANCE
    assert card in outcomes(game, state)
    play(game, state, card)


def dealt(game, face_up, hands, starter=0):
    """The state when the first card is to be drawn."""
    state = start(game).tolist()
    for outcome in [starter, *face_up, *hands]:
        give(game, state, outcome)
    return state


def known_hands(game, state):
    """The `known` of the golden files, rule B included: [viewer, holder, card]."""
    alive = members(state[ALIVE])
    return sorted(
        [viewer, holder, state[HANDS + holder]]
        for holder in alive
        for viewer in members(state[KNOWN + holder])
        if viewer != holder and viewer in alive
    )


def known_deck(state):
    """The `deck_known` of the golden files: [viewer, index from the top, card]."""
    alive = members(state[ALIVE])
    return sorted(
        [viewer, state[RANDOM] + place, state[BOTTOM + place]]
        for place in range(state[BOTTOM_COUNT])
        for viewer in members(state[BOTTOM_KNOWN + place])
        if viewer in alive
    )


def standing(game, state):
    """The end of a turn as the golden files have it."""
    held = state[HANDS : HANDS + game.players]
    alive = state[ALIVE]
    return {
        "hands_after": [None if card < 0 else card for card in held],
        "protected_after": members(state[PROTECTED] & alive),
        "deck_after": state[RANDOM] + state[BOTTOM_COUNT],
    }


def over(game, state):
    """Whether the round is over."""
    return mover(game, state) == OVER


def scene(hands, drawn, deck=None, aside=GUARD, face_up=(GUARD, GUARD, GUARD), **values):
    """A game and its state when player 0 holds the first of the hands and has drawn a card.

    Then the deck is made of the cards of `deck`, in no order, and of `aside`.
    """
    game = make(players=len(hands), **values)
    state = dealt(game, face_up if len(hands) == 2 else (), hands)
    give(game, state, drawn)
    if deck is not None:
        set_deck(state, deck, aside)
    return game, state


def set_deck(state, deck, aside):
    """Make the deck of other cards than those that are left, without any at the bottom."""
    for card in range(CARDS):
        state[POOL + card] = [*deck, aside].count(card)
    state[RANDOM], state[BOTTOM_COUNT] = len(deck), 0


def turn(game, state, *plies):
    """Play actions, and cards drawn as ("draw", card)."""
    for ply in plies:
        if isinstance(ply, tuple):
            give(game, state, ply[1])
        else:
            assert ply in legal_actions(game, state)
            play(game, state, ply)
