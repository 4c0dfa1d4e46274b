"""What the pages of Love Letter say beyond what a player observes."""

from __future__ import annotations

from typing import Any

from joute.games.love_letter.notes import known_card, missed, notes
from joute.web.games import Seen, Web


def _remarks(seen: Seen) -> dict[str, Any]:
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


WEB = Web(order=4, wide=True, words=("love_letter.",), remarks=_remarks)
