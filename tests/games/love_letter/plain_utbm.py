"""The search of `utbm` without pruning and with a deck that is a list, and positions for it."""

import numpy as np
from games.love_letter.rounds import legal_actions

from joute.core.interface import CHANCE, OVER, draw, mover, pick, play, start
from joute.core.random import generator
from joute.games.love_letter.players import utbm
from joute.games.love_letter.players.utbm_values import kept, worth
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import (
    BOTTOM,
    CARDS,
    CHOOSING,
    CURRENT,
    DRAWING,
    ENDED,
    FOR_TURN,
    HANDS,
    PHASE,
    PLAYED,
    PLAYING,
    PRINCE,
    RANDOM,
    REASON,
    STARTING,
    from_bottom,
)


def plain(game, state, deck, player, depth, card=None):
    """The value of a turn to its mover without pruning, and the turns to its leaf.

    `deck` is the order of the cards that nobody has ordered; with `card` the turn has begun.
    """
    mine = state[CURRENT]
    best = (-np.inf, 0)
    for after, rest in turns(game, state, deck, card):
        over = after[PHASE] in (ENDED, STARTING)
        if over or depth == 1:
            value, leaf = worth(game, after, player, [0] * CARDS), 1
            value = value if mine == player else -value
        else:
            value, leaf = plain(game, after, rest, player, depth - 1)
            value, leaf = -value, leaf + 1
        if value > best[0]:
            best = (value, leaf)
    return best


def turns(game, state, deck, card):
    """Each way to take a turn, as the state after it and what is left of the deck."""
    if card is None:
        for drawn, after, rest in drawing(game, state, deck, range(CARDS)):
            held, actions = after[HANDS + after[CURRENT]], legal_actions(game, after)
            playable = {action // PLAYED for action in actions}
            for each in dict.fromkeys((held, drawn)):
                if each in playable:
                    yield from turns(game, after, rest, each)
        return
    mine, after = state[CURRENT], state.copy()
    action = int(utbm.way(game, after, card, [0] * CARDS))
    play(game, after, action)
    own = card == PRINCE and action % PLAYED // 10 == mine
    while after[PHASE] == CHOOSING or (after[PHASE] == DRAWING and after[REASON] != FOR_TURN):
        if after[PHASE] == CHOOSING:
            play(game, after, kept(game, after, [0] * CARDS))
        elif own:
            yield from ((end, rest) for _, end, rest in drawing(game, after, deck, range(CARDS)))
            return
        else:
            top = [after[BOTTOM]] if from_bottom(after) else deck[:1]
            [(_, after, deck)] = drawing(game, after, deck, top)
    yield after, deck


def drawing(game, state, deck, cards):
    """The card, the state and the deck after each draw of these that is possible."""
    found = []
    for card in cards:
        possible = [state[BOTTOM]] if from_bottom(state) else deck
        if card in possible:
            after, rest = state.copy(), list(deck)
            if not from_bottom(state):
                rest.remove(card)
            play(game, after, card)
            found.append((card, after, rest))
    return found


def positions(count, shortest, longest):
    """States of random rounds in which two cards may be played, the deck being of such a length."""
    game, rng = make(players=2), generator(5)
    state, out, weights = start(game).tolist(), [0] * 64, [0.0] * 10
    while count:
        player = mover(game, state)
        if player == OVER:
            state = start(game).tolist()
            continue
        if state[PHASE] == PLAYING and shortest <= state[RANDOM] <= longest:
            cards = {action // PLAYED for action in legal_actions(game, state)}
            if len(cards) > 1:
                count -= 1
                yield game, state.copy()
        action = (
            draw(game, state, out, weights, rng)
            if player == CHANCE
            else pick(game, state, out, rng)
        )
        play(game, state, action)
