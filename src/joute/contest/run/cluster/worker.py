"""A worker on another machine: whether it is fit to play, and what it plays.

Two machines play the same games if they have the same files of Joute, and the same of what runs
them: their fingerprints say so.
"""

from __future__ import annotations

import functools
import hashlib
import platform
import shutil
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import msgspec

import joute
from joute.contest.run.cluster.bundle import Bundle, PackedBot, unpack
from joute.contest.run.workers import Play, PlayedGame, play_batch
from joute.host.names import BotError
from joute.host.sandbox import IsolationError, Level, granted
from joute.i18n.recognised import worded
from joute.play.game import GameSpec


class Demand(msgspec.Struct, frozen=True):
    """The demands of a contest on the machines that play it."""

    isolation: str | None  # the lowest level for its bots; None if any will do
    bots: tuple[PackedBot, ...]
    bundles: tuple[Bundle, ...]


class Complaint(NamedTuple):
    """The reason for which a worker cannot play."""

    reason: str  # "version", "isolation", "python" or "bot"
    found: object  # a text, or an error
    wanted: str


def complaint(alike: dict[str, str], demand: bytes) -> Complaint | None:
    """The complaint about this machine, if any; else it has all bots' files from now on.

    `alike` is the coordinator's fingerprint, `demand` a Demand in MessagePack: another version of
    Joute could not read it.
    """
    wanted, found = differences(alike, fingerprint())
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
    for bundle in demand.bundles:
        unpack(bundle)
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
    play: Play | None, specs: Sequence[GameSpec], bots: Mapping[str, PackedBot]
) -> list[PlayedGame]:
    """Plays games one after the other; of the bots whose files travelled, those in the cache."""
    return play_batch(play, [_moved(spec, bots) for spec in specs])


def _moved(spec: GameSpec, bots: Mapping[str, PackedBot]) -> GameSpec:
    seats = tuple(bots[seat.name].here() if seat.name in bots else seat for seat in spec.bots)
    return msgspec.structs.replace(spec, bots=seats)


_PACKAGES = ("msgspec", "numba", "numpy")  # that decide how games and bots run


@functools.cache
def fingerprint() -> dict[str, str]:
    """Of this machine, by name; another with the same values plays the same games."""
    python = ".".join(platform.python_version_tuple()[:2])
    packages = {name: version(name) for name in _PACKAGES}
    return {"joute": f"{joute.__version__} {_digest()}", "python": python, **packages}


def _digest() -> str:
    """A hash (8 hex digits) of all files of the package."""
    package = Path(joute.__file__).parent
    digest = hashlib.blake2b(digest_size=4)
    for file in sorted(package.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.relative_to(package).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def differences(here: dict[str, str], there: dict[str, str]) -> tuple[str, str]:
    """The values that differ, as either machine has them; "" where none does."""
    names = [name for name in here if here[name] != there.get(name)]
    return (
        ", ".join(f"{name} {here[name]}" for name in names),
        ", ".join(f"{name} {there.get(name, '-')}" for name in names),
    )
