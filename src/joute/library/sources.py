"""The text of a game's rules: what no operation may hold, found before anything is run.

Names are looked up where the rules use them, so that `from random import randint` is found too, and
functions that operations call are read like these.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from joute.core.interface import rules_of

KERNELS = (
    "mover", "legal", "play", "returns", "chances", "draw", "pick", "mask", "points",
    "lead_bounds", "pending", "promise", "seen", "determinize", "features",
)  # fmt: skip
"""The operations that are compiled."""
_DRAWS = {"random", "time", "datetime", "secrets", "uuid", "numpy.random"}  # modules
_CHANGING = {"add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault",
             "update"}  # fmt: skip


class Misuse(NamedTuple):
    """A line of the rules that holds what none may hold."""

    operation: str
    kind: str  # "draws", "global", "print" or "raise"
    file: str
    line: int


def misuses(game_class: type) -> list[Misuse]:
    """The lines of a game's operations, and of what they call, that may not be there."""
    found: dict[tuple[str, int, str], Misuse] = {}
    for name, rule in rules_of(game_class).items():
        for function in reached(rule):
            for kind, line in _lines(function, name in KERNELS):
                file = function.__code__.co_filename
                found.setdefault((file, line, kind), Misuse(name, kind, file, line))
    return list(found.values())


def reached(rule: Any) -> Iterator[FunctionType]:
    """A rule and the functions of its package that it calls, these included."""
    package = rule.__module__.partition(".")[0]
    waiting, seen = [rule], set[int]()
    while waiting:
        function = waiting.pop()
        function = getattr(function, "py_func", function)
        if not isinstance(function, FunctionType) or id(function) in seen:
            continue
        if function.__module__.partition(".")[0] != package:
            continue
        seen.add(id(function))
        yield function
        known = function.__globals__
        waiting += [known[name] for name in function.__code__.co_names if name in known]


def _lines(function: Callable[..., Any], is_kernel: bool) -> Iterator[tuple[str, int]]:
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source)
    except (OSError, SyntaxError):
        return
    for node in ast.walk(tree):
        kind = _kind(node, function, is_kernel)
        if kind:
            yield kind, function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1


def _kind(node: ast.AST, function: Any, is_kernel: bool) -> str:
    if isinstance(node, ast.Global | ast.Nonlocal):
        return "global"
    if isinstance(node, ast.Name | ast.Attribute) and _draws(_meant(node, function)):
        return "draws"
    if not is_kernel:
        return ""
    if isinstance(node, ast.Raise | ast.Assert):
        return "raise"
    if isinstance(node, ast.Call) and _meant(node.func, function) is print:
        return "print"
    return "global" if _changes_global(node, function) else ""


def _changes_global(node: ast.AST, function: Any) -> bool:
    """Whether a node writes to a list, dictionary, set or array that is global."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        owner: ast.AST = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in _CHANGING:
            return False
        owner = node.func.value
    else:
        return False
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    meant = _meant(owner, function)
    return meant is not None and not isinstance(meant, ModuleType)


def _meant(node: ast.AST, function: Any) -> Any:
    """The global object that a name stands for; None for a name of the function's own."""
    if isinstance(node, ast.Attribute):
        owner = _meant(node.value, function)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    if not isinstance(node, ast.Name):
        return None
    code = function.__code__
    if node.id in code.co_varnames + code.co_cellvars + code.co_freevars:
        return None
    return function.__globals__.get(node.id, getattr(builtins, node.id, None))


def _draws(meant: Any) -> bool:
    """Whether an object is of chance or of the clock, and so not the same at every call."""
    if meant is None or isinstance(meant, ModuleType):
        return False
    owner = type(getattr(meant, "__self__", None)).__module__
    names = {str(getattr(meant, "__module__", None)), owner}
    return any(name == each or name.startswith(f"{each}.") for name in names for each in _DRAWS)
