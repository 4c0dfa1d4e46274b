"""The [contest] table: its name, its format, how many games, how they are ranked, where to.

Some keys belong to some formats only: `KEYS` says which.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from math import nextafter
from pathlib import Path
from typing import Any

from joute.contest.config.game_table import ChosenGame
from joute.contest.config.reading import Reader, number, one_of, text, whole
from joute.contest.ranking.rules import (
    BUCHHOLZ,
    GAMES_WON,
    HEAD_TO_HEAD,
    HX2,
    POINTS,
    RULES,
    STAGE,
    Ranking,
    of_a_game,
    orders,
)
from joute.contest.ranking.rules import SCORE as BY_SCORE
from joute.contest.schedule.schedule import DEALS, SHARED
from joute.i18n.words import Sentence
from joute.text import composed, spelt

MOST_GAMES = 1_000_000  # of a group: more would fill the memory before the first is played
DEFAULT_SETS = 2  # of a group, or one on each map if there are more
DEFAULT_ALONE = 4  # games of a bot on each map
GAMES_PER_WIN = 4  # max_games, when only first_to is given, is this many times first_to
SETS_IF_LEVEL = 3  # of a meeting of a knockout, at most: two more than usual
LONGEST_MINUTES = 60 * 24 * 365
_MINUTES = number(nextafter(0.0, 1.0), LONGEST_MINUTES, "error.config.minutes")


def read_contest(table: Reader, base: Path, stem: str, game: ChosenGame) -> dict[str, Any]:
    """The fields of a contest that the table gives; `stem` is its name unless it has one.

    Raises ConfigError.
    """
    if table.has("bots"):
        raise table.error("bots", Sentence("error.config.bots_above"))
    folder = base / f"{stem}.results"
    name = table.take("name", text, stem)
    chosen = read_format(table, game)
    own = read_format_keys(table, chosen, game)
    if chosen == SCORE and table.has("reference"):
        raise table.error("reference", Sentence("error.config.reference_alone"))
    if chosen == SCORE:
        games = _read_games_alone(table, game)
        ranking: Ranking = HX2
    else:
        games = _read_games(table, game, chosen, even=own.get("spend") == UNRESOLVED)
        ranking = read_ranking(table, chosen, game, own.get("groups"))
    values = {
        "name": name,
        "format": chosen,
        **own,
        **games,
        "ranking": ranking,
        "reference": table.take("reference", text, None),
        "seed": table.take("seed", _seed, None),
        "deals": table.take("deals", one_of(*DEALS), SHARED),
        "workers": table.take("workers", whole(1, 1024), len(os.sched_getaffinity(0))),
        "store": table.take("store", _store(base), None),
        "minutes": table.take("minutes", _MINUTES, None),
        "folder": str(base / Path(table.take("folder", text, str(folder))).expanduser()),
    }
    table.finish()
    return values


def _read_games(table: Reader, game: ChosenGame, chosen: str, even: bool) -> dict[str, int | None]:
    seats = game.players
    if table.has("first_to"):
        return _read_first_to(table, seats, chosen)
    table.raw("first_to", None)  # a known key, for the suggestions of `finish`
    if chosen in ELIMINATING:
        games = table.take("games", whole(seats, MOST_GAMES, multiple=seats), seats)
        usual = SETS_IF_LEVEL * games
        most = table.take("max_games", whole(games, MOST_GAMES, multiple=seats), usual)
        return {"games": games, "first_to": None, "max_games": most}
    if table.has("max_games"):
        raise table.error("max_games", Sentence("error.config.goes_with", key="first_to"))
    table.raw("max_games", None)
    sets = 1 if chosen == SWISS else max(DEFAULT_SETS, len(game.maps))
    check = whole(seats, MOST_GAMES, multiple=seats, or_one=seats == 2 and not even)
    games = table.take("games", check, seats * sets)
    return {"games": games, "first_to": None, "max_games": games}


def _read_first_to(table: Reader, seats: int, chosen: str) -> dict[str, int | None]:
    if seats > 2:
        raise table.error("first_to", Sentence("error.config.first_to_seats", seats=seats))
    if chosen == SWISS:
        raise table.error("first_to", Sentence("error.config.first_to_format", format=SWISS))
    if table.has("games"):
        raise table.error("games", Sentence("error.config.games_or_first_to"))
    wins = table.take("first_to", whole(1, MOST_GAMES), 1)
    most = table.take("max_games", whole(1, GAMES_PER_WIN * MOST_GAMES), GAMES_PER_WIN * wins)
    if most < wins:
        reason = Sentence("error.config.max_games", wins=wins, most=most)
        raise table.error("max_games", reason)
    return {"games": None, "first_to": wins, "max_games": most}


def _read_games_alone(table: Reader, game: ChosenGame) -> dict[str, int | None]:
    for key in ("first_to", "max_games"):
        if table.has(key):
            raise table.error(key, Sentence("error.config.alone_games", game=game.name))
    if table.has("ranking"):
        raise table.error("ranking", Sentence("error.config.alone_ranking", game=game.name))
    games = table.take("games", whole(1, MOST_GAMES), DEFAULT_ALONE)
    return {"games": games, "first_to": None, "max_games": games * len(game.maps)}


def _store(base: Path) -> Callable[[Any], str]:
    """Reads the URL of a database; that of an SQLite file may be a path from `base` on."""

    def check(value: Any) -> str:
        from joute.store.store import StoreError, placed, public_url

        try:
            return placed(public_url(text(value)), base)
        except StoreError as error:
            raise ValueError(error) from None

    return check


def _seed(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise ValueError(Sentence("error.config.seed"))
    return str(value)


FORMATS = (
    "round-robin",
    "score",
    "gauntlet",
    "league",
    "swiss",
    "knockout",
    "double-knockout",
    "pools",
)
ROUND_ROBIN, SCORE, GAUNTLET, LEAGUE, SWISS, KNOCKOUT, DOUBLE_KNOCKOUT, POOLS = FORMATS
ELIMINATING = (KNOCKOUT, DOUBLE_KNOCKOUT, POOLS)

EVENLY, UNRESOLVED = SPENDING = ("evenly", "unresolved")
DRAWN, LISTED = SEEDINGS = ("drawn", "listed")

USUAL_OPPONENTS = 10
USUAL_QUALIFIED = 2


def read_format(table: Reader, game: ChosenGame) -> str:
    """The format that the table gives, or the usual one of the game. Raises ConfigError."""
    usual = SCORE if game.players == 1 else ROUND_ROBIN
    found = table.take("format", one_of(*FORMATS), usual)
    if found != usual and (game.players != 2 or found == SCORE):
        number = "alone" if game.players == 1 else "several"
        facts = {"game": game.name, "players": game.players, "usual": usual}
        raise table.error("format", Sentence(f"error.config.format_{number}", **facts))
    return found


def read_format_keys(table: Reader, chosen: str, game: ChosenGame) -> dict[str, Any]:
    """The fields of a contest that only some formats have. Raises ConfigError."""
    values: dict[str, Any] = {}
    for key, (formats, check, usual) in KEYS.items():
        if chosen in formats:
            values[key] = table.take(key, check, usual)
        elif table.has(key):
            *others, last = (f'"{each}"' for each in formats)
            listed: Sentence | str = last
            for each in reversed(others):
                listed = Sentence("error.config.and", first=each, second=listed)
            raise table.error(key, Sentence("error.config.is_for", formats=listed, format=chosen))
        else:
            table.raw(key, None)  # a known key, for the suggestions of `finish`
    if chosen == GAUNTLET and not values["references"]:
        raise table.error("references", Sentence("error.config.references_missing"))
    if values.get("spend") == UNRESOLVED and game.players != 2:
        raise table.error("spend", Sentence("error.config.for_two", players=game.players))
    if values.get("spend") == UNRESOLVED and table.has("first_to"):
        raise table.error("spend", Sentence("error.config.spend_first_to"))
    if values.get("spend") == UNRESOLVED and values.get("groups") is not None:
        raise table.error("spend", Sentence("error.config.spend_groups"))
    return values


def read_ranking(table: Reader, chosen: str, game: ChosenGame, groups: int | None) -> Ranking:
    """The table's ranking: the name of an order, or rules. Raises ConfigError."""
    usual = BY_FORMAT.get(chosen, HX2 if groups is None else (BY_SCORE,))
    ranking = table.take("ranking", _ranking, usual)
    if of_a_game(ranking) and game.players > 2:
        facts = {"ranking": ranking, "players": game.players}
        raise table.error("ranking", Sentence("error.config.ranking_for_two", **facts))
    if STAGE in ranking and chosen not in ELIMINATING:
        facts = {"ranking": STAGE, "format": chosen}
        raise table.error("ranking", Sentence("error.config.ranking_stages", **facts))
    return ranking


def named_bots(table: Reader, values: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The fields of a contest that name bots of it, each as that is called.

    Raises ConfigError for what does not go with the bots of a contest.
    """

    def called(key: str, name: str) -> str:
        found = spelt(name, names)
        if found is None:
            listed = ", ".join(names)
            raise table.error(key, Sentence("error.config.no_bot", name=name, known=listed))
        return found

    references = tuple(called("references", name) for name in values.get("references", ()))
    reference = values["reference"]
    found = {"reference": None if reference is None else called("reference", reference)}
    if references and len(references) == len(names):
        raise table.error("references", Sentence("error.config.references_all"))
    pools = values.get("pools") or 1
    if 2 * pools > len(names) and values["format"] == POOLS:
        raise table.error("pools", Sentence("error.config.pools", pools=pools, bots=len(names)))
    return found | ({"references": references} if "references" in values else {})


def _ranking(value: Any) -> Ranking:
    if isinstance(value, str):
        return one_of(*sorted(orders()))(value)
    if not isinstance(value, list | tuple) or not value:
        named = ", ".join(f'"{name}"' for name in sorted(orders()))
        raise ValueError(Sentence("error.config.ranking", known=named))
    check = one_of(*RULES)
    return tuple(check(rule) for rule in value)


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise ValueError(Sentence("error.config.names"))
    if len(set(map(composed, value))) < len(value):
        raise ValueError(Sentence("error.config.different_names"))
    return tuple(value)


KEYS: dict[str, tuple[tuple[str, ...], Callable[[Any], Any], Any]] = {
    "groups": ((ROUND_ROBIN,), whole(1), None),
    "references": ((GAUNTLET,), _names, ()),
    "opponents": ((LEAGUE,), whole(1), USUAL_OPPONENTS),
    "spend": ((ROUND_ROBIN,), one_of(*SPENDING), EVENLY),
    "rounds": ((SWISS,), whole(1), None),
    "pools": ((POOLS,), whole(1), 2),
    "qualified": ((POOLS,), whole(1), USUAL_QUALIFIED),
    "seeding": (ELIMINATING, one_of(*SEEDINGS), DRAWN),
}
"""The formats that have a key, its check, and what it is where it is not given."""

BY_FORMAT: dict[str, Ranking] = {
    GAUNTLET: (BY_SCORE,),
    LEAGUE: (BY_SCORE,),
    SWISS: (POINTS, BUCHHOLZ, HEAD_TO_HEAD, GAMES_WON),
    KNOCKOUT: (STAGE,),
    DOUBLE_KNOCKOUT: (STAGE,),
    POOLS: (STAGE,),
}
"""The usual ranking of the formats that have one of their own."""
