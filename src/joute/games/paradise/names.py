"""Paradise in the user's language: the cards' names and texts, actions as they may be typed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from joute.games.paradise.cards import BOOK, MINION
from joute.games.paradise.state import AIM, AIMS, END, OWN, PLAY, POWER_ACTION, STRIKE, TARGETS
from joute.i18n.words import LANGUAGES, catalog, folded, say


class Names(NamedTuple):
    """What a card is called."""

    word: str
    title: str
    text: str


def word(card: int) -> str:
    """The short name of a card in the user's language."""
    return _split(say(f"play.paradise.card.{card}")).word


def described(card: int) -> str:
    """A sentence with all that is on a card."""
    names, facts = _split(say(f"play.paradise.card.{card}")), BOOK[card]
    kind = say("play.paradise.spell")
    if facts.kind == MINION:
        kind = say("play.paradise.minion", attack=facts.attack, health=facts.health)
    line = say("play.paradise.card", title=names.title, cost=facts.cost, kind=kind)
    return say("play.paradise.card_text", card=line, text=names.text) if names.text else line


def meant(text: str, cards: Iterable[int]) -> list[int]:
    """Those of the cards that a folded text names, in any language, each once.

    By a whole name, else by the beginning of a word of one.
    """
    known = {card: _known(card) for card in cards}
    exact = [card for card, names in known.items() if text in names]
    return exact or [
        card for card, names in known.items() if any(_begins(name, text) for name in names)
    ]


def said(seen: dict[str, Any], action: int) -> str:
    """An action as its player may type it, in the user's language.

    `seen` is what he observes.
    """
    if action == END:
        return phrases("end")[0]
    if action == POWER_ACTION:
        return phrases("power")[0]
    if action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        return f"{phrases('attack')[0]} {number + 1} {target_word(target)}"
    if action >= AIM:
        place, target = divmod(action - AIM, AIMS)
        return f"{word(seen['hand'][place])} {target_word(target)}"
    return f"{phrases('play')[0]} {word(seen['hand'][action - PLAY])}"


def target_word(target: int) -> str:
    """What a target is typed as: a hero, or a number."""
    if target == OWN:
        return phrases("me")[0]
    return str(target) if target else phrases("hero")[0]


def phrases(name: str) -> list[str]:
    """What may be typed for a verb or a hero: in the user's language first, then in all."""
    every = [catalog(each)[f"play.paradise.typed.{name}"] for each in LANGUAGES]
    return [
        phrase
        for line in (say(f"play.paradise.typed.{name}"), *every)
        for phrase in line.split("|")
    ]


def typed_as(name: str, text: str) -> bool:
    """Whether a folded text is a phrase for a verb or a hero."""
    return any(text == folded(phrase) for phrase in phrases(name))


def minions(seen: dict[str, Any], player: int) -> list[int]:
    """The cards of a player's minions, left to right."""
    return [each["card"] for each in seen["boards"][player]]


def _split(sentence: str) -> Names:
    return Names(*(part.strip() for part in sentence.split("|")))


def _known(card: int) -> set[str]:
    """The folded names of a card, in every language."""
    every = [_split(catalog(each)[f"play.paradise.card.{card}"]) for each in LANGUAGES]
    return {folded(name) for each in every for name in (each.word, each.title)}


def _begins(name: str, text: str) -> bool:
    return name.startswith(text) or any(part.startswith(text) for part in name.split())
