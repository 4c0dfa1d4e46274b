"""The reference of the library, docs/LANGUAGE/api.md, made from its docstrings.

Docstrings are English. docs/api.toml has the same texts in other languages, one for each documented
name, with a hash of the docstring that it was written for; `complaints` says where they differ.
"""

import ast
import hashlib
import inspect
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import joute
import joute.search
from joute.core import interface
from joute.i18n.words import LANGUAGES

DOCS = Path(__file__).parents[2] / "docs"
TEXTS = DOCS / "api.toml"
WIDTH = 90  # columns of a line
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "head": """# The library, name by name

Made from the docstrings by `scripts/reference`; [the guide](library.md) shows how they go together.
Names that are not here may change without notice.
""",
        "Searches": "Searches",
        "operations": """## Operations of games in kernels

Of `joute.core.interface`: what a kernel may ask of a game. `state` is an array as `Position.state`.
""",
        "others": """## Other libraries

The modules of `joute.interop`; [how they are used](interop.md). Each is imported by itself,
`import joute.interop.data`, and needs the extra of its name: what needs a package that is not there
raises a `joute.Error`, an ImportError too, which says what to install.
""",
    },
    "fr": {
        "head": """# La bibliothèque, nom par nom

Fait par `scripts/reference`\u202f; [le guide](library.md) montre comment ces noms vont ensemble.
Ceux qui ne sont pas ici peuvent changer sans préavis.
""",
        "Games and positions": "Jeux et positions",
        "Bots": "Bots",
        "Matches, contests, records": "Matchs, concours, enregistrements",
        "Batches": "Lots de parties",
        "Kernels": "Noyaux",
        "Errors": "Erreurs",
        "Searches": "Recherches",
        "operations": """## Opérations des jeux dans les noyaux

De `joute.core.interface`\u202f: ce qu’un noyau peut demander à un jeu. `state` est un tableau comme
`Position.state`.
""",
        "others": """## Autres bibliothèques

Les modules de `joute.interop`\u202f; [comment on s’en sert](interop.md). Chacun s’importe à part,
`import joute.interop.data`, et demande l’extra de son nom\u202f: si un paquet manque, ce qui en a
besoin lève une `joute.Error`, qui est aussi une ImportError et dit quoi installer.
""",
    },
}  # fmt: skip
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


Say = Callable[[str, str], str]
"""The text of a documented name, given the name and its docstring."""


def place(language: str) -> Path:
    """The file of a language."""
    return DOCS / language / "api.md"


def reference(language: str) -> str:
    """The document in a language."""
    if language == "en":
        return _document("en", lambda _, docstring: docstring)
    told = texts()
    return _document(language, lambda name, _: told[name][language].strip())


def documented() -> dict[str, str]:
    """The docstrings of all documented names, in the order of the document."""
    found: dict[str, str] = {}

    def keep(name: str, docstring: str) -> str:
        found[name] = docstring
        return docstring

    _document("en", keep)
    return found


def texts() -> dict[str, dict[str, str]]:
    """The texts in other languages than English, by documented name, each with `of`, a hash."""
    return tomllib.loads(TEXTS.read_text(encoding="utf-8"))


def hashed(docstring: str) -> str:
    """A short hash of a docstring's words, the same however its lines are broken."""
    return hashlib.sha256(" ".join(docstring.split()).encode()).hexdigest()[:8]


def complaints(told: Mapping[str, Mapping[str, str]], docstrings: Mapping[str, str]) -> list[str]:
    """A sentence for each name whose texts are missing, superfluous or of another docstring."""
    found = []
    for name, docstring in docstrings.items():
        entry, now = told.get(name), hashed(docstring)
        if entry is None:
            found.append(f'{name} is documented and has no text in {TEXTS.name}; of = "{now}"')
        elif entry["of"] != now:
            found.append(
                f"The docstring of {name} has changed: correct its text in {TEXTS.name}, then write"
                f' of = "{now}"'
            )
    gone = [name for name in told if name not in docstrings]
    return [*found, *(f"{name} has a text in {TEXTS.name} and is not documented" for name in gone)]


def _document(language: str, say: Say) -> str:
    words = WORDS[language]
    parts = [words["head"]]
    for title, names in SECTIONS.items():
        parts.append(f"## {words.get(title, title)}\n")
        parts += [_entry("joute", name, _public(name), say) for name in names]
    module = inspect.getdoc(inspect.getmodule(joute.search.uct)) or ""
    searches = say("joute.search", module.split("\n\n", 1)[1])
    parts.append(f"## {words['Searches']}\n\n{searches}\n")
    parts += [_entry("joute.search", name, getattr(joute.search, name), say) for name in SEARCHES]
    parts.append(words["operations"])
    parts += [_operation(name, say) for name in OPERATIONS]
    parts.append(words["others"])
    for name, members in INTEROP.items():
        module = import_module(f"joute.interop.{name}")
        text = _with_code(say(module.__name__, inspect.getdoc(module) or ""))
        parts.append(_described(module.__name__, None, text))
        parts += [_entry(module.__name__, each, getattr(module, each), say) for each in members]
    return "\n".join(parts)


def _with_code(text: str) -> str:
    """A module's text, its example as a block of code."""
    return re.sub(
        r"(?m)(?:^    .*\n)+",
        lambda found: f"```python\n{textwrap.dedent(found[0])}```\n",
        text,
    )


def _public(name: str) -> Any:
    """The function or class of a public name; of two names there are packages too."""
    return getattr(import_module(joute._PUBLIC[name]), name)


def _entry(module: str, name: str, found: Any, say: Say) -> str:
    name = f"{module}.{name}"
    text = say(name, inspect.getdoc(found) or "")
    if not inspect.isclass(found):
        return _described(name, _signature(found), text)
    made = found.__name__ in MADE
    if made and found.__init__.__doc__:
        text += "\n\n" + say(f"{name}.__init__", inspect.cleandoc(found.__init__.__doc__))
    shown = _signature(found) if made else None
    return "\n".join([_described(name, shown, text), *_members(name, found, say)])


def _members(owner: str, found: Any, say: Say) -> Iterator[str]:
    """A class's fields, properties and methods, in the order of its source."""
    if issubclass(found, BaseException) or found.__name__ in ALONE:
        return
    for name, text in _fields(found):
        yield _item(name, say(f"{owner}.{name}", text))
    for name, each in vars(found).items():
        left_out = f"{found.__name__}.{name}" in LEFT_OUT
        if left_out or name.startswith("_") or name in getattr(found, "_fields", ()):
            continue
        is_property = isinstance(each, property | cached_property)
        if is_property or inspect.isfunction(each):
            call = name if is_property else name + _signature(each)
            yield _item(call, say(f"{owner}.{name}", inspect.getdoc(each) or ""))


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


def _operation(name: str, say: Say) -> str:
    tree = ast.parse(inspect.getsource(interface))
    found = next(each for each in tree.body if getattr(each, "name", "") == name)
    assert isinstance(found, ast.FunctionDef)
    arguments = ", ".join(each.arg for each in found.args.args)
    text = say(f"{interface.__name__}.{name}", ast.get_docstring(found) or "")
    return _item(f"{name}({arguments})", text)


def _described(name: str, signature: str | None, text: str) -> str:
    code = "" if signature is None else f"```python\n{_broken(name + signature)}\n```\n\n"
    return f"### `{name}`\n\n{code}{_prose(text)}\n"


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
    listed = re.sub(r"(?m)^    (\w+)(\u202f?:) ", r"- `\1`\2 ", given)
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
    """Write the documents."""
    place("en").write_text(reference("en"), encoding="utf-8")
    if wrong := complaints(texts(), documented()):
        raise SystemExit("\n".join(wrong))
    for language in LANGUAGES:
        place(language).write_text(reference(language), encoding="utf-8")


if __name__ == "__main__":
    main()
