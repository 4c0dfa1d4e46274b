"""What belongs to a bot of one file: the modules beside it that it imports, the files it names.

A folder of bots of one file each is everybody's, so that what lies beside a bot is not all its own.
A bot that needs more than this finds is given a folder of its own.
"""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path

_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+([\w., \t]+)", re.MULTILINE)
_NAME = re.compile(rb"[\w-]+\.[\w.-]+")
_QUOTED = re.compile(rb"""["'/ ]([\w-]+)(?=["'/])""")
_TEXTS = (".py", ".sh", "")
"""Endings of files that may name others in turn."""
_MOST_BYTES = 1 << 20


def companions(path: Path) -> tuple[Path, ...]:
    """What lies beside a bot and is named by it, or by what is so named; never a hidden file."""
    try:
        changed = path.stat().st_mtime_ns, path.parent.stat().st_mtime_ns
    except OSError:
        return ()
    return _companions(path, changed)


@functools.lru_cache(maxsize=256)
def _companions(path: Path, changed: tuple[int, int]) -> tuple[Path, ...]:
    entries = [each.name for each in os.scandir(path.parent) if not each.is_symlink()]
    beside = [path.parent / each for each in entries if each[0] != "." and each != "__pycache__"]
    found = {path}
    to_read = [path]
    while to_read:
        modules, names = _named(to_read.pop())
        for each in beside:
            module = each.suffix == ".py" or each.is_dir()
            known = os.fsencode(each.name) in names or (
                module and os.fsencode(each.stem) in modules
            )
            if known and each not in found:
                found.add(each)
                if each.suffix in _TEXTS and each.is_file():
                    to_read.append(each)
    return tuple(sorted(found - {path}))


def _named(path: Path) -> tuple[set[bytes], set[bytes]]:
    """The modules that a file imports; the names of files, and of folders in quotes, in it."""
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES)
    except OSError:
        return set(), set()
    modules = {
        words.split()[0].split(b".")[0]
        for line in _IMPORT.findall(text)
        for words in line.split(b",")
        if words.split()
    }
    return modules, {*_NAME.findall(text), *_QUOTED.findall(text)}
