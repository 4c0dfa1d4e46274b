"""The command and the environment that a bot's process starts with."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from joute.host.dialects import DIALECTS
from joute.host.limits import Limits
from joute.host.names import BotSpec

CHILD = Path(__file__).parent / "child"
"""The folder that the bot's interpreter executes."""

# Not `-I`: it would hide PYTHONHASHSEED, without which sets of texts have another order in each
# process. The environment is ours alone, so that nothing else of it can reach the interpreter.
_FLAGS = ("-B", "-u", "-s")

_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def command_for(spec: BotSpec, limits: Limits) -> list[str]:
    """The command that runs a Python bot or a program under `limits`, in its own folder.

    Raises ValueError for other kinds: see `program_command` for a built-in bot.
    """
    if spec.kind == "program":
        silent = spec.dialect in DIALECTS and DIALECTS[spec.dialect].silent
        return program_command(spec.command, limits, spec.folder, announced=silent)
    if spec.kind != "python" or spec.path is None:
        raise ValueError(f"{spec.text!r} is no bot that a child process runs")
    forced = ["--interface", spec.interface] if spec.interface else []
    return [
        *_launcher(spec.python or sys.executable, limits, spec.folder),
        *forced,
        "--",
        str(spec.path),
    ]


def program_command(
    words: Sequence[str], limits: Limits, folder: Path | None = None, announced: bool = False
) -> list[str]:
    """The command that becomes the program `words` under `limits`, working in `folder`.

    With `announced`, an empty line comes first, for a program that says nothing when it starts.
    """
    kind = ["--announced"] if announced else []
    return [*_launcher(sys.executable, limits, folder), *kind, "--program", "--", *words]


def environment(tag: str) -> dict[str, str]:
    """All that a bot's process finds in its environment.

    Args:
        tag: marks the process and whatever it starts, for the clean-up.
    """
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": tempfile.gettempdir(),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "JOUTE_BOT": tag,
        "JOUTE_PARENT": str(os.getpid()),
        **dict.fromkeys(_ONE_THREAD, "1"),
    }


def _launcher(python: str, limits: Limits, folder: Path | None) -> list[str]:
    where = ["--folder", str(folder)] if folder else []
    return [python, *_FLAGS, str(CHILD), "--memory-mb", str(limits.memory_mb), *where]
