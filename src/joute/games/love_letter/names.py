"""The cards of Love Letter and their effects, in the languages of people."""

from __future__ import annotations

from joute.games.love_letter.state import CARDS
from joute.i18n.words import LANGUAGES, catalog, folded, say


def named(card: int) -> str:
    """The name of a card in the user's language."""
    return say(f"love_letter.card.{card}")


def effect(card: int) -> str:
    """What a card does, in a few words."""
    return say(f"love_letter.effect.{card}")


def sentence(key: str, **values: object) -> str:
    """One of the game's own sentences."""
    return say(f"love_letter.{key}", **values)


def cards_of(word: str) -> set[int]:
    """The cards that a folded word may mean: by value, by name in any language, or its beginning.

    A whole name means no other card that begins so: a Prince is no Princess.
    """
    if word.isdecimal():
        return {int(word)} if len(word) == 1 else set()
    names = {
        folded(catalog(language)[f"love_letter.card.{card}"]): card
        for language in LANGUAGES
        for card in range(CARDS)
    }
    if word in names:
        return {names[word]}
    return {card for name, card in names.items() if name.startswith(word)}
