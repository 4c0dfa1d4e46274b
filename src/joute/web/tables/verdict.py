"""How a game at a table ended, in words."""

from __future__ import annotations

from typing import Any

from joute.i18n.words import say
from joute.play.telling import outcome
from joute.web.tables.table import Table


def verdict(table: Table) -> dict[str, Any]:
    """What is sent when the game is over."""
    result = table.playing.result
    sent: dict[str, Any] = {"type": "over", "lines": [], "record": "", "replay": ""}
    if result is None:
        failed = table.playing.failure is not None
        return sent | {"lines": [say("table.failed" if failed else "table.closed")]}
    return sent | {
        "lines": outcome(table.spec, result),
        "ending": result.ending,
        "returns": result.returns,
        "points": result.points,
        "record": f"/tables/{table.name}/record",
        "replay": f"/tables/{table.name}/replay",
    }
