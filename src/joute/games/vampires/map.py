"""The maps of Vampires vs Werewolves: read from XML, written as XML.

The format is that of the tournament's official server: a root `Map` with `Rows` and `Columns`, in
it `Humans` (any number), `Vampires` and `Werewolves` (one each), with `X`, `Y` and `Count`. It is
read leniently (a byte order mark, blanks or no declaration before the root, comments, end tags, a
root `map`) and written as that server wants it. The houses keep the order of the file: the
protocol lists them in it.
"""

import re
from typing import Any, NamedTuple
from xml.sax import SAXParseException  # the parser itself is a safe one, of defusedxml
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.sax import make_parser

from joute.core import maps
from joute.i18n.words import Sentence

MOST = 255  # rows, columns, units in a cell, occupied cells: one byte each in the protocol
SPECIES = ("Vampires", "Werewolves")

Group = tuple[int, int, int]
"""x, y and how many."""

CAUSES = (
    "xml",
    "forbidden",
    "root",
    "element",
    "text",
    "attribute",
    "missing",
    "number",
    "outside",
    "taken",
    "start-missing",
    "start-twice",
    "crowded",
)
"""What can be wrong with a map."""


class MapError(maps.MapError):
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
    """The map of a text. Raises MapError, the first if there are several."""
    found, errors = _read(text)
    if errors:
        raise errors[0]
    return found


def map_errors(text: str) -> list[MapError]:
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


def _read(text: str) -> tuple[VampiresMap, list[MapError]]:
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
        self.errors: list[MapError] = []
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
        """Note an error, here or at a line and a column of the text that is parsed."""
        line, column = place or self._place()
        self.errors.append(MapError(line + self._skipped, column, cause, found, expected, element))

    def map(self) -> VampiresMap:
        """What was read; without meaning if there are errors."""
        starts = [(self._groups[name] or [(0, 0, 0)])[0] for name in SPECIES]
        humans = tuple(self._groups["Humans"])
        return VampiresMap(self._rows, self._columns, humans, starts[0], starts[1])

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 - a name of SAX
        """Take an element, with all its attributes."""
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
            expected = (
                ", ".join(self._groups) if self._depth == 2 else Sentence("error.map.nothing")
            )
            self.fail("element", name, expected)

    def endElement(self, name: str) -> None:  # noqa: N802
        """Leave an element; after the root, look at the whole."""
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
