"""States of Paradise made by hand, for tests of rules and of bots."""

from joute.core.interface import CHANCE, describe, legal, mover, parse, play, properties, start
from joute.core.registry import make
from joute.games.paradise.state import (
    BOARD_SIZE,
    BOOK,
    CARDS,
    CHOOSING,
    DECK,
    DECK_SIZE,
    HAND,
    HAND_SIZE,
    MANA,
    MAX_MANA,
    PHASE,
    TURN,
    block,
    minion,
)

GAME = make("paradise")
QUIRKS = make("paradise", quirks=True)
WORDS = {card.word: number for number, card in enumerate(BOOK)}


def table(hands=((), ()), boards=((), ()), mana=10, turn=7):
    """A state in which it is player 0's turn; a board is words, asleep with a `z` before them."""
    state = start(GAME).tolist()
    state[PHASE], state[TURN] = CHOOSING, turn
    for player in (0, 1):
        first = block(player)
        state[first + MANA] = state[first + MAX_MANA] = mana
        for place, word in enumerate(hands[player]):
            state[first + HAND + place] = WORDS[word]
            state[first + DECK + WORDS[word]] -= 1
        state[first + HAND_SIZE] = len(hands[player])
        for number, word in enumerate(boards[player]):
            card = WORDS[word.lstrip("z")]
            place, health = minion(first, number), BOOK[card].health
            state[place : place + 6] = (
                card, BOOK[card].attack, health, health, int(word[0] != "z"), 0,
            )  # fmt: skip
            if card < CARDS:
                state[first + DECK + card] -= 1
        state[first + BOARD_SIZE] = len(boards[player])
        state[first + DECK_SIZE] = sum(state[first + DECK : first + DECK + CARDS])
    return state


def choices(state, game=GAME):
    """The legal actions."""
    out = [0] * properties(game).max_legal
    return out[: legal(game, state, out)]


def texts(state, game=GAME):
    """The legal actions, as people write them."""
    return [describe(game, state, action) for action in choices(state, game)]


def do(state, *words, game=GAME):
    """Play actions by their words; a shot or a draw is an outcome given by its words."""
    for text in words:
        action = parse(game, state, text)
        if mover(game, state) != CHANCE:
            assert action in choices(state, game), text
        play(game, state, action)
    return state
