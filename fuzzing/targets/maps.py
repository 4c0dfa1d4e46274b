"""Maps: texts of Tron in both formats, XML of Vampires, and what `joute map` makes of them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fuzzing.mutation import text_changed
from fuzzing.target import Pool
from joute.core.errors import GameError
from joute.core.interface import observe, parameters, properties, render, start
from joute.core.maps import find_map, shipped
from joute.core.registry import make
from joute.games.tron import map as tron_map
from joute.games.vampires import map as vampires_map

_TRON = "tron 1\nname room\nsize 7 5 1\nfloor 0\n#######\n#1    #\n#     #\n#    2#\n#######\nend\n"
_STAIRS = (
    "tron 1\nsize 5 4 2\noption trail vanish\noption wrap xy\noption order turns\nfloor 0\n"
    "#1 A#\n#u  #\n#  2#\n#####\nfloor 1\n#####\n#d  #\n# A #\n#####\nend\n"
)
_OLD = "5 4\n#####\n#1  #\n#  2#\n#####\n"
_WORDS = (
    "tron 1", "tron 2", "name x", "size 7 5 1", "size 30000 1 1", "size 1 30000 1", "size 0 0 0",
    "size 200 150 1", "size 999999999999 9 1", "floor 0", "floor 1", "end", "option trail vanish",
    "option wrap xy", "option order turns", "# comment", "#######", "12345678", "Aa", "ud", "b",
    "<Map Rows=\"5\" Columns=\"5\">", "<Humans X=\"0\" Y=\"0\" Count=\"1\"/>", "</Map>",
    "Rows=\"255\"",
    "Columns=\"255\"", "Count=\"255\"", "X=\"-1\"", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "&a;",
    "&#0;",
    "<![CDATA[x]]>", "<?xml version=\"1.1\"?>", "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
    "<!--", "<" * 300, "<a>" * 300, "\x00", "\ud800", "٣", "\ufeff", "0", "-1", "1e9",
)  # fmt: skip


def seeds() -> list[bytes]:
    """Small maps, and some of those that come with Joute."""
    texts = [_TRON, _STAIRS, _OLD]
    texts += [find_map("tron", name) for name in shipped("tron")]
    texts += [find_map("vampires", name) for name in shipped("vampires")]
    return [text.encode() for text in texts if len(text) < 3000]


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Maps with other lines and signs."""
    return text_changed(pool, _WORDS) | st.binary(max_size=60)


def check(case: bytes) -> str:
    """A text is a map of either game, or has errors with a place; a map is written and read."""
    try:
        text = case.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "no text"
    if text.lstrip().startswith("<"):
        return _vampires(text)
    return _tron(text)


def _tron(text: str) -> str:
    errors = tron_map.map_errors(text)
    if errors:
        return _refused("tron", text, errors)
    found = tron_map.read_map(text)
    assert tron_map.read_map(tron_map.write_map(found)) == found
    facts = tron_map.facts(text)
    assert tron_map.picture(facts, 80) and tron_map.line(facts)
    assert tron_map.read_map(tron_map.convert(text, "tron", "x")).floors == found.floors
    with suppress(GameError):
        old = tron_map.convert(text, "2010", "x")
        assert tron_map.read_map(old).floors == found.floors
    return _played("tron", text, players=0)


def _vampires(text: str) -> str:
    errors = vampires_map.map_errors(text)
    if errors:
        return _refused("vampires", text, errors)
    found = vampires_map.read_map(text)
    assert vampires_map.read_map(vampires_map.write_map(found)) == found
    facts = vampires_map.facts(text)
    assert vampires_map.picture(facts, 80) and vampires_map.line(facts)
    assert vampires_map.read_map(vampires_map.convert(text, "xml", "x")) == found
    return _played("vampires", text)


def _refused(name: str, text: str, errors: list[Any]) -> str:
    """Errors have a place in the text and a sentence; there is no game on such a map."""
    lines = text.count("\n") + 1
    assert all(1 <= each.line <= lines + 1 and each.column >= 1 for each in errors), errors
    assert all(each.reason for each in errors)
    if text:  # "" is the usual map
        try:
            make(name, map=text)
        except GameError:
            pass
        else:
            raise AssertionError("a map with errors makes a game")
    return f"{name}: {' '.join(dict.fromkeys(each.cause for each in errors))}"


def _played(name: str, text: str, **parts: Any) -> str:
    """A sound map makes a game, whose parameters make it again, or is refused with a reason."""
    try:
        game = make(name, map=text, **parts)
    except GameError as error:
        return f"{name}: {error}"
    state = start(game).tolist()
    assert parameters(make(name, **parameters(game))) == parameters(game)
    for player in range(properties(game).players):
        observe(game, state, player)
    assert render(game, state)
    return ""
