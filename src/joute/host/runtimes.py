"""Runtimes of other languages that this machine has, and whether each starts as a bot."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from joute.host.command import environment, program_command
from joute.host.limits import BotLimits

RUNTIMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Node.js": ("node", "-e", "require('crypto').randomBytes(8)"),
        "Deno": ("deno", "eval", "0"),
        "Bun": ("bun", "-e", "0"),
        "Java": ("java", "-version"),
        ".NET": ("dotnet", "--list-runtimes"),
        "Mono": ("mono", "/usr/lib/mono/4.5/mcs.exe", "--version"),
        "PHP": ("php", "-r", "echo 0;"),
        "Perl": ("perl", "-MPOSIX", "-e", "0"),
        "Ruby": ("ruby", "-rjson", "-e", "0"),
        "Lua": ("lua", "-e", "x = 0"),
        "R": ("Rscript", "-e", "0"),
        "Julia": ("julia", "-e", "0"),
        "OCaml": ("ocaml", "-version"),
        "Guile": ("guile", "-c", "0"),
    }
)
"""By the name of a runtime, its program and words that let it start and end, reading on the way
what it reads before a bot's own code."""

_SECONDS = 20.0
_USUAL = BotLimits()


class Started(NamedTuple):
    """A runtime of this machine."""

    name: str
    trouble: str  # Its last words if it did not start as a bot; else ""


def started(
    runtimes: Mapping[str, tuple[str, ...]] = RUNTIMES,
    limits: BotLimits = _USUAL,
    path: str | None = None,
) -> Iterator[Started]:
    """The runtimes that are installed, each started once as bots are by default.

    Args:
        runtimes: by their names, their program and its words.
        limits: under which they are started.
        path: their PATH; None for this process's own.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, words in runtimes.items():
            program = shutil.which(words[0], path=path)
            if program is not None:
                command = program_command([program, *words[1:]], limits, Path(folder))
                yield Started(name, _trouble(command, path))


def _trouble(command: Sequence[str], path: str | None) -> str:
    """The last line that a program said, or how it ended, if that was not well."""
    try:
        done = subprocess.run(
            command,
            check=False,
            env={**environment("doctor"), **({"PATH": path} if path else {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            start_new_session=True,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.returncode == os.EX_OK else (said or [f"status {done.returncode}"])[-1]
