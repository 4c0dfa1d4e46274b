"""The rights of one bot, as the object that `joute.host.child.jail` applies in its process."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from joute.host.child.tree import plan
from joute.host.limits import BotLimits
from joute.host.sandbox import system_calls
from joute.host.sandbox.grants import bubblewrap
from joute.host.sandbox.system_calls import Kind

ANY_VERSION = 99  # Of Landlock: as new as the kernel has it
OPEN_FILES = 64
"""Of a bot that starts no processes. Each may be a socket or a pipe with memory of the kernel's in
it, which no limit counts: 0.5 MiB at most."""
OPEN_FILES_OF_PROGRAMS = 128  # Of each of its processes


@dataclass(frozen=True)
class Policy:
    """Everything that the jail is told; plain values, for they travel as JSON."""

    readable: list[str]  # Files, and folders with all that is in them
    listed: list[str]  # Folders whose names can be listed
    memory_mb: int
    file_mb: int
    processes: int
    port: int | None  # Of 127.0.0.1, in a network of its own; None for no network
    closed: list[str]
    """Files and folders below those, of which nothing is there: neither names nor contents."""
    children: bool  # Whether it may start processes
    tree: bool  # Whether the jail makes the tree of files; else it is in one already
    written: str
    """A folder that seems writable: where the bot works; "" for none. What it writes there is gone
    with it."""
    whole: bool  # Whether all in that folder is the bot's own, and seems writable too
    filter: str  # The program for system calls, in base 64
    filter_in_tree: str
    """Another where every file out of the bot's own tree is out of its reach; "" for the same."""
    signals: list[int]
    landlock: int = ANY_VERSION  # The newest version of Landlock to use
    open_files: int = OPEN_FILES_OF_PROGRAMS

    def plain(self) -> dict[str, object]:
        """The object that travels."""
        return asdict(self)


class Access(NamedTuple):
    """Access of a kind of bot to files and processes, besides what its limits say."""

    readable: Sequence[str]  # Files and folders
    closed: Sequence[str]  # Files and folders below those that are not its
    listed: Sequence[str]  # Folders whose names can be listed
    children: bool  # Whether it may start processes if its limits do not say
    whole: bool  # Whether the folder where it works is all its own


def policy_for(limits: BotLimits, access: Access, tree: bool, written: str) -> Policy:
    """The policy of a bot under its limits.

    Args:
        limits: of the bot.
        access: of its kind.
        tree: see Policy.
        written: see Policy.

    Raises OSError on a machine whose system calls have no table.
    """
    allowed = access.children if limits.children is None else limits.children
    kind = Kind(limits.network is not None, allowed)
    in_tree = _program(kind._replace(builds=True)) if limits.builds else ""
    return Policy(
        readable=[*dict.fromkeys([*access.readable, *limits.readable])],
        closed=[*access.closed],
        listed=[*access.listed],
        memory_mb=limits.memory_mb,
        file_mb=limits.file_mb,
        processes=limits.processes,
        port=limits.network,
        children=allowed,
        tree=tree,
        written=written,
        whole=access.whole,
        filter=_program(kind),
        filter_in_tree=in_tree,
        signals=list(system_calls.signal_calls()),
        open_files=OPEN_FILES_OF_PROGRAMS if allowed else OPEN_FILES,
    )


def _program(kind: Kind) -> str:
    return base64.b64encode(system_calls.program(kind)).decode()


BUBBLEWRAP_PROCESSES = 2  # Of bubblewrap's own, beside those that it runs

_MADE = ("/proc", "/dev")  # Made anew by bubblewrap instead of showing the host's


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
    found = bubblewrap()
    if found is None:
        raise OSError("bubblewrap (bwrap) is not installed")
    options = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"]
    # The number of the referee's process means nothing inside.
    options += ["--unsetenv", "JOUTE_PARENT", "--dev", "/dev", "--proc", "/proc"]
    planned = [*plan((path for path in readable if not path.startswith(_MADE)), closed)]
    # It would make those above a file so that only their owner enters them: a C compiler, which
    # asks whether it may, then does not find itself by a link in /etc.
    above = {str(each) for path, _ in planned for each in [*Path(path).parents][:-1]}
    for each in sorted(above.difference(path for path, _ in planned)):
        options += ["--dir", each]
    for path, there in planned:
        if there:
            options += ["--ro-bind-try", path, path]
        elif os.path.isdir(path):  # noqa: PTH112 - many
            options += ["--tmpfs", path]
        elif os.path.exists(path):  # noqa: PTH110 - many
            options += ["--ro-bind", os.devnull, path]
    if folder is not None:
        options += ["--dir", str(folder)]
    return [found, *options, "--", *words]
