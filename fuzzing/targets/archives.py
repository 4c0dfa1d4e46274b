"""Submissions: what is uploaded, zips and folders of bots, read without running any of them."""

from __future__ import annotations

import io
import os
import shutil
import stat
import tempfile
import warnings
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing.mutation import bytes_changed
from fuzzing.target import Pool
from joute.contest.config.entries import own_presentation
from joute.contest.config.sources import ZIP_ERRORS, UnreadableError, files_of, imports_of
from joute.contest.config.submission import SubmissionRules, breaches
from joute.contest.errors import ConfigError
from joute.host.child import loading
from joute.host.child.errors import CannotLoad
from joute.host.content import content_hash
from joute.host.names import BotError, BotSpec, parse_bot
from joute.web.errors import RequestRefusal
from joute.web.registration.archives import checked

_BOT = b"import random\nfrom math import sqrt\n\ndef play(observation, clock):\n    return 0\n"
_OWN = b'name = "Ann"\nauthors = ["Ann Onym"]\ndescription = "Looks ahead."\n'
_RULES = SubmissionRules(required=("bot.py", "*.txt", "*/x"), forbidden_imports=("os", "socket"))
_NAMES = (
    "bot.py", "main.py", "agent.py", "__init__.py", "joute.toml", "helper.py", "data.txt",
    "a/bot.py",
    "a/__init__.py", "a/joute.toml", "b/x", "a/", "../bot.py", "/bot.py", "C:bot.py", "a\\bot.py",
    ".hidden",
    "__MACOSX/x", "__pycache__/x.pyc", "a/../bot.py", "", ".", "é.py", "\x1b.py", "x" * 300,
    "bot.py/x",
)  # fmt: skip
_CONTENTS = (
    _BOT, b"", _OWN, b"import os\n", b"from socket import *\n", b"import a\nimport helper\n",
    b"\x00",
    b"\xff\xfe", b"__import__('os')\n", b"def", b"(" * 3000, b"-" * 20000 + b"1",
    b"x = " + b"1+" * 9000 + b"1",
    b"# coding: nothing\n", b"\xef\xbb\xbf" + _BOT, b"\\N{x}", b"'\\d'", b"9" * 5000,
    b"x.y\n" * 2000, b" " * 70000,
    b"name = 1\n", b"[x]\n" * 200, b"name = '\\u202e'\n", b"a = " + b"[" * 2000, b"a.b.c = 1\n",
    b"\xe9",
)  # fmt: skip
_MODES = (0, stat.S_IFREG | 0o644, stat.S_IFDIR | 0o755, stat.S_IFLNK | 0o777, stat.S_IFIFO)
_WORDS = (
    b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"\xff" * 4, b"\x00" * 4, b"bot.py",
    b"../", b"\x09\x00", b"\x63\x00", b"\x01\x00",
)  # fmt: skip

Entry = tuple[str, bytes, int, int]
"""A name, its content, the kind of file that it says it is, and how it is packed."""


def seeds() -> list[bytes]:
    """Zips and a file as they are handed in."""
    plain, packed, mode = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _MODES[1]
    bot = ("bot.py", _BOT, mode, packed)
    return [
        _BOT,
        packed_zip([bot]),
        packed_zip([bot, ("joute.toml", _OWN, mode, plain), ("data.txt", b"1", mode, packed)]),
        packed_zip([("a/bot.py", _BOT, mode, packed), ("a/joute.toml", _OWN, mode, packed)]),
        packed_zip(
            [("agent.py", _BOT, 0, plain), ("__init__.py", b"", 0, plain), ("a/", b"", 0, plain)]
        ),
    ]


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Zips of odd files, and zips with bytes changed."""
    return _zips() | bytes_changed(pool, _WORDS) | st.sampled_from(_CONTENTS)


@st.composite
def _zips(draw: DrawFn) -> bytes:
    entry = st.tuples(
        st.sampled_from(_NAMES),
        st.sampled_from(_CONTENTS) | st.binary(max_size=20),
        st.sampled_from(_MODES),
        st.sampled_from((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)),
    )
    case = packed_zip(draw(st.lists(entry, max_size=5)))
    return draw(bytes_changed([case], _WORDS)) if draw(st.booleans()) else case


def packed_zip(entries: Sequence[Entry]) -> bytes:
    """A zip of these entries, in their order, twice the same name as well."""
    content = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(content, "w") as archive:
        warnings.simplefilter("ignore")
        for name, data, mode, packing in entries:
            info = zipfile.ZipInfo(name or "x")
            info.orig_filename = info.filename = name
            info.external_attr = mode << 16
            info.compress_type = packing
            archive.writestr(info, data)
    return content.getvalue()


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="archives-"))


def check(case: bytes) -> str:
    """Archives that are taken can be read and hashed; any other is refused with a reason."""
    refusal = ""
    name = "bot.zip" if case.startswith(b"PK") else "bot.py"
    try:
        checked(case, name)
    except RequestRefusal as error:
        refusal = str(error)
        assert refusal
    path = _folder() / name
    path.write_bytes(case)
    _read(path)
    if name == "bot.zip":
        with suppress(CannotLoad):
            loading._zip_entry(str(path))
        _read(_laid_out(path))
    else:
        with suppress(UnreadableError):
            imports_of(case)
    return refusal


def _read(path: Path) -> None:
    """Reads a bot in every way in which it is read before it runs."""
    try:
        bot = parse_bot(str(path))
    except BotError:
        return
    assert content_hash(bot) == content_hash(bot)
    for breach in breaches(_RULES, bot):
        assert str(breach).isprintable() or "\n" in str(breach), breach
    _files(bot)
    with suppress(ConfigError):
        own_presentation(bot)


def _files(bot: BotSpec) -> None:
    with suppress(UnreadableError):
        files = files_of(bot)
        for name in files.names if files else ():
            with suppress(UnreadableError):
                files.read(name)


def _laid_out(path: Path) -> Path:
    """A folder with the files that a zip names, links and pipes too, as far as they stay in it."""
    folder = _folder() / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with suppress(*ZIP_ERRORS), zipfile.ZipFile(path) as archive:
        for entry in archive.infolist()[:20]:
            _lay(folder, entry, archive)
    return folder


def _lay(folder: Path, entry: zipfile.ZipInfo, archive: zipfile.ZipFile) -> None:
    place = folder / entry.filename
    if folder.resolve() not in Path(os.path.normpath(place)).parents or os.path.lexists(place):
        return
    kind = stat.S_IFMT(entry.external_attr >> 16)
    with suppress(OSError, ValueError):
        place.parent.mkdir(parents=True, exist_ok=True)
        if kind == stat.S_IFLNK:
            place.symlink_to(("bot.py", ".", "/nothing", place.name)[entry.CRC % 4])
        elif kind == stat.S_IFIFO:
            os.mkfifo(place)
        elif not entry.is_dir():
            place.write_bytes(archive.read(entry)[: 1 << 17])
