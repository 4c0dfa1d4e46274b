"""Attacks on the loader of bots: folders, files and zips made to mislead it.

Each function fills an empty folder and returns the name of the bot, as in a contest's file; `aim`
is that of `joute.redteam.targets`. Its docstring says what the attack tries.
"""

from __future__ import annotations

import importlib.util
import os
import py_compile
import stat
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_HONEST = "def play(observation, clock):\n    return 0\n"
_FORGED = "def play(observation, clock):\n    return 'forged'\n"
_READING = "def play(observation, clock):\n    return {{'action': 0, 'message': {expression}}}\n"

_BOMB_MB = 96
_BLANK = b"#" * (1 << 20)
_NAMES = 4000
_LONGEST_NAME = 60_000


def loader_traversal(folder: Path, aim: Mapping[str, Any]) -> str:
    """A zip with names that lead out of it: upwards, from the root, from a drive."""
    archive = folder / "bot.zip"
    name = f"mine-{aim['token']}"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("bot.py", _HONEST)
        for path in (f"../{name}", f"../../{name}", f"{aim['tmp']}/{name}", f"C:\\{name}"):
            file.writestr(path, "left behind")
    return str(archive)


def loader_link(folder: Path, aim: Mapping[str, Any]) -> str:
    """A folder with links to other people's files, which seem to belong to it."""
    for name, target in (("bot_of_other.py", aim["other_bot"]), ("notes.txt", aim["notes"])):
        (folder / name).symlink_to(target)
    expression = "open('notes.txt').read() + open('bot_of_other.py').read()"
    return _bot(folder, _READING.format(expression=expression))


def loader_zip_link(folder: Path, aim: Mapping[str, Any]) -> str:
    """A zip whose program is a link to another bot's file, so that it plays as its own."""
    archive = folder / "bot.zip"
    entry = zipfile.ZipInfo("bot.py")
    entry.create_system = 3
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(entry, str(aim["other_bot"]))
    return str(archive)


def loader_bomb(folder: Path, aim: Mapping[str, Any]) -> str:
    """A zip of a hundred kilobytes that unpacks to a program of 96 MB."""
    archive = folder / "bot.zip"
    with (
        zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
        file.open("bot.py", "w") as entry,
    ):
        for _ in range(_BOMB_MB):
            entry.write(_BLANK)
        entry.write(b"\n" + _HONEST.encode())
    return str(archive)


def loader_device(folder: Path, aim: Mapping[str, Any]) -> str:
    """A bot's file that is a pipe: whoever reads it waits forever."""
    path = folder / "bot.py"
    os.mkfifo(path)
    return str(path)


def loader_device_inside(folder: Path, aim: Mapping[str, Any]) -> str:
    """A folder with pipes, devices and circular links, for a loader that reads all of it."""
    os.mkfifo(folder / "data.txt")
    (folder / "zero.bin").symlink_to("/dev/zero")
    (folder / "circle").symlink_to(folder)
    return _bot(folder, _HONEST)


def loader_names(folder: Path, aim: Mapping[str, Any]) -> str:
    """A zip of thousands of entries: a name of 60 kB, duplicates, a name with a zero byte."""
    archive = folder / "bot.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("bot.py", _HONEST)
        for number in range(_NAMES):
            file.writestr(f"{'d/' * 50}{number}.txt", "")
        file.writestr("x" * _LONGEST_NAME, "")
        file.writestr("y" * 40, "")
    archive.write_bytes(archive.read_bytes().replace(b"y" * 40, b"bot.py\0" + b"y" * 33))
    return str(archive)


def loader_shadow(folder: Path, aim: Mapping[str, Any]) -> str:
    """Files named like modules that the host imports, to run before the bot is isolated."""
    spy = f"import sys\nsys.stderr.write(open({aim['other_bot']!r}).read())\n"
    for name in ("json", "resource", "ctypes", "sitecustomize", "usercustomize", "joute_child"):
        (folder / f"{name}.py").write_text(spy, encoding="ascii")
    for name in ("serve", "channel", "confine", "encodings", "__main__"):
        (folder / f"{name}.py").write_text(spy, encoding="ascii")
    (folder / "spy.pth").write_text(f"import os; {spy!r}\n", encoding="ascii")
    return _bot(folder, _HONEST)


def loader_compiled(folder: Path, aim: Mapping[str, Any]) -> str:
    """Compiled code that does not match its source, so that unchecked code plays."""
    part = folder / "part.py"
    part.write_text(_FORGED, encoding="ascii")
    cached = importlib.util.cache_from_source(str(part))
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(part), cached, doraise=True, invalidation_mode=unchecked)
    part.write_text(_HONEST, encoding="ascii")
    return _bot(folder, "from part import play\n")


def _bot(folder: Path, source: str) -> str:
    (folder / "bot.py").write_text(source, encoding="ascii")
    return str(folder)


SUBMISSIONS: Mapping[str, Callable[[Path, Mapping[str, Any]], str]] = {
    function.__name__: function
    for function in (
        loader_traversal,
        loader_link,
        loader_zip_link,
        loader_bomb,
        loader_device,
        loader_device_inside,
        loader_names,
        loader_shadow,
        loader_compiled,
    )
}
"""The attacks by name."""
