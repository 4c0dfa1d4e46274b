"""Reading a configuration of nested tables strictly, remembering where each value comes from.

A `Reader` stands for one table. `take` removes a key after checking it; `finish` refuses what is
left with the nearest known key. Errors name the file, the key's path, its line and what was
expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from joute.contest.errors import ConfigError
from joute.host.toml import read_toml
from joute.i18n.recognised import foreign
from joute.i18n.words import AnyOf, Sentence, hinted

T = TypeVar("T")

FILE = "file"
DEFAULT = "default"
GAME = "game"  # a default that the game declares
BOT = "bot"  # what a bot's own file says
COMMAND_LINE = "command line"


class Origin(NamedTuple):
    """A resolved value and where it comes from: FILE, DEFAULT, GAME, BOT or COMMAND_LINE."""

    key: str
    value: Any
    origin: str


class Source:
    """A whole configuration being read: its name, its text, what was learnt of each key."""

    def __init__(
        self,
        where: str,
        text: str,
        from_command_line: frozenset[str] = frozenset(),
        homes: Callable[[str], list[str]] = lambda name: [],
    ) -> None:
        """Begins to read.

        Args:
            where: the file, or what stands for it.
            text: its content.
            from_command_line: the keys that were given there.
            homes: the paths of all known keys with a name, for one that stands elsewhere.
        """
        self.where = where
        self.homes = homes
        self.origins: list[Origin] = []
        self.from_command_line = from_command_line
        self.is_file = bool(text)
        self._lines = _lines_of_keys(text)

    def error(self, key: str, reason: object, kind: type[ConfigError] = ConfigError) -> ConfigError:
        """The error for a key, with its line if the text shows it."""
        line = None if key in self.from_command_line else self._lines.get(key)
        return kind(self.where, key, reason, line)

    def note(self, key: str, value: Any, origin: str) -> None:
        """Remembers a resolved value."""
        origin = COMMAND_LINE if key in self.from_command_line else origin
        self.origins.append(Origin(key, value, origin))

    def revise(self, change: Callable[[Origin], Any]) -> None:
        """Remembers other values for keys: those that `change` makes of their origins."""
        self.origins = [origin._replace(value=change(origin)) for origin in self.origins]


class Reader:
    """One table of the configuration; `path` is its key ("limits", "bots[2]")."""

    def __init__(self, source: Source, path: str, table: object) -> None:
        if not isinstance(table, Mapping):
            reason = got(Sentence("error.config.table"), table)
            raise source.error(path, hinted(reason, list(map(repr, source.homes(path)))))
        self.source = source
        self.path = path
        self._left: dict[str, Any] = dict(table)
        self._known: list[str] = []

    def key(self, name: str) -> str:
        """The whole path of one of the table's keys."""
        return f"{self.path}.{name}" if self.path else name

    def has(self, name: str) -> bool:
        """Whether the table still has this key."""
        return name in self._left

    def written(self, name: str) -> str:
        """The text under a key that the table still has, unchecked; "" if there is none."""
        value = self._left.get(name)
        return value if isinstance(value, str) else ""

    def take(self, name: str, check: Callable[[Any], T], default: T, origin: str = DEFAULT) -> T:
        """The value of a key, checked, or the default; `check` raises ValueError."""
        self._known.append(name)
        if name not in self._left:
            self.source.note(self.key(name), default, origin)
            return default
        value = self._left.pop(name)
        try:
            checked = check(value)
        except ValueError as error:
            raise self.error(name, got(error, value)) from None
        self.source.note(self.key(name), checked, FILE)
        return checked

    def table(self, name: str) -> Reader:
        """The table under a key, empty if it is missing."""
        self._known.append(name)
        return Reader(self.source, self.key(name), self._left.pop(name, {}))

    def raw(self, name: str, default: Any) -> Any:
        """The value of a key as it stands, which the caller checks and notes."""
        self._known.append(name)
        return self._left.pop(name, default)

    def rest(self) -> dict[str, Any]:
        """Every key not taken yet."""
        left, self._left = self._left, {}
        return left

    def error(
        self, name: str, reason: object, kind: type[ConfigError] = ConfigError
    ) -> ConfigError:
        """The error for one of the table's keys."""
        return self.source.error(self.key(name), reason, kind)

    def finish(self) -> None:
        """Refuses the keys that nobody took. Raises ConfigError."""
        for name in self._left:
            raise self.unknown(name, self._known)

    def unknown(self, name: str, known: list[str]) -> ConfigError:
        """The error for a key that is none of the known ones, with where it belongs or is near."""
        reason, homes = Sentence("error.config.unknown"), self.source.homes(name)
        if homes:
            return self.error(name, hinted(reason, list(map(repr, homes))))
        return self.error(name, suggested(reason, name, known))


def yes_or_no(value: Any) -> bool:
    """Checks that a value is true or false."""
    if not isinstance(value, bool):
        raise ValueError(Sentence("error.config.yes_or_no"))
    return value


def suggested(reason: Sentence, word: str, known: list[str]) -> Sentence:
    """A sentence about an unknown word, with the nearest known one or all of them."""
    near = get_close_matches(word, known, n=1)
    if not near:
        return Sentence("error.config.known", reason=reason, known=", ".join(known))
    return hinted(reason, list(map(repr, near)))


def got(expected: object, value: object) -> Sentence:
    """The sentence on an expected value, and on the one that was there instead."""
    return Sentence("error.config.got", expected=expected, value=show(value))


def show(value: object) -> str:
    """A value as an error message shows it: short, with its type."""
    text = repr(value)
    return f"{text[:57] + '...' if len(text) > 60 else text} ({type(value).__name__})"


def whole(
    low: int, high: int | None = None, *, multiple: int = 1, or_one: bool = False
) -> Callable[[Any], int]:
    """Checks an int of low..high that is a multiple of `multiple`; or 1, if that is allowed."""
    form = {1: "whole", 2: "one_or_even" if or_one else "even"}.get(multiple, "multiple")
    kind = Sentence(f"error.config.kind.{form}", multiple=multiple)
    span = "at_least" if high is None else "from_to"
    expected = Sentence(
        "error.config.number", kind=kind, span=Sentence(f"error.config.{span}", low=low, high=high)
    )

    def check(value: Any) -> int:
        wrong_type = not isinstance(value, int) or isinstance(value, bool)
        if or_one and not wrong_type and value == 1:
            return 1
        if wrong_type or value < low or (high is not None and value > high) or value % multiple:
            raise ValueError(expected)
        return int(value)

    return check


def number(low: float, high: float, key: str) -> Callable[[Any], float]:
    """Checks a number of low..high; `key` is that of the sentence for what is none."""

    def check(value: Any) -> float:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        if not plain or not low <= value <= high:  # also refuses nan
            raise ValueError(Sentence(key, low=low, high=high, most=high))
        return float(value)

    return check


def bounded(kind: Any) -> Callable[[Any], Any]:
    """The check of a field of a struct, by its type: seconds, a whole number, or true or false."""
    found = msgspec.inspect.type_info(kind)
    match found:
        case msgspec.inspect.FloatType(ge=int() | float() as low, le=int() | float() as high):
            return number(low, high, "error.config.seconds")
        case msgspec.inspect.IntType(ge=int() as low):
            return whole(low, found.le)
        case msgspec.inspect.BoolType():
            return yes_or_no
    raise TypeError(f"no check for {kind}")


def text(value: Any) -> str:
    """Checks a string that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(Sentence("error.config.text"))
    return value


def one_of(*choices: str) -> Callable[[Any], str]:
    """Checks one of a few words."""

    def check(value: Any) -> str:
        if value not in choices:
            listed = AnyOf(f'"{choice}"' for choice in choices)
            near = get_close_matches(value, choices, n=1) if isinstance(value, str) else []
            if near:  # before what was there instead, so not as `hinted`, which ends a sentence
                names = AnyOf(map(repr, near))
                raise ValueError(
                    Sentence("error.config.expected_near", expected=listed, names=names)
                )
            raise ValueError(Sentence("error.config.expected", expected=listed))
        return str(value)

    return check


_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.\- ]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*([A-Za-z0-9_\-]+)\s*(?:\.\s*([A-Za-z0-9_\-]+)\s*)?=")


def _lines_of_keys(text: str) -> dict[str, int]:
    """The line (from 1) of each key and table that is written plainly.

    A scan, not a parser: a key in an inline table or a quoted one is simply not found.
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = header[2].replace(" ", "")
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = f"{table}[{counts[table]}]"
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            name = f"{key[1]}.{key[2]}" if key[2] else key[1]
            lines.setdefault(f"{table}.{name}" if table else name, number)
    return lines


def read_file(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a file and its tables. Raises ConfigError."""
    where = str(path)
    try:
        text = path.read_text(encoding="utf-8-sig")  # as some editors of Windows write it
        return text, read_toml(text)
    except OSError as error:
        reason = Sentence("error.file.unreadable", reason=foreign(error))
        raise ConfigError(where, "", reason) from None
    except UnicodeDecodeError as error:
        raise ConfigError(where, "", Sentence("error.file.utf8", byte=error.start)) from None
    except ValueError as error:
        raise ConfigError(where, "", Sentence("error.toml.invalid", reason=error)) from None


def toml_string(text: str) -> str:
    """A text as TOML writes it, whatever it holds. Raises ValueError for half a surrogate pair."""
    if any("\ud800" <= mark <= "\udfff" for mark in text):
        raise ValueError(Sentence("error.toml.unicode", text=ascii(text)))
    return f'"{"".join(map(_written, text))}"'


def _written(mark: str) -> str:
    if mark in '"\\':
        return f"\\{mark}"
    return mark if mark >= " " and mark != "\x7f" else f"\\u{ord(mark):04x}"
