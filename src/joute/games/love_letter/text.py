"""What is true of every play of Love Letter, and its operations on text and plain data."""

from typing import Any

from joute.core.interface import Properties, implements
from joute.games.love_letter.notation import describe, parse
from joute.games.love_letter.observation import observe, tell
from joute.games.love_letter.state import (
    ACTIONS,
    CARDS,
    CHOICE,
    CLASSIC_COPIES,
    COPIES,
    PHASE,
    PLAYED,
    ROUND,
    STARTING,
    LoveLetter,
)
from joute.games.love_letter.table import render


def properties(game: LoveLetter) -> Properties:
    players = game.players
    deck = deck_size(game)
    dealt = players + (3 if players == 2 else 0)
    # The starter and the deal; a turn draws a card of the deck and plays one. Two Chancellors draw
    # two cards more and choose, two Princes draw one more.
    plies = 1 + dealt + 2 * deck + 8
    rounds = 1 if game.tokens == 1 else players * (game.tokens - 1) + 1
    return Properties(
        name="love-letter",
        players=players,
        simultaneous=False,
        chance=True,
        hidden_information=True,
        zero_sum=True,
        max_actions=ACTIONS,
        # A Guard, and a Prince beside it.
        max_legal=10 * (players - 1) + 1,
        max_outcomes=CARDS,
        max_plies=rounds * plies,
        lowest_return=-1.0 / (players - 1),
        highest_return=1.0,
        version=1,
    )


def parameters(game: LoveLetter) -> dict[str, Any]:
    deck = "classic" if game.classic else "2019"
    return {"players": game.players, "tokens": game.tokens, "deck": deck}


def deck_size(game: LoveLetter) -> int:
    """Cards in the deck after the deal."""
    cards = sum(CLASSIC_COPIES if game.classic else COPIES)
    return cards - 1 - game.players - (3 if game.players == 2 else 0)


def stream(game: LoveLetter, state: Any) -> str:
    """Of each round its own: games with one seed have the same decks, however long the rounds."""
    if state[PHASE] == STARTING:
        return f"starter {int(state[ROUND]) + 1}"
    return f"deck {int(state[ROUND])}"


def decisions(game: LoveLetter, state: Any, action: int) -> tuple[int, ...]:
    """The card played, its target (NOBODY's tens without one) and the guess; a choice is one."""
    if action >= CHOICE:
        return (int(action),)
    card, how = divmod(int(action), PLAYED)
    return (card, *divmod(how, 10))


def serve(game_class: type) -> None:
    """Give the game the operations of this module."""
    for function in (
        properties, parameters, stream, observe, tell, describe, parse, render, decisions,
    ):  # fmt: skip
        implements(game_class)(function)
