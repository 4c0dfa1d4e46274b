"""Actions of Paradise as people type them: `attack 2 hero`, `play wolf`, `fireball hero`, `end`.

A card is named by its word, its title, the beginning of a word of either, or by its number in the
hand from the left (`play 3 hero`); `#3` after the name says which of two. A target is `hero` or an
enemy minion's number from the left; `me` is one's own hero. Outcomes: `draws wolf`, `hits 2`.
"""

import re
from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import CHANCE, mover
from joute.games.paradise.cards import AIMED, BOOK, CARDS
from joute.games.paradise.state import (
    AIM,
    AIMS,
    END,
    HAND,
    HAND_SIZE,
    MOST_BOARD,
    OWN,
    PHASE,
    PLAY,
    PLAYER,
    POWER_ACTION,
    SHOOTING,
    STRIKE,
    TARGETS,
    VICTIM,
    block,
)
from joute.i18n.words import Sentence

HERO, ME = "hero", "me"
_FILLING = frozenset(("on", "at", "the", "with", "my", "minion", "card", "->"))
_WORDS = {"end": END, "end turn": END, "pass": END, "done": END}
_WORDS |= {"power": POWER_ACTION, "hero power": POWER_ACTION}
_LONGEST = 80


def played(state: Any, action: int) -> tuple[int, int | None]:
    """The card that an action of the mover plays, and its target if it has one."""
    place, target = action - PLAY, None
    if action >= AIM:
        place, target = (action - AIM) // AIMS, (action - AIM) % AIMS
    return int(state[block(int(state[PLAYER])) + HAND + place]), target


def describe(game: Any, state: Any, action: int, *, place: bool = True) -> str:
    """`place`: whether it may say where in the hand a card is; the opponent cannot know."""
    action = int(action)
    if mover(game, state) == CHANCE:
        if state[PHASE] == SHOOTING:
            return f"hits {action - VICTIM + 1}"
        return f"draws {BOOK[action].word}"
    if action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        return f"attack {number + 1} {_target(target)}"
    if action < PLAY:
        return "end" if action == END else "power"
    card, aim = played(state, action)
    name = BOOK[card].word
    hand = _hand(state)
    number = (action - AIM) // AIMS if action >= AIM else action - PLAY
    if place and hand.index(card) != number:
        name += f" #{number + 1}"
    return f"play {name}" if aim is None else f"{name} {_target(aim)}"


def _target(target: int) -> str:
    return ME if target == OWN else str(target) if target else HERO


def _hand(state: Any) -> list[int]:
    """The cards of the player whose turn it is."""
    own = block(int(state[PLAYER]))
    return [int(each) for each in state[own + HAND : own + HAND + state[own + HAND_SIZE]]]


def parse(game: Any, state: Any, text: str) -> int:
    quoted = text[:_LONGEST]
    if mover(game, state) == CHANCE:
        return _outcome(state, quoted)
    words = [word for word in quoted.lower().replace(",", " ").split() if word not in _FILLING]
    if (known := _WORDS.get(" ".join(words))) is not None:
        return known
    if words[:1] == ["attack"]:
        return _attack(words, quoted)
    numbered = words[:1] in (["play"], ["cast"])
    words = words[1:] if numbered else words
    if not words:
        raise ActionError(quoted, Sentence("error.paradise.action"))
    target = _read_target(words[-1]) if len(words) > 1 else None
    named = words if target is None else words[:-1]
    place = _place(named, _hand(state), numbered, quoted)
    card = BOOK[_hand(state)[place]]
    if (card.kind == AIMED) != (target is not None):
        aimed = Sentence("error.paradise.aimed", card=card.word)
        raise ActionError(quoted, aimed if card.kind == AIMED else f"'play {card.word}'")
    return PLAY + place if target is None else AIM + AIMS * place + target


def _outcome(state: Any, text: str) -> int:
    if state[PHASE] == SHOOTING:
        if found := re.fullmatch(rf"hits ([1-{MOST_BOARD}])", text):
            return VICTIM + int(found[1]) - 1
        raise ActionError(text, Sentence("error.paradise.hits"))
    for card in range(CARDS):
        if text == f"draws {BOOK[card].word}":
            return card
    raise ActionError(text, Sentence("error.paradise.draws"))


def _attack(words: list[str], text: str) -> int:
    target = _read_target(words[2]) if len(words) == 3 else None
    number = _read_target(words[1]) if len(words) == 3 else None
    if number in (None, 0, OWN) or target in (None, OWN):
        raise ActionError(text, Sentence("error.paradise.attack"))
    return int(STRIKE + TARGETS * (number - 1) + target)


def _read_target(word: str) -> int | None:
    """0 for the hero, 1..7, OWN; None for a word that is none of them."""
    if word in (HERO, "face"):
        return 0
    if word in (ME, "myself"):
        return OWN
    return int(word) if re.fullmatch(rf"[1-{MOST_BOARD}]", word) else None


def _place(words: list[str], hand: list[int], numbered: bool, text: str) -> int:
    """The place in the hand of the card that these words name."""
    cards = ", ".join(BOOK[card].word for card in hand)
    wanted = Sentence("error.paradise.hand" if hand else "error.paradise.empty", cards=cards)
    number = None
    if found := re.fullmatch(r"#([0-9]{1,2})", words[-1]):
        number, words = int(found[1]) - 1, words[:-1]
    elif numbered and len(words) == 1 and re.fullmatch(r"[0-9]{1,2}", words[0]):
        number, words = int(words[0]) - 1, []
    if number is not None and not 0 <= number < len(hand):
        raise ActionError(text, wanted)
    if words:
        fitting = _named(" ".join(words), hand)
        places = [place for place, card in enumerate(hand) if card in fitting]
        if not places or len(fitting) > 1 or (number is not None and number not in places):
            raise ActionError(text, wanted)
        return places[0] if number is None else number
    if number is None:
        raise ActionError(text, wanted)
    return number


def _named(name: str, hand: list[int]) -> set[int]:
    """The cards of the hand that a name or a beginning of one means."""
    exact = {card for card in hand if name in (BOOK[card].word, BOOK[card].title.lower())}
    if exact:
        return exact
    return {
        card
        for card in hand
        for whole in (BOOK[card].word, BOOK[card].title.lower())
        if whole.startswith(name) or any(word.startswith(name) for word in whole.split())
    }
