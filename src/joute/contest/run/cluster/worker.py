"""What a worker on another machine does: say whether it is fit to play, and play."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from joute.contest.run.cluster.likeness import differences, likeness
from joute.contest.run.cluster.parcel import Packed, Parcel, unpack
from joute.contest.run.work import Play, Played, play_batch
from joute.host.names import BotError
from joute.host.sandbox import IsolationError, Level, granted
from joute.i18n.recognised import worded
from joute.play.game import GameSpec


class Demand(msgspec.Struct, frozen=True):
    """What a contest demands of the machines that play it."""

    isolation: str | None  # the lowest level for its bots; None if any will do
    bots: tuple[Packed, ...]
    parcels: tuple[Parcel, ...]


class Complaint(NamedTuple):
    """Why a worker cannot play."""

    reason: str  # "version", "isolation", "python" or "bot"
    found: object  # a text, or an error
    wanted: str


def complaint(alike: dict[str, str], demand: bytes) -> Complaint | None:
    """What is wrong with this machine, if anything; else it has all bots' files from now on.

    `alike` is the coordinator's likeness, `demand` a Demand in MessagePack: another version of
    Joute could not read it.
    """
    wanted, found = differences(alike, likeness())
    if wanted:
        return Complaint("version", found, wanted)
    return _lacking(msgspec.msgpack.decode(demand, type=Demand))


def _lacking(demand: Demand) -> Complaint | None:
    if demand.isolation is not None:
        try:
            level = granted().level
        except IsolationError as error:
            return Complaint("isolation", error, demand.isolation)
        if level < Level(demand.isolation):
            return Complaint("isolation", str(level), demand.isolation)
    for parcel in demand.parcels:
        unpack(parcel)
    for bot in demand.bots:
        python = bot.seat.python
        if python is not None and shutil.which(python) is None:
            return Complaint("python", "", python)
        try:
            content = bot.here().content()
        except (BotError, OSError) as error:
            return Complaint("bot", worded(error), bot.seat.bot)
        if content != bot.content:
            return Complaint("bot", f"{content[:8]}...", f"{bot.seat.bot} {bot.content[:8]}...")
    return None


def play_moved(
    play: Play | None, specs: Sequence[GameSpec], bots: Mapping[str, Packed]
) -> list[Played]:
    """Play games one after the other; of the bots whose files travelled, those in the cache."""
    return play_batch(play, [_moved(spec, bots) for spec in specs])


def _moved(spec: GameSpec, bots: Mapping[str, Packed]) -> GameSpec:
    """A game whose bots are where this machine has them."""
    seats = tuple(bots[seat.name].here() if seat.name in bots else seat for seat in spec.bots)
    return msgspec.structs.replace(spec, bots=seats)
