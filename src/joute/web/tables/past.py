"""What a board must know of positions that it does not show."""

from __future__ import annotations

from typing import Any

from joute.core.interface import observe, properties
from joute.play.timeline import Step


def past(game: Any, step: Step) -> dict[str, Any]:
    """Where the bikes of Tron came to, and by which turns: a trail does not tell its own course.

    It has the shape of a position. Nothing is in it for other games, whose positions tell all.
    """
    if properties(game).name != "tron":
        return {}
    seen = observe(game, step.state, 0)
    turned = [event for event in step.open if "action" in event]
    known = {"heads": seen["heads"]}
    if any(seen["heads"][event["player"]] is None for event in turned):
        known["floors"] = seen["floors"]  # on which it is seen where a bike ended
    events = [{"player": event["player"], "action": event["action"]} for event in turned]
    return {"ply": step.ply, "seen": {"0": known}, "events": events}
