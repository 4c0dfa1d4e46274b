"""Messages of Tron to a bot, made by hand for the tests of the bots that play it."""

from typing import Any

from host.hosting import start_message

ROOM = ["#######", "#1    #", "#     #", "#    2#", "#######"]
"""Rows from the top; digits are the heads of bikes 1 and 2 in these tests' own pictures."""


def tron_start(
    player: int = 0, text: str = "tron 1\nsize 7 5 1\n", **changes: Any
) -> dict[str, Any]:
    """The first message of a game on a map of this text."""
    return start_message(player, game="tron", parameters={"map": text}, events=[], **changes)


def tron_play(rows: list[str] = ROOM, player: int = 0, **changes: Any) -> dict[str, Any]:
    """A turn's message; in `rows`, the digits 1 to 8 are heads and a, b ... the trails of bikes."""
    heads = {
        int(cell) - 1: [x, len(rows) - 1 - y, 0]
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell.isdigit()
    }
    bikes = max(heads, default=0) + 1
    trails = {ord("a") + bike: str(bike + 1) for bike in range(8)}
    observation = {
        "width": len(rows[0]),
        "height": len(rows),
        "wrap": "none",
        "trail": "stay",
        "order": "simultaneous",
        "floors": [[row.translate(trails) for row in rows]],
        "heads": [heads.get(bike) for bike in range(bikes)],
        "alive": sorted(heads),
        "player": player,
        "to_move": player,
        "round": 0,
        "points": [0] * bikes,
        "legal": [],
        "teams": [],
    }
    return {"type": "play", "observation": {**observation, **changes}, "events": []}
