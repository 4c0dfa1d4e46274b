"""The formats of contests, and the keys of [contest] that only some of them have."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from joute.contest.config.game_table import ChosenGame
from joute.contest.config.reading import Reader, one_of, whole
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
        seats = "one player" if game.players == 1 else f"{game.players} players"
        raise table.error("format", f'{game.name} is for {seats} here, whose format is "{usual}"')
    return found


def read_format_keys(table: Reader, chosen: str, game: ChosenGame) -> dict[str, Any]:
    """The fields of a contest that only some formats have. Raises ConfigError."""
    values: dict[str, Any] = {}
    for key, (formats, check, usual) in KEYS.items():
        if chosen in formats:
            values[key] = table.take(key, check, usual)
        elif table.has(key):
            listed = " and ".join(f'"{each}"' for each in formats)
            raise table.error(key, f'is for {listed}; the format is "{chosen}" here')
        else:
            table.raw(key, None)  # a known key, for the suggestions of `finish`
    if chosen == GAUNTLET and not values["references"]:
        raise table.error("references", "is missing: the names of the bots that all others meet")
    if values.get("spend") == UNRESOLVED and game.players != 2:
        raise table.error("spend", f"is for games of two, not of {game.players}")
    if values.get("spend") == UNRESOLVED and table.has("first_to"):
        raise table.error("spend", "goes with games, not with first_to")
    if values.get("spend") == UNRESOLVED and values.get("groups") is not None:
        raise table.error("spend", "goes without groups")
    return values


def read_ranking(table: Reader, chosen: str, game: ChosenGame, groups: int | None) -> Ranking:
    """How the table ranks: the name of an order, or rules. Raises ConfigError."""
    usual = BY_FORMAT.get(chosen, HX2 if groups is None else (BY_SCORE,))
    ranking = table.take("ranking", _ranking, usual)
    if of_a_game(ranking) and game.players > 2:
        raise table.error("ranking", f'"{ranking}" is for games of two, not of {game.players}')
    if STAGE in ranking and chosen not in ELIMINATING:
        raise table.error("ranking", f'"{STAGE}" is for contests with stages, not for "{chosen}"')
    return ranking


def check_bots(table: Reader, values: dict[str, Any], names: Collection[str]) -> None:
    """Refuses what does not go with the bots of a contest. Raises ConfigError."""
    references = values.get("references", ())
    for name in references:
        if name not in names:
            listed = ", ".join(names)
            raise table.error("references", f"{name!r} is no bot of the contest ({listed})")
    reference = values["reference"]
    if reference is not None and reference not in names:
        raise table.error(
            "reference", f"{reference!r} is no bot of the contest ({', '.join(names)})"
        )
    if references and len(references) == len(names):
        raise table.error("references", "expected a bot that is none of the references")
    pools = values.get("pools") or 1
    if 2 * pools > len(names) and values["format"] == POOLS:
        raise table.error(
            "pools", f"{pools} pools of two and more bots need more than {len(names)}"
        )


def _ranking(value: Any) -> Ranking:
    if isinstance(value, str):
        return one_of(*sorted(orders()))(value)
    if not isinstance(value, list | tuple) or not value:
        named = ", ".join(f'"{name}"' for name in sorted(orders()))
        raise ValueError(f"expected {named} or a list of rules")
    check = one_of(*RULES)
    return tuple(check(rule) for rule in value)


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise ValueError("expected a list of the names of bots")
    if len(set(value)) < len(value):
        raise ValueError("expected different names")
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
