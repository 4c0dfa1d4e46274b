"""The maps of Tron at the command line: what is wrong, true, and to be seen of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.games.tron.map import TronMap

FORMATS = ("tron", "2010")
GAP = "   "  # between floors that stand side by side


def errors(text: str) -> list[dict[str, Any]]:
    """What is wrong with a map's text: line, column, cause, and the reason for people."""
    from joute.games.tron.map import map_errors

    return [
        {
            "line": error.line,
            "column": error.column,
            "cause": error.cause,
            "reason": str(error.reason),
        }
        for error in map_errors(text)
    ]


def facts(text: str) -> dict[str, Any]:
    """What is true of a sound map; `bound` is None where the cells have no two colours."""
    from joute.games.tron.board import board
    from joute.games.tron.colours import two_colour_bound
    from joute.games.tron.map import read_map

    found = read_map(text)
    graph = board(found, found.wrap)
    signs = "".join(row for rows in found.floors for row in rows)
    return {
        "name": found.name,
        "width": found.width,
        "height": found.height,
        "floors": len(found.floors),
        "starts": len(graph.starts),
        "free": len(graph.places) - 1,
        "bound": two_colour_bound(graph, graph.starts[0]),
        "teleporters": sum(sign.isupper() for sign in signs) // 2,
        "stairs": signs.count("u") + signs.count("b"),
        "options": _options(found),
        "rows": found.floors,
    }


def columns() -> list[str]:
    """The headings of what `line` tells of a map."""
    keys = ("size", "starts", "free", "bound", "teleporters", "stairs", "options")
    return [say(f"map.column.{key}") for key in keys]


def line(facts: dict[str, Any]) -> list[str]:
    """A map in one line of a table; what it does not have is left blank."""
    size = [facts["width"], facts["height"], *([facts["floors"]] if facts["floors"] > 1 else [])]
    counted = (facts[key] for key in ("starts", "free", "bound", "teleporters", "stairs"))
    return [
        " x ".join(str(number) for number in size),
        *(str(number) if number else "" for number in counted),
        ", ".join(f"{option} {value}" for option, value in facts["options"].items()),
    ]


def picture(facts: dict[str, Any], width: int) -> list[str]:
    """The floors, side by side where `width` columns have room for them."""
    floors = [list(rows) for rows in facts["rows"]]
    if len(floors) == 1:
        return floors[0]
    titled = [
        [f"floor {number}".ljust(facts["width"]), *rows] for number, rows in enumerate(floors)
    ]
    if len(floors) * (facts["width"] + len(GAP)) - len(GAP) > width:
        return [row for rows in titled for row in rows]
    return [GAP.join(rows) for rows in zip(*titled, strict=True)]


def convert(text: str, form: str, name: str) -> str:
    """A sound map's text in one of FORMATS; `name` is for a map whose text has none, if it can.

    Raises GameError where that format cannot say it.
    """
    from joute.games.tron.map import read_map, write_2010, write_map

    found = read_map(text)
    if form == "2010":
        return write_2010(found)
    if not found.name and name.isprintable() and "#" not in name:
        found = found._replace(name=name.strip())
    return write_map(found)


def _options(found: TronMap) -> dict[str, str]:
    """The options that are not as usual."""
    from joute.games.tron.map_text import OPTIONS

    return {
        option: getattr(found, option)
        for option, values in OPTIONS.items()
        if getattr(found, option) != values[0]
    }
