"""The command line in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from helpers import PATIENCE

import joute


class Outcome(NamedTuple):
    """The exit code and output of a command line."""

    code: int
    out: str
    err: str


def command(*arguments: object) -> list[str]:
    """The words that run a command line in a process of its own."""
    return [sys.executable, "-m", "joute", *(str(argument) for argument in arguments)]


def environment(**variables: str) -> dict[str, str]:
    """This process's environment with the tested package and without its language."""
    language = ("LC_", "LANG", "JOUTE_LANG")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(language)}
    source = str(Path(joute.__file__).parents[1])
    return {**kept, "PYTHONPATH": source, "PYTHONIOENCODING": "utf-8", **variables}


def run_apart(*arguments: object, **variables: str) -> Outcome:
    """Runs a command line in a process of its own."""
    done = subprocess.run(
        command(*arguments),
        env=environment(**variables),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
