"""What a viewer's board says beyond what he observes: it follows from that and from the rules.

The browser knows no rules, so a position carries it, under `remarks` of what a seat has seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from joute.games.love_letter.notes import known_card, missed, notes
from joute.games.paradise import damage
from joute.i18n.words import say

Seen = dict[str, Any]
"""An observation; its keys are in the game's sheet."""


def remarks(game: str, seen: Seen) -> dict[str, Any]:
    """`remarks` to be added to what a seat of this game observes; nothing where there are none."""
    return {"remarks": REMARKS[game](seen)} if game in REMARKS else {}


def _love_letter(seen: Seen) -> dict[str, Any]:
    """`notes`: sentences on the choice to be made; `missed`: what others cannot hold, by player.

    Where a card is known there, or no copy is unseen, that says more.
    """
    excluded = [
        []
        if player == seen["player"] or known_card(seen, player) is not None
        else [card for card in missed(seen, player) if seen["unseen"][card]]
        for player in range(seen["players"])
    ]
    return {"notes": notes(seen), "missed": excluded}


def _paradise(seen: Seen) -> dict[str, Any]:
    """`lethal` or `danger`: a sentence on a hero that can be killed, while the viewer chooses."""
    if not seen["legal"]:
        return {}
    mine, his = seen["health"][seen["player"]], seen["health"][1 - seen["player"]]
    if (most := damage.now(seen)) >= his:
        return {"lethal": say("play.paradise.lethal", damage=most, health=his)}
    if (most := damage.to_come(seen)) >= mine:
        return {"danger": say("play.paradise.danger", damage=most, health=mine)}
    return {}


REMARKS: dict[str, Callable[[Seen], dict[str, Any]]] = {
    "love-letter": _love_letter,
    "paradise": _paradise,
}
"""What is remarked in a game, by its name."""
