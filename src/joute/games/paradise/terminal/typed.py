"""What people type in Paradise: `play 3`, `fireball hero`, `attack 2 1`, `power`, `end`, `card 3`.

Words of both languages are understood; a card by its names, their beginnings, or its place in the
hand. What cannot be done is answered with the reason.
"""

from __future__ import annotations

from typing import Any, NoReturn

from joute.cli.playing.typed import Asked, Typed, Unclear, known_command
from joute.core.interface import observe
from joute.games.paradise.cards import AIMED, BOOK, HOUNDS, MINION
from joute.games.paradise.names import described, meant, minions, phrases, typed_as, word
from joute.games.paradise.state import (
    AIM,
    AIMS,
    END,
    MOST_BOARD,
    OWN,
    PLAY,
    POWER_ACTION,
    POWER_COST,
    STRIKE,
    TARGETS,
)
from joute.i18n.words import folded, say

_FILLING = frozenset(("on", "at", "the", "with", "->", "sur", "au", "avec"))


def understand(asked: Asked, text: str) -> Typed:
    """What the text means for the player whose turn it is. Raises Unclear."""
    words = folded(text).replace(",", " ").split()
    if not words:
        raise Unclear(say("play.empty"))
    try:
        return _Reader(asked).read(words)
    except Unclear:
        command = known_command(" ".join(words))
        if not command:
            raise
        return Typed(command=command)


class _Reader:
    """Understands a player's words in one position."""

    def __init__(self, asked: Asked) -> None:
        self._legal = asked.actions
        self._seen: dict[str, Any] = observe(asked.game, asked.state, asked.player)
        self._player = asked.player
        self._hand: list[int] = self._seen["hand"]
        self._own = minions(self._seen, asked.player)
        self._enemies = minions(self._seen, 1 - asked.player)

    def read(self, words: list[str]) -> Typed:
        line = " ".join(words)
        if typed_as("end", line):
            return self._checked(END)
        if typed_as("power", line):
            return self._checked(POWER_ACTION)
        if len(words) > 1 and (words[0] == "?" or typed_as("card", words[0])):
            return self._card(" ".join(words[1:]))
        words = [each for each in words if each not in _FILLING] or words
        if typed_as("attack", words[0]):
            return self._attack(words[1:])
        return self._play(words[1:] if typed_as("play", words[0]) else words, line)

    def _card(self, name: str) -> Typed:
        """The texts of the cards that a name means, tokens too, or of the one at a place."""
        place = _one(name, self._hand) if name.isdecimal() else None
        found = meant(name, range(len(BOOK))) if place is None else [self._hand[place]]
        if not found:
            raise Unclear(say("play.paradise.no_card", text=name))
        return Typed(told=tuple(described(card) for card in found))

    def _attack(self, words: list[str]) -> Typed:
        if len(words) < 2:
            raise Unclear(say("play.paradise.typed"))
        name, target_name = words[0], " ".join(words[1:])
        number, target = _one(name, self._own), self._target(target_name)
        if number is None:
            raise Unclear(say("play.paradise.no_minion", text=name))
        if target is None or target == OWN:
            raise Unclear(say("play.paradise.no_enemy", text=target_name))
        return self._checked(STRIKE + TARGETS * number + target)

    def _play(self, words: list[str], line: str) -> Typed:
        """Plays the card that all the words name, or all but the last, which is its target."""
        place, target = _one(" ".join(words), self._hand), None
        if place is None and len(words) > 1:
            place, target = _one(" ".join(words[:-1]), self._hand), self._target(words[-1])
            if place is not None and target is None:
                raise Unclear(say("play.paradise.no_enemy", text=words[-1]))
        if place is None:
            _refuse(words, line)
        name = word(self._hand[place])
        aimed = BOOK[self._hand[place]].kind == AIMED
        if aimed and target is None:
            raise Unclear(say("play.paradise.aimed", card=name, hero=phrases("hero")[0]))
        if target is not None and not aimed:
            raise Unclear(say("play.paradise.not_aimed", card=name))
        return self._checked(PLAY + place if target is None else AIM + AIMS * place + target)

    def _target(self, text: str) -> int | None:
        """0 for the hero, the number of an enemy minion, OWN, or None."""
        if typed_as("hero", text):
            return 0
        if typed_as("me", text):
            return OWN
        number = _one(text, self._enemies)
        return None if number is None else number + 1

    def _checked(self, action: int) -> Typed:
        """The action if it is legal. Raises Unclear with the reason if not."""
        if action not in self._legal:
            raise Unclear(self._reason(action))
        return Typed(action=action)

    def _reason(self, action: int) -> str:
        """Why an action is not legal."""
        mana = self._seen["mana"][self._player]
        if action >= STRIKE:
            number = (action - STRIKE) // TARGETS
            attacked = self._seen["boards"][self._player][number]["attacked"]
            key = "play.paradise.attacked" if attacked else "play.paradise.asleep"
            return say(key, card=word(self._own[number]))
        if action == POWER_ACTION:
            if self._seen["power_used"][self._player]:
                return say("play.paradise.power_used")
            return say("play.paradise.power_mana", cost=POWER_COST, mana=mana)
        place, target = (action - PLAY, 0) if action < AIM else divmod(action - AIM, AIMS)
        card = BOOK[self._hand[place]]
        name = word(self._hand[place])
        if card.cost > mana:
            return say("play.paradise.cost", card=name, cost=card.cost, mana=mana)
        if target == OWN:
            return say("play.paradise.not_me")
        if len(self._own) == MOST_BOARD and card.kind in (MINION, HOUNDS):
            return say("play.paradise.full", most=MOST_BOARD)
        return say("play.paradise.no_prey", card=name)


def _refuse(words: list[str], line: str) -> NoReturn:
    """Says that the words are no card of the hand, or nothing at all."""
    for name in (" ".join(words), " ".join(words[:-1])):
        if name and not name.isdecimal() and (found := meant(name, range(len(BOOK)))):
            raise Unclear(say("play.paradise.not_held", card=word(found[0])))
    raise Unclear(f"{say('play.no_action', text=line)}\n{say('play.paradise.typed')}")


def _one(text: str, cards: list[int]) -> int | None:
    """The place, from 0, of the card that a number or a name means; None if there is none.

    Raises Unclear if the name means several.
    """
    if text.isdecimal():
        return int(text) - 1 if 1 <= int(text) <= len(cards) else None
    found = meant(text, cards) if text else []
    if len(found) > 1:
        several = ", ".join(word(card) for card in found)
        raise Unclear(say("play.ambiguous", text=text, names=several))
    return cards.index(found[0]) if found else None
