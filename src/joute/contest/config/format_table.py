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
from joute.i18n.words import Sentence

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
    """How the table ranks: the name of an order, or rules. Raises ConfigError."""
    usual = BY_FORMAT.get(chosen, HX2 if groups is None else (BY_SCORE,))
    ranking = table.take("ranking", _ranking, usual)
    if of_a_game(ranking) and game.players > 2:
        facts = {"ranking": ranking, "players": game.players}
        raise table.error("ranking", Sentence("error.config.ranking_for_two", **facts))
    if STAGE in ranking and chosen not in ELIMINATING:
        facts = {"ranking": STAGE, "format": chosen}
        raise table.error("ranking", Sentence("error.config.ranking_stages", **facts))
    return ranking


def check_bots(table: Reader, values: dict[str, Any], names: Collection[str]) -> None:
    """Refuses what does not go with the bots of a contest. Raises ConfigError."""
    references = values.get("references", ())
    reference = [] if values["reference"] is None else [values["reference"]]
    for key, wanted in (("references", references), ("reference", reference)):
        for name in wanted:
            if name not in names:
                listed = ", ".join(names)
                reason = Sentence("error.config.no_bot", name=name, known=listed)
                raise table.error(key, reason)
    if references and len(references) == len(names):
        raise table.error("references", Sentence("error.config.references_all"))
    pools = values.get("pools") or 1
    if 2 * pools > len(names) and values["format"] == POOLS:
        raise table.error("pools", Sentence("error.config.pools", pools=pools, bots=len(names)))


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
    if len(set(value)) < len(value):
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
