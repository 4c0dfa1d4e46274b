"""What the board of Tron must know of positions that it does not show."""

from __future__ import annotations

from typing import Any

from joute.core.interface import observe
from joute.play.timeline import Step
from joute.web.games import Web


def _past(game: Any, step: Step) -> dict[str, Any]:
    """Where the bikes came to, and by which turns: a trail does not tell its own course."""
    seen = observe(game, step.state, 0)
    turned = [event for event in step.open if "action" in event]
    known = {"heads": seen["heads"]}
    if any(seen["heads"][event["player"]] is None for event in turned):
        known["floors"] = seen["floors"]  # on which it is seen where a bike ended
    events = [{"player": event["player"], "action": event["action"]} for event in turned]
    return {"ply": step.ply, "seen": {"0": known}, "events": events}


WEB = Web(order=2, wide=True, past=_past)
