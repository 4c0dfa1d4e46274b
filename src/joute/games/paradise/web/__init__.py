"""What the pages of Paradise say beyond what a player observes."""

from __future__ import annotations

from typing import Any

from joute.games.paradise import damage
from joute.i18n.words import say
from joute.web.games import Seen, Web


def _remarks(seen: Seen) -> dict[str, Any]:
    """`lethal` or `danger`: a sentence on a hero that can be killed, while the viewer chooses."""
    if not seen["legal"]:
        return {}
    mine, other = seen["health"][seen["player"]], seen["health"][1 - seen["player"]]
    if (most := damage.now(seen)) >= other:
        return {"lethal": say("play.paradise.lethal", damage=most, health=other)}
    if (most := damage.to_come(seen)) >= mine:
        return {"danger": say("play.paradise.danger", damage=most, health=mine)}
    return {}


WEB = Web(order=5, wide=True, words=("play.paradise.card",), remarks=_remarks)
