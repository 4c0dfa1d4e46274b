"""Bundles: the files of a bot on their way to a worker, packed by content, unpacked once a machine.

What travels is what the bot may read of its own where it is isolated: a folder, a zip, a file with
what that imports, the files of a program's command. The layout below the contest's folder is kept,
so that a relative name means the same there. What an absolute name stands for does not travel.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from os.path import commonpath
from pathlib import Path

import msgspec
from zstandard import ZstdCompressor, ZstdDecompressor

from joute.files import cache_folder
from joute.host.building.sources import folder_files
from joute.host.names import BotSpec, parse_bot, prefixes
from joute.host.sandbox.paths import of_program, own
from joute.play.game import SeatSpec

FOLDER = "bots"  # in the cache folder
_EXECUTABLE = 0o755
_PLAIN = 0o644


class Bundle(msgspec.Struct, frozen=True):
    """Files, packed. The same files have the same name."""

    name: str  # a hash, 32 hex digits
    content: bytes


class PackedBot(msgspec.Struct, frozen=True):
    """A bot as a worker finds it: its files are in a bundle, or at the place that its name says."""

    seat: SeatSpec
    content: str  # hash of the bot's files
    bundle: str = ""  # its name; "" if nothing travels
    inside: str = ""  # the folder of the bundle that the bot's relative path starts from

    def here(self) -> SeatSpec:
        """The seat on this machine, where the bundle is unpacked."""
        if not self.bundle:
            return self.seat
        base = cache_folder() / FOLDER / self.bundle / self.inside
        return msgspec.structs.replace(self.seat, base=str(base))


class _File(msgspec.Struct, frozen=True, array_like=True):
    name: str  # below the bundle's folder, with slashes
    executable: bool
    content: bytes


class _Content(msgspec.Struct, frozen=True):
    inside: str  # see PackedBot; the folder is there even if no file is
    files: list[_File]


def pack(seat: SeatSpec, hidden: Iterable[str]) -> tuple[PackedBot, Bundle | None]:
    """A bot as it travels; no bundle if it has no files, or an absolute name.

    `hidden` are the files of the other bots. Raises BotError, OSError.
    """
    base = Path(seat.base)
    bot = parse_bot(seat.bot, base, seat.python)
    found = sorted(set(_files(bot, base, list(hidden))))
    if not found:
        return PackedBot(seat, seat.content()), None
    root = Path(commonpath([base, *found]))
    files = [
        _File(
            path.relative_to(root).as_posix(), bool(path.stat().st_mode & 0o100), path.read_bytes()
        )
        for path in found
    ]
    inside = base.relative_to(root).as_posix()
    plain = msgspec.msgpack.encode(_Content(inside, files))
    name = hashlib.blake2b(plain, digest_size=16).hexdigest()
    return (
        PackedBot(seat, seat.content(), name, inside),
        Bundle(name, ZstdCompressor().compress(plain)),
    )


def unpack(bundle: Bundle) -> None:
    """Has the files of a bundle in this machine's cache folder. Raises OSError."""
    folder = cache_folder() / FOLDER
    if (folder / bundle.name).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    plain = ZstdDecompressor().decompress(bundle.content)
    fresh = Path(tempfile.mkdtemp(prefix=".", dir=folder))
    try:
        content = msgspec.msgpack.decode(plain, type=_Content)
        (fresh / content.inside).mkdir(parents=True, exist_ok=True)
        for file in content.files:
            path = fresh / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            path.chmod(_EXECUTABLE if file.executable else _PLAIN)
        fresh.chmod(_EXECUTABLE)
        _place(fresh, folder / bundle.name)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _place(fresh: Path, place: Path) -> None:
    """Gives a whole folder its name, unless another worker of this machine was first."""
    try:
        fresh.rename(place)
    except OSError:
        if not place.exists():
            raise


def _files(bot: BotSpec, base: Path, hidden: list[str]) -> Iterator[Path]:
    if bot.kind in ("python", "sources") and bot.path is not None:
        if not _is_absolute(bot.text):
            for path in own(bot.path, hidden):
                yield from _below(Path(path))
    elif bot.kind == "program":
        for path in of_program(bot.command, bot.folder, "", hidden):
            if Path(path).is_relative_to(base) and not _is_absolute(bot.text):
                yield from _below(Path(path))


def _is_absolute(text: str) -> bool:
    """Whether a bot's name, or the first word of its command, is a place that is no other's."""
    prefix, colon, rest = text.partition(":")
    path = rest if colon and prefix in prefixes() else text
    return Path(path).expanduser().is_absolute()


def _below(path: Path) -> list[Path]:
    """A file, or those below a folder that make a bot what it is."""
    return folder_files(path) if path.is_dir() else [path]
