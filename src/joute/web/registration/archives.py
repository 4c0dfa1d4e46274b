"""Checks of uploaded files, before anything else touches them.

An archive is read through once, within bounds, and refused if it has entries that no bot needs.
Nothing in it is written, run or imported.
"""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

from joute.contest.config.sources import ZIP_ERRORS
from joute.host.building.sources import LARGEST_UPLOAD
from joute.i18n.recognised import foreign
from joute.i18n.words import say
from joute.text import harmless
from joute.web.errors import RequestRefusal

LARGEST_SOURCE = 1024 * 1024  # bytes of a file in Python
LARGEST_UNPACKED = 64 * 1024 * 1024  # bytes, of all that an archive holds
MOST_ENTRIES = 1000
LONGEST_NAME = 80  # characters of a file's name that are kept
_PIECE = 1024 * 1024
_ENTRY = b"PK\x01\x02"  # what an entry of an archive's list begins with
_ENCRYPTED = 0x1
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # all that Python imports from
_KINDS = (0, stat.S_IFREG, stat.S_IFDIR)


def checked(content: bytes, name: str) -> str:
    """The kind of an upload, `.py` or `.zip`. Raises RequestRefusal."""
    suffix = Path(name).suffix.lower()
    if suffix not in (".py", ".zip"):
        raise RequestRefusal(say("submit.refused.kind", file=shown(name)))
    largest = LARGEST_SOURCE if suffix == ".py" else LARGEST_UPLOAD
    if len(content) > largest:
        raise RequestRefusal(say("submit.refused.large", file=shown(name), most=largest // 2**20))
    if not content:
        raise RequestRefusal(say("submit.refused.empty", file=shown(name)))
    if suffix == ".zip":
        _check_archive(content, shown(name))
    return suffix


def shown(name: str) -> str:
    """A file's name as it can be shown: without its folders, printable, not endless."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(mark if mark.isprintable() else "?" for mark in last)[-LONGEST_NAME:]


def _check_archive(content: bytes, name: str) -> None:
    # Counted before the list is read: every entry of it begins so.
    _check_count(content.count(_ENTRY))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_entries(archive.infolist())
            _read_through(archive)
    except ZIP_ERRORS as error:
        raise RequestRefusal(
            say("submit.refused.broken", file=name, reason=foreign(error))
        ) from None


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    """Refuses an archive by the list of its files."""
    _check_count(len(entries))
    seen: set[str] = set()
    for entry in entries:
        path = entry.orig_filename
        if _leads_out(path):
            raise RequestRefusal(say("submit.refused.outside", path=_quoted(path)))
        if harmless(path, "") != path:  # spaces of any width are right: a Mac writes some
            raise RequestRefusal(say("submit.refused.name", path=_quoted(path)))
        if stat.S_IFMT(entry.external_attr >> 16) not in _KINDS:
            raise RequestRefusal(say("submit.refused.link", path=_quoted(path)))
        if entry.flag_bits & _ENCRYPTED:
            raise RequestRefusal(say("submit.refused.locked", path=_quoted(path)))
        if entry.compress_type not in _PACKINGS:
            raise RequestRefusal(say("submit.refused.packed", path=_quoted(path)))
        if path in seen:
            raise RequestRefusal(say("submit.refused.twice", path=_quoted(path)))
        seen.add(path)
    if sum(entry.file_size for entry in entries) > LARGEST_UNPACKED:
        raise _bomb()


def _check_count(count: int) -> None:
    if count > MOST_ENTRIES:
        raise RequestRefusal(say("submit.refused.many", count=count, most=MOST_ENTRIES))


def _leads_out(path: str) -> bool:
    """Whether whoever unpacks it would write elsewhere."""
    return (
        path.startswith(("/", "\\"))
        or path[1:2] == ":"
        or ".." in path.replace("\\", "/").split("/")
    )


def _read_through(archive: zipfile.ZipFile) -> None:
    """Refuses an archive that cannot be read, or holds more than it says."""
    total = 0
    for entry in archive.infolist():
        with archive.open(entry) as file:
            while piece := file.read(_PIECE):
                total += len(piece)
                if total > LARGEST_UNPACKED:
                    raise _bomb()


def _bomb() -> RequestRefusal:
    return RequestRefusal(say("submit.refused.bomb", most=LARGEST_UNPACKED // 2**20))


def _quoted(path: str) -> str:
    """A path as it can be shown, were it endless or unprintable."""
    return ascii(path)[1:-1][:LONGEST_NAME]
