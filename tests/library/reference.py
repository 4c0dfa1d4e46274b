"""The reference of the library, docs/en/api.md, made from its docstrings: `scripts/reference`."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import joute
import joute.search
from joute.core import interface

PLACE = Path(__file__).parents[2] / "docs" / "en" / "api.md"
WIDTH = 90  # columns of a line
HEAD = """# The library, name by name

Made from the docstrings by `scripts/reference`; [the guide](library.md) shows how they go together.
Names that are not here may change without notice.
"""
OTHERS = """## Other libraries

The modules of `joute.interop`; [how they are used](interop.md). Each is imported by itself,
`import joute.interop.data`, and needs the extra of its name: what needs a package that is not there
raises a `joute.Error`, an ImportError too, which says what to install.
"""
SECTIONS = {
    "Games and positions": ("games", "game", "Game", "Position"),
    "Bots": ("bot", "Bot", "Thought"),
    "Matches, contests, records": (
        "match", "Match", "Standings", "contest", "ContestRun", "record", "GameRecord",
    ),
    "Batches": ("Batch",),
    "Kernels": ("kernel",),
    "Errors": (
        "Error", "GameError", "ActionError", "SearchError", "BotError", "ConfigError",
        "RecordError",
    ),
}  # fmt: skip
SEARCHES = ("uct", "ismcts", "flat", "alphabeta", "expectimax", "SearchResult")
INTEROP = {
    "pettingzoo": ("aec_env", "parallel_env"),
    "gymnasium": ("register", "SeatEnv", "BatchEnv"),
    "openspiel": ("load", "register", "OpenSpielBot"),
    "data": ("positions", "save_positions", "load", "tables", "PositionTable"),
}
OPERATIONS = (
    "mover", "legal", "play", "returns", "chances", "draw", "pick", "points", "pending", "promise",
    "seen", "determinize",
)  # fmt: skip
# The classes that a user makes; functions return objects of the others.
MADE = {"Batch", "SeatEnv", "BatchEnv", "OpenSpielBot"}
LEFT_OUT = {"Bot.open", "Bot.seat", "Bot.text"}  # for the layers above
ALONE = {"SeatEnv", "BatchEnv"}  # their methods are those of Gymnasium


def reference() -> str:
    """The whole document."""
    parts = [HEAD]
    for title, names in SECTIONS.items():
        parts += [f"## {title}\n", *(_entry("joute", name, _public(name)) for name in names)]
    module = inspect.getdoc(inspect.getmodule(joute.search.uct)) or ""
    parts += ["## Searches\n", module.split("\n\n", 1)[1] + "\n"]
    parts += [_entry("joute.search", name, getattr(joute.search, name)) for name in SEARCHES]
    parts.append(
        "## Operations of games in kernels\n\nOf `joute.core.interface`: what a kernel may ask of a"
        " game. `state` is an array as `Position.state`.\n"
    )
    for name in OPERATIONS:
        parts.append(_operation(name))
    parts.append(OTHERS)
    for name, members in INTEROP.items():
        module = import_module(f"joute.interop.{name}")
        parts.append(_described(module.__name__, None, _text_of(module)))
        parts += [_entry(module.__name__, each, getattr(module, each)) for each in members]
    return "\n".join(parts)


def _text_of(module: Any) -> str:
    """A module's docstring, its example as a block of code."""
    return re.sub(
        r"(?m)(?:^    .*\n)+",
        lambda found: f"```python\n{textwrap.dedent(found[0])}```\n",
        inspect.getdoc(module) or "",
    )


def _public(name: str) -> Any:
    """The function or class of a public name; of two names there are packages too."""
    return getattr(import_module(joute._PUBLIC[name]), name)


def _entry(module: str, name: str, found: Any) -> str:
    if not inspect.isclass(found):
        return _described(f"{module}.{name}", _signature(found), inspect.getdoc(found))
    shown = _signature(found) if name in MADE else None
    text = inspect.getdoc(found) or ""
    if name in MADE:
        text += "\n\n" + inspect.cleandoc(found.__init__.__doc__ or "")
    return "\n".join([_described(f"{module}.{name}", shown, text), *_members(found)])


def _members(found: Any) -> Iterator[str]:
    """A class's fields, properties and methods, in the order of its source."""
    if issubclass(found, BaseException) or found.__name__ in ALONE:
        return
    for name, text in _fields(found):
        yield _item(name, text)
    for name, each in vars(found).items():
        left_out = f"{found.__name__}.{name}" in LEFT_OUT
        if left_out or name.startswith("_") or name in getattr(found, "_fields", ()):
            continue
        plain = getattr(each, "func", each)  # of a cached property
        if isinstance(each, property) or plain is not each:
            yield _item(name, inspect.getdoc(each) or "")
        elif inspect.isfunction(each):
            yield _item(name + _signature(each), inspect.getdoc(each) or "")


def _fields(found: Any) -> Iterator[tuple[str, str]]:
    """The attributes that are documented by a text after them."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    assert isinstance(tree, ast.ClassDef)
    making = [each for each in tree.body if getattr(each, "name", "") == "__init__"]
    lines = [*tree.body, *(line for each in making for line in each.body)]  # type: ignore[attr-defined]
    for line, after in pairwise(lines):
        text = getattr(getattr(after, "value", None), "value", None)
        if not isinstance(text, str) or not isinstance(after, ast.Expr):
            continue
        target = getattr(line, "target", None) or getattr(line, "targets", [None])[0]
        name = getattr(target, "id", getattr(target, "attr", ""))
        if name and not name.startswith("_"):
            yield name, inspect.cleandoc(text)


def _operation(name: str) -> str:
    tree = ast.parse(inspect.getsource(interface))
    found = next(each for each in tree.body if getattr(each, "name", "") == name)
    assert isinstance(found, ast.FunctionDef)
    arguments = ", ".join(each.arg for each in found.args.args)
    return _item(f"{name}({arguments})", ast.get_docstring(found) or "")


def _described(name: str, signature: str | None, text: str | None) -> str:
    code = "" if signature is None else f"```python\n{_broken(name + signature)}\n```\n\n"
    return f"### `{name}`\n\n{code}{_prose(text or '')}\n"


def _item(name: str, text: str) -> str:
    shown = name.partition("(")[0] if len(name) > WIDTH else name
    code = f"\n\n  ```python\n{textwrap.indent(_broken(name), '  ')}\n  ```\n\n"
    between = code if shown != name else "\n"
    return f"- **`{shown}`**{between}{textwrap.indent(_prose(text), '  ')}\n"


def _broken(call: str) -> str:
    """A signature in lines that are short enough."""
    if len(call) <= WIDTH:
        return call
    head, _, rest = call.partition("(")
    arguments, _, result = rest.rpartition(")")
    parts = re.split(r", (?![^\[]*\])", arguments)
    return "\n".join([f"{head}(", *(f"    {part}," for part in parts), f"){result}"])


def _prose(text: str) -> str:
    """A docstring as Markdown: its arguments become a list."""
    head, mark, rest = text.partition("\nArgs:\n")
    if not mark:
        return text
    given, _, after = rest.partition("\n\n")
    listed = re.sub(r"(?m)^    (\w+): ", r"- `\1`: ", given)
    listed = re.sub(r"(?m)^        ", "  ", listed)
    return f"{head}\n{listed}\n\n{after}".rstrip()


def _signature(found: Any) -> str:
    """A function's arguments and result as its source writes them: the same on any Python."""
    made = found.__init__ if inspect.isclass(found) else found
    tree = ast.parse(textwrap.dedent(inspect.getsource(made))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    arguments = ast.unparse(tree.args).removeprefix("self").removeprefix(", ")
    result = "" if inspect.isclass(found) or tree.returns is None else ast.unparse(tree.returns)
    return f"({arguments})" + (f" -> {result}" if result not in {"", "None"} else "")


def main() -> None:
    """Write the document."""
    PLACE.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
