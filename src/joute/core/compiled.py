"""Kernels: generic functions over games, compiled once per game class and kept on disk.

Numba tells NamedTuple classes apart by name and field types only, so two games of one name would
share one compiled entry of a dispatcher: wrong rules, then a corrupted heap. Hence one dispatcher
per kernel and classes of its arguments.

Numba's disk cache looks at the kernel's own file only, so an edited rules file would leave stale
results and a deleted one would break every game. Hence one cache folder per dispatcher, keyed by
the sources of this package's compiled parts and of the games of the classes.
"""

import functools
import hashlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

import joute
from joute.files import cache_folder

_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}
_COMPILED_PARTS = ("core", "search", "bots")
_LOCK = threading.Lock()  # numba.config is shared by all threads


class Kernel:
    """A function over a game, compiled for the classes of the NamedTuples it is called with.

    `kernel.function` is the plain Python it was made from. Kernels allocate nothing: they are
    handed arrays to work in, one set per thread, and they release the GIL.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.dispatchers: dict[tuple[type, ...], Callable[..., Any]] = {}
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        classes = tuple(type(argument) for argument in arguments if hasattr(argument, "_fields"))
        dispatcher = self.dispatchers.get(classes)
        if dispatcher is None:
            dispatcher = self._dispatcher(classes)
        return dispatcher(*arguments)

    def _dispatcher(self, classes: tuple[type, ...]) -> Callable[..., Any]:
        with _LOCK:
            if classes not in self.dispatchers:
                self.dispatchers[classes] = self._compile(classes)
            return self.dispatchers[classes]

    def _compile(self, classes: tuple[type, ...]) -> Callable[..., Any]:
        key = cache_key(classes)
        if key is None:
            return numba.njit(**_OPTIONS)(self.function)
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder() / key)
        try:
            return numba.njit(cache=True, **_OPTIONS)(self.function)
        finally:
            numba.config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Kernel:
    """Makes a function over a game a kernel; its first argument is the game."""
    return Kernel(function)


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
