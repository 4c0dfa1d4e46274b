"""What a bot believes of hidden cards, in words."""

from __future__ import annotations

from typing import Any

from joute.bots.explain import Belief
from joute.core.interface import properties
from joute.games.love_letter import names as love_letter_words
from joute.games.paradise import names as paradise_words

SHOWN = 10  # cards of a player, the likeliest first
_NAMED = {"love-letter": love_letter_words.named, "paradise": paradise_words.word}


def held(game: Any, beliefs: list[Belief]) -> dict[int, str]:
    """By player, the cards that he may hold and how likely each is."""
    found: dict[int, list[str]] = {}
    for each in beliefs:
        cards = found.setdefault(each.player, [])
        if len(cards) < SHOWN:
            cards.append(f"{_card(game, each.card)} {each.probability:.0%}")
    return {player: ", ".join(cards) for player, cards in found.items()}


def _card(game: Any, card: int) -> str:
    """A card's name in the user's language; its number in a game whose cards have none there."""
    return _NAMED.get(properties(game).name, str)(card)
