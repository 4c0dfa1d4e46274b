"""Messages of Paradise for tests of the host, from the game itself."""

from host.hosting import start_message

from joute.core.interface import observe, start
from joute.core.registry import make
from joute.games.paradise.state import (
    BOARD_SIZE,
    BOOK,
    CHOOSING,
    HAND,
    HAND_SIZE,
    MANA,
    MAX_MANA,
    PHASE,
    block,
    minion,
)

GAME = make("paradise")
QUIRKS = make("paradise", quirks=True)


def duel_start(player=0, quirks=False):
    return start_message(
        player, game="paradise", parameters={"quirks": quirks}, events=[], move_seconds=20.0
    )


def duel_state(hand=(), own=(), other=(), mana=10):
    """A state in which it is player 0's turn and all minions are awake; cards by number."""
    state = start(GAME).tolist()
    state[PHASE] = CHOOSING
    for player, board in enumerate((own, other)):
        first = block(player)
        state[first + MANA] = state[first + MAX_MANA] = mana
        state[first + BOARD_SIZE] = len(board)
        for number, card in enumerate(board):
            place = minion(first, number)
            health = BOOK[card].health
            state[place : place + 6] = [card, BOOK[card].attack, health, health, 1, 0]
    state[block(0) + HAND : block(0) + HAND + len(hand)] = hand
    state[block(0) + HAND_SIZE] = len(hand)
    return state


def duel_play(state, game=GAME):
    return {"type": "play", "observation": observe(game, state, 0), "events": []}
