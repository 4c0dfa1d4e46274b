"""A game that goes on from a ply of a record, with a person at one of its seats."""

from __future__ import annotations

from typing import Any

from joute import bots
from joute.bots.ladder import player_at
from joute.core.interface import properties
from joute.host.limits import Limits
from joute.host.names import BotError, parse_bot
from joute.i18n.words import say
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import Record, actions_of
from joute.play.seats import check_bot
from joute.play.verify import recorded_game
from joute.web.tables.answers import Refused
from joute.web.tables.menu import MOVE_SECONDS
from joute.web.tables.table import HUMAN

TOP = 99  # a level above all


def continued(
    record: Record, ply: str, seat: str, name: str = ""
) -> tuple[GameSpec, int, list[dict[str, Any]]]:
    """The game of a record with a person at a seat, that seat, and the lines up to a ply.

    The record has been read and proved as one that pages can show.
    A built-in bot plays on where it sat, the best one of the game in the place of any other.
    Raises Refused.
    """
    game = recorded_game(record)
    count = properties(game).players
    if not (seat.isdecimal() and len(seat) < 3 and int(seat) < count):
        raise Refused(say("table.error.form", field="seat"))
    if not (ply.isdecimal() and len(ply) < 10):
        raise Refused(say("table.error.form", field="ply"))
    lines = _until(record, int(ply))
    header = record.header
    seats = [_seat(game, each, name, number == int(seat)) for number, each in _bots(header)]
    spec = GameSpec(
        game=header["game"],
        parameters=header["parameters"],
        bots=tuple(seats),
        seed=record.end["seed"],
        opening=tuple(header["opening"]),
        limits=Limits(move_seconds=MOVE_SECONDS),
        costs=header["costs"],
        max_restarts=header["max_restarts"],
    )
    return spec, int(seat), lines


def _bots(header: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(header["bots"]))


def _until(record: Record, ply: int) -> list[dict[str, Any]]:
    """The lines of the first `ply` actions and outcomes, a turn in one line not taken apart.

    What went wrong without ending the game is left out, and nobody may have lost yet.
    """
    lines = []
    played = 0
    for line in record.plies:
        actions = len(actions_of(line))
        if played + actions > ply or line.get("cost") == "game":
            break
        played += actions
        if actions:
            lines.append(line)
    return lines


def _seat(game: Any, recorded: dict[str, Any], name: str, person: bool) -> SeatSpec:
    if person:
        return SeatSpec(name=name or say("table.guest"), bot=HUMAN)
    bot = str(recorded["bot"])
    try:
        spec = parse_bot(bot)
        if spec.kind == "builtin" and not spec.hosted:
            check_bot(spec, game)
            return SeatSpec(name=str(recorded["name"]), bot=bot)
    except (BotError, bots.BuiltinError):
        pass
    return SeatSpec(name=str(recorded["name"]), bot=player_at(game, TOP))
