"""The [contest] table: its name, its format, how many games, how they are ranked, where to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from joute.contest.game_table import ChosenGame
from joute.contest.rankings.rules import HX2, ORDERS, PARADISE
from joute.contest.reading import Reader, one_of, text, whole

ROUND_ROBIN, SCORE = FORMATS = ("round-robin", "score")
DEFAULT_SETS = 2  # of a group, or one on each map if there are more
DEFAULT_ALONE = 4  # games of a bot on each map
GAMES_PER_WIN = 4  # max_games, when only first_to is given, is this many times first_to


def read_contest(table: Reader, base: Path, stem: str, game: ChosenGame) -> dict[str, Any]:
    """The fields of a contest that the table gives; `stem` is its name unless it has one.

    Raises ConfigError.
    """
    if table.has("bots"):
        raise table.error("bots", "the list of bots goes above the first [section]")
    folder = base / f"{stem}.results"
    name = table.take("name", text, stem)
    alone = _read_format(table, game) == SCORE
    values = {
        "name": name,
        "format": SCORE if alone else ROUND_ROBIN,
        **(_read_games_alone(table, game) if alone else _read_games(table, game)),
        "ranking": HX2 if alone else _read_ranking(table, game),
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
        most = table.take("max_games", whole(1), GAMES_PER_WIN * wins)
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


def _read_ranking(table: Reader, game: ChosenGame) -> str:
    ranking = table.take("ranking", one_of(*ORDERS), HX2)
    if ranking == PARADISE and game.players > 2:
        raise table.error("ranking", f'"{PARADISE}" is for games of two, not of {game.players}')
    return ranking


def _read_games_alone(table: Reader, game: ChosenGame) -> dict[str, int | None]:
    for key in ("first_to", "max_games"):
        if table.has(key):
            raise table.error(key, f"is for games of two; {game.name} is played alone here")
    if table.has("ranking"):
        raise table.error("ranking", f"is for bots that meet; {game.name} is played alone here")
    games = table.take("games", whole(1), DEFAULT_ALONE)
    return {"games": games, "first_to": None, "max_games": games * len(game.maps)}


def _seed(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise ValueError("expected a whole number or a string")
    return str(value)
