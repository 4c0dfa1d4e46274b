"""The choices before a game, and the specification of the game that a form describes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from joute import bots
from joute.bots.ladder import levels, player_at
from joute.contest.config.entries import LONGEST_NAME
from joute.core.errors import GameError
from joute.core.interface import properties
from joute.core.maps import find_map, shipped
from joute.core.registry import card, defaults, find, make
from joute.host.limits import Limits
from joute.i18n.words import say
from joute.play.chance import derive
from joute.play.game import HUMAN, GameSpec, SeatSpec, usual_costs
from joute.play.people import Lines, taken_up
from joute.play.record import Record
from joute.play.verify import recorded_game
from joute.text import free_name
from joute.web.errors import RequestRefusal

MOVE_SECONDS = 5.0  # what bots are told; those that look at the clock take a tenth
ELSEWHERE, HERE = "person", "here"  # another person: by a link, or at this browser
PLACES = ("first", "last", "any")  # in the sequence of the seats, of who opens the table
SPEEDS = (2, 4, 6, 9)  # rounds a second that can be chosen, in real time


class Map(NamedTuple):
    """A map that comes with Joute."""

    name: str
    most: int  # players


class OpponentLevel(NamedTuple):
    """A built-in bot to play against."""

    name: str
    options: str  # as they are shown


class Menu(NamedTuple):
    """The choices for a game."""

    game: str
    players: tuple[int, ...]  # the numbers of players
    usual: dict[str, Any]  # the game's parameters, if nothing is chosen
    options: dict[str, tuple[int, ...]]
    maps: tuple[Map, ...]
    levels: tuple[OpponentLevel, ...]  # the weakest first
    speeds: tuple[int, ...]  # rounds a second, of a game that can be played in real time


class TableSetup(NamedTuple):
    """A game as it was chosen."""

    spec: GameSpec
    own: tuple[int, ...]  # seats of the browser that chose it
    speed: float  # 0 for a game in turns


def menu(game: str) -> Menu | None:
    """The choices for a game; None if there is no such game.

    Raises GameError for a game that cannot be made without parameters that no page asks for.
    """
    brought = find(game)
    return None if brought is None else _menu(game, brought.package)


@lru_cache(maxsize=64)
def _menu(game: str, _package: str) -> Menu:
    """The choices for a game, made again where another package brings a game of this name."""
    known, brought = defaults(game), card(game)
    options = dict(brought.parameters)
    rules = make(game)
    maps = shipped(game) if "map" in known else []
    return Menu(
        game=game,
        players=options.pop("players", (properties(rules).players,)),
        usual={key: value for key, value in known.items() if key != "map"},
        options=options,
        maps=tuple(Map(name, _most(game, name)) for name in maps),
        levels=_levels(levels(rules)),
        speeds=SPEEDS if brought.realtime else (),
    )


def likely(game: str) -> list[str]:
    """The bots of a game's levels, those that will most likely be chosen first."""
    known = levels(make(game))
    usual = (len(known) - 1) // 2
    nearest = sorted(range(len(known)), key=lambda at: abs(at - usual))
    return [f"builtin:{known[at]}" for at in nearest]


def _levels(known: Sequence[str]) -> tuple[OpponentLevel, ...]:
    """Built-in bots, each with the options that tell it from others of its name."""
    parts = [bot.partition("?") for bot in known]
    told = [(name, options.split("&")) for name, _, options in parts]
    shared = {
        name: set.intersection(*(set(options) for other, options in told if other == name))
        for name, _ in told
    }
    shown = ([each for each in options if each not in shared[name]] for name, options in told)
    return tuple(
        OpponentLevel(name, ", ".join(options).replace("=", " "))
        for (name, _), options in zip(told, shown, strict=True)
    )


def _most(game: str, name: str) -> int:
    """The greatest number of players on a map."""
    most = properties(make(game)).players
    for players in card(game).parameters.get("players", ()):
        try:
            make(game, map=find_map(game, name), players=players)
        except GameError:
            continue
        most = players if players == 1 else max(most, players)
    return most


def ordered(game: str, form: Mapping[str, str]) -> TableSetup:
    """The game that a form describes. Raises RequestRefusal."""
    try:
        shown = menu(game)
    except GameError as error:
        raise RequestRefusal(str(error)) from None
    if shown is None:
        raise RequestRefusal(say("table.error.game", game=game[:40]))
    rules, parameters = _rules(shown, form)
    count = properties(rules).players
    others = [form.get(f"opponent{each}") or form.get("opponent", "1") for each in range(count - 1)]
    place = form.get("place", PLACES[0])
    if place not in PLACES:
        raise RequestRefusal(say("table.error.form", field="place"))
    seat = {"first": 0, "last": count - 1, "any": secrets.randbelow(count)}[place]
    kinds = [*others[:seat], HERE, *others[seat:]]
    named: set[str] = set()
    name = called(form.get("name", ""))
    seats = [
        _seat(rules, kind, name if each == seat else "", named) for each, kind in enumerate(kinds)
    ]
    speed = _number(form, "speed", shown.speeds) if form.get("speed") else 0
    spec = GameSpec(
        game=game,
        parameters=parameters,
        bots=tuple(seats),
        seed=derive(secrets.token_hex(16), "table"),
        limits=Limits(move_seconds=1 / speed if speed else MOVE_SECONDS),
        costs=usual_costs(game),
    )
    own = tuple(each for each, kind in enumerate(kinds) if kind == HERE)
    return TableSetup(spec, own, speed)


def continued(record: Record, ply: str, seat: str, name: str = "") -> tuple[GameSpec, int, Lines]:
    """The game of a record with a person at a seat, that seat, and the lines up to a ply.

    The record has been read and proved as one that pages can show. Raises RequestRefusal.
    """
    count = properties(recorded_game(record)).players
    if not (seat.isdecimal() and len(seat) < 3 and int(seat) < count):
        raise RequestRefusal(say("table.error.form", field="seat"))
    if not (ply.isdecimal() and len(ply) < 10):
        raise RequestRefusal(say("table.error.form", field="ply"))
    person = name or say("table.guest")
    spec, lines = taken_up(record, int(ply), int(seat), person, MOVE_SECONDS)
    return spec, int(seat), lines


def called(name: str) -> str:
    """A person's name as it is shown; "" where nothing of it can be."""
    printable = "".join(mark for mark in name if mark.isprintable())
    return printable.strip()[:LONGEST_NAME].strip()


def _rules(shown: Menu, form: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
    """The game, and the parameters that make it."""
    parameters: dict[str, Any] = {}
    for field, values in shown.options.items():
        if form.get(field):
            parameters[field] = _number(form, field, values)
    if len(shown.players) > 1 and form.get("players"):
        parameters["players"] = _number(form, "players", shown.players)
    if form.get("map"):
        if form["map"] not in {each.name for each in shown.maps}:
            raise RequestRefusal(say("table.error.form", field="map"))
        parameters["map"] = find_map(shown.game, form["map"])
    try:
        return make(shown.game, **parameters), parameters
    except GameError as error:
        most = {each.name: each.most for each in shown.maps}
        if form.get("map") and parameters.get("players", 0) > most[form["map"]]:
            chart = form["map"]
            raise RequestRefusal(
                say("table.error.map_players", map=chart, most=most[chart])
            ) from None
        raise RequestRefusal(str(error)) from None


def _number(form: Mapping[str, str], field: str, values: tuple[int, ...]) -> int:
    text = form[field]
    if text not in map(str, values):
        raise RequestRefusal(say("table.error.form", field=field))
    return int(text)


def _seat(rules: Any, kind: str, name: str, named: set[str]) -> SeatSpec:
    if kind in (ELSEWHERE, HERE):
        bot, wanted = HUMAN, name or say("table.guest")
    else:
        if not (kind.isascii() and kind.isdecimal() and len(kind) < 3):
            raise RequestRefusal(say("table.error.form", field="opponent"))
        try:
            bot = player_at(rules, int(kind))
        except bots.BuiltinError:
            raise RequestRefusal(say("table.error.level")) from None
        wanted = bot.removeprefix("builtin:").partition("?")[0]
    chosen = free_name(wanted, named.__contains__)
    named.add(chosen)
    return SeatSpec(name=chosen, bot=bot)
