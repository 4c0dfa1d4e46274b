"""A contest's configuration: a TOML file in, every key resolved and checked out.

    [contest]   name, format, games (per pairing) or first_to and max_games, seed, workers, folder
    [game]      name, opening = [fewest, most] random plies, and the game's own parameters
    [limits]    move_seconds, start_seconds, memory_mb
    [faults]    what each fault costs, "turn" or "game"; max_restarts
    [[bots]]    bot, name, python, memory_mb; or in short: bots = ["builtin:greedy", "mine.py"]

Only the bots are required. Relative paths start from the file's folder.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.entries import BotEntry, read_bots
from joute.contest.errors import ConfigError
from joute.contest.reading import (
    DEFAULT,
    FILE,
    GAME,
    Origin,
    Reader,
    Source,
    one_of,
    seconds,
    show,
    suggestion,
    text,
    whole,
)

FORMATS = ("round-robin",)
DEFAULT_GAMES = 4  # per pairing: two pairs
GAMES_PER_WIN = 4  # max_games, when only first_to is given, is this many times first_to


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """A contest with every key resolved.

    Times are in seconds, memory in MiB. `seed` is None until one is drawn for the folder.
    `games` is None where `first_to` rules; `max_games` is the most that a pairing plays.
    """

    name: str
    format: str
    games: int | None
    first_to: int | None
    max_games: int
    seed: str | None
    workers: int
    folder: str  # absolute
    base: str  # the folder, absolute, that the bots' relative paths start from
    game: str
    parameters: dict[str, Any]
    opening: tuple[int, int]
    move_seconds: float
    start_seconds: float
    memory_mb: int
    costs: dict[str, str]
    max_restarts: int
    bots: tuple[BotEntry, ...]


def resolve(path: Path | str, overrides: Mapping[str, Any] | None = None) -> Contest:
    """The contest that a file describes.

    `overrides` maps dotted keys ("limits.move_seconds") to values of the command line.
    Raises ConfigError for anything wrong in the file, the bots it names included.
    """
    return _resolve_file(Path(path), overrides or {})[0]


def origins(path: Path | str, overrides: Mapping[str, Any] | None = None) -> list[Origin]:
    """Every resolved key of the file with its value and where that comes from."""
    return _resolve_file(Path(path), overrides or {})[1]


def resolve_data(
    data: Mapping[str, Any], *, where: str, base: Path, people: bool = False
) -> Contest:
    """The contest that nested tables describe, with the checks of `resolve`.

    `where` stands for the file, in errors and as the default name. `people` may be among the bots.
    """
    return _resolve(data, Source(where, "", frozenset()), base, where, people)


def _resolve_file(path: Path, overrides: Mapping[str, Any]) -> tuple[Contest, list[Origin]]:
    where = str(path)
    try:
        content = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(where, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(where, "", f"is not UTF-8 text (byte {error.start})") from None
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(where, "", f"is not valid TOML: {error}") from None
    for key, value in overrides.items():
        _override(data, key, value)
    source = Source(where, content, frozenset(overrides))
    contest = _resolve(data, source, path.resolve().parent, path.stem)
    return contest, source.origins


def _override(data: dict[str, Any], key: str, value: Any) -> None:
    *tables, name = key.split(".")
    for table in tables:
        data = data.setdefault(table, {})
    data[name] = value


def _resolve(
    data: Mapping[str, Any], source: Source, base: Path, stem: str, people: bool = False
) -> Contest:
    from joute.games import make

    top = Reader(source, "", data)
    contest = _read_contest(top.table("contest"), base, stem)
    game = _read_game(top.table("game"))
    limits = _read_limits(top.table("limits"))
    faults = _read_faults(top.table("faults"))
    bots = read_bots(top, base, make(game["game"], **game["parameters"]), people)
    top.finish()
    return Contest(base=str(base), bots=bots, **contest, **game, **limits, **faults)


def _read_contest(table: Reader, base: Path, stem: str) -> dict[str, Any]:
    if table.has("bots"):
        raise table.error("bots", "the list of bots goes above the first [section]")
    folder = base / f"{stem}.results"
    values = {
        "name": table.take("name", text, stem),
        "format": table.take("format", one_of(*FORMATS), FORMATS[0]),
        **_read_games(table),
        "seed": table.take("seed", _seed, None),
        "workers": table.take("workers", whole(1, 1024), len(os.sched_getaffinity(0))),
        "folder": str(base / Path(table.take("folder", text, str(folder))).expanduser()),
    }
    table.finish()
    return values


def _read_games(table: Reader) -> dict[str, int | None]:
    if table.has("first_to"):
        if table.has("games"):
            raise table.error("games", "give either games or first_to and max_games, not both")
        wins = table.take("first_to", whole(1), 1)
        most = table.take("max_games", whole(2, even=True), GAMES_PER_WIN * wins)
        if most < wins:
            raise table.error("max_games", f"expected at least first_to ({wins}), got {most}")
        return {"games": None, "first_to": wins, "max_games": most}
    if table.has("max_games"):
        raise table.error("max_games", "goes with first_to, which is missing")
    games = table.take("games", whole(2, even=True), DEFAULT_GAMES)
    for name in ("first_to", "max_games"):
        table.raw(name, None)  # known keys, for the suggestions of `finish`
    return {"games": games, "first_to": None, "max_games": games}


def _seed(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise ValueError("expected a whole number or a string")
    return str(value)


def _read_game(table: Reader) -> dict[str, Any]:
    from joute import games

    name = table.take("name", text, "virus")
    given_opening = table.raw("opening", None)
    given = table.rest()
    try:
        known = list(games.parameters(games.make(name)))
        for key in given:
            if key not in known:
                raise table.error(key, f"unknown key{suggestion(key, ['name', 'opening', *known])}")
        game = games.make(name, **given)
    except games.GameError as error:
        wrong = next((key for key in given if key in str(error)), "name")
        raise table.error(wrong, str(error)) from None
    properties = games.properties(game)
    if properties.players != 2:
        raise table.error("name", f"a round robin is for two; {name} has {properties.players}")
    parameters = games.parameters(game)
    for key, value in parameters.items():
        table.source.note(table.key(key), value, FILE if key in given else GAME)
    opening = _opening(table, given_opening, properties.opening_plies, properties.max_plies)
    return {"game": name, "parameters": parameters, "opening": opening}


def _opening(table: Reader, given: Any, usual: tuple[int, int], most: int) -> tuple[int, int]:
    if given is None:
        table.source.note(table.key("opening"), usual, GAME)
        return usual
    plain = isinstance(given, list | tuple) and len(given) == 2
    if not plain or any(not isinstance(plies, int) or isinstance(plies, bool) for plies in given):
        raise table.error(
            "opening", f"expected [fewest, most] random plies, like [2, 4], got {show(given)}"
        )
    low, high = given
    if not 0 <= low <= high <= most:
        raise table.error(
            "opening", f"expected 0 <= fewest <= most <= {most} plies, got [{low}, {high}]"
        )
    table.source.note(table.key("opening"), (low, high), FILE)
    return low, high


def _read_limits(table: Reader) -> dict[str, Any]:
    values = {
        "move_seconds": table.take("move_seconds", seconds(0.001, 86400), 10.0),
        "start_seconds": table.take("start_seconds", seconds(0.01, 3600), 10.0),
        "memory_mb": table.take("memory_mb", whole(16), 1024),
    }
    table.finish()
    return values


def _read_faults(table: Reader) -> dict[str, Any]:
    from joute.play.game import FAULT_COSTS, HX2_COSTS

    costs = {
        fault: table.take(fault, one_of(*FAULT_COSTS), usual, DEFAULT)
        for fault, usual in HX2_COSTS.items()
    }
    restarts = table.take("max_restarts", whole(0), 2)
    table.finish()
    return {"costs": costs, "max_restarts": restarts}
