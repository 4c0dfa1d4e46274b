"""Compiled kernels on disk, kept by all sources that they depend on.

Numba's disk cache looks at the kernel's own file only, so an edited rules file would leave stale
results and a deleted one would break every game. Hence one cache folder per dispatcher, keyed by
the sources of this package's compiled parts and of the games of the classes.
"""

import functools
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
from numba.core.caching import UserProvidedCacheLocator

import joute
from joute.files import cache_folder

_COMPILED_PARTS = ("core", "search", "bots")


def cache_key(classes: tuple[type, ...]) -> str | None:
    """Hex digest of all that code compiled for these classes depends on; None: do not keep it.

    A class typed at a prompt or in a script has no module that another process could import.
    """
    digest = hashlib.blake2b(_package_digest(), digest_size=12)
    for each in classes:
        source = getattr(sys.modules.get(each.__module__), "__file__", None)
        if source is None or each.__module__ == "__main__" or "<locals>" in each.__qualname__:
            return None
        digest.update(f"{each.__module__}.{each.__qualname__}\0".encode())
        digest.update(_game_digest(each.__module__))
    return digest.hexdigest()


def _game_digest(module: str) -> bytes:
    """A hash of all sources of the game that a module belongs to: its package, or its file."""
    parts = module.split(".")
    if parts[0] == "joute" and parts[1] != "games":
        place = sys.modules[module].__file__
        return b"" if parts[1] in _COMPILED_PARTS else _digest(Path(str(place)))
    game = sys.modules[".".join(parts[:3] if parts[0] == "joute" else parts[:1])]
    places = getattr(game, "__path__", None) or [sys.modules[module].__file__]
    return b"".join(_digest(Path(str(place))) for place in places)


@functools.cache
def _package_digest() -> bytes:
    package = Path(joute.__file__).parent
    parts = b"".join(_digest(package / part) for part in _COMPILED_PARTS)
    return parts + f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode()


@functools.cache
def _digest(place: Path) -> bytes:
    """A hash of a file, or of all Python files in a folder with their names."""
    digest = hashlib.blake2b()
    for source in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        digest.update(f"{source.relative_to(place)}\0".encode())
        digest.update(source.read_bytes())
    return digest.digest()


class Locator(UserProvidedCacheLocator):  # type: ignore[misc]
    """Keeps the functions of Joute apart by their modules, and not by where it is installed.

    The folder is known by all sources: another environment of the same ones need not compile.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder, below that of the key, for the functions of a file."""
        package, file = Path(joute.__file__).parent, Path(py_file)
        if package in file.parents:
            return ".".join(file.relative_to(package).with_suffix("").parts)
        usual: str = super().get_suitable_cache_subpath(py_file)
        return usual


_LOCATORS = (
    f"{__name__}.{Locator.__name__},"
    "InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"
)
"""A place for what Numba compiles: the first that there is and that can be written."""


def kept(function: Callable[..., Any], key: str, options: dict[str, Any]) -> Any:
    """The dispatcher of a kernel, which keeps what it compiles in the cache folder, by this key.

    `options` are those of `numba.njit`.
    """
    config = numba.config
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(cache_folder() / key), _LOCATORS
    try:
        return _with_own_files(numba.njit(cache=True, **options)(function))
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


def _with_own_files(dispatcher: Any) -> Any:
    """The dispatcher, which writes to files on disk that no other process writes to.

    Numba numbers the files of a function after the index that it has read. Two processes that
    compile the function for different types at a time give their files one number, and the index
    may then name the code of the one as that of the other.
    """
    cache = getattr(dispatcher, "_cache", None)
    if cache is not None:  # Numba is not told to compile nothing
        files = cache._cache_file
        pattern = files._data_name_pattern.removesuffix(".nbc")
        files._data_name_pattern = f"{pattern}.{uuid4().hex}.nbc"
    return dispatcher
