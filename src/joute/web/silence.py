"""What bots say is not for everybody: events and lines of records without their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Heard = frozenset[str] | None
"""The names of the bots whose messages a reader may read; None for all."""

NOBODY: Heard = frozenset()
SAID = ("message", "note", "output")
"""What an event or a line of a record has of a bot's words, besides the detail of a fault."""


def silenced(event: dict[str, Any], names: Sequence[str], known: Heard) -> dict[str, Any]:
    """An event, or a line of a record, without the words of a bot that are not for the reader."""
    player = event.get("player", -1)
    if known is None or player < 0 or names[player] in known:
        return event
    shown = {key: value for key, value in event.items() if key not in SAID}
    return {**shown, "detail": ""} if "detail" in shown else shown
