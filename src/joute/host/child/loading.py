"""Finds and imports a bot: a file, a folder or a zip."""

import importlib
import importlib.util
import inspect
import os
import sys
from types import FunctionType, ModuleType

from .errors import CannotLoad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Tuple

PACKAGE = "__init__.py"
ENTRIES = ("bot.py", "main.py", "agent.py", PACKAGE)
"""The file that a folder or a zip is entered by, the first that exists."""


def load(path: str) -> "ModuleType":
    """The bot's module, imported with its own folder first in the path.

    Whatever the bot raises while it is imported comes through; CannotLoad if there is no file.
    """
    path = os.path.abspath(path)
    if os.path.isdir(path):
        names = os.listdir(path)
        entry = _entry(names, path)
        if _packaged(entry, names):
            package = _from_file(os.path.join(path, PACKAGE))
            return importlib.import_module(package.__name__ + ".agent")
        return _from_file(os.path.join(path, entry))
    if not os.path.isfile(path):
        raise CannotLoad("no such file or folder: " + path)
    if path.endswith(".zip"):
        return _from_zip(path)
    return _from_file(path)


def takes(function: object, count: int) -> bool:
    """Whether something can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*range(count))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def own_functions(module: "ModuleType") -> "List[str]":
    """The names of the public functions that the module itself defines."""
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
        if not name.startswith("_")
    ]


def _packaged(entry: str, names: "List[str]") -> bool:
    """Whether the entry is a module of a package, which some contests ask for."""
    return entry == "agent.py" and PACKAGE in names


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
    place, name, packaged = _zip_entry(path)
    sys.path.insert(0, place)
    if packaged:
        return importlib.import_module(_zip_package(place) + "." + name)
    return importlib.import_module(name)


def _zip_package(place: str) -> str:
    """Imports a folder in a zip, or its root, as a package; gives its name."""
    import zipimport

    stem = os.path.splitext(os.path.basename(place))[0]
    name = "bot_" + stem if stem in sys.modules else stem
    package = ModuleType(name)
    package.__path__ = [place]
    sys.modules[name] = package
    exec(zipimport.zipimporter(place).get_code("__init__"), package.__dict__)  # noqa: S102
    return name


def _zip_entry(path: str) -> "Tuple[str, str, bool]":
    """Where in the zip to import what: its root, or the one folder at its top; as a package?"""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
        # Not BadZipFile alone: of names that are no UTF-8, of offsets before the file's beginning.
        raise CannotLoad("not a zip file: " + path) from None
    root = [name for name in names if "/" not in name]
    for entry in ENTRIES:
        if entry in root:
            return path, entry[: -len(".py")], _packaged(entry, root)
    tops = sorted({name.split("/")[0] for name in names if "/" in name} - {"__MACOSX"})
    if len(tops) != 1:
        expected = ", ".join(ENTRIES)
        raise CannotLoad(f"none of {expected} in {path}, nor in a single folder at its top")
    inside = [name.split("/")[1] for name in names if name.startswith(tops[0] + "/")]
    entry = _entry(inside, path + "/" + tops[0])
    if entry == "__init__.py":
        # The folder is a package: it is imported by its own name, and may import its files.
        sys.path.insert(0, os.path.join(path, tops[0]))
        return path, tops[0], False
    return os.path.join(path, tops[0]), entry[: -len(".py")], _packaged(entry, inside)
