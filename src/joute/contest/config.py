"""A contest's configuration: a TOML file in, every key resolved and checked out.

    [contest]   name, format, games or first_to and max_games, seed, workers, folder
    [game]      name, opening = [fewest, most] random plies, map or maps, the game's own parameters
    [limits]    move_seconds, start_seconds, memory_mb
    [faults]    what each fault costs, "turn" or "game"; max_restarts
    [[bots]]    bot, name, python, memory_mb; or in short: bots = ["builtin:greedy", "mine.py"]

Only the bots are required. Relative paths start from the file's folder. The format is `score`
where one plays alone, ranked by the game's points, and `round-robin` where several meet. `games`
counts the games of a group of as many bots as the game has seats (with two seats, of a pairing);
for `score`, those of a bot on each map.
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
from joute.contest.game_table import ChosenGame, ContestMap, read_game
from joute.contest.reading import (
    DEFAULT,
    Origin,
    Reader,
    Source,
    one_of,
    seconds,
    text,
    whole,
)

ROUND_ROBIN, SCORE = FORMATS = ("round-robin", "score")
DEFAULT_SETS = 2  # of a group, or one on each map if there are more
DEFAULT_ALONE = 4  # games of a bot on each map
TABLES = ("contest", "game", "limits", "faults")  # in the order in which they are shown
GAMES_PER_WIN = 4  # max_games, when only first_to is given, is this many times first_to


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """A contest with every key resolved.

    Times are in seconds, memory in MiB. `seed` is None until one is drawn for the folder.
    `games` is None where `first_to` rules; `max_games` is the most that a group plays (where one
    plays alone, that a bot plays on all maps together). `maps` holds the game's parameters on each
    map; it has one element, without a name, where no map is named.
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
    players: int
    maps: tuple[ContestMap, ...]
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
    data: Mapping[str, Any],
    *,
    where: str,
    base: Path,
    people: bool = False,
    seats: int | None = None,
) -> Contest:
    """The contest that nested tables describe, with the checks of `resolve`.

    `where` stands for the file, in errors and as the default name. `people` may be among the bots.
    `seats` is how many players a game has that may have any number and is not told.
    """
    return _resolve(data, Source(where, "", frozenset()), base, where, people, seats)


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
    return contest, sorted(source.origins, key=_table_number)


def _table_number(origin: Origin) -> int:
    """Where the table of a value is shown; the bots come last."""
    table = origin.key.partition(".")[0]
    return TABLES.index(table) if table in TABLES else len(TABLES)


def _override(data: dict[str, Any], key: str, value: Any) -> None:
    *tables, name = key.split(".")
    for table in tables:
        data = data.setdefault(table, {})
    data[name] = value


def _resolve(
    data: Mapping[str, Any],
    source: Source,
    base: Path,
    stem: str,
    people: bool = False,
    seats: int | None = None,
) -> Contest:
    top = Reader(source, "", data)
    settings = top.table("contest")  # read after the game, which decides what they may be
    game = read_game(top.table("game"), base, seats)
    contest = _read_contest(settings, base, stem, game)
    limits = _read_limits(top.table("limits"))
    faults = _read_faults(top.table("faults"), game.name)
    least = 1 if contest["format"] == SCORE else game.players
    bots = read_bots(top, base, game, least, people)
    top.finish()
    return Contest(
        base=str(base),
        bots=bots,
        game=game.name,
        players=game.players,
        maps=game.maps,
        opening=game.opening,
        **contest,
        **limits,
        **faults,
    )


def _read_contest(table: Reader, base: Path, stem: str, game: ChosenGame) -> dict[str, Any]:
    if table.has("bots"):
        raise table.error("bots", "the list of bots goes above the first [section]")
    folder = base / f"{stem}.results"
    name = table.take("name", text, stem)
    alone = _read_format(table, game) == SCORE
    values = {
        "name": name,
        "format": SCORE if alone else ROUND_ROBIN,
        **(_read_games_alone(table, game) if alone else _read_games(table, game)),
        "seed": table.take("seed", _seed, None),
        "workers": table.take("workers", whole(1, 1024), len(os.sched_getaffinity(0))),
        "folder": str(base / Path(table.take("folder", text, str(folder))).expanduser()),
    }
    table.finish()
    return values


def _read_format(table: Reader, game: ChosenGame) -> str:
    usual = SCORE if game.players == 1 else ROUND_ROBIN
    found = table.take("format", one_of(*FORMATS), usual)
    if found != usual:
        seats = "one player" if game.players == 1 else f"{game.players} players"
        raise table.error("format", f'{game.name} is for {seats} here, whose format is "{usual}"')
    return found


def _read_games(table: Reader, game: ChosenGame) -> dict[str, int | None]:
    seats = game.players
    if table.has("first_to"):
        if seats > 2:
            raise table.error("first_to", f"is for games of two, not of {seats}; give games")
        if table.has("games"):
            raise table.error("games", "give either games or first_to and max_games, not both")
        wins = table.take("first_to", whole(1), 1)
        most = table.take("max_games", whole(2, multiple=2), GAMES_PER_WIN * wins)
        if most < wins:
            raise table.error("max_games", f"expected at least first_to ({wins}), got {most}")
        return {"games": None, "first_to": wins, "max_games": most}
    if table.has("max_games"):
        raise table.error("max_games", "goes with first_to, which is missing")
    usual = seats * max(DEFAULT_SETS, len(game.maps))
    games = table.take("games", whole(seats, multiple=seats), usual)
    for name in ("first_to", "max_games"):
        table.raw(name, None)  # known keys, for the suggestions of `finish`
    return {"games": games, "first_to": None, "max_games": games}


def _read_games_alone(table: Reader, game: ChosenGame) -> dict[str, int | None]:
    for key in ("first_to", "max_games"):
        if table.has(key):
            raise table.error(key, f"is for games of two; {game.name} is played alone here")
    games = table.take("games", whole(1), DEFAULT_ALONE)
    return {"games": games, "first_to": None, "max_games": games * len(game.maps)}


def _seed(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise ValueError("expected a whole number or a string")
    return str(value)


def _read_limits(table: Reader) -> dict[str, Any]:
    values = {
        "move_seconds": table.take("move_seconds", seconds(0.001, 86400), 10.0),
        "start_seconds": table.take("start_seconds", seconds(0.01, 3600), 10.0),
        "memory_mb": table.take("memory_mb", whole(16), 1024),
    }
    table.finish()
    return values


def _read_faults(table: Reader, game: str) -> dict[str, Any]:
    from joute.play.game import FAULT_COSTS, usual_costs

    costs = {
        fault: table.take(fault, one_of(*FAULT_COSTS), usual, DEFAULT)
        for fault, usual in usual_costs(game).items()
    }
    restarts = table.take("max_restarts", whole(0), 2)
    table.finish()
    return {"costs": costs, "max_restarts": restarts}
