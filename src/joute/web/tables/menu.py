"""The choices before a game, and the specification of the game that a form describes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from joute import bots
from joute.bots.levels import level_name, level_told, opponent_at, people_levels
from joute.contest.config.default_names import LONGEST_NAME
from joute.core.card import LEVELS
from joute.core.errors import GameError
from joute.core.interface import CHANCE, mover, play, properties, start
from joute.core.maps import find_map, shipped
from joute.core.registry import card, defaults, find, make
from joute.host.limits import Limits
from joute.host.names import parse_bot
from joute.i18n.words import say
from joute.play.chance import Streams, derive
from joute.play.game import HUMAN, GameSpec, SeatSpec, usual_costs
from joute.play.people import Lines, taken_up
from joute.play.record import Record
from joute.play.seats import check_uncompiled
from joute.play.verify import recorded_game
from joute.text import free_name
from joute.web.errors import RequestRefusal
from joute.web.games import web_of
from joute.web.tables.seat_names import usual_name

MOVE_SECONDS = 5.0  # what bots are told; those that look at the clock take a tenth
ELSEWHERE, HERE, ANYBODY = "person", "here", "open"
"""Another person: by a link, at this browser, or whoever comes first."""
CLOCKS = ("3+2", "5+5", "10+10", "30+0")  # minutes of each person, and seconds that a turn adds
BEGINNINGS = 8  # of a game, from which it is seen who begins
PLACES = ("first", "last", "any")  # in the sequence of the seats, of who opens the table
PACES = (2.0, 1.0, 0.4, 0.0)  # seconds between two positions of a game between bots
SPEEDS = (2, 4, 6, 9)  # rounds a second that can be chosen, in real time


class Map(NamedTuple):
    """A map that comes with Joute."""

    name: str
    most: int  # players


class OpponentLevel(NamedTuple):
    """A built-in bot to play against."""

    name: str
    told: str  # how strong it was measured to be; "" where it was not
    code: str  # the bot's own name, with its options


class Beginning(NamedTuple):
    """The beginner: a seat, or a draw where that is None; or all at once."""

    seat: int | None
    at_once: bool = False


class Menu(NamedTuple):
    """The choices for a game."""

    game: str
    players: tuple[int, ...]  # the numbers of players
    usual: dict[str, Any]  # the game's parameters, if nothing is chosen
    options: dict[str, tuple[int, ...]]
    maps: tuple[Map, ...]
    levels: tuple[str, ...]  # the bots, the weakest first
    starter: Beginning
    speeds: tuple[int, ...]  # rounds a second, of a game that can be played in real time


class TableSetup(NamedTuple):
    """A game as it was chosen."""

    spec: GameSpec
    own: tuple[int, ...]  # seats of the browser that chose it
    speed: float = 0.0  # 0 for a game in turns
    clock: tuple[float, float] | None = None  # of each person, see `Tables.open`
    listed: bool = False  # whether anybody may join
    pace: float = 1.0  # seconds between two positions of a game between bots


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
    usual = {key: value for key, value in known.items() if key != "map"} | dict(web_of(game).usual)
    return Menu(
        game=game,
        players=options.pop("players", (properties(rules).players,)),
        usual=usual,
        options=options,
        maps=tuple(Map(name, _most(game, name)) for name in maps),
        levels=tuple(each.bot for each in people_levels(rules).levels),
        starter=_starter(rules),
        speeds=SPEEDS if brought.realtime else (),
    )


def opponents(game: str) -> list[OpponentLevel]:
    """The levels of a game as people choose them, in the language spoken now."""
    known = people_levels(make(game))
    return [
        OpponentLevel(level_name(game, at), level_told(game, known, at), each.bot)
        for at, each in enumerate(known.levels, start=1)
    ]


def others(game: str) -> list[str]:
    """More built-in bots of a game, to be watched: what its card names besides its levels."""
    brought, chosen = card(game), {each.bot for each in people_levels(make(game)).levels}
    own = [name for name in brought.bots if not bots.peeks(name)]
    named = [] if brought.levels is LEVELS else list(brought.levels)
    return [each for each in dict.fromkeys([*named, *own]) if each not in chosen]


def likely(game: str) -> list[str]:
    """The bots of a game's levels, those that will most likely be chosen first."""
    known = [each.bot for each in people_levels(make(game)).levels]
    nearest = sorted(range(len(known)), key=lambda at: abs(at - usual_level(len(known)) + 1))
    return [f"builtin:{known[at]}" for at in nearest]


def usual_level(count: int) -> int:
    """The level, of so many, that somebody who chooses none plays against."""
    return min(2, count)


def watched_pair(count: int) -> tuple[int, int]:
    """The two levels, of so many, that are watched where none are chosen."""
    return max(count - 1, 1), count


def _starter(rules: Any) -> Beginning:
    """The beginner of a game, found out by beginning it a few times."""
    if properties(rules).simultaneous:
        return Beginning(None, at_once=True)
    found = {_first(rules, derive("who begins", str(each))) for each in range(BEGINNINGS)}
    return Beginning(found.pop() if len(found) == 1 else None)


def _first(rules: Any, seed: str) -> int:
    """The player who chooses first in the game of a seed."""
    state, streams = start(rules).tolist(), Streams(seed)
    while (player := int(mover(rules, state))) == CHANCE:
        play(rules, state, streams.outcome(rules, state))
    return player


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
    if form.get("watch"):
        return _watched(rules, parameters, form)
    others = [form.get(f"opponent{each}") or form.get("opponent", "1") for each in range(count - 1)]
    place = form.get("place", PLACES[-1])
    if place not in PLACES:
        raise RequestRefusal(say("table.error.form", field="place"))
    seat = {"first": 0, "last": count - 1, "any": secrets.randbelow(count)}[place]
    kinds = [*others[:seat], HERE, *others[seat:]]
    named: set[str] = set()
    people = [called(form.get(field, "")) for field in ("name", "second")]
    own = tuple(each for each, kind in enumerate(kinds) if kind == HERE)
    names = dict(zip((seat, *(each for each in own if each != seat)), people, strict=False))
    seats = [_seat(rules, kind, names.get(each, ""), named) for each, kind in enumerate(kinds)]
    speed = _number(form, "speed", shown.speeds) if form.get("speed") else 0
    spec = _specified(game, parameters, seats, 1 / speed if speed else MOVE_SECONDS)
    return TableSetup(spec, own, speed, _clock(form, spec), ANYBODY in kinds)


def _clock(form: Mapping[str, str], spec: GameSpec) -> tuple[float, float] | None:
    """The clock of each person, where several play in turns and one was chosen."""
    chosen = form.get("clock", "")
    if not chosen or len(spec.people) < 2:
        return None
    if chosen not in CLOCKS:
        raise RequestRefusal(say("table.error.form", field="clock"))
    minutes, _, seconds = chosen.partition("+")
    return 60.0 * int(minutes), float(seconds)


def _watched(rules: Any, parameters: dict[str, Any], form: Mapping[str, str]) -> TableSetup:
    """A game between built-in bots, which nobody plays."""
    game, count = properties(rules).name, properties(rules).players
    usual = watched_pair(len(people_levels(rules).levels))
    named: set[str] = set()
    seats = [
        _watched_seat(rules, form.get(f"player{seat}") or str(usual[seat % 2]), named)
        for seat in range(count)
    ]
    pace = form.get("pace", str(PACES[1]))
    if pace not in map(str, PACES):
        raise RequestRefusal(say("table.error.form", field="pace"))
    spec = _specified(game, parameters, seats, MOVE_SECONDS)
    return TableSetup(spec, (), pace=float(pace))


def _watched_seat(rules: Any, kind: str, named: set[str]) -> SeatSpec:
    if kind.isdecimal():
        return _seat(rules, kind, "", named)
    game = properties(rules).name
    if kind not in others(game):
        raise RequestRefusal(say("table.error.form", field="player"))
    bot = f"builtin:{kind}"
    try:
        check_uncompiled(parse_bot(bot), rules)
    except bots.BuiltinError:
        raise RequestRefusal(say("table.error.level")) from None
    return _named(rules, bot, named)


def _named(rules: Any, bot: str, named: set[str]) -> SeatSpec:
    chosen = free_name(usual_name(rules, bot), named.__contains__)
    named.add(chosen)
    return SeatSpec(name=chosen, bot=bot)


def _specified(
    game: str, parameters: dict[str, Any], seats: Sequence[SeatSpec], move_seconds: float
) -> GameSpec:
    return GameSpec(
        game=game,
        parameters=parameters,
        bots=tuple(seats),
        seed=derive(secrets.token_hex(16), "table"),
        limits=Limits(move_seconds=move_seconds),
        costs=usual_costs(game),
    )


def continued(record: Record, ply: str, seat: str, name: str = "") -> tuple[GameSpec, int, Lines]:
    """The game of a record with a person at a seat, that seat, and the lines up to a ply.

    The record has been read and proved as one that pages can show. Raises RequestRefusal.
    """
    game = recorded_game(record)
    count = properties(game).players
    if not (seat.isdecimal() and len(seat) < 3 and int(seat) < count):
        raise RequestRefusal(say("table.error.form", field="seat"))
    if not (ply.isdecimal() and len(ply) < 10):
        raise RequestRefusal(say("table.error.form", field="ply"))
    person = name or usual_name(game, HUMAN)
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
    if kind in (ELSEWHERE, HERE, ANYBODY):
        chosen = free_name(name or usual_name(rules, HUMAN), named.__contains__)
        named.add(chosen)
        return SeatSpec(name=chosen, bot=HUMAN)
    known = people_levels(make(properties(rules).name)).levels
    if kind not in map(str, range(1, len(known) + 1)):
        raise RequestRefusal(say("table.error.form", field="opponent"))
    try:
        bot = opponent_at(rules, int(kind))
    except bots.BuiltinError:
        raise RequestRefusal(say("table.error.level")) from None
    return _named(rules, bot, named)
