"""What two machines must have in common to play the same games: Joute's files, what runs them."""

from __future__ import annotations

import functools
import hashlib
import platform
from importlib.metadata import version
from pathlib import Path

import joute

_PACKAGES = ("msgspec", "numba", "numpy")  # that decide how games and bots run


@functools.cache
def likeness() -> dict[str, str]:
    """Of this machine, by name; another with the same values plays the same games."""
    python = ".".join(platform.python_version_tuple()[:2])
    packages = {name: version(name) for name in _PACKAGES}
    return {"joute": f"{joute.__version__} {_digest()}", "python": python, **packages}


def _digest() -> str:
    """A hash (8 hex digits) of all files of the package."""
    package = Path(joute.__file__).parent
    digest = hashlib.blake2b(digest_size=4)
    for file in sorted(package.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.relative_to(package).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def differences(here: dict[str, str], there: dict[str, str]) -> tuple[str, str]:
    """What differs, as either machine has it; "" where nothing does."""
    names = [name for name in here if here[name] != there.get(name)]
    return (
        ", ".join(f"{name} {here[name]}" for name in names),
        ", ".join(f"{name} {there.get(name, '-')}" for name in names),
    )
