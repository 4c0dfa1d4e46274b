"""The form that makes a contest: what it offers for a game, and how it and the file are one truth.

The form shows what the file says. What is changed in the form is written into the file, and every
key that the form does not know stays as it is; a file that no change touches keeps its comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from joute.contest.config.contest_table import FORMATS, GAUNTLET, KEYS, ROUND_ROBIN, SCORE
from joute.contest.config.writing import toml_text
from joute.core.errors import GameError
from joute.core.interface import properties
from joute.core.maps import MAP, shipped
from joute.core.registry import card, defaults, make, needed
from joute.host.toml import read_toml
from joute.i18n.words import say
from joute.text import free_name
from joute.web.errors import RequestRefusal
from joute.web.games import title
from joute.web.registration.house import HouseBot, house_bots

BUILTIN = "builtin:"
MOVE_SECONDS = 2  # of a new contest
NUMBERS = ("groups", "opponents", "rounds", "pools", "qualified")  # keys of some formats
PARAMETER = "game."  # begins the fields of a game's parameters

Values = dict[str, str | tuple[str, ...]]
"""The fields of the form: texts, "" where the usual holds; and lists of them."""

FIELDS: dict[str, tuple[str, str, type]] = {
    "name": ("contest", "name", str),
    "format": ("contest", "format", str),
    "games": ("contest", "games", int),
    **{key: ("contest", key, int) for key in NUMBERS},
    "move_seconds": ("limits", "move_seconds", float),
    "memory_mb": ("limits", "memory_mb", int),
    "required": ("submission", "required", list),
    "forbidden_imports": ("submission", "forbidden_imports", list),
    "listed": ("show", "listed", bool),
    "ladder": ("show", "ladder", str),
}
"""The table, the key and the kind of each field of one line."""
USUAL = {"listed": "true", "ladder": "off"}
"""The values of fields that are not left empty."""
LISTS = ("maps", "house")


class ContestMenu(NamedTuple):
    """The choices that a game leaves to a contest."""

    game: str
    formats: tuple[str, ...]  # the first is the usual one
    parameters: dict[str, tuple[int, ...]]  # values to choose from; empty of those to be typed
    usual: dict[str, Any]
    maps: tuple[str, ...]
    house: tuple[HouseBot, ...]  # the weakest first


def contest_menu(game: str) -> ContestMenu:
    """The choices for a game. Raises GameError if there is no such game."""
    brought, usual = card(game), defaults(game)
    offered = {key: values for key, values in brought.parameters.items() if key in usual}
    typed: dict[str, tuple[int, ...]] = {key: () for key in needed(game) if key != MAP}
    players = _players(game)
    others = [each for each in FORMATS if each not in (ROUND_ROBIN, SCORE)]
    return ContestMenu(
        game=game,
        formats=(SCORE,) if players == (1,) else (ROUND_ROBIN, *others),
        parameters=offered | typed,
        usual=usual,
        maps=tuple(shipped(game)) if MAP in usual else (),
        house=tuple(house_bots(game)),
    )


def _players(game: str) -> tuple[int, ...]:
    try:
        return card(game).parameters.get("players") or (properties(make(game)).players,)
    except GameError:  # it needs parameters
        return ()


def new_file(game: str) -> str:
    """The file of a contest of a game before anything is chosen."""
    wanted = card(game).opponent
    known = house_bots(game)
    usual = [each for each in known if each.bot == wanted] or known[len(known) // 3 :]
    data: dict[str, Any] = {
        "contest": {"name": title(game)},
        "game": {"name": game},
        "limits": {"move_seconds": MOVE_SECONDS},
    }
    _put_house(data, (usual[0].bot,) if usual else (), known)
    return toml_text(data)


def read_values(text: str) -> Values:
    """The form's fields as a file has them. Raises RequestRefusal for what is no file."""
    return values_of(tables(text))


def tables(text: str) -> dict[str, Any]:
    """The tables of a contest's file. Raises RequestRefusal."""
    try:
        return read_toml(text)
    except ValueError as error:
        raise RequestRefusal(say("submit.toml.wrong", reason=error)) from None


def values_of(data: Mapping[str, Any]) -> Values:
    """The form's fields as these tables have them."""
    found: Values = {
        field: _shown(_table(data, table).get(key)) or USUAL.get(field, "")
        for field, (table, key, _) in FIELDS.items()
    }
    if found["format"] in (ROUND_ROBIN, SCORE):  # the usual ones
        found["format"] = ""
    game = _table(data, "game")
    for key, value in game.items():
        if key not in ("name", "map", "maps", "opening"):
            found[PARAMETER + key] = _shown(value)
    found["maps"] = tuple(_maps(game))
    bots = (each.get("bot", "") for each in _bots(data))
    found["house"] = tuple(each.removeprefix(BUILTIN) for each in bots)
    return found


def sent_values(form: Iterable[tuple[str, Any]]) -> Values:
    """The form's fields as a browser sends them."""
    found: Values = dict.fromkeys(FIELDS, "") | dict.fromkeys(LISTS, ())
    found["listed"] = "false"  # what is not ticked is not sent
    for field, value in form:
        if not isinstance(value, str):
            continue
        if field in LISTS:
            found[field] = (*found[field], value)
        elif field in FIELDS or field.startswith(PARAMETER):
            found[field] = " ".join(value.split())
    return found


def merged(text: str, before: str, given: Values) -> str:
    """The file `text` with what the form has changed since it showed the file `before`.

    Raises RequestRefusal for what is no file.
    """
    data, known = tables(text), read_values(before)
    menu_maps = set(_offered_maps(data))
    changed = {
        field: value
        for field, value in given.items()
        if not _alike(_kept_apart(field, known.get(field, ""), menu_maps, data), value)
    }
    if not changed:
        return text
    for field, value in changed.items():
        if isinstance(value, str):
            _put_field(data, field, value)
    if "maps" in changed:
        own = [each for each in _maps(_table(data, "game")) if each not in menu_maps]
        _put_maps(data, [*changed["maps"], *own])
    if "house" in changed:
        _put_house(data, tuple(changed["house"]), house_bots(str(_table(data, "game").get("name"))))
    _put_references(data)
    try:
        return toml_text(data)
    except ValueError as error:  # half a surrogate pair
        raise RequestRefusal(say("submit.toml.wrong", reason=error)) from None


def _alike(one: Any, other: Any) -> bool:
    """Whether two values of a field mean the same: the order of a list does not count."""
    return one == other or (isinstance(one, tuple) and sorted(one) == sorted(other))


def _kept_apart(field: str, value: str | tuple[str, ...], maps: set[str], data: Any) -> Any:
    """A value that the form was shown, without what it cannot show: maps and bots of no list."""
    if field == "maps":
        return tuple(each for each in value if each in maps)
    if field == "house":
        offered = {each.bot for each in _offered_bots(data)}
        return tuple(each for each in value if each in offered)
    return value


def _offered_maps(data: Mapping[str, Any]) -> list[str]:
    return shipped(str(_table(data, "game").get("name")))


def _offered_bots(data: Mapping[str, Any]) -> list[HouseBot]:
    try:
        return house_bots(str(_table(data, "game").get("name")))
    except GameError:  # the check of the whole says it
        return []


def _put_field(data: dict[str, Any], field: str, text: str) -> None:
    """Writes a field into its table, or takes it out where nothing is given."""
    if field.startswith(PARAMETER):
        place: tuple[str, str, type] = ("game", field.removeprefix(PARAMETER), int)
    else:
        place = FIELDS[field]
    table, key, kind = place
    if field == "format":
        _leave_format(data, text)
    if field == "games":
        for other in ("first_to", "max_games"):
            _table(data, "contest").pop(other, None)
    if text == USUAL.get(field, ""):
        _table(data, table).pop(key, None)
    else:
        data.setdefault(table, {})[key] = _read(text, kind)
    if table != "game" and data.get(table) == {}:
        del data[table]


def _leave_format(data: dict[str, Any], chosen: str) -> None:
    """Takes out what only other formats have."""
    contest = _table(data, "contest")
    contest.pop("ranking", None)
    for key, (formats, _, _) in KEYS.items():
        if (chosen or ROUND_ROBIN) not in formats:
            contest.pop(key, None)


def _read(text: str, kind: type) -> Any:
    """The value that a text stands for; the text itself where it is none: the check says so."""
    if kind is bool:
        return text == "true"
    if kind is list:
        return [each.strip() for each in text.split(",") if each.strip()]
    if kind is str:
        return text
    for each in (int, float) if kind is float else (int,):
        try:
            return each(text)
        except ValueError:
            continue
    return text


def _put_maps(data: dict[str, Any], maps: list[Any]) -> None:
    game = data.setdefault("game", {})
    game.pop("map", None)
    game.pop("maps", None)
    if maps:
        game["maps"] = maps


def _put_house(data: dict[str, Any], chosen: tuple[str, ...], known: list[HouseBot]) -> None:
    """Writes the built-in bots; those that the form does not offer stay, as they are written."""
    offered = {each.bot: each for each in known}
    before = {str(each.get("bot", "")).removeprefix(BUILTIN): each for each in _bots(data)}
    kept = [each for bot, each in before.items() if bot not in offered or bot in chosen]
    taken = {each.get("name") for each in kept}
    for bot in chosen:
        if bot in before or bot not in offered:
            continue
        name = free_name(offered[bot].name, taken.__contains__)
        taken.add(name)
        kept.append({"bot": f"{BUILTIN}{bot}", "name": name})
    data.pop("bots", None)
    if kept:
        data["bots"] = kept


def _put_references(data: dict[str, Any]) -> None:
    """Makes the built-in bots those whom all others meet, where the format needs such."""
    contest = _table(data, "contest")
    if contest.get("format") == GAUNTLET:
        contest["references"] = [each["name"] for each in _bots(data) if "name" in each]


def _bots(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = data.get("bots")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _maps(game: Mapping[str, Any]) -> list[str]:
    if "maps" in game:
        found = game["maps"]
        return [str(each) for each in found] if isinstance(found, list) else []
    return [str(game["map"])] if game.get("map") else []


def _table(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _shown(value: Any) -> str:
    """A value as its field shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
