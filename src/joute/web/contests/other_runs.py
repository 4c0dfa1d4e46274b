"""Runs of contests that this server did not start: of a server that was killed, or in a terminal.

The folder of a contest's results has a file with the number of the process that plays into it, and
that process holds a lock on it. A signal is sent to no process but one that runs joute for the user
of this server.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path, PurePath

from joute.contest.folder import LOCK
from joute.play.broadcast import is_written

GRACE_SECONDS = 5.0  # in which a run that was asked to stop is to end
_LOOK_SECONDS = 0.02  # between two looks whether it has
_PROCESSES = Path("/proc")
_PROGRAM = "joute"


def found_run(results: Path) -> int | None:
    """The number of the process that plays into a folder, if it runs joute for this user."""
    try:
        with (results / LOCK).open("rb") as lock:
            if not is_written(lock.fileno()):
                return None
            process = int(lock.read(32))
    except (OSError, ValueError):
        return None
    user, words = _facts(process)
    ours = user == os.getuid() and any(_is_program(word) for word in words)
    return process if ours and process > 1 else None


def ask_to_stop(process: int) -> None:
    """Asks a run to stop after the games that are being played."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGTERM)


def end_run(results: Path, process: int) -> None:
    """Asks a run to stop and, if it does not, ends it with all of its session if it leads one."""
    ask_to_stop(process)
    deadline = time.monotonic() + GRACE_SECONDS
    while found_run(results) == process and time.monotonic() < deadline:
        time.sleep(_LOOK_SECONDS)
    if found_run(results) == process:
        with suppress(ProcessLookupError):
            leads = os.getsid(process) == process
            (os.killpg if leads else os.kill)(process, signal.SIGKILL)
        while found_run(results) == process:
            time.sleep(_LOOK_SECONDS)


def _facts(process: int) -> tuple[int | None, list[str]]:
    """The user of a process and the words of its command line; None for one that is not there."""
    try:
        if _PROCESSES.is_dir():
            return _from_files(_PROCESSES / str(process))
        asked = ("ps", "-ww", "-o", "uid=", "-o", "args=", "-p", str(process))
        told = subprocess.run(asked, capture_output=True, check=False).stdout
        user, *words = told.decode(errors="replace").split()
        return int(user), words
    except (OSError, ValueError, StopIteration):
        return None, []


def _from_files(folder: Path) -> tuple[int, list[str]]:
    status = (folder / "status").read_text(encoding="utf-8", errors="replace")
    user = next(line.split()[1] for line in status.splitlines() if line.startswith("Uid:"))
    words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
    return int(user), words


def _is_program(word: str) -> bool:
    """Whether it is `joute`, its path, or a module of it."""
    return PurePath(word).name == _PROGRAM or word.startswith(f"{_PROGRAM}.")
