"""The shape of a record that is shown: what no proof looks at, and pages and commands rely on.

A record comes from anybody. That it is true says that its game was played by the rules; names,
times, messages and limits are whatever its author wrote.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from joute.core.interface import CHANCE
from joute.host.protocol import Fault
from joute.i18n.recognised import foreign
from joute.play.record import Record, RecordError, broken

LONGEST_NAME = 200  # characters

Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Milliseconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]


class _Bot(msgspec.Struct):
    name: Name
    bot: str


class _Limits(msgspec.Struct):
    move_seconds: Seconds
    bank_seconds: Seconds
    increment_seconds: Seconds


class _Header(msgspec.Struct):
    bots: list[_Bot]
    limits: _Limits
    opening: tuple[int, int]
    costs: dict[str, str]
    max_restarts: int


class _Line(msgspec.Struct):
    """A ply, or a failure without one."""

    by: str
    player: int = CHANCE
    cpu_ms: Milliseconds | None = None
    wall_ms: Milliseconds | None = None
    message: str = ""
    note: str = ""
    output: str = ""
    fault: Fault | None = None
    detail: str = ""
    cost: str = ""
    resigned: bool = False


def check_shape(record: Record, players: int) -> None:
    """Raises RecordError at the first line that pages cannot show."""
    line = 1
    try:
        header = msgspec.convert(record.header, _Header)
        if len(header.bots) != players:
            raise broken(line, "seats", bots=len(header.bots), seats=players)
        for line, ply in enumerate(record.plies, start=2):
            each = msgspec.convert(ply, _Line)
            if each.by == "bot" and (each.cpu_ms is None or not 0 <= each.player < players):
                raise broken(line, "bot")
            if "cpu_ms" in ply and None in (each.cpu_ms, each.wall_ms):
                raise broken(line, "time")
            if each.fault is not None and "detail" not in ply:
                raise broken(line, "detail")
    except msgspec.ValidationError as error:
        raise RecordError(line, foreign(error)) from None
