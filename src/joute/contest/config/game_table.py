"""The [game] table of a contest: which game, with which parameters, on which maps, how opened.

A map is the name of one that is shipped, a path from the contest's folder, or a text of several
lines. A game without maps, or with none named, is played on the one that its parameters make.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.reading import FILE, GAME, Reader, got, show, text
from joute.core import registry
from joute.core.card import is_path
from joute.core.errors import GameError
from joute.core.maps import MAP, find_map
from joute.i18n.words import Sentence, english
from joute.text import free_name

MAPS, PLAYERS = "maps", "players"


class ContestMap(msgspec.Struct, frozen=True):
    """A map that is played on: its name, "" where none is named, and the game's parameters."""

    name: str
    parameters: dict[str, Any]


class ChosenGame(msgspec.Struct, frozen=True):
    """A game as a contest plays it. `games` holds it once for each of the `maps`."""

    name: str
    players: int
    maps: tuple[ContestMap, ...]
    opening: tuple[int, int]  # fewest and most random plies
    games: tuple[Any, ...]
    rules: str = ""  # the path of the game, if it has one


def read_game(table: Reader, base: Path, seats: int | None) -> ChosenGame:
    """The game that a [game] table asks for.

    `seats` is how many players a game has whose parameter `players` is not given. Raises
    ConfigError.
    """
    from joute.core import interface

    name = table.take("name", text, registry.usual())
    if not name:
        raise table.error(
            "name", Sentence("error.config.no_game", known=", ".join(registry.names()))
        )
    given_opening = table.raw("opening", None)
    try:
        name = registry.named(name, base)
        usual = registry.defaults(name)
    except GameError as error:
        raise table.error("name", error) from None
    words = _map_words(table) if MAP in usual else []
    given = table.rest()
    _check_known(table, name, given, usual)
    written = dict(given)
    if seats is not None and PLAYERS in usual:
        given.setdefault(PLAYERS, seats)
    maps = _maps_of(table, name, words, given, base)
    made = tuple(registry.make(name, **each.parameters) for each in maps)
    players = _players(table, made, [each.name for each in maps])
    for key, value in _shown(maps).items():
        table.source.note(table.key(key), value, FILE if key in written else GAME)
    facts = [interface.properties(game) for game in made]
    most = min(each.max_plies for each in facts) - 1  # a whole game would ask no bot
    opening = _opening(table, given_opening, facts[0].opening_plies, most)
    outside = registry.source(name)
    rules = outside.path if outside and is_path(outside.path) else ""
    return ChosenGame(name, players, maps, opening, made, rules)


def _check_known(
    table: Reader, name: str, given: Mapping[str, Any], usual: Mapping[str, Any]
) -> None:
    known = ["name", "opening", *usual, *([MAPS] if MAP in usual else [])]
    for key in given:
        if key in (MAP, MAPS):
            raise table.error(key, Sentence("error.config.no_maps", game=name))
        if key not in known:
            raise table.unknown(key, known)


def _map_words(table: Reader) -> list[tuple[str, str]]:
    """The maps as the file names them, each after the key that does."""
    if table.has(MAP) and table.has(MAPS):
        raise table.error(MAPS, Sentence("error.config.map_or_maps"))
    several = table.has(MAPS)
    given = table.raw(MAPS, None) if several else table.raw(MAP, None)
    if given is None:
        table.source.note(table.key(MAP), "", GAME)
        return []
    key, words = (MAPS, given) if several else (MAP, [given])
    if not isinstance(words, list | tuple) or not words:
        raise table.error(key, got(Sentence("error.config.maps"), given))
    for word in words:
        if not isinstance(word, str) or not word.strip():
            raise table.error(key, got(Sentence("error.config.map"), word))
        if words.count(word) > 1:
            raise table.error(key, Sentence("error.config.map_twice", map=show(word)))
    return [(key, word) for word in words]


def _maps_of(
    table: Reader, name: str, words: list[tuple[str, str]], given: dict[str, Any], base: Path
) -> tuple[ContestMap, ...]:
    """The maps with the game's whole parameters on each; one without a name if `words` is empty."""
    from joute.core import interface

    if not words:
        try:
            game = registry.make(name, **given)
        except GameError as error:
            wrong = next((key for key in given if key in str(error)), "name")
            raise table.error(wrong, error) from None
        return (ContestMap("", interface.parameters(game)),)
    called: list[str] = []
    maps = []
    for key, word in words:
        name_of_map = f"map {len(called) + 1}" if "\n" in word else Path(word).stem
        called.append(free_name(name_of_map, called.__contains__))
        parameters = _on_map(table, name, (key, word), called[-1], given, base)
        maps.append(ContestMap(called[-1], parameters))
    table.source.note(table.key(words[0][0]), called if words[0][0] == MAPS else called[0], FILE)
    return tuple(maps)


def _on_map(
    table: Reader,
    name: str,
    written: tuple[str, str],
    called: str,
    given: dict[str, Any],
    base: Path,
) -> dict[str, Any]:
    from joute.core import interface

    key, word = written
    try:
        content = find_map(name, word, base)
    except GameError as error:
        raise table.error(key, error) from None
    try:
        return interface.parameters(registry.make(name, map=content, **given))
    except GameError as error:
        shown = called if "\n" in word else word
        if placed := getattr(error, "with_file", None):  # the place in the text of the map
            raise table.error(key, placed(shown)) from None
        wrong = next((each for each in given if each in english(error)), key)
        raise table.error(wrong, Sentence("error.config.at", place=shown, reason=error)) from None


def _players(table: Reader, made: tuple[Any, ...], names: list[str]) -> int:
    """The number of players. Raises ConfigError unless it is the same on every map."""
    from joute.core import interface

    counts = [interface.properties(game).players for game in made]
    for name, count in zip(names, counts, strict=True):
        if count != counts[0]:
            one = {"one": names[0], "players": counts[0]}
            reason = Sentence("error.config.maps_players", **one, other=name, others=count)
            raise table.error(MAPS, reason)
    return counts[0]


def _shown(maps: tuple[ContestMap, ...]) -> dict[str, Any]:
    shown = {}
    for key, value in maps[0].parameters.items():
        by_map = {each.name: each.parameters[key] for each in maps}
        same = all(other == value for other in by_map.values())
        shown[key] = value if same else by_map
    shown.pop(MAP, None)
    return shown


def _opening(table: Reader, given: Any, usual: tuple[int, int], most: int) -> tuple[int, int]:
    if given is None:
        table.source.note(table.key("opening"), usual, GAME)
        return usual
    plain = isinstance(given, list | tuple) and len(given) == 2
    if not plain or any(not isinstance(plies, int) or isinstance(plies, bool) for plies in given):
        raise table.error("opening", got(Sentence("error.config.opening"), given))
    low, high = given
    if not 0 <= low <= high <= most:
        reason = Sentence("error.config.opening_plies", most=most, low=low, high=high)
        raise table.error("opening", reason)
    table.source.note(table.key("opening"), (low, high), FILE)
    return low, high
