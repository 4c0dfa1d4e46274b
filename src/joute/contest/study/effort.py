"""How much work a bot is: its lines of code, and the numbers that somebody had to choose.

Of a built-in bot the code is its module with all of `joute.bots` and `joute.search` that it
imports, whatever the game; of a bot in Python, its file or the files of its folder.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from joute.bots import module_of
from joute.bots.evaluations import own
from joute.host.names import BotSpec

COUNTED = ("joute.bots.", "joute.search.")  # the beginnings of the modules that count
_SILENT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot is made of."""

    lines: int | None  # of code, without blank ones, comments and docstrings; None: not Python
    modules: dict[str, int]  # the same of each module or file
    options: list[str]  # what can be set after `?`
    tuned: list[str]  # numbers in its code that were chosen by hand


def effort(bot: BotSpec, game: Any = None) -> Effort:
    """What a bot is made of; with the game, the evaluation that it was told to use counts too."""
    if bot.kind == "builtin":
        module = module_of(bot.name, game)
        known = own(game) if game is not None else {}
        used = [known[name].make.__module__ for name in bot.options.values() if name in known]
        modules = {name: code_lines(_source(name)) for name in _modules([module.__name__, *used])}
        options = list(module.make.__kwdefaults__ or {})
        return _effort(modules, options, list(getattr(module, "TUNED", ())))
    files = _files(bot.path) if bot.kind == "python" and bot.path is not None else []
    counted = {file.name: _lines(file) for file in files}
    return _effort({name: lines for name, lines in counted.items() if lines is not None}, [], [])


def _lines(file: Path) -> int | None:
    """The lines of a bot's file that hold code; None if it cannot be read as Python."""
    try:
        return code_lines(file.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError, tokenize.TokenError, RecursionError):
        return None


def code_lines(source: str) -> int:
    """The lines of a Python source that hold code: not blank, no comment, no docstring."""
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _SILENT:
            held.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            held.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(held)


def _effort(modules: dict[str, int], options: list[str], tuned: list[str]) -> Effort:
    lines = sum(modules.values()) if modules else None
    return Effort(lines=lines, modules=modules, options=options, tuned=tuned)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    return [path] if path.suffix == ".py" else []


def _modules(names: list[str]) -> list[str]:
    """Modules and all that count of those they import, directly or not."""
    found = list(dict.fromkeys(names))
    for each in found:
        found += sorted(set(_imported(each)) - set(found))
    return found


def _imported(name: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(_source(name))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            # `from joute.bots import virus` names a module, `from joute.bots import Table` does not
            inside = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from filter(_counts, [node.module, *inside])


def _counts(name: str) -> bool:
    try:
        counts = name.startswith(COUNTED) or ".players." in name
        return counts and find_spec(name) is not None
    except ModuleNotFoundError:  # what is named after the last dot is no module's child
        return False


def _source(name: str) -> str:
    found = find_spec(name)
    return Path((found and found.origin) or "").read_text("utf-8")
