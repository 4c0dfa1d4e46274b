"""The maps of Vampires vs Werewolves at the command line: what is wrong, true, and to be seen."""

from __future__ import annotations

from typing import Any

from joute.i18n.words import say

FORMATS = ("xml",)


def errors(text: str) -> list[dict[str, Any]]:
    """What is wrong with a map's text: line, column, cause, and the reason for people."""
    from joute.games.vampires.map import map_errors

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
    """What is true of a sound map; `fair` is whether it looks the same upside down."""
    from joute.games.vampires.map import read_map

    found = read_map(text)
    right, below = found.columns - 1, found.rows - 1
    turned = {(right - x, below - y, count) for x, y, count in found.humans}
    x, y, count = found.vampires
    return {
        "width": found.columns,
        "height": found.rows,
        "houses": len(found.humans),
        "humans": sum(count for _, _, count in found.humans),
        "vampires": found.vampires[2],
        "werewolves": found.werewolves[2],
        "fair": turned == set(found.humans) and found.werewolves == (right - x, below - y, count),
        "rows": _rows(text),
    }


def _rows(text: str) -> list[str]:
    """The board as it is drawn before the first turn, the numbers of its columns above."""
    from joute.core.interface import render, start
    from joute.core.registry import make

    game = make("vampires", map=text)
    drawn = render(game, start(game).tolist()).splitlines()
    return drawn[: 1 + game.rows]


def columns() -> list[str]:
    """The headings of what `line` tells of a map."""
    keys = ("size", "houses", "humans", "vampires", "werewolves", "fair")
    return [say(f"map.column.{key}") for key in keys]


def line(facts: dict[str, Any]) -> list[str]:
    """A map in one line of a table."""
    counted = ("houses", "humans", "vampires", "werewolves")
    return [
        f"{facts['width']} x {facts['height']}",
        *(str(facts[key]) for key in counted),
        say("map.fair") if facts["fair"] else "",
    ]


def picture(facts: dict[str, Any], width: int) -> list[str]:
    """The board; what is wider than the terminal wraps there."""
    return list(facts["rows"])


def convert(text: str, form: str, name: str) -> str:
    """A sound map's text as the official server reads it; it has no place for a name."""
    from joute.games.vampires.map import read_map, write_map

    return write_map(read_map(text))


def generate(width: int, height: int, houses: int, seed: int) -> str:
    """The text of a map drawn at random. Raises GameError where there can be none."""
    from joute.games.vampires.map import write_map
    from joute.games.vampires.random import random_map

    return write_map(random_map(width, height, houses, seed))
