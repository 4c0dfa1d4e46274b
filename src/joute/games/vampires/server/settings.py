"""The settings of a server of Vampires vs Werewolves, and the files that hold them.

Read are the configuration of the tournament's statement (`Ip`, `Port`, `Trace`, `Map`), as lines of
`key = value` or as XML, and the official server's .NET file (`ServerIP`, `ServerPort`, `DebugMode`,
`PlayersCount`, `Map`, `MaxGameDuration`, `MaxPlayDuration`, `MaxPlays`, `AutoRestart`); in either
also `PauseSeconds` and `WrapCounts`. Keys are read in any case; unknown keys are ignored, and
reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence

LONGEST_SECONDS = 366 * 86400
"""Of a game or of a turn; more is a mistake, and too much for the system's clocks in the end."""
TRACE_FILE = "vampires-trace.log"
"""The log's file where a configuration only says that there is to be one."""


class SettingsError(ValueError):
    """A configuration that is wrong; says the file, the key and the value."""


class ServerSettings(NamedTuple):
    """The settings of a server."""

    map: str = ""  # its text; "" only while it is asked for
    ip: str = "127.0.0.1"
    port: int = 5555
    move_seconds: float = 2.0
    plies: int = 200
    minutes: float = 0.0  # of a game; 0: as long as it takes
    pause_seconds: float = 0.5  # between the map and the first turn
    name_seconds: float = 10.0  # for NME
    players: int = 2  # 1: the Vampires alone, for a test
    again: bool = False  # wait for the next two players after a game
    skip_illegal: bool = False  # an illegal order costs the turn; the third, the game
    rematch_on_draw: bool = False
    wrap_counts: bool = False  # counts that join wrap at 256; else they stop at 255
    trace: str = ""  # the log's file; "" for none


class SettingsFile(NamedTuple):
    """The content of a file: values of ServerSettings by name (`map` a path), and unknown keys."""

    values: dict[str, Any]
    unknown: tuple[str, ...]


def _wrong(problem: str, file: object, **values: object) -> SettingsError:
    return SettingsError(Sentence(f"error.vampires.config.{problem}", file=file, **values))


def _whole(lowest: int, highest: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text) if re.fullmatch(r"\d{1,9}", text) else -1
        if not lowest <= number <= highest:
            bounds = {"lowest": lowest, "highest": highest}
            raise ValueError(Sentence("error.vampires.config.whole", **bounds))
        return number

    return read


def _truth(text: str) -> bool:
    word = text.lower()
    if word not in ("true", "false", "1", "0", "yes", "no"):
        raise ValueError(Sentence("error.vampires.config.truth"))
    return word in ("true", "1", "yes")


def _seconds(text: str) -> float:
    """A duration: hh:mm:ss, with days and fractions as .NET writes them, or seconds."""
    found = re.fullmatch(r"(?:(\d+)\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2}(?:\.\d+)?))?", text)
    if found:
        days, hours, minutes, rest = (float(part or 0) for part in found.groups())
        seconds = ((24 * days + hours) * 60 + minutes) * 60 + rest
    elif re.fullmatch(r"\d+(\.\d+)?", text):
        seconds = float(text)
    else:
        raise ValueError(Sentence("error.vampires.config.duration"))
    if seconds > LONGEST_SECONDS:
        raise ValueError(Sentence("error.vampires.config.longest", days=LONGEST_SECONDS // 86400))
    return seconds


def _positive_seconds(text: str) -> float:
    seconds = _seconds(text)
    if seconds <= 0:
        raise ValueError(Sentence("error.vampires.config.positive"))
    return seconds


def _even(text: str) -> int:
    plies = _whole(2, 10_000)(text)
    if plies % 2:
        raise ValueError(Sentence("error.vampires.config.even"))
    return plies


_KEYS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "ip": ("ip", str),
    "serverip": ("ip", str),
    "port": ("port", _whole(0, 65535)),
    "serverport": ("port", _whole(0, 65535)),
    "trace": ("trace", lambda text: TRACE_FILE if _truth(text) else ""),
    "debugmode": ("trace", lambda text: TRACE_FILE if _truth(text) else ""),
    "map": ("map", str),
    "playerscount": ("players", _whole(1, 2)),
    "maxgameduration": ("minutes", lambda text: _seconds(text) / 60),
    "maxplayduration": ("move_seconds", _positive_seconds),
    "maxplays": ("plies", _even),
    "autorestart": ("again", _truth),
    "pauseseconds": ("pause_seconds", _seconds),
    "wrapcounts": ("wrap_counts", _truth),
}


def read_settings(text: str, where: str) -> SettingsFile:
    """The content of a configuration; `where` names its file in errors. Raises SettingsError."""
    body = text.removeprefix("\ufeff").strip()
    values: dict[str, Any] = {}
    unknown = []
    for key, value in _pairs_of_xml(body, where) if body.startswith("<") else _lines(body, where):
        known = _KEYS.get(key.lower())
        if known is None:
            unknown.append(key)
        elif value:
            try:
                values[known[0]] = known[1](value)
            except ValueError as error:
                wrong = {"key": key, "expected": error, "value": value}
                raise _wrong("value", where, **wrong) from None
    return SettingsFile(values, tuple(unknown))


def load_settings(path: Path) -> SettingsFile:
    """The content of a file; its map's path is made relative to the file. Raises SettingsError."""
    try:
        found = read_settings(path.read_text(encoding="utf-8-sig"), str(path))
    except UnicodeDecodeError:
        raise _wrong("encoding", path) from None
    if "map" in found.values:
        # As Windows writes it, too.
        near = path.parent / found.values["map"].replace("\\", "/")
        with suppress(OSError):  # a name that no file can have is refused with the map
            if near.exists():
                found.values["map"] = str(near)
    return found


def _lines(text: str, where: str) -> Iterator[tuple[str, str]]:
    """`key = value` or `key: value`; comments, headings and empty lines apart."""
    for number, whole in enumerate(text.splitlines(), 1):
        line = whole.strip()
        if not line or line[0] in "#;[":
            continue
        found = re.fullmatch(r"([\w.]+)\s*[=:]\s*(.*?)", line)
        if not found:
            raise _wrong("line", where, line=number, found=line)
        yield found[1], found[2].strip().strip("\"'")


def _pairs_of_xml(text: str, where: str) -> Iterator[tuple[str, str]]:
    """The keys and values of XML, as .NET writes them or an element each."""
    try:
        root = fromstring(text)
    except ParseError as error:
        raise _wrong("xml", where, reason=foreign(error)) from None
    except DefusedXmlException:
        raise _wrong("entities", where) from None
    yield from root.attrib.items()
    for element in root.iter():
        yield from _pair_of(element)


def _pair_of(element: Element) -> Iterator[tuple[str, str]]:
    if element.tag == "add" and "key" in element.attrib:
        yield element.attrib["key"], element.attrib.get("value", "").strip()
    elif element.tag == "setting" and "name" in element.attrib:
        yield element.attrib["name"], (element.findtext("value") or "").strip()
    elif element.tag.lower() in _KEYS:
        yield element.tag, (element.get("value") or element.text or "").strip()
