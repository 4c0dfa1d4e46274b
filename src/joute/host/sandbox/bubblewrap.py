"""Bubblewrap around the jail: a tree of files that holds only what the policy names.

Numbers of processes, names of the host and messages between processes are the bot's own, too. The
process that is started is bubblewrap's, and with its end ends everything inside.
"""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from joute.host.child.tree import plan

PROCESSES = 2
"""Its own, beside those that it runs."""

_MADE = ("/proc", "/dev")
"""What bubblewrap makes anew instead of showing the host's."""


@functools.cache
def program() -> str | None:
    """The file of bubblewrap; None where it is not installed."""
    return shutil.which("bwrap")


def wrapped(
    words: Sequence[str], readable: Iterable[str], closed: Iterable[str], folder: Path | None
) -> list[str]:
    """The command that runs `words` inside bubblewrap.

    Args:
        words: a command, whose own jail is set inside.
        readable: files and folders that are there.
        closed: what is empty below those.
        folder: where it works; there even if nothing in it can be read.

    Raises OSError where bubblewrap is not installed.
    """
    found = program()
    if found is None:
        raise OSError("bubblewrap (bwrap) is not installed")
    options = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"]
    # The number of the referee's process means nothing inside.
    options += ["--unsetenv", "JOUTE_PARENT", "--dev", "/dev", "--proc", "/proc"]
    shown = (path for path in readable if not path.startswith(_MADE))
    for path, there in plan(shown, closed):
        if there:
            options += ["--ro-bind-try", path, path]
        elif os.path.isdir(path):  # noqa: PTH112 - many
            options += ["--tmpfs", path]
        elif os.path.exists(path):  # noqa: PTH110 - many
            options += ["--ro-bind", os.devnull, path]
    if folder is not None:
        options += ["--dir", str(folder)]
    return [found, *options, "--", *words]
