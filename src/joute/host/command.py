"""The command and the environment that a bot's process starts with."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from joute.host.adapters import adapter_files
from joute.host.limits import BotLimits
from joute.host.names import BotSpec
from joute.host.sandbox import paths
from joute.host.sandbox.grants import Level, applied
from joute.host.sandbox.groups import Share
from joute.host.sandbox.policy import BUBBLEWRAP_PROCESSES, Access, policy_for, wrapped
from joute.host.sandbox.spawning import BotCommand
from joute.host.working import working_folder

CHILD = Path(__file__).parent / "child"  # The folder that the bot's interpreter executes

# Not `-I`: it would hide PYTHONHASHSEED, without which sets of texts have another order in each
# process. The environment is ours alone, so that nothing else of it can reach the interpreter.
FLAGS = ("-B", "-u", "-s")  # Of the interpreter that executes it

_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
_DECISIVE = {"PYTHONHASHSEED": "0", **dict.fromkeys(_ONE_THREAD, "1")}
"""Variables that a bot's answers may depend on."""
_MISLEADING = ("PYTHONHOME", "PYTHONPATH", "JOUTE_PARENT")
"""Variables by which a bot would find other modules than in a game, or another parent."""


def command_for(spec: BotSpec, limits: BotLimits, level: Level | None = None) -> BotCommand:
    """The command that runs a Python bot or a program under `limits`, in the folder where it works.

    Args:
        spec: the bot.
        limits: what it may use.
        level: how far it is isolated; None for the most that `limits` and this machine allow.

    Raises ValueError for other kinds: see `program_command` for a built-in bot.
    """
    if spec.kind == "program":
        return program_command(spec.command, limits, spec.folder, level)
    if spec.kind != "python" or spec.path is None:
        raise ValueError(f"{spec.text!r} is no bot that a child process runs")
    adapters = adapter_files()
    python = spec.python or sys.executable
    own = paths.own(spec.path, limits.hidden)
    access = Access(
        readable=[*paths.of_interpreter(python), *adapters.values(), *own],
        closed=[*paths.of_joute(python, limits.import_joute), *paths.others(limits.hidden, own)],
        listed=paths.listed(spec.path),
        children=False,
        whole=spec.path.is_dir(),
    )
    return _launched(python, _told(spec, adapters), limits, spec.folder, access, level)


def debug_command(
    spec: BotSpec, channel: tuple[int, int], purpose: str
) -> tuple[list[str], dict[str, str]]:
    """The command and the environment of a Python bot whose standard streams are a person's.

    Nothing limits it. What decides how it plays is in the environment as for any bot; the rest is
    the person's, so that the terminal works.

    Args:
        spec: the bot.
        channel: the descriptors that its process reads messages from and writes answers to.
        purpose: "debug", "post-mortem" (where the bot raises an exception, the debugger opens) or
            "profile" (the message `report` asks for the functions that took time).
    """
    options = ["--terminal", "{},{}".format(*channel), "--purpose", purpose]
    options += ["--folder", str(spec.folder)]
    words = [spec.python or sys.executable, *FLAGS, str(CHILD), *options]
    environ = {name: value for name, value in os.environ.items() if name not in _MISLEADING}
    return [*words, *_told(spec, adapter_files())], {**environ, **_DECISIVE}


def _told(spec: BotSpec, adapters: Mapping[str, str]) -> list[str]:
    """The last words of a Python bot's command: its interface, where it works, and the bot."""
    told = ["--adapters", json.dumps(adapters)] if adapters else []
    forced = ["--interface", spec.interface] if spec.interface else []
    work = working_folder(spec)
    above = ["--work", str(work)] if work != spec.folder else []
    return [*told, *forced, *above, "--", str(spec.path)]


def program_command(
    words: Sequence[str],
    limits: BotLimits,
    folder: Path | None = None,
    level: Level | None = None,
) -> BotCommand:
    """The command that becomes the program `words` under `limits`, working in `folder`.

    Programs of ours, which are trusted, run at `level` `limits`; see `command_for`.
    """
    search = os.environ.get("PATH", os.defpath)
    own = paths.of_program(words, folder, search, limits.hidden)
    closed = paths.others(limits.hidden, [*own, *paths.named_files(words, folder)])
    access = Access(
        readable=[*paths.of_interpreter(sys.executable), *own],
        closed=[*paths.of_joute(sys.executable, limits.import_joute), *closed],
        listed=paths.listed_by_program(words, folder),
        children=True,
        whole=False,
    )
    rest = ["--program", "--", *words]
    return _launched(sys.executable, rest, limits, folder, access, level)


def environment(tag: str) -> dict[str, str]:
    """All that a bot's process finds in its environment.

    Args:
        tag: marks the process and whatever it starts, for the clean-up.
    """
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": tempfile.gettempdir(),
        "LANG": "C.UTF-8",
        "JOUTE_BOT": tag,
        "JOUTE_PARENT": str(os.getpid()),
        **_DECISIVE,
    }


def _launched(
    python: str,
    words: list[str],
    limits: BotLimits,
    folder: Path | None,
    access: Access,
    level: Level | None,
) -> BotCommand:
    """The launcher under `python`, with the bot as its last words."""
    level = applied(limits.isolation) if level is None else level
    where = ["--folder", str(folder)] if folder else []
    start = [python, *FLAGS, str(CHILD)]
    if level < Level.KERNEL:
        told = ["--memory-mb", str(limits.memory_mb), *where, *words]
        warm = () if "--program" in words else told
        return BotCommand([*start, *told], level, warm=warm, announces=True)
    access = access._replace(readable=[*paths.of_system(), str(CHILD), *access.readable])
    full = level is Level.FULL
    # Inside bubblewrap a folder is made of single files, which a layer over it would not show.
    policy = policy_for(limits, access, not full, "" if full else paths.written(folder))
    told = ["--jail", json.dumps(policy.plain()), *where, *words]
    if full:
        words = wrapped([*start, *told], policy.readable, policy.closed, folder)
        memory = (limits.memory_mb + limits.file_mb) << 20
        share = Share(memory, limits.processes + BUBBLEWRAP_PROCESSES)
        return BotCommand(words, level, share=share, announces=True)
    # With numbers of its own, the bot is not the process that is started.
    reports = policy.children or policy.port is not None
    warm = () if reports or "--program" in words else told
    return BotCommand([*start, *told], level, reports, warm, announces=True)
