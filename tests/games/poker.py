"""Poker of five cards: a tiny game for three with chance, hidden cards and shared winners.

Everyone pays an ante and is dealt one of the cards 0..4, of the ranks 0, 0, 1, 1, 2. Then each in
turn folds or bets as much again as the ante. The highest rank among those who bet takes the pot;
equal ranks share it. If nobody bets, every player takes its ante back.

State:  int16[7]: the card of each player (-1 before it is dealt), what each did (-1 nothing yet,
        FOLD, BET), how many plies were played.
Action: FOLD or BET. Chance deals card 0..4 to the next player.

A player knows its own card, that the others were dealt one, and every action.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.errors import ActionError, GameError
from joute.core.interface import CHANCE, OVER, Properties, implements, inline
from joute.core.random import below

PLAYERS, CARDS = 3, 5
FOLD, BET = 0, 1
DONE, PLIES = 3, 6  # places in the state
SOME_CARD = CARDS  # what a player sees of a card dealt to another
WORDS = ("fold", "bet")


class Poker(NamedTuple):
    """Poker of five cards."""

    ante: int = 1


def make(*, ante: int = 1) -> Poker:
    """Poker with this ante. Raises GameError unless it is positive."""
    if ante < 1:
        raise GameError(f"poker: ante must be 1 or more, got {ante}")
    return Poker(ante)


@implements(Poker)
def properties(game: Poker) -> Properties:
    return Properties(
        name="poker",
        players=PLAYERS,
        simultaneous=False,
        chance=True,
        hidden_information=True,
        zero_sum=True,
        max_actions=2,
        max_legal=2,
        max_outcomes=CARDS,
        max_plies=2 * PLAYERS,
        lowest_return=-2.0 * game.ante,
        highest_return=4.0 * game.ante,
        version=1,
    )


@implements(Poker)
def start(game: Poker) -> np.ndarray:
    return np.array([-1] * DONE + [-1] * PLAYERS + [0], np.int16)


@implements(Poker)
def mover(game, state):
    plies = int(state[PLIES])
    if plies < PLAYERS:
        return CHANCE
    return plies - PLAYERS if plies < 2 * PLAYERS else OVER


@implements(Poker)
def legal(game, state, out):
    out[0], out[1] = FOLD, BET
    return 2


@implements(Poker)
def chances(game, state, out, weights):
    count = 0
    for card in range(CARDS):
        if not _dealt(state, card):
            out[count] = card
            count += 1
    for index in range(count):
        weights[index] = 1.0 / count
    return count


@implements(Poker)
def play(game, state, action):
    state[state[PLIES]] = action  # cards and actions stand in the order of the plies
    state[PLIES] += 1


@implements(Poker)
def returns(game, state, out):
    pot, best, winners = float(PLAYERS * game.ante), -1, 0
    for player in range(PLAYERS):
        rank = state[player] // 2
        if state[DONE + player] == BET:
            pot += game.ante
            if rank > best:
                best, winners = rank, 0
            winners += rank == best
    for player in range(PLAYERS):
        out[player] = 0.0 if winners == 0 else -float(game.ante)
        if state[DONE + player] == BET:
            out[player] -= game.ante
            if state[player] // 2 == best:
                out[player] += pot / winners


@implements(Poker)
def seen(game, state, player, action):
    return SOME_CARD if state[PLIES] < PLAYERS and state[PLIES] != player else action


@implements(Poker)
def determinize(game, state, player, rng):
    dealt = min(int(state[PLIES]), PLAYERS)
    for other in range(dealt):
        if other != player:
            state[other] = -1
    for other in range(dealt):
        if other != player:
            # A card that nobody has by now; the order of the players does not matter.
            taken = 0
            for card in range(CARDS):
                taken += _dealt(state, card)
            rank = below(rng, CARDS - taken)
            for card in range(CARDS):
                if not _dealt(state, card):
                    if rank == 0:
                        state[other] = card
                        break
                    rank -= 1


@implements(Poker)
def fault_action(game, state, player):
    return FOLD


@inline
def _dealt(state, card):
    return state[0] == card or state[1] == card or state[2] == card


@implements(Poker)
def stream(game: Poker, state: Any) -> str:
    return "deck"


@implements(Poker)
def observe(game: Poker, state: Any, player: int) -> dict[str, Any]:
    to_move = int(mover(game, state))
    return {
        "card": int(state[player]),
        "dealt": min(int(state[PLIES]), PLAYERS),
        "actions": [int(each) for each in state[DONE:PLIES]],
        "to_move": to_move,
        "legal": [FOLD, BET] if to_move == player else [],
    }


@implements(Poker)
def tell(game: Poker, state: Any, player: int, action: int) -> dict[str, Any]:
    hidden = mover(game, state) == CHANCE and state[PLIES] != player
    return {
        "player": int(mover(game, state)),
        "action": int(seen(game, state, player, action)),
        "text": "a card" if hidden else describe(game, state, action),
    }


@implements(Poker)
def describe(game: Poker, state: Any, action: int) -> str:
    return f"card {int(action)}" if mover(game, state) == CHANCE else WORDS[action]


@implements(Poker)
def parse(game: Poker, state: Any, text: str) -> int:
    known = [describe(game, state, action) for action in range(CARDS)[: _choices(game, state)]]
    if text not in known:
        raise ActionError(text, " or ".join(known))
    return known.index(text)


def _choices(game: Poker, state: Any) -> int:
    return CARDS if mover(game, state) == CHANCE else len(WORDS)
