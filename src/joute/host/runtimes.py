"""Runtimes of other languages that this machine has, and whether each starts as a bot."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
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


class Started(NamedTuple):
    """A runtime of this machine."""

    name: str
    trouble: str  # Its last words if it did not start as a bot; else ""


def started(runtimes: Mapping[str, tuple[str, ...]] = RUNTIMES) -> Iterator[Started]:
    """The runtimes that are installed, each started once as bots are by default."""
    with tempfile.TemporaryDirectory() as folder:
        for name, words in runtimes.items():
            program = shutil.which(words[0])
            if program is not None:
                yield Started(name, _trouble([program, *words[1:]], Path(folder)))


def _trouble(words: list[str], folder: Path) -> str:
    """The last line that a program said, or how it ended, if that was not well."""
    try:
        done = subprocess.run(
            program_command(words, BotLimits(), folder),
            check=False,
            env=environment("doctor"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            start_new_session=True,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.returncode == os.EX_OK else (said or [f"status {done.returncode}"])[-1]
