"""The signs of a Tron map's text, read line by line with errors that name line, column and cause.

There are three formats, told apart by the first line: `tron 1` begins Joute's
(docs/en/tron-maps.md), a width and a height begin that of the Google AI Challenge 2010: rows of
`#`, space, `1` and `2`, nothing else. A row of such signs begins a map in its style that has no
line for the size, and three or four starts. `map` checks whether the signs fit together (starts,
pairs, stairs).
"""

import re
from typing import NamedTuple

from joute.core import maps
from joute.games.tron.board import STARTS, TELEPORTERS, TronMap

MAX_CELLS = 30_000  # width x height x floors: cells are int16 with room
OPTIONS = {
    "trail": ("stay", "vanish"),
    "wrap": ("none", "x", "y", "xy"),
    "order": ("simultaneous", "turns"),
}
"""The options of a map, the usual value of each first."""
SIGNS = "# ." + STARTS + TELEPORTERS + "udb"
SIGNS_2010 = "# 12"
SIGNS_OF_ROWS = "# 1234"  # where rows are all there is
END_OF_LINE = "\\n"  # in errors: found where more was wanted, or the other way round

CAUSES = (
    "header", "keyword", "size", "option-name", "option-value", "floor-number", "floor-missing",
    "row-length", "row-missing", "row-extra", "end-missing", "character", "start-missing",
    "start-twice", "start-blocked", "teleporter", "stairs",
)  # fmt: skip
"""The ways in which a map can be wrong."""


class TronMapError(maps.MapError):
    """A map of Tron that is wrong; `cause` is one of CAUSES."""

    game = "tron"


class _Word(NamedTuple):
    """A word of a line, and its column from 1."""

    text: str
    column: int


class _Lines:
    """The lines of a text, taken one by one; `number` is that of the last one taken.

    Past the last line, empty lines left out, `take` goes on to one more number and returns None.
    """

    def __init__(self, text: str) -> None:
        self._lines = [line.removesuffix("\r") for line in text.split("\n")]
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        self.number = 0

    def take(self) -> str | None:
        self.number += 1
        return self._lines[self.number - 1] if self.number <= len(self._lines) else None

    def size(self) -> tuple[int, int]:
        """The length of the first line, and the number of lines."""
        return len(self._lines[0]), len(self._lines)

    def error(self, column: int, cause: str, found: str = "", wanted: object = "") -> TronMapError:
        """An error in the line that was taken last."""
        return TronMapError(self.number, column, cause, found, str(wanted))


class MapText(NamedTuple):
    """A map read sign by sign, and where its text is."""

    map: TronMap
    tops: list[int]  # the line of each floor's first row
    last: int  # the line of `end`, or where it would be


def read_signs(text: str, errors: list[TronMapError]) -> MapText:
    """The map of a text whose lines, words and signs are right; their meaning is not checked.

    Notes wrong rows in `errors`, where the map is not to be used. Raises TronMapError where the
    rest of the text would be misread.
    """
    lines = _Lines(text)
    if _has_rows_alone(text):
        return _read_rows(lines, errors)
    if re.match(r"\s*[-+]?[0-9]", text.partition("\n")[0]):
        return _read_2010(lines, errors)
    return _read_ours(lines, errors)


def _read_2010(lines: _Lines, errors: list[TronMapError]) -> MapText:
    words = _words(lines.take() or "")
    width, height = _numbers(lines, words, ("W", "H"))
    rows = tuple(_row(lines, width, at, height, SIGNS_2010, errors) for at in range(height))
    if lines.take() is not None:
        raise lines.error(1, "row-extra", wanted=height)
    return MapText(TronMap("", width, height, (rows,)), [2], lines.number)


def _has_rows_alone(text: str) -> bool:
    """Whether a map begins with a row, and some row has a start 3 or 4.

    With fewer starts a map has a line for the size; before `tron 1` a row would be a comment.
    """
    first = text.partition("\n")[0].removesuffix("\r")
    is_row = "#" in first and all(sign in SIGNS_OF_ROWS for sign in first)
    return (
        is_row and re.search(r"[34]", text) is not None and not re.search(r"(?m)^\s*tron\b", text)
    )


def _read_rows(lines: _Lines, errors: list[TronMapError]) -> MapText:
    width, height = lines.size()
    if width * height > MAX_CELLS:
        raise TronMapError(1, 1, "size", f"{width} {height}", "W H")
    rows = tuple(_row(lines, width, at, height, SIGNS_OF_ROWS, errors) for at in range(height))
    return MapText(TronMap("", width, height, (rows,)), [1], height)


def _read_ours(lines: _Lines, errors: list[TronMapError]) -> MapText:
    name, (width, height, count), options = _header(lines)
    floors, tops = [], []
    for floor in range(count):
        if floor:
            _line_after_rows(lines, height, floor)
        tops.append(lines.number + 1)
        rows = [_row(lines, width, at, height, SIGNS, errors) for at in range(height)]
        floors.append(tuple(row.replace(".", " ") for row in rows))
    _line_after_rows(lines, height, None)
    last = lines.number
    while (line := lines.take()) is not None:
        if words := _words(line):
            raise lines.error(words[0].column, "keyword", words[0].text, END_OF_LINE)
    return MapText(TronMap(name, width, height, tuple(floors), **options), tops, last)


def _header(lines: _Lines) -> tuple[str, tuple[int, int, int], dict[str, str]]:
    """Name, size and options, in any order; takes the lines up to the first floor's."""
    _first_line(lines)
    name: str | None = None
    size: tuple[int, ...] = ()
    options: dict[str, str] = {}
    while (line := lines.take()) is not None:
        words = _words(line.partition("#")[0])
        if not words:
            continue
        keyword, column = words[0]
        if keyword == "name" and name is None:
            name = _name(lines, line, column)
        elif keyword == "size" and not size:
            size = _numbers(lines, words[1:], ("width", "height", "floors"), words[0])
        elif keyword == "option":
            _option(lines, words, options)
        elif keyword in ("floor", "end") and not size:
            raise lines.error(column, "size", keyword, "size width height floors")
        elif keyword == "floor":
            _floor_number(lines, words, "0")
            return name or "", (size[0], size[1], size[2]), options
        elif keyword == "end":
            raise lines.error(column, "floor-missing", wanted="floor 0")
        else:
            left = ["name"] * (name is None) + ["size"] * (not size) + ["option", "floor"]
            raise lines.error(column, "keyword", keyword, ", ".join(left))
    if not size:
        raise lines.error(1, "size", wanted="size width height floors")
    raise lines.error(1, "floor-missing", wanted="floor 0")


def _first_line(lines: _Lines) -> None:
    while (line := lines.take()) is not None:
        words = _words(line.partition("#")[0])
        if [word.text for word in words] == ["tron", "1"]:
            return
        if words:
            raise lines.error(words[0].column, "header", line.strip()[:40])
    raise TronMapError(1, 1, "header")


def _name(lines: _Lines, line: str, column: int) -> str:
    """The name: the text after the word `name`, which stands at `column`."""
    value = line.partition("#")[0][column + 3 :]
    for offset, sign in enumerate(value.strip()):
        if not sign.isprintable():
            begin = column + 4 + len(value) - len(value.lstrip())
            raise lines.error(begin + offset, "character", sign, "A-Z a-z 0-9 ...")
    return value.strip()


def _option(lines: _Lines, words: list[_Word], options: dict[str, str]) -> None:
    left = [option for option in OPTIONS if option not in options]
    name = _word_at(words, 1)
    if name.text not in left:
        raise lines.error(name.column, "option-name", name.text, ", ".join(left) or END_OF_LINE)
    value = _word_at(words, 2)
    if value.text not in OPTIONS[name.text]:
        raise lines.error(value.column, "option-value", value.text, ", ".join(OPTIONS[name.text]))
    if len(words) > 3:
        raise lines.error(words[3].column, "option-value", words[3].text, END_OF_LINE)
    options[name.text] = value.text


def _line_after_rows(lines: _Lines, height: int, floor: int | None) -> None:
    """Takes the line that must begin this floor (None: that must end the map)."""
    wanted = "end" if floor is None else f"floor {floor}"
    line = lines.take()
    words = _words(line or "")
    keyword = words[0].text if words else ""
    if line is None or (keyword == "end" and floor is not None):
        cause = "end-missing" if floor is None else "floor-missing"
        raise lines.error(1, cause, wanted=wanted)
    if keyword == "floor":
        _floor_number(lines, words, wanted.removeprefix("floor "))
    elif keyword != "end":
        if all(sign in SIGNS for sign in line):
            raise lines.error(1, "row-extra", wanted=height)
        column = words[0].column if words else 1
        raise lines.error(column, "keyword", keyword, wanted)
    elif len(words) > 1:
        raise lines.error(words[1].column, "keyword", words[1].text, END_OF_LINE)


def _floor_number(lines: _Lines, words: list[_Word], wanted: str) -> None:
    number = _word_at(words, 1)
    if number.text != wanted:
        raise lines.error(number.column, "floor-number", number.text, wanted)
    if len(words) > 2:
        raise lines.error(words[2].column, "floor-number", words[2].text, END_OF_LINE)


def _row(
    lines: _Lines, width: int, at: int, height: int, signs: str, errors: list[TronMapError]
) -> str:
    """Takes the row number `at` (from 0) of a floor; notes wrong signs and a wrong length."""
    line = lines.take()
    if line is None or (signs == SIGNS and line.split()[:1] in (["floor"], ["end"])):
        raise lines.error(1, "row-missing", str(at), height)
    wrong = [place for place, sign in enumerate(line, 1) if sign not in signs]
    if wrong:
        errors.append(lines.error(wrong[0], "character", line[wrong[0] - 1], signs))
    if len(line) != width:
        column = min(len(line), width) + 1
        errors.append(lines.error(column, "row-length", str(len(line)), width))
    return line


def _numbers(
    lines: _Lines, words: list[_Word], names: tuple[str, ...], before: _Word | None = None
) -> tuple[int, ...]:
    """As many numbers from 1 as there are names; their product is bounded."""
    wanted = " ".join(names)
    numbers: list[int] = []
    cells = 1
    for place in range(len(names)):
        word = _word_at([before, *words] if before else words, place + (before is not None))
        if not re.fullmatch(r"[0-9]{1,9}", word.text, re.ASCII):
            raise lines.error(word.column, "size", word.text, wanted)
        numbers.append(int(word.text))
        cells *= numbers[-1]
        if not 1 <= cells <= MAX_CELLS:
            raise lines.error(word.column, "size", word.text, wanted)
    if len(words) > len(names):
        extra = words[len(names)]
        raise lines.error(extra.column, "size", extra.text, wanted)
    return tuple(numbers)


def _words(line: str) -> list[_Word]:
    return [_Word(found[0], found.start() + 1) for found in re.finditer(r"\S+", line)]


def _word_at(words: list[_Word], place: int) -> _Word:
    """The word at a place; where the line is too short, its end."""
    if place < len(words):
        return words[place]
    return _Word(END_OF_LINE, words[-1].column + len(words[-1].text))
