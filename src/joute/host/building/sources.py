"""The sources of a bot that is built: the files of its folder or zip, within bounds.

What a compiler has made on the author's machine is none of them: files that begin as compiled
programs, objects and classes do, and folders that are marked as caches (`CACHEDIR.TAG`).
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from joute.host.building.order import PRESENTATION, BuildOrder, hidden, packed, root_of
from joute.i18n.words import Sentence

MOST_FILES = 1000
MOST_BYTES = 64 << 20  # of all together
LARGEST_UPLOAD = 5 << 20  # bytes of a file that is handed in, a zip of them
_FORMAT = b"joute build 1"
_LONGEST_NAME, _LONGEST_PATH = 255, 1024  # bytes of a part of a path, and of a path in a zip
_COMPILED = (b"\x7fELF", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"!<arch>\n")
_CACHE = "CACHEDIR.TAG"


def sources_of(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a bot's folder or zip by their paths, in the order of these.

    Raises ValueError for too many or too much, and for a zip that cannot be read.
    """
    count = total = 0
    for name, content in _files(path):
        if name == PRESENTATION or content.startswith(_COMPILED):
            continue
        count, total = count + 1, total + len(content)
        if count > MOST_FILES:
            raise ValueError(Sentence("error.build.many", most=MOST_FILES))
        if total > MOST_BYTES:
            raise _too_large()
        yield name, content


def compiled_elsewhere(path: Path) -> list[str]:
    """The files of a bot's folder or zip that are no sources because they are compiled.

    Raises ValueError as `sources_of` does.
    """
    return [name for name, content in _files(path) if content.startswith(_COMPILED)]


def _files(path: Path) -> Iterable[tuple[str, bytes]]:
    return _unpacked(path) if path.is_dir() else packed_files(path)[1].items()


def _unpacked(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a folder by their paths, without those of caches in it."""
    for file in files_to_keep(folder):
        if file.stat().st_size > MOST_BYTES:
            raise _too_large()
        yield file.relative_to(folder).as_posix(), file.read_bytes()


def _too_large() -> ValueError:
    return ValueError(Sentence("error.build.large", most=MOST_BYTES >> 20))


def files_to_keep(folder: Path) -> list[Path]:
    """The files that make the bot of a folder, without those of caches in it."""
    files = folder_files(folder)
    caches = {file.parent for file in files if file.name == _CACHE}
    return [file for file in files if not caches.intersection(file.parents)]


def folder_files(folder: Path) -> list[Path]:
    """The files that make the bot of a folder; hidden ones are none."""

    def name(file: Path) -> str:
        return file.relative_to(folder).as_posix()

    files = (file for file in folder.rglob("*") if file.is_file())
    return sorted((file for file in files if not hidden(name(file))), key=name)


def sources_hash(order: BuildOrder, path: Path) -> str:
    """A hash (BLAKE2b, 32 hex digits) of all that a build depends on: its sources and its order."""
    parts: list[bytes] = [_FORMAT, order.command.encode(), order.bot.encode()]
    digest = hashlib.blake2b(digest_size=16)
    for name, content in sources_of(path):
        parts += [name.encode(), content]
        _add(digest, parts)
        parts = []
    _add(digest, parts)
    return digest.hexdigest()


def files_hash(files: Iterable[tuple[str, bytes]]) -> str:
    """A hash (BLAKE2b, 32 hex digits) of files, in their order."""
    digest = hashlib.blake2b(digest_size=16)
    for name, content in files:
        _add(digest, [name.encode(), content])
    return digest.hexdigest()


def _add(digest: hashlib.blake2b, parts: list[bytes]) -> None:
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)


def packed_files(path: Path) -> tuple[str, dict[str, bytes]]:
    """The name of a zip's one folder, if there is nothing else at its top, and the files below it.

    Raises ValueError for a zip that cannot be read, or holds too much.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = packed(archive)
            root = root_of(entries)
            if sum(each.file_size for each in entries.values()) > MOST_BYTES:
                raise _too_large()
            found: dict[str, bytes] = {}
            for name in sorted(entries):
                own = name.removeprefix(root)
                if name.startswith(root) and not hidden(own) and _is_inside(own):
                    if not _is_possible(own):
                        raise ValueError(Sentence("error.file.zip"))
                    with archive.open(entries[name]) as file:
                        found[own] = file.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError):
        raise ValueError(Sentence("error.file.zip")) from None
    return root.rstrip("/"), found


def _is_inside(name: str) -> bool:
    """Whether a path stays in the folder that it is relative to."""
    return all(part not in ("", "..") for part in name.split("/"))


def _is_possible(name: str) -> bool:
    """Whether a file can have this path."""
    try:
        parts = [part.encode() for part in name.split("/")]
    except UnicodeEncodeError:
        return False
    together = sum(map(len, parts)) + len(parts)
    return "\0" not in name and max(map(len, parts)) <= _LONGEST_NAME and together < _LONGEST_PATH
