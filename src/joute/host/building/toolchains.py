"""Compilers and build tools that this machine has for the builds of bots."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from joute.host.limits import BotLimits
from joute.host.runtimes import Started, started

COMPILERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "C": ("cc", "--version"),
        "C++": ("c++", "--version"),
        "Rust": ("rustc", "--version"),
        "Go": ("go", "version"),
        "Zig": ("zig", "version"),
        "Java": ("javac", "-version"),
        "Kotlin": ("kotlinc", "-version"),
        "C#": ("dotnet", "--version"),
        "OCaml": ("ocamlopt", "-version"),
        "Haskell": ("ghc", "--version"),
        "Pascal": ("fpc", "-iV"),
        "Fortran": ("gfortran", "--version"),
        "D": ("ldc2", "--version"),
        "Nim": ("nim", "--version"),
        "Swift": ("swiftc", "--version"),
        "TypeScript": ("tsc", "--version"),
        "make": ("make", "--version"),
        "CMake": ("cmake", "--version"),
        "Ninja": ("ninja", "--version"),
    }
)
"""By the name of a language or a tool, its program and words that let it start and end."""

_SECONDS = 10.0


class Toolchains(NamedTuple):
    """Toolchains that lie in somebody's home, where no bot may look otherwise."""

    readable: tuple[str, ...]  # their folders
    path: str  # the PATH of a build, with their programs first


@functools.cache
def toolchains() -> Toolchains:
    """The toolchains of this machine's user; found once.

    Of Rust, where `rustup` has installed it: its programs on the PATH only look for the real ones.
    """
    path = os.environ.get("PATH", os.defpath)
    home = _said("rustc", "--print", "sysroot")
    if not home or not Path(home, "bin", "rustc").is_file():
        return Toolchains((), path)
    return Toolchains((home,), f"{home}/bin{os.pathsep}{path}")


def _said(program: str, *words: str) -> str:
    """The words of a program that is asked where it lies; "" if it does not say."""
    found = shutil.which(program)
    if found is None:
        return ""
    try:
        done = subprocess.run(
            [found, *words], check=True, capture_output=True, timeout=_SECONDS, cwd="/", text=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def compilers(programs: Mapping[str, tuple[str, ...]] = COMPILERS) -> list[Started]:
    """The compilers that are installed, each started once as a build starts it."""
    tools = toolchains()
    return list(started(programs, BotLimits(readable=tools.readable), tools.path))


@functools.cache
def languages() -> tuple[str, ...]:
    """The names of the compilers that start; found once, in a second or two."""
    return tuple(each.name for each in compilers() if not each.trouble)
