"""Finds and imports a bot: a file, a folder or a zip; tells which interface it has."""

import importlib
import importlib.util
import os
import sys
from types import FunctionType

from .errors import CannotLoad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import List, Tuple

ENTRIES = ("bot.py", "main.py", "agent.py", "__init__.py")
"""The file that a folder or a zip is entered by, the first that exists."""

INTERFACES = (("hx2", "ia"), ("class", "Bot"), ("function", "play"), ("workshop", "Play"))
"""Each interface with the name in the module that shows it, in the order they are tried."""

_WANTED = {
    "hx2": "ia(game, side)",
    "class": "Bot",
    "function": "play(observation, clock)",
    "workshop": "Play(Game), nor a single function of another name,",
}
_LOOKED_FOR = (
    "function ia(game, side), class Bot, function play(observation, clock) or function Play(Game)"
)


def load(path: str) -> "ModuleType":
    """The bot's module, imported with its own folder first in the path.

    Whatever the bot raises while it is imported comes through; CannotLoad if there is no file.
    """
    path = os.path.abspath(path)
    if os.path.isdir(path):
        return _from_file(os.path.join(path, _entry(os.listdir(path), path)))
    if not os.path.isfile(path):
        raise CannotLoad("no such file or folder: " + path)
    if path.endswith(".zip"):
        return _from_zip(path)
    return _from_file(path)


def interface_of(module: "ModuleType", forced: str = "") -> str:
    """The bot's interface: `forced`, or the first whose name the module has.

    Raises CannotLoad if the module has not what the interface needs.
    """
    for interface, name in INTERFACES:
        if callable(getattr(module, name, None)) and forced in ("", interface):
            return interface
    if forced == "workshop" and len(own_functions(module)) == 1:
        return forced  # the workshop lets everybody name the function
    looked_for = _WANTED.get(forced, _LOOKED_FOR)
    found = [n for n, value in vars(module).items() if callable(value) and n[:1] != "_"]
    where = getattr(module, "__file__", "the bot")
    raise CannotLoad(f"no {looked_for} in {where}; it has {', '.join(found[:10]) or 'nothing'}")


def own_functions(module: "ModuleType") -> "List[str]":
    """The names of the public functions that the module itself defines."""
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
        if not name.startswith("_")
    ]


def _entry(names: "List[str]", where: str) -> str:
    for entry in ENTRIES:
        if entry in names:
            return entry
    raise CannotLoad(f"none of {', '.join(ENTRIES)} in {where}")


def _from_file(path: str) -> "ModuleType":
    folder, filename = os.path.split(path)
    stem = os.path.splitext(filename)[0]
    package = stem == "__init__"
    if package:
        stem = os.path.basename(folder)
    if stem in getattr(sys, "stdlib_module_names", ()):
        # A bot called `random.py` that imports random means the library, not itself.
        importlib.import_module(stem)
    name = "bot_" + stem if stem in sys.modules else stem
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[folder] if package else None
    )
    if spec is None or spec.loader is None:
        raise CannotLoad("not a Python file: " + path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _from_zip(path: str) -> "ModuleType":
    place, name = _zip_entry(path)
    sys.path.insert(0, place)
    return importlib.import_module(name)


def _zip_entry(path: str) -> "Tuple[str, str]":
    """Where in the zip to import what: its root, or the one folder at its top."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        raise CannotLoad("not a zip file: " + path) from None
    root = [name for name in names if "/" not in name]
    for entry in ENTRIES:
        if entry in root:
            return path, entry[: -len(".py")]
    tops = sorted({name.split("/")[0] for name in names if "/" in name} - {"__MACOSX"})
    if len(tops) != 1:
        expected = ", ".join(ENTRIES)
        raise CannotLoad(f"none of {expected} in {path}, nor in a single folder at its top")
    inside = [name.split("/")[1] for name in names if name.startswith(tops[0] + "/")]
    entry = _entry(inside, path + "/" + tops[0])
    if entry == "__init__.py":
        # The folder is a package: it is imported by its own name, and may import its files.
        sys.path.insert(0, os.path.join(path, tops[0]))
        return path, tops[0]
    return os.path.join(path, tops[0]), entry[: -len(".py")]
