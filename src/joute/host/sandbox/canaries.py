"""Runs the canary of a level among targets that it must not reach."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from joute.host.limits import BotLimits
from joute.host.sandbox.call_numbers import NUMBERS
from joute.host.sandbox.canary import PROGRAMS, TREE
from joute.host.sandbox.grants import Level, Missing
from joute.host.sandbox.system_calls import machine

CANARY = Path(__file__).parent / "canary.py"
_SECONDS = 20.0
_LIMITS = BotLimits(memory_mb=192, file_mb=1, processes=12, children=False)
_DETAIL_CHARACTERS = 300
OF_PROGRAMS = "programs_"
"""Before the name of an attempt that succeeds for a bot that may start processes."""


def sent(level: Level) -> Missing | tuple[str, ...]:
    """The reason a level does not hold; if it does, what of the rest is open on this machine."""
    with _targets() as targets:
        try:
            said = _said(level, targets)
        except (OSError, subprocess.SubprocessError) as error:
            return Missing(level, "start", str(error)[:_DETAIL_CHARACTERS])
    try:
        succeeded = json.loads(said.stdout)
    except ValueError:
        words = said.stderr.decode("utf-8", "replace").strip()
        return Missing(level, "start", words[-_DETAIL_CHARACTERS:])
    forbidden = [name for name in succeeded if name not in TREE]
    return Missing(level, "canary", ", ".join(forbidden)) if forbidden else tuple(succeeded)


def open_to_programs() -> tuple[str, ...]:
    """Attempts that succeed at `kernel` if a bot may start processes; all, if it cannot tell."""
    with _targets() as targets:
        try:
            limits = replace(_LIMITS, children=True)
            said = _ran("programs", Level.KERNEL, limits, targets).stdout
            return tuple(f"{OF_PROGRAMS}{name}" for name in json.loads(said))
        except (OSError, subprocess.SubprocessError, ValueError):
            return tuple(f"{OF_PROGRAMS}{name}" for name in PROGRAMS)


def _said(level: Level, targets: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
    return _ran(level, level, _LIMITS, targets)


def _ran(
    attempts: str, level: Level, limits: BotLimits, targets: dict[str, Any]
) -> subprocess.CompletedProcess[bytes]:
    """The finished process of some of the canary's attempts at a level."""
    from joute.host.command import environment, program_command
    from joute.host.zygote import watched

    words = [sys.executable, "-I", "-B", "-S", str(CANARY), attempts, json.dumps(targets)]
    with subprocess.Popen(
        program_command(words, limits, level=level),
        env=environment("canary"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        keeper = watched(process.pid)  # it is not to outlive us
        try:
            out, err = process.communicate(timeout=_SECONDS)
        except BaseException:
            process.kill()
            raise
        finally:
            if keeper is not None:
                keeper.unwatch(process.pid)
        return subprocess.CompletedProcess(words, process.returncode, out, err)


@contextmanager
def _targets() -> Iterator[dict[str, Any]]:
    """Files, ports and processes that a bot must not reach, all of them open to this user."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="joute-canary-")))
        secret = folder / "secret"
        secret.write_text("of the referee", encoding="ascii")
        kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM)
        tcp, udp = (stack.enter_context(socket.socket(socket.AF_INET, kind)) for kind in kinds)
        named, abstract = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        tcp.bind(("127.0.0.1", 0))
        udp.bind(("127.0.0.1", 0))
        named.bind(str(folder / "socket"))
        abstract.bind(f"\0{folder}" if sys.platform == "linux" else str(folder / "abstract"))
        for each in (tcp, named, abstract):
            each.listen(1)
        yield {
            "secret": str(secret),
            "folder": str(folder),
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "unix": str(folder / "socket"),
            "abstract": str(folder),
            "pid": os.getpid(),
            "package": str(Path(__file__).parents[2]),
            "memory_mb": _LIMITS.memory_mb,
            "file_mb": _LIMITS.file_mb,
            "processes": _LIMITS.processes,
            "numbers": NUMBERS.get(machine(), {}),
        }
