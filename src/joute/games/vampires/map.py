"""The maps of Vampires vs Werewolves: read from XML, written as XML, drawn at random, described.

The format is that of the tournament's official server: a root `Map` with `Rows` and `Columns`, in
it `Humans` (any number), `Vampires` and `Werewolves` (one each), with `X`, `Y` and `Count`. It is
read leniently (a byte order mark, blanks or no declaration before the root, comments, end tags, a
root `map`) and written as that server wants it. The houses keep the order of the file: the
protocol lists them in it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from xml.sax import SAXParseException  # the parser itself is a safe one, of defusedxml
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.sax import make_parser

from joute.core import maps
from joute.core.errors import GameError
from joute.i18n.words import Sentence, say

MOST = 255  # rows, columns, units in a cell, occupied cells: one byte each in the protocol
SPECIES = ("Vampires", "Werewolves")

Group = tuple[int, int, int]
"""x, y and how many."""

CAUSES = (
    "xml", "forbidden", "root", "element", "text", "attribute", "missing", "number", "outside",
    "taken", "start-missing", "start-twice", "crowded",
)  # fmt: skip
"""The ways in which a map can be wrong."""


class VampiresMapError(maps.MapError):
    """A map of Vampires vs Werewolves that is wrong; `cause` is one of CAUSES."""

    game = "vampires"


class VampiresMap(NamedTuple):
    """A grid and what stands on it at the beginning."""

    rows: int
    columns: int
    humans: tuple[Group, ...]  # in the order of the file
    vampires: Group
    werewolves: Group


def read_map(text: str) -> VampiresMap:
    """The map of a text. Raises VampiresMapError, the first if there are several."""
    found, errors = _read(text)
    if errors:
        raise errors[0]
    return found


def map_errors(text: str) -> list[VampiresMapError]:
    """All errors of a map's text, in its order; none if it can be read."""
    return _read(text)[1]


def write_map(map: VampiresMap) -> str:
    """The text of a map as the official server reads it; `read_map` reads the same map from it."""
    groups = [("Humans", group) for group in map.humans]
    groups += [("Vampires", map.vampires), ("Werewolves", map.werewolves)]
    lines = ['<?xml version="1.0" encoding="utf-8" ?>']
    lines.append(f'<Map Rows="{map.rows}" Columns="{map.columns}">')
    lines += [f'  <{name} X="{x}" Y="{y}" Count="{count}"/>' for name, (x, y, count) in groups]
    return "\n".join([*lines, "</Map>", ""])


def _read(text: str) -> tuple[VampiresMap, list[VampiresMapError]]:
    body = text.removeprefix("\ufeff")
    skipped = body[: len(body) - len(body.lstrip())]
    parser = make_parser()
    parser.forbid_dtd = True
    reader = _Reader(parser, skipped.count("\n"))
    parser.setContentHandler(reader)
    try:
        parser.feed(body.lstrip())
        parser.close()
    except SAXParseException as error:
        place = (error.getLineNumber() or 1, (error.getColumnNumber() or 0) + 1)
        reader.fail("xml", error.getMessage(), place=place)
    except DefusedXmlException:
        reader.fail("forbidden")
    return reader.map(), reader.errors


class _Reader(ContentHandler):
    """Hears of the elements of a map and notes all that is wrong."""

    def __init__(self, where: Any, skipped: int) -> None:
        """`where` is asked for places, `skipped` lines after the first of the whole text."""
        super().__init__()
        self._where = where
        self.errors: list[VampiresMapError] = []
        self._skipped = skipped
        self._depth = 0
        self._rows = self._columns = 0  # 0: unknown, for the attribute is wrong
        self._groups: dict[str, list[Group]] = {"Humans": [], "Vampires": [], "Werewolves": []}
        self._taken: dict[tuple[int, int], str] = {}

    def fail(
        self,
        cause: str,
        found: str = "",
        expected: object = "",
        element: str = "",
        place: tuple[int, int] | None = None,
    ) -> None:
        """Notes an error, here or at a line and a column of the text that is parsed."""
        line, column = place or self._place()
        self.errors.append(
            VampiresMapError(line + self._skipped, column, cause, found, expected, element)
        )

    def map(self) -> VampiresMap:
        """The map that was read; without meaning if there are errors."""
        starts = [(self._groups[name] or [(0, 0, 0)])[0] for name in SPECIES]
        humans = tuple(self._groups["Humans"])
        return VampiresMap(self._rows, self._columns, humans, starts[0], starts[1])

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 - a name of SAX
        """Takes an element, with all its attributes."""
        self._depth += 1
        if self._depth == 1:
            if name not in ("Map", "map"):
                self.fail("root", name)
            values = self._attributes("Map", attrs, ("Rows", "Columns"))
            self._rows = self._number("Map", "Rows", values, 1, MOST)
            self._columns = self._number("Map", "Columns", values, 1, MOST)
        elif self._depth == 2 and name in self._groups:
            self._group(name, attrs)
        else:
            nothing = Sentence("error.vampires.nothing")
            expected = ", ".join(self._groups) if self._depth == 2 else nothing
            self.fail("element", name, expected)

    def endElement(self, name: str) -> None:  # noqa: N802
        """Leaves an element; after the root, looks at the whole."""
        self._depth -= 1
        if self._depth > 0:
            return
        for species in SPECIES:
            if not self._groups[species]:
                self.fail("start-missing", "", species)
        if len(self._taken) > MOST:
            self.fail("crowded", str(len(self._taken)), str(MOST))

    def characters(self, content: str) -> None:
        """Text has no place but blanks."""
        if content.strip():
            self.fail("text", content.strip()[:20])

    def _place(self) -> tuple[int, int]:
        return self._where.getLineNumber() or 1, (self._where.getColumnNumber() or 0) + 1

    def _group(self, name: str, attrs: Any) -> None:
        values = self._attributes(name, attrs, ("X", "Y", "Count"))
        x = self._coordinate(name, "X", values, self._columns)
        y = self._coordinate(name, "Y", values, self._rows)
        count = self._number(name, "Count", values, 1, MOST)
        if name in SPECIES and self._groups[name]:
            self.fail("start-twice", "", "", name)
        self._groups[name].append((x, y, count))
        if x < 0 or y < 0:
            return
        if (x, y) in self._taken:
            self.fail("taken", f"{x},{y}", self._taken[x, y], name)
        self._taken[x, y] = name

    def _attributes(self, element: str, attrs: Any, known: tuple[str, ...]) -> dict[str, str]:
        values = {key: attrs.getValue(key) for key in attrs.getNames()}
        for key in values:
            if key not in known and not key.startswith("xmlns"):
                self.fail("attribute", key, ", ".join(known), element)
        for key in known:
            if key not in values:
                self.fail("missing", "", key, element)
        return values

    def _number(
        self, element: str, key: str, values: dict[str, str], lowest: int, highest: int
    ) -> int:
        """The value of an attribute; 0 if it is missing or wrong."""
        text = values.get(key)
        if text is None:
            return 0
        number = int(text) if re.fullmatch(r"\s*[0-9]{1,9}\s*", text) else -1
        if lowest <= number <= highest:
            return number
        self.fail("number", f'{key}="{text}"', f"{lowest}..{highest}", element)
        return 0

    def _coordinate(self, element: str, key: str, values: dict[str, str], bound: int) -> int:
        """The value of X or Y; -1 if it is missing or wrong, or the grid's size is."""
        text = values.get(key)
        if text is None or not bound:
            return -1
        if not re.fullmatch(r"\s*-?[0-9]{1,9}\s*", text):
            self.fail("number", f'{key}="{text}"', f"0..{bound - 1}", element)
            return -1
        if 0 <= int(text) < bound:
            return int(text)
        self.fail("outside", f'{key}="{text}"', f"0..{bound - 1}", element)
        return -1


FORMATS = ("xml",)


def facts(text: str) -> dict[str, Any]:
    """The facts of a sound map; `fair` is whether it looks the same upside down."""
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
    """The headings of the cells of `line`."""
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
    return write_map(read_map(text))


DRAWN_BY = {"houses": True}
"""The options of maps drawn at random, and whether each is needed."""


def generate(width: int, height: int, seed: int, given: dict[str, Any]) -> str:
    """The text of a map drawn at random. Raises GameError where there can be none."""
    return write_map(random_map(width, height, given["houses"], seed))


def random_map(width: int, height: int, houses: int, seed: int) -> VampiresMap:
    """A map that looks the same upside down, species exchanged.

    A house has 1 to 19 humans, each species starts with 2 to 19. Raises GameError for a size out of
    range, or houses that have no room: an odd number needs a cell in the middle.
    """
    for name, value in (("width", width), ("height", height)):
        if not 1 <= value <= MOST:
            raise GameError(Sentence(f"error.vampires.{name}", most=MOST, value=value))
    area = width * height
    most = min(area, MOST) - 2
    odd_area = area % 2
    if not 0 <= houses <= most or (houses % 2 and not odd_area):
        key = "error.vampires.houses" if odd_area else "error.vampires.houses.even"
        grid = {"width": width, "height": height}
        raise GameError(Sentence(key, most=max(most, 0), houses=houses, **grid))
    from joute.core.random import below, generator  # compiled: reading a map does not wait for it

    rng = generator(seed)
    pairs = list(range(area // 2))
    middle = area // 2

    def drawn(cell: int, count: int) -> list[Group]:
        """A group in a cell and the same opposite."""
        cells = [cell, area - 1 - cell] if cell != middle or not odd_area else [cell]
        return [(each % width, each // width, count) for each in cells]

    starts = drawn(pairs.pop(below(rng, len(pairs))), 2 + below(rng, 18))
    if below(rng, 2):
        starts.reverse()
    humans = drawn(middle, 1 + below(rng, 19)) if houses % 2 else []
    while len(humans) < houses:
        humans += drawn(pairs.pop(below(rng, len(pairs))), 1 + below(rng, 19))
    return VampiresMap(height, width, tuple(humans), starts[0], starts[1])
