"""Bots that were built or unpacked, kept by the hash of their files: each once on a machine.

In the cache folder, for each that was built: the folder of the bot as it plays, and what is known
of its build; for each zip in Python: the folder that it is unpacked to. Those that nobody has used
for a month are removed with the next one.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import msgspec

from joute.files import cache_folder, put
from joute.host.building.run import USUAL, Build, BuildError, BuildLimits, run_build
from joute.host.building.sources import (
    compiled_elsewhere,
    files_hash,
    packed_files,
    sources_hash,
    sources_of,
)
from joute.host.child.loading import AGENT, ENTRIES, PACKAGE
from joute.host.names import BotSpec, parse_bot
from joute.i18n.recognised import worded
from joute.i18n.words import Sentence

FOLDER, UNPACKED = "builds", "zips"
_BOT, _FACTS, _LOCK = "bot", "build.json", ".lock"
_UNUSED_SECONDS = 30 * 86400.0


class Built(msgspec.Struct, frozen=True):
    """A bot that was built of its sources."""

    sources: str  # the hash of these and of the order
    artefact: str  # the hash of what was made of them
    made: tuple[str, ...]  # the files that were made or changed
    seconds: float  # of CPU, that the build took
    output: str  # what it printed
    folder: str = ""  # where the bot lies as it plays


def built(spec: BotSpec, limits: BuildLimits = USUAL) -> Built:
    """The result of a bot's build; built now if that never happened on this machine.

    Raises BuildError; OSError where the cache folder cannot be written.
    """
    if spec.order is None or spec.path is None:
        raise ValueError(f"{spec.text!r} is not built")
    try:
        key = sources_hash(spec.order, spec.path)
        place = cache_folder() / FOLDER / key
        if (found := _kept(place)) is not None:
            return found
        with _alone(place):
            return _kept(place) or _build(spec, key, place, limits)
    except BuildError as error:
        raise error.of_bot(spec.text) from None
    except ValueError as error:  # of sources that are too many, or in no zip
        raise BuildError(error).of_bot(spec.text) from None


def playable(spec: BotSpec) -> BotSpec:
    """The bot that plays, under its name: of sources what is built of them, of a zip its folder.

    Raises BuildError, BotError where the build has not made it, OSError.
    """
    if spec.order is None:
        return _unpacked(spec)
    folder = Path(built(spec).folder)
    try:
        found = parse_bot(spec.order.bot, folder, spec.python)
    except BuildError:
        raise
    except ValueError as error:
        reason = Sentence("error.build.nothing", bot=spec.order.bot, reason=worded(error))
        if spec.path is not None and (compiled := compiled_elsewhere(spec.path)):
            reason = Sentence("error.build.nothing.compiled", reason=reason, file=compiled[0])
        raise BuildError(reason, built(spec).output).of_bot(spec.text) from None
    return replace(found, text=spec.text, folder=folder)


def _unpacked(spec: BotSpec) -> BotSpec:
    """A zip in Python as the folder that it is unpacked to, so that it can open its files.

    The folder has the name of the zip's one folder, or of the zip; that of an agent, which some
    contests start in the folder above, is `agent`. A zip that cannot be unpacked stays as it is:
    who imports it says what is wrong with it. Raises OSError.
    """
    if spec.kind != "python" or spec.path is None or spec.path.suffix != ".zip":
        return spec
    key = files_hash([(spec.path.stem, spec.path.read_bytes())])
    place = cache_folder() / UNPACKED / key
    with _alone(place):
        try:
            if not place.is_dir():
                _unpack(spec.path, place)
        except ValueError:
            return spec
        place.touch()
        [folder] = place.iterdir()
    return replace(spec, path=folder, folder=folder)


def _unpack(path: Path, place: Path) -> None:
    """Writes the files of a zip below a place, all or none.

    Raises ValueError for a zip that is no bot or cannot be unpacked, OSError.
    """
    root, files = packed_files(path)
    if not any(entry in files for entry in ENTRIES):
        raise ValueError(path)
    name = root or (AGENT if {f"{AGENT}.py", PACKAGE} <= files.keys() else path.stem)
    _sweep(place.parent)
    draft = Path(tempfile.mkdtemp(prefix=".", dir=place.parent))
    try:
        for file, content in files.items():
            _put(draft / name / file, content, _is_script(content))
        draft.rename(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _kept(place: Path) -> Built | None:
    """The build that is kept in a place, marked as used."""
    with suppress(OSError, msgspec.DecodeError):
        found = msgspec.json.decode((place / _FACTS).read_bytes(), type=Built)
        place.touch()
        return msgspec.structs.replace(found, folder=str(place / _BOT))
    return None


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Keeps other processes from the same build meanwhile. Raises OSError."""
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with place.with_suffix(_LOCK).open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _build(spec: BotSpec, key: str, place: Path, limits: BuildLimits) -> Built:
    """Builds a bot and keeps it."""
    _sweep(place.parent)
    order, path = spec.order, spec.path
    if order is None or path is None:
        raise ValueError(f"{spec.text!r} is not built")
    draft = Path(tempfile.mkdtemp(prefix=".", dir=place.parent))
    try:
        bot = draft / _BOT
        bot.mkdir()
        for name, content in sources_of(path):
            _put(bot / name, content, _is_script(content))
        made = run_build(bot, order.command, limits)
        for file in made.files:
            _put(bot / file.name, file.content, file.executable)
        found = _facts(key, made)
        put(draft / _FACTS, msgspec.json.encode(found))
        shutil.rmtree(place, ignore_errors=True)  # of a build that was not kept whole
        draft.rename(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return msgspec.structs.replace(found, folder=str(place / _BOT))


def _facts(key: str, made: Build) -> Built:
    files = sorted(made.files)
    return Built(
        sources=key,
        artefact=files_hash((each.name, each.content) for each in files),
        made=tuple(each.name for each in files),
        seconds=round(made.seconds, 3),
        output=made.output,
    )


def _put(file: Path, content: bytes, executable: bool) -> None:
    """Writes a file, in the place of whatever has its name. Raises BuildError for a folder."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except (NotADirectoryError, IsADirectoryError, FileExistsError):
        raise BuildError(Sentence("error.build.cut")) from None
    file.chmod(0o755 if executable else 0o644)


def _is_script(content: bytes) -> bool:
    return content.startswith(b"#!")


def _sweep(folder: Path) -> None:
    """Removes builds that were not used for long, and what a killed process left of one."""
    oldest = time.time() - _UNUSED_SECONDS
    for each in folder.iterdir():
        with suppress(OSError):
            if each.stat().st_mtime < oldest:
                each.unlink() if each.is_file() else shutil.rmtree(each, ignore_errors=True)
