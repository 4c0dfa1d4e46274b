"""The games there are: those that are installed, Joute's own among them, and those of a path.

A package offers a game by an entry point of the group `joute.games`: the game's name, and the
module that holds its card, `tron = "joute.games.tron"`. A game's name may also be the path of a
file or folder of Python, as `./hex.py`; there the rules alone will do.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from joute.core.card import Card
from joute.core.errors import GameError
from joute.i18n import words
from joute.i18n.words import Sentence, hinted

GROUP = "joute.games"

_loaded: dict[str, Card] = {}  # by the name they were asked for, and by their own
_failed: dict[str, str] = {}


@cache
def _installed() -> Mapping[str, str]:
    """The module of each installed game; a module that is gone is none."""
    from importlib.metadata import entry_points  # takes 20 ms

    return {each.name: each.module for each in entry_points(group=GROUP) if _exists(each.module)}


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:  # a package on the way to it is gone
        return False


def names() -> list[str]:
    """The names of the installed games, sorted."""
    return sorted(_installed())


def cards() -> list[Card]:
    """The cards of all installed games that can be imported, by name; see `failed`."""
    found = []
    for name in names():
        try:
            found.append(card(name))
        except Exception as error:  # whatever a stranger's module raises
            _failed[name] = f"{type(error).__name__}: {error}"
    return found


def usual() -> str:
    """The game of commands and contests that are told none; "" where no card says that it is."""
    return next((each.name for each in cards() if each.usual), "")


def known() -> list[Card]:
    """The cards of the installed games, and of those that were loaded from a path."""
    return list({each.name: each for each in [*cards(), *_loaded.values()]}.values())


def find(name: str) -> Card | None:
    """The card of a game that is installed or was loaded from a path, if there is one.

    For names that strangers send: it imports nothing from a path.
    """
    return card(name) if name in _loaded or name in _installed() else None


def failed() -> dict[str, str]:
    """Why installed games cannot be used, by name, once `cards` has tried."""
    return dict(_failed)


def is_path(name: str) -> bool:
    """Whether a game's name is the path of its file or folder."""
    return "/" in name or "\\" in name or name.endswith(".py")


def card(name: str) -> Card:
    """The card of the game of this name or path. Raises GameError if there is none."""
    if name not in _loaded:
        found = _at_path(name) if is_path(name) else _of_package(name)
        _loaded[name] = found
        _loaded.setdefault(found.name, found)
        if is_path(name):
            words.forget()  # it may bring its own
    return _loaded[name]


def card_of(game: Any) -> Card:
    """The card of a game that was made: an empty one for a game that the registry did not make."""
    from joute.core.interface import properties

    name = properties(game).name
    known = name in _loaded or name in _installed()
    return card(name) if known else Card(name=name, rules="")


def make(name: str, **values: Any) -> Any:
    """The game of this name or path with these parameters. Raises GameError for either."""
    maker = maker_of(name)
    known = inspect.signature(maker).parameters
    for key in values:
        if key not in known:
            raise GameError(
                Sentence("error.game.parameter", game=name, key=key, known=", ".join(known))
            )
    return maker(**values)


def defaults(name: str) -> dict[str, Any]:
    """The parameters of a game and their usual values. Raises GameError."""
    found = inspect.signature(maker_of(name)).parameters
    return {key: each.default for key, each in found.items()}


def maker_of(name: str) -> Callable[..., Any]:
    """The function that makes the game of this name. Raises GameError."""
    found = card(name)
    maker: Callable[..., Any] = found.load(found.rules)
    return maker


def _of_package(name: str) -> Card:
    installed = _installed()
    if name not in installed:
        near = get_close_matches(name, installed, n=1)
        unknown = Sentence("error.game.unknown", name=name, known=", ".join(names()))
        raise GameError(hinted(unknown, list(map(repr, near))))
    return _card_in(import_module(installed[name]))


def _at_path(name: str) -> Card:
    """The card of a file, or of a folder with an `__init__.py`. Raises GameError."""
    path = Path(name).expanduser().resolve()
    source = path / "__init__.py" if path.is_dir() else path
    if not source.is_file():
        raise GameError(Sentence("error.game.nowhere", path=name))
    # Named after its place: two files of one name are two modules, with kernels of their own.
    place = hashlib.blake2b(bytes(path), digest_size=6).hexdigest()
    module = f"joute_game_{path.stem}_{place}"
    if module not in sys.modules:
        folders = [str(path)] if path.is_dir() else None
        spec = spec_from_file_location(module, source, submodule_search_locations=folders)
        if spec is None or spec.loader is None:
            raise GameError(Sentence("error.game.python", path=name))
        made = sys.modules[module] = module_from_spec(spec)
        try:
            spec.loader.exec_module(made)
        except Exception as error:
            del sys.modules[module]
            reason = f"{type(error).__name__}: {error}"
            raise GameError(Sentence("error.game.import", path=name, reason=reason)) from None
    found = _card_in(sys.modules[module])
    if found.name in _installed():
        raise GameError(Sentence("error.game.taken", path=name, name=found.name))
    return found


def _card_in(module: ModuleType) -> Card:
    """The card that a module holds as CARD, or one of nothing but the rules in it."""
    found = getattr(module, "CARD", None)
    if not isinstance(found, Card):
        found = Card(name=_named(module), rules=f"{module.__name__}:{_maker(module)}")
    is_package = hasattr(module, "__path__")
    folder = Path(str(module.__file__)).parent if is_package else None
    return replace(found, package=module.__name__, folder=folder)


def _maker(module: ModuleType) -> str:
    """The name of what makes the game of a module: its `make`, or its class. Raises GameError."""
    from joute.core.interface import has_rules

    if hasattr(module, "make"):
        return "make"
    classes = [
        name
        for name, each in vars(module).items()
        if isinstance(each, type) and each.__module__ == module.__name__ and has_rules(each)
    ]
    if len(classes) != 1:
        found = ", ".join(classes) or Sentence("error.game.no_class")
        raise GameError(Sentence("error.game.classes", path=module.__file__, found=found))
    return classes[0]


def _named(module: ModuleType) -> str:
    from joute.core.interface import properties

    return properties(getattr(module, _maker(module))()).name


def _word_files(language: str) -> list[Path]:
    """The games' own parts of a catalog."""
    found = (each.file(f"words/{language}.json") for each in known())
    return [each for each in found if each is not None]


words.add_source(_word_files)
