"""What a player of Love Letter should be reminded of: taken from what he observes, nothing else."""

from __future__ import annotations

from typing import Any

from joute.games.love_letter.choices import AIMED, FORCING
from joute.games.love_letter.names import named, sentence
from joute.games.love_letter.state import CHOICE, COUNTESS, GUARD, KING, NOBODY, PLAYED, PRINCE

Seen = dict[str, Any]
"""An observation; its keys are in the game's sheet."""


def missed(seen: Seen, player: int) -> list[int]:
    """The characters that wrong guesses have shown not to be in a player's hand, since it changed.

    A hand changes when its owner plays or discards; a King carries it to the other player.
    """
    if seen["turn"] == player:
        return []  # he may have drawn one
    found: list[set[int]] = [set() for _ in range(seen["players"])]
    for entry in seen["log"]:
        mine, target = found[entry["player"]], entry["target"]
        mine.clear()
        if entry["card"] == GUARD and target is not None:
            found[target].add(entry["guess"])
        elif entry["card"] == KING and target is not None:
            found[entry["player"]], found[target] = found[target], mine
    return sorted(found[player])


def known_card(seen: Seen, player: int) -> int | None:
    """The card of another that the observer has seen."""
    return next((card for holder, card in seen["known"] if holder == player), None)


def possible(seen: Seen, player: int, card: int) -> bool:
    """Whether another player may hold a card, as far as the observer was shown."""
    sure = known_card(seen, player)
    if sure is not None:
        return bool(sure == card)
    return bool(seen["unseen"][card]) and card not in missed(seen, player)


def playable(seen: Seen) -> set[int]:
    """The cards in hand that may be played now; all of them while a Chancellor is at work."""
    return {action // PLAYED for action in seen["legal"] if action < CHOICE} or set(seen["hand"])


def notes(seen: Seen) -> list[str]:
    """Sentences on a choice that the rules make, or make poorer."""
    if seen["to_move"] != seen["player"]:
        return []
    if seen["phase"] == "chancellor":
        return [sentence("note.choose")]
    found = []
    other = next((card for card in seen["hand"] if 1 << card & FORCING), None)
    if COUNTESS in seen["hand"] and other is not None:
        found.append(sentence("note.countess", card=named(other)))
    for card in sorted(set(seen["hand"]) & playable(seen)):
        alone = [action for action in seen["legal"] if action // PLAYED == card]
        if 1 << card & AIMED and alone == [card * PLAYED + NOBODY]:
            found.append(sentence("note.nobody", card=named(card)))
        elif card == PRINCE and len(alone) == 1:
            found.append(sentence("note.prince"))
    return found
