"""The games there are: those that are installed, Joute's own among them, and those of a path.

A package offers a game by an entry point of the group `joute.games`: the game's name, and the
module that holds its card, `tron = "joute.games.tron"`. A game's name may also be the path of a
file or folder of Python, as `./hex.py`, where the rules alone will do: `named` adds the game of a
path, for this process and, by the variable JOUTE_GAMES, for those that it starts.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from joute.core.card import Card, is_name, is_path
from joute.core.errors import GameError
from joute.errors import Error
from joute.files import from_here
from joute.i18n import words
from joute.i18n.words import Sentence, hinted

GROUP = "joute.games"
VARIABLE = "JOUTE_GAMES"  # of the environment: paths of games beside those that are installed

_loaded: dict[str, Card] = {}  # by their names
_placed: dict[str, Path] = {}  # games of paths, by their names
_failed: dict[str, GameError] = {}


class GameSource(NamedTuple):
    """The origin of the rules of a game that is not Joute's own, for readers of records."""

    path: str  # of a game of a path; of an installed one, its module
    hash: str  # hex digest of the names and contents of its Python files


@cache
def _installed() -> Mapping[str, str]:
    """The module of each installed game; a module that is gone is none."""
    offered: dict[str, str] = {}
    for folder in sys.path:
        for file in _entry_points(folder):
            for name, module in _offers(file.read_text(encoding="utf-8")):
                offered.setdefault(name, module)
    return {name: module for name, module in offered.items() if _exists(module)}


def _entry_points(folder: str) -> list[Path]:
    """The entry points of the packages installed in a folder, a file each.

    Read here, because `importlib.metadata` takes as long to import as half of the command line.
    """
    try:
        found = [each.path for each in os.scandir(folder or ".") if each.name.endswith("-info")]
    except OSError:  # a path that is gone, or an archive
        return []
    files = (Path(path, "entry_points.txt") for path in sorted(found))
    return [file for file in files if file.is_file()]


def _offers(text: str) -> Iterator[tuple[str, str]]:
    """The games' names and modules in a file of entry points (PyPA, "Entry points")."""
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == GROUP and "=" in line:
            name, _, module = line.partition("=")
            yield name.strip(), module.partition(":")[0].partition("[")[0].strip()


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:  # a package on the way to it is gone
        return False


def names() -> list[str]:
    """The names of the games, sorted: those installed, and those of paths that were added."""
    return [each.name for each in cards()]


def cards() -> list[Card]:
    """The cards of all games, by name; those that cannot be imported are among `failed`."""
    found = {}
    for name in {*_installed(), *_placed, *_paths()}:
        try:
            brought = card(name)
            found[brought.name] = brought
        except GameError as error:
            _failed[name] = error  # worded later: the games' own words are being looked for
    return [found[name] for name in sorted(found)]


def usual() -> str:
    """The game of commands and contests that are told none; "" where no card says that it is."""
    return next((each.name for each in cards() if each.usual), "")


def find(name: str) -> Card | None:
    """The card of the game of this name, if there is one.

    For names that strangers send: a path is none.
    """
    return next((each for each in cards() if each.name == name), None)


def failed() -> dict[str, str]:
    """The reasons for which games cannot be used, by name or path."""
    cards()
    return {name: str(error) for name, error in _failed.items()}


def _paths() -> list[str]:
    """The paths of games that the environment names."""
    known = {str(path) for path in _placed.values()}
    told = filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))
    return [path for path in told if path not in known]


def named(name: str, base: Path | None = None) -> str:
    """The name of the game of this name or path, which is relative to `base`. Raises GameError."""
    if not is_path(name):
        return card(name).name
    path = ((base or Path()) / Path(name).expanduser()).resolve()
    found = _at_path(name, path)
    if found.name in _installed():
        if _hash(card(found.name).package) == _hash(found.package):
            return found.name  # installed from there (pip install -e), or from a copy of it
        raise GameError(Sentence("error.game.taken", path=name, name=found.name))
    before = _placed.get(found.name, path)
    if found.name in _loaded and before != path and before.exists():
        if _hash(_loaded[found.name].package) == _hash(found.package):
            return found.name  # of a copy of the file
        facts = {"path": path, "other": before, "name": found.name}
        raise GameError(Sentence("error.game.twice", **facts))
    _loaded[found.name] = found
    _placed[found.name] = path
    told = list(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))
    if str(path) not in told:
        os.environ[VARIABLE] = os.pathsep.join((*told, str(path)))
    words.forget()  # it may bring its own
    return found.name


def card(name: str) -> Card:
    """The card of the game of this name or path. Raises GameError if there is none."""
    if is_path(name):
        name = named(name)
    if name not in _loaded and name not in _installed():
        for path in _paths():  # whose games have names that only they tell
            with suppress(GameError):
                named(path)
    if name not in _loaded and name in _placed:
        named(str(_placed[name]))
    if name not in _loaded:
        _loaded[name] = _of_package(name)
    return _loaded[name]


def remember(name: str, path: str) -> None:
    """Notes where the game of a name was found before; it is read when it is asked for."""
    if name not in _installed():
        _placed.setdefault(name, Path(path))


def path_of(name: str) -> str | None:
    """The path of the game of a name; None for one that is installed."""
    return str(_placed[name]) if name in _placed else None


def path_from(path: str, folder: Path | None = None) -> str:
    """The path of a game as commands name it in a folder, or else here; a bare word is a name."""
    short = os.path.relpath(path, folder) if folder else str(from_here(Path(path)))
    return short if is_path(short) else f"./{short}"


def called(name: str, folder: Path | None = None) -> str:
    """A game as commands name it in a folder, or else here: by its path, if it has one."""
    path = path_of(name)
    return name if path is None else path_from(path, folder)


def named_again(name: str, path: str | None) -> str:
    """The name of a game that was kept with its `path_of`; it is read from there if need be.

    Raises GameError where it is not there any more.
    """
    return name if path is None or path == path_of(name) else named(path)


def source(name: str) -> GameSource | None:
    """The origin of a game's rules; None for Joute's own. Raises GameError."""
    found = card(name)
    if found.package.startswith("joute."):
        return None
    if name in _placed:
        return GameSource(str(_placed[name]), _hash(found.package))
    whole = found.package.partition(".")[0]  # the package that the rules may import from
    regular = getattr(sys.modules[whole], "__file__", None) is not None
    return GameSource(found.package, _hash(whole if regular else found.package))


@cache
def _hash(module: str) -> str:
    """The hash of a loaded module, as it was when this was asked first."""
    return _hash_now(module)


def _hash_now(module: str) -> str:
    """The hash of a loaded module's file, or of all Python files of a package."""
    import hashlib

    loaded = sys.modules[module]
    file = Path(str(loaded.__file__))
    files = sorted(file.parent.rglob("*.py")) if hasattr(loaded, "__path__") else [file]
    digest = hashlib.blake2b(digest_size=16)
    for each in files:
        content = each.read_bytes()
        name = each.relative_to(file.parent).as_posix()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def card_of(game: Any) -> Card:
    """The card of a game that was made: an empty one for a game that the registry did not make."""
    from joute.core.interface import properties

    name = properties(game).name
    known = name in _loaded or name in _installed() or name in _placed
    return card(name) if known else Card(name=name, rules="")


def make(name: str, **values: Any) -> Any:
    """The game of this name or path with these parameters.

    Raises GameError for either, and for a game that lacks what every game needs.
    """
    from joute.core.complete import incomplete

    game = made_of(name, **values)
    try:
        lacking = next(incomplete(game), None)
    except (Error, OSError, MemoryError):
        raise
    except Exception as error:
        raise GameError(Sentence("error.game.made", game=name, reason=_reason(error))) from None
    if lacking is not None:
        raise GameError(Sentence("error.game.incomplete", game=name, reason=lacking.law))
    return game


def check_parameters(name: str, given: Iterable[str], others: Iterable[str] = ()) -> None:
    """Raises GameError for a parameter that the game of this name or path has not.

    It names the nearest one, or what else may be meant, of `others`.
    """
    known = defaults(name)
    for key in given:
        if key not in known:
            told = Sentence("error.game.parameter", game=name, key=key, known=", ".join(known))
            near = get_close_matches(key, [*known, *others], n=1)
            raise GameError(hinted(told, list(map(repr, near))))


def made_of(name: str, **values: Any) -> Any:
    """The game of this name or path, as it is: it may lack what games need. Raises GameError."""
    usual = defaults(name)
    check_parameters(name, values)
    lacking = [key for key in needed(name) if key not in values]
    if lacking:
        raise GameError(Sentence("error.game.needed", game=name, keys=", ".join(lacking)))
    maker = maker_of(name)
    given = {key: usual[key] for key in _without_default(maker)} | values
    try:
        return maker(**given)
    except (Error, OSError, MemoryError):
        raise
    except Exception as error:  # whatever a stranger's module raises
        raise GameError(Sentence("error.game.made", game=name, reason=_reason(error))) from None


def defaults(name: str) -> dict[str, Any]:
    """The parameters of a game and their usual values, None for those that have none.

    Of a parameter without a default the usual value is the first that the card offers. Raises
    GameError.
    """
    offered = card(name).parameters
    return {
        key: offered.get(key, (None,))[0] if each.default is each.empty else each.default
        for key, each in _parameters(maker_of(name)).items()
    }


def needed(name: str) -> list[str]:
    """The parameters that a game cannot be made without: no usual value is known of them.

    Raises GameError.
    """
    return [key for key in _without_default(maker_of(name)) if key not in card(name).parameters]


def _without_default(maker: Callable[..., Any]) -> list[str]:
    return [key for key, each in _parameters(maker).items() if each.default is each.empty]


def _parameters(maker: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    known = inspect.signature(maker).parameters
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {key: each for key, each in known.items() if each.kind not in several}


def maker_of(name: str) -> Callable[..., Any]:
    """The function that makes the game of this name. Raises GameError."""
    found = card(name)
    try:
        maker: Callable[..., Any] = found.load(found.rules)
    except Exception as error:  # whatever a stranger's module raises
        raise GameError(Sentence("error.game.import", path=name, reason=_reason(error))) from None
    return maker


def _of_package(name: str) -> Card:
    installed = _installed()
    if name not in installed:
        raise unknown(name)
    try:
        return _card_in(import_module(installed[name]))
    except Exception as error:  # whatever a stranger's module raises
        raise GameError(Sentence("error.game.import", path=name, reason=_reason(error))) from None


def unknown(name: str) -> GameError:
    """The error of a name that no game has."""
    known = sorted({*_installed(), *_placed})
    near = get_close_matches(name, known, n=1)
    told = Sentence("error.game.unknown", name=name, known=", ".join(known))
    return GameError(hinted(told, list(map(repr, near))))


def _at_path(name: str, path: Path) -> Card:
    """The card of a file, or of a folder with an `__init__.py` (or that file). Raises GameError."""
    import hashlib

    if path.name == "__init__.py":
        path = path.parent
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise GameError(Sentence("error.game.nowhere", path=name))
    # Named after its place: two files of one name are two modules, with kernels of their own.
    place = hashlib.blake2b(bytes(path), digest_size=6).hexdigest()
    module = f"joute_game_{path.stem}_{place}"
    if module not in sys.modules:
        folders = [str(path)] if path.is_dir() else None
        spec = spec_from_file_location(module, file, submodule_search_locations=folders)
        if spec is None or spec.loader is None:
            raise GameError(Sentence("error.game.python", path=name))
        made = sys.modules[module] = module_from_spec(spec)
        try:
            spec.loader.exec_module(made)
        except Exception as error:
            del sys.modules[module]
            raise GameError(
                Sentence("error.game.import", path=name, reason=_reason(error))
            ) from None
    if _hash(module) != _hash_now(module):  # other processes would play by other rules
        raise GameError(Sentence("error.game.changed", path=name))
    return _card_in(sys.modules[module])


def _card_in(module: ModuleType) -> Card:
    """The card that a module holds as CARD, or one of nothing but the rules in it."""
    found = getattr(module, "CARD", None)
    if not isinstance(found, Card):
        found = Card(name=_named(module), rules=f"{module.__name__}:{_maker(module)}")
    if not is_name(found.name):
        wanted = Sentence("error.argument.slug")
        reason = Sentence("error.argument", name="name", expected=wanted, given=repr(found.name))
        raise GameError(Sentence("error.game.import", path=module.__file__, reason=reason))
    is_package = hasattr(module, "__path__")
    folder = Path(str(module.__file__)).parent if is_package else None
    return replace(found, package=module.__name__, folder=folder)


def _maker(module: ModuleType) -> str:
    """The name of the maker of a module's game: its `make`, or its class. Raises GameError."""
    from joute.core.interface import has_rule

    if hasattr(module, "make"):
        return "make"
    classes = [
        name
        for name, each in vars(module).items()
        if isinstance(each, type)
        and each.__module__ == module.__name__
        and has_rule(each, "properties")
    ]
    if len(classes) != 1:
        found = ", ".join(classes) or Sentence("error.game.no_class")
        raise GameError(Sentence("error.game.classes", path=module.__file__, found=found))
    return classes[0]


def _named(module: ModuleType) -> str:
    from joute.core.facts import fault_of_name
    from joute.core.interface import properties

    maker = getattr(module, _maker(module))
    lacking = _without_default(maker)
    if lacking:
        keys = ", ".join(lacking)
        raise GameError(Sentence("error.game.unnamed", path=module.__file__, keys=keys))
    try:
        facts = properties(maker())
    except GameError:
        raise
    except Exception as error:
        reason = _reason(error)
        raise GameError(
            Sentence("error.game.import", path=module.__file__, reason=reason)
        ) from None
    fault = fault_of_name(facts)
    if fault is not None:
        raise GameError(Sentence("error.game.import", path=module.__file__, reason=fault))
    return facts.name


def _reason(error: Exception) -> Sentence:
    """An error of a game's own code, with the last line of its files that it passed through."""
    import traceback

    told = f"{type(error).__name__}: {error}"
    here = str(Path(__file__).parents[1] / "core")
    passed = traceback.extract_tb(error.__traceback__)
    own = [each for each in passed if not each.filename.startswith((here, "<"))]
    if not own or isinstance(error, SyntaxError):
        return Sentence("error.game.raised", reason=told)
    where = {"file": Path(own[-1].filename).name, "line": own[-1].lineno}
    return Sentence("error.game.reason", reason=told, **where)


def _word_files(language: str) -> list[Path]:
    """The games' own parts of a catalog."""
    found = (each.file(f"words/{language}.json") for each in cards())
    return [each for each in found if each is not None]


words.add_source(_word_files)
