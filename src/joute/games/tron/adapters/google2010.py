"""The dialect of the 2010 Google AI Challenge: each turn the whole map, answered by a digit.

Written to the program is `WIDTH HEIGHT`, then the rows from the top: `#` a wall or a trail, ` ` a
free cell, `1` the program's own head, `2` its enemy's. It answers a line: 1 north, 2 east, 3 south,
4 west. It says nothing before its first answer, and its input ends with the game.

Source: the contest's description of its protocol; the observation's keys are those of Tron's sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from joute.host.protocol import Fault, Judgment
from joute.i18n.words import Sentence, english

WALL = "#"
FREE = " "

_DIRECTIONS = {b"1": 1, b"2": 2, b"3": 3, b"4": 0}
"""The direction of Tron by the answer of a program: 0 left, 1 up, 2 right, 3 down."""


class Tron2010:
    """The dialect; see `joute.host.protocol.Dialect`."""

    silent = True
    strict = False

    def write(self, message: Mapping[str, Any]) -> bytes:
        """The map of a turn; nothing at the start and at the end."""
        if message["type"] != "play":
            return b""
        rows = map_rows(message["observation"])
        lines = [f"{len(rows[0])} {len(rows)}", *rows]
        return "".join(line + "\n" for line in lines).encode("ascii")

    def judge(self, line: bytes, playing: bool) -> Judgment:
        """The direction on `line`, or the fault in it."""
        if not playing:
            return Judgment(None, None)
        direction = _DIRECTIONS.get(line.strip())
        if direction is not None:
            return Judgment(direction, None)
        start = line[:80].decode("utf-8", "replace")
        key = "error.tron.2010.answer" if len(line) <= 80 else "error.tron.2010.answer.cut"
        return Judgment(None, Fault.PROTOCOL, english(Sentence(key, answer=start)))

    def refusal(self, observation: Mapping[str, Any]) -> Sentence | None:
        """The reason why this dialect cannot express a game, by its first observation, or None."""
        found = _obstacle(observation)
        if found is None:
            return None
        plays = Sentence("error.tron.2010.plays")
        return Sentence("error.tron.2010.game", plays=plays, reason=found)


DIALECT = Tron2010()


def map_rows(observation: Mapping[str, Any]) -> list[str]:
    """The rows of the map from the top, as a program reads them.

    A map that is not walled all around gets a wall around it: all outside is wall, and programs of
    that contest never had to look there.
    """
    floor = observation["floors"][0]
    rows = [[cell if cell in (WALL, FREE) else WALL for cell in row] for row in floor]
    for bike, head in enumerate(observation["heads"]):
        if head is not None:
            x, y, _ = head
            rows[-1 - y][x] = "1" if bike == observation["player"] else "2"
    if walled(floor):
        return ["".join(row) for row in rows]
    edge = WALL * (len(floor[0]) + 2)
    return [edge, *(WALL + "".join(row) + WALL for row in rows), edge]


def walled(floor: list[str]) -> bool:
    """Whether a floor has walls all around; trails do not count, so that it stays as it is."""
    edges = floor[0] + floor[-1] + "".join(row[0] + row[-1] for row in floor)
    return edges == WALL * len(edges)


def _obstacle(observation: Mapping[str, Any]) -> Sentence | None:
    """The feature of a game that the protocol cannot express; None if there is none."""
    if not observation.keys() >= {"floors", "heads", "wrap", "order"}:
        return Sentence("error.tron.2010.other")
    bikes, floors = len(observation["heads"]), observation["floors"]
    if bikes != 2:
        return Sentence(
            "error.tron.2010.bike" if bikes == 1 else "error.tron.2010.bikes", bikes=bikes
        )
    if len(floors) != 1:
        return Sentence("error.tron.2010.storeys", floors=len(floors))
    if observation["wrap"] != "none":
        return Sentence("error.tron.2010.wrap", wrap=observation["wrap"])
    if observation["order"] != "simultaneous":
        return Sentence("error.tron.2010.turns", order=observation["order"])
    letters = {cell for row in floors[0] for cell in row if cell.isalpha()}
    return Sentence("error.tron.2010.signs", signs=", ".join(sorted(letters))) if letters else None
