"""Finds and imports a bot: a file, a folder or a zip."""

import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import sys
from types import FunctionType, ModuleType

from .errors import CannotLoad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import List, Optional, Tuple

PACKAGE = "__init__.py"
ENTRIES = ("bot.py", "main.py", "agent.py", PACKAGE)
"""The file that a folder or a zip is entered by, the first that exists."""
AGENT = "agent"
"""The folder, and the entry in it, of bots that are packages, as some contests ask for."""


def load(path: str) -> "ModuleType":
    """The bot's module, imported with its own folder first in the path.

    That folder is a package, too, by its name: `from agent.helper import pick` is for contests that
    start their bots in the folder above. Whatever the bot raises while it is imported comes
    through; CannotLoad if there is no file.
    """
    path = os.path.abspath(path)
    if os.path.isdir(path):
        names = os.listdir(path)
        entry = _entry(names, path)
        if _packaged(entry, names):
            package = _from_file(os.path.join(path, PACKAGE))
            return _agent_of(package)
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
    return entry == AGENT + ".py" and PACKAGE in names


def _agent_of(package: "ModuleType") -> "ModuleType":
    """The entry of a package, which can import its files as those of `agent`, whatever its name."""
    sys.modules.setdefault(AGENT, package)
    return importlib.import_module(package.__name__ + "." + AGENT)


def _entry(names: "List[str]", where: str) -> str:
    for entry in ENTRIES:
        if entry in names:
            return entry
    raise CannotLoad(f"none of {', '.join(ENTRIES)} in {where}")


def _from_file(path: str) -> "ModuleType":
    folder, filename = os.path.split(path)
    stem = os.path.splitext(filename)[0]
    if stem == "__init__":
        stem = os.path.basename(folder)
    if stem in getattr(sys, "stdlib_module_names", ()):
        # A bot called `random.py` that imports random means the library, not itself.
        importlib.import_module(stem)
    name = "bot_" + stem if stem in sys.modules else stem
    sys.path.insert(0, folder)
    sys.meta_path.insert(0, _FolderFinder(folder))
    # The folder's name may be the file's: `agent/agent.py`, of which `agent.helper` is imported.
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[folder])
    if spec is None or spec.loader is None:
        raise CannotLoad("not a Python file: " + path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class _FolderFinder:
    """Finds a bot's folder as a package, by its name, unless an installed module has that name."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._name = os.path.basename(folder)

    def find_spec(
        self, name: str, path: "object" = None, target: "object" = None
    ) -> "Optional[ModuleSpec]":
        """The folder's specification; None for any other name."""
        if name != self._name:
            return None
        file = os.path.join(self._folder, name + ".py")
        if not os.path.isfile(file):
            if importlib.machinery.PathFinder.find_spec(name) is not None:
                return None
            file = os.path.join(self._folder, PACKAGE)
        inside = [self._folder]
        if os.path.isfile(file):
            return importlib.util.spec_from_file_location(
                name, file, submodule_search_locations=inside
            )
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = inside
        return spec


def _from_zip(path: str) -> "ModuleType":
    place, name, packaged = _zip_entry(path)
    sys.path.insert(0, place)
    if packaged:
        return _agent_of(_zip_package(place))
    return importlib.import_module(name)


def _zip_package(place: str) -> "ModuleType":
    """A folder in a zip, or its root, imported as a package."""
    import zipimport

    stem = os.path.splitext(os.path.basename(place))[0]
    name = "bot_" + stem if stem in sys.modules else stem
    package = ModuleType(name)
    package.__path__ = [place]
    sys.modules[name] = package
    exec(zipimport.zipimporter(place).get_code("__init__"), package.__dict__)  # noqa: S102
    return package


def _zip_entry(path: str) -> "Tuple[str, str, bool]":
    """The place in the zip to import from, its root or the one folder at its top; as a package?"""
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
