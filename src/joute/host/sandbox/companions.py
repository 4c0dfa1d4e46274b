"""What belongs to a bot of one file: the modules beside it that it imports, and what these import.

A folder of bots of one file each is everybody's, so that what lies beside a bot is not all its own:
neither data that it names nor a module that is only mentioned. A bot that needs more is given a
folder of its own.
"""

from __future__ import annotations

import ast
import functools
import os
import re
from collections.abc import Iterator
from pathlib import Path

_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+([\w., \t]+)", re.MULTILINE)
_NAME = re.compile(r"""["']([^"'\n]{0,200}/)?([\w-][\w.-]*\.\w+)["']""")
_CODE = (".py", ".so", ".pyd")
_CALLS = ("import_module", "__import__")
_MOST_BYTES = 1 << 20


def companions(path: Path) -> tuple[Path, ...]:
    """The modules beside a bot that it imports, itself or by another; never a hidden file."""
    try:
        changed = path.stat().st_mtime_ns, path.parent.stat().st_mtime_ns
    except OSError:
        return ()
    return _companions(path, changed)


def missed(path: Path) -> tuple[str, ...]:
    """The names of files beside a bot of one file that its text has in quotes, but it cannot read.

    For words to its author: what it names is data that it will look for in vain.
    """
    if path.suffix != ".py":
        return ()
    own = {path, *companions(path)}
    texts = [_text(each) for each in own if each.suffix == ".py"]
    named = {name for text in texts for _, name in _NAME.findall(text)}
    beside = (path.parent / name for name in sorted(named))
    return tuple(each.name for each in beside if each not in own and each.is_file())


@functools.lru_cache(maxsize=256)
def _companions(path: Path, changed: tuple[int, int]) -> tuple[Path, ...]:
    found = {path}
    to_read = [path]
    while to_read:
        for name in _imported(_text(to_read.pop())):
            fresh = set(_modules(path.parent, name)) - found
            found |= fresh
            to_read += [each for each in fresh if each.suffix == ".py"]
    return tuple(sorted(found - {path}))


def _modules(folder: Path, name: str) -> Iterator[Path]:
    """The files of the module or of the package of a name in a folder."""
    for entry in os.scandir(folder):
        if entry.is_symlink():
            continue  # whoever made it may have made it lead anywhere
        if entry.is_dir() and entry.name == name:
            yield from _code(folder / name)
        elif entry.name.split(".")[0] == name and entry.name.endswith(_CODE):
            yield folder / entry.name


def _code(package: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(package):
        folders[:] = [each for each in folders if each.isidentifier() and each != "__pycache__"]
        inside = (Path(where) / each for each in files if each.endswith(_CODE))
        yield from (each for each in inside if each.name[0] != "." and not each.is_symlink())


def _imported(text: str) -> set[str]:
    """The first names of the modules that a text imports.

    Of a text that this Python cannot read, those of the lines that look like it.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        lines = (line.split(",") for line in _IMPORT.findall(text))
        found = {word.split()[0] for words in lines for word in words if word.split()}
    else:
        found = {name for node in ast.walk(tree) for name in _names(node)}
    return {name.split(".")[0] for name in found if name.split(".")[0].isidentifier()}


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        # `from . import x` is for what lies in a package; beside a bot it names x itself.
        yield from [node.module] if node.module else (alias.name for alias in node.names)
    elif isinstance(node, ast.Call) and node.args:
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        given = node.args[0]
        if name in _CALLS and isinstance(given, ast.Constant) and isinstance(given.value, str):
            yield given.value


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
