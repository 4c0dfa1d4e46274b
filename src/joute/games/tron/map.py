"""The maps of Tron: read from a text, checked, written, and described for `joute map`.

A text may have several errors; `map_errors` finds as many as make sense, `read_map` raises the
first. `board` makes the graph of a map.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from joute.core.errors import GameError
from joute.games.tron.board import (
    DOWNSTAIRS,
    STAIRS,
    STARTS,
    STEPS,
    TELEPORTERS,
    UPSTAIRS,
    Place,
    TronMap,
    board,
    entered,
    sign_at,
    two_colour_bound,
)
from joute.games.tron.map_text import OPTIONS, SIGNS_2010, MapText, TronMapError, read_signs
from joute.i18n.words import Sentence, say


def read_map(text: str) -> TronMap:
    """The map of a text in either format. Raises TronMapError, the first if there are several."""
    found, errors = _read(text)
    if found is None:
        raise errors[0]
    return found


def map_errors(text: str) -> list[TronMapError]:
    """All errors of a map's text, in its order; none if it can be read."""
    return _read(text)[1]


def write_map(map: TronMap) -> str:
    """The text of a map in Joute's format; `read_map` reads the same map from it.

    Free cells are written `.` where a row would end in a blank, which editors like to remove.
    Raises GameError for a name that no line can hold.
    """
    if not map.name.isprintable() or "#" in map.name or map.name != map.name.strip():
        raise GameError(Sentence("error.tron.name", name=map.name))
    lines = ["tron 1"]
    if map.name:
        lines.append(f"name {map.name}")
    lines.append(f"size {map.width} {map.height} {len(map.floors)}")
    lines += [f"option trail {map.trail}", f"option wrap {map.wrap}"]
    if map.order != OPTIONS["order"][0]:
        lines.append(f"option order {map.order}")
    dots = any(row.endswith(" ") for rows in map.floors for row in rows)
    for floor, rows in enumerate(map.floors):
        lines.append(f"floor {floor}")
        lines += [row.replace(" ", ".") if dots else row for row in rows]
    return "\n".join([*lines, "end", ""])


def write_2010(map: TronMap) -> str:
    """The text of a map in the format of 2010; the name is lost.

    Raises GameError with the reason for a map that this format cannot express.
    """
    if len(map.floors) > 1:
        raise GameError(Sentence("error.tron.2010.floors", floors=len(map.floors)))
    for option, values in OPTIONS.items():
        if (value := getattr(map, option)) != values[0]:
            raise GameError(Sentence("error.tron.2010.option", option=option, value=value))
    for row in map.floors[0]:
        for sign in row:
            if sign not in SIGNS_2010:
                raise GameError(Sentence("error.tron.2010.sign", sign=sign, known=SIGNS_2010))
    return "\n".join([f"{map.width} {map.height}", *map.floors[0], ""])


def _read(text: str) -> tuple[TronMap | None, list[TronMapError]]:
    errors: list[TronMapError] = []
    try:
        found = read_signs(text, errors)
        if not errors:
            # Where signs are wrong, these errors would only repeat it.
            errors += _misplaced(found)
    except TronMapError as error:
        errors.append(error)
    if errors:
        return None, sorted(errors, key=lambda error: (error.line, error.column))
    return found.map, []


def _misplaced(text: MapText) -> Iterator[TronMapError]:
    """The errors of signs that are right in themselves."""
    places: dict[str, list[Place]] = {}
    for place, sign in _in_reading_order(text.map):
        places.setdefault(sign, []).append(place)
    yield from _starts(text, places)
    for letter in TELEPORTERS:
        ends = places.get(letter, [])
        for number, place in enumerate(ends, 1):
            if number > 2 or len(ends) == 1:
                yield _error(text, place, "teleporter", letter, f"{number}/{len(ends)}")
    for sign in "udb":
        for place in places.get(sign, []):
            yield from _stairs(text, place, sign)


def _starts(text: MapText, places: dict[str, list[Place]]) -> Iterator[TronMapError]:
    missing = ""
    for digit in STARTS:
        if digit not in places:
            missing = missing or digit
            continue
        first, *others = places[digit]
        if missing:
            yield _error(text, first, "start-missing", digit, missing)
            missing = ""
        for other in others:
            yield _error(text, other, "start-twice", digit)
        if _blocked(text.map, first):
            yield _error(text, first, "start-blocked", digit)
    if missing == STARTS[0]:
        yield TronMapError(text.last, 1, "start-missing", "", missing)


def _blocked(map: TronMap, place: Place) -> bool:
    """Whether every neighbour of a start is a wall or a start."""
    ways = (entered(map, map.wrap, place, direction) for direction in range(len(STEPS)))
    return all(way is None or sign_at(map, way) in STARTS for way in ways)


def _stairs(text: MapText, place: Place, sign: str) -> Iterator[TronMapError]:
    """An error for each floor to which stairs at this place should lead and do not."""
    x, y, floor = place
    for direction, signs in STAIRS.items():
        if sign not in signs:
            continue
        beyond = floor + STEPS[direction][2]
        back = STAIRS[DOWNSTAIRS if direction == UPSTAIRS else UPSTAIRS]
        there = 0 <= beyond < len(text.map.floors)
        if not there or sign_at(text.map, (x, y, beyond)) not in back:
            expected = Sentence("map.floor.signs", floor=beyond, signs=" ".join(back))
            yield _error(text, place, "stairs", sign, expected)


def _in_reading_order(map: TronMap) -> Iterator[tuple[Place, str]]:
    for floor, rows in enumerate(map.floors):
        for down, row in enumerate(rows):
            for x, sign in enumerate(row):
                yield (x, map.height - 1 - down, floor), sign


def _error(
    text: MapText, place: Place, cause: str, found: str, expected: object = ""
) -> TronMapError:
    x, y, floor = place
    line = text.tops[floor] + text.map.height - 1 - y
    return TronMapError(line, x + 1, cause, found, expected)


FORMATS = ("tron", "2010")
GAP = "   "  # between floors that stand side by side


def facts(text: str) -> dict[str, Any]:
    """The facts of a sound map; `bound` is None where the cells have no two colours."""
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
    """The headings of the cells of `line`."""
    keys = ("size", "starts", "free", "bound", "teleporters", "stairs", "options")
    return [say(f"map.column.{key}") for key in keys]


def line(facts: dict[str, Any]) -> list[str]:
    """A map as a line of a table; blank where it has none of a kind."""
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
        [say("map.floor.title", floor=number).ljust(facts["width"]), *rows]
        for number, rows in enumerate(floors)
    ]
    if len(floors) * (facts["width"] + len(GAP)) - len(GAP) > width:
        return [row for rows in titled for row in rows]
    return [GAP.join(rows) for rows in zip(*titled, strict=True)]


def convert(text: str, form: str, name: str) -> str:
    """A sound map's text in one of FORMATS; `name` is for a map whose text has none.

    Raises GameError where that format cannot express it.
    """
    found = read_map(text)
    if form == "2010":
        return write_2010(found)
    if not found.name and name.isprintable() and "#" not in name:
        found = found._replace(name=name.strip())
    return write_map(found)


DRAWN_BY = {
    "density": False,
    "symmetry": False,
    "floors": False,
    "teleporters": False,
    "stairs": False,
}
"""The options of maps drawn at random, and whether each is needed."""


def generate(width: int, height: int, seed: int, given: dict[str, Any]) -> str:
    """The text of a map drawn at random. Raises GameError where there can be none."""
    from joute.games.tron.drawn_map import drawn_map, wish_of

    return write_map(drawn_map(wish_of(width, height, given), seed))


def _options(found: TronMap) -> dict[str, str]:
    """The options that are not as usual."""
    return {
        option: getattr(found, option)
        for option, values in OPTIONS.items()
        if getattr(found, option) != values[0]
    }
