"""Actions of Love Letter as people and bots write them.

A card played is its name, its target and its guess, `guard 2 priest`, `prince 0`, `countess`; the
Chancellor's choice is `keep guard, return countess, priest`, the first of which will be drawn
first. Read back, a number will do for a card, and so will the beginning of its name. A draw is
`player 1 draws guard`; who may not see the card is told `player 1 draws a card`.
"""

import re
from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import CHANCE, mover
from joute.games.love_letter.state import (
    CHOICE,
    CHOOSING,
    CURRENT,
    DEALING,
    DUE,
    GUARD,
    NAMES,
    NOBODY,
    PHASE,
    PLAYED,
    SINGLE,
    STARTING,
    LoveLetter,
    draws,
    hand,
)
from joute.games.love_letter.views import SOME_CARD, SOME_CHOICE
from joute.i18n.words import Sentence

MOST_SHOWN = 80  # characters of a text in an error


def describe(game: LoveLetter, state: Any, action: int) -> str:
    action = int(action)
    if state[PHASE] == STARTING:
        return f"player {action} starts"
    if mover(game, state) == CHANCE:
        return _hidden(game, state, SOME_CARD).replace("a card", NAMES[action])
    if action >= SINGLE:
        return "keep {}, return {}".format(*(NAMES[int(each)] for each in f"{action - SINGLE:02}"))
    if action >= CHOICE:
        cards = (NAMES[int(each)] for each in f"{action - CHOICE:03}")
        return "keep {}, return {}, {}".format(*cards)
    card, how = divmod(action, PLAYED)
    if how >= NOBODY:
        return NAMES[card]
    guess = f" {NAMES[how % 10]}" if card == GUARD else ""
    return f"{NAMES[card]} {how // 10}{guess}"


def _hidden(game: LoveLetter, state: Any, sight: int) -> str:
    """An action or a draw as those see it who cannot see the cards."""
    if sight == SOME_CHOICE:
        number = "2 cards" if len(hand(state, int(state[CURRENT]))) > 2 else "a card"
        return f"keep a card, return {number}"
    if state[PHASE] != DEALING:
        return f"player {draws(state)} draws a card"
    if state[DUE] > game.players:
        return "face up: a card"
    return f"player {game.players - int(state[DUE])} is dealt a card"


def parse(game: LoveLetter, state: Any, text: str) -> int:
    words = re.findall(r"\w+", text.lower())
    if state[PHASE] == STARTING:
        numbers = [int(word) for word in words if word.isdecimal() and len(word) < 3]
        if not numbers or numbers[0] >= game.players:
            raise _unclear(text, "start")
        return numbers[0]
    if mover(game, state) == CHANCE:
        card = _card(words[-1]) if words else None
        if card is None:
            raise _unclear(text, "drawn")
        return card
    if state[PHASE] == CHOOSING:
        return _parse_choice(state, text, words)
    return _parse_card(game, text, words)


def _unclear(text: str, expected: str, **values: object) -> ActionError:
    """The error of a text that names no action; `expected` ends the key of what would."""
    return ActionError(
        text[:MOST_SHOWN], Sentence(f"error.love-letter.action.{expected}", **values)
    )


def _card(word: str) -> int | None:
    """The card of a name, of its beginning if no other begins so, or of a value."""
    if word.isdecimal():
        return int(word) if len(word) == 1 else None
    if word in NAMES:
        return NAMES.index(word)
    found = [card for card, name in enumerate(NAMES) if name.startswith(word)]
    return found[0] if len(found) == 1 else None


def _parse_card(game: LoveLetter, text: str, words: list[str]) -> int:
    words = [word for word in words if word not in ("player", "play", "on", "guess", "as")]
    card = _card(words[0]) if words else None
    if card is None or len(words) > (3 if card == GUARD else 2):
        raise _unclear(text, "card")
    if len(words) == 1:
        return card * PLAYED + NOBODY
    target = int(words[1]) if words[1].isdecimal() and len(words[1]) == 1 else game.players
    guess = 0
    if card == GUARD:
        named = _card(words[2]) if len(words) == 3 else None
        if named is None:
            raise _unclear(text, "guess")
        guess = named
    if target >= game.players:
        raise _unclear(text, "target", last=game.players - 1)
    return card * PLAYED + target * 10 + guess


def _parse_choice(state: Any, text: str, words: list[str]) -> int:
    """The cards in the order named, the one kept first; `last` leaves room for one not named."""
    held = sorted(hand(state, int(state[CURRENT])))
    unclear = _unclear(text, "choice", held=", ".join(NAMES[card] for card in held))
    last = "last" in words
    skipped = ("chancellor", "keep", "return", "then", "and", "last", "first")
    # A Chancellor may be one of the cards: only the word before "keep" is the one played.
    if words[:2] == ["chancellor", "keep"]:
        words = words[1:]
    named = [_card(word) for word in words if word not in skipped or word == "chancellor"]
    rest = list(held)
    cards: list[int] = []
    for card in named:
        if card is None or card not in rest:
            raise unclear
        rest.remove(card)
        cards.append(card)
    if not cards or (len(rest) > 1 and rest[0] != rest[1]):
        raise unclear
    if last and len(cards) == 2 and len(rest) == 1:
        cards.insert(1, rest.pop())
    cards += rest
    number = int("".join(map(str, cards)))
    return (SINGLE if len(cards) == 2 else CHOICE) + number
