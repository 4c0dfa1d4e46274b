"""What the runner and the process that hosts an attack tell each other, one JSON line each."""

from __future__ import annotations

from typing import Any

import msgspec

MOVE_SECONDS = 0.3
MEMORY_MB = 64
PROCESSES = 32
FILE_MB = 16


class HostingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An attack to be hosted once."""

    bot: str
    """As people write it."""
    base: str
    """The folder that its name is relative to."""
    level: str
    staging: str
    """What happens around it; see `joute.redteam.corpus`."""
    plies: int
    aim: dict[str, Any]
    """What the attack is told, besides what only its host knows."""
    secret: str
    """Kept by the host in its memory and in a file that it has open."""
    word: str
    """What a partner is to learn from the other."""
    hidden: list[str]
    """The other bots of its contest."""
    guarded: list[str]
    """Folders in which nothing may be written."""


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one message to an attack, as the referee took it and as it was seen."""

    role: str
    """`alone`, or of partners the `sender` or the `receiver`; `end` for the farewell."""
    action: str | None
    fault: str | None
    detail: str
    text: str
    """What it sent beside its action, and what it printed."""
    cpu_ms: float
    """That was charged."""
    true_ms: float
    """CPU that its processes have really used for it."""
    wall_ms: float
    held_ms: float
    """How long the slot was not free after the referee's verdict."""
    idle_ms: float = 0.0
    """CPU that its processes used while it was stopped, afterwards."""
    crowd: float = 0.0
    """How long a thread had to wait, at most, for each second that it ran, for so many others."""


class HostingReport(msgspec.Struct, kw_only=True):
    """What was seen of an attack from outside."""

    exchanges: list[Exchange] = []
    processes: int = 0
    """The most at one time, beyond those that a bot has at its start."""
    threads: int = 0
    halted: bool = False
    """Whether more processes than usual were seen, all of them stopped."""
    memory_mb: float = 0.0
    said_mb: float = 0.0
    """What it has printed and said, of what goes into a record."""
    held: list[str] = []
    changed: list[str] = []
    """What it changed about its own process that it cannot change where it is held in."""
    host_mb: float = 0.0
    """What the host's own memory grew by, at the most."""
    refused: str = ""
    """Why no bot was made of it at all."""
    error: str = ""
    """What the host raised, which it must not."""


class HostingOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How hosting an attack ended."""

    report: HostingReport
    end: str
    """Of the host: "done", "killed" or "hung"; "done", too, where it was to be killed."""
    survivors: int
    """Processes that were still there when all should have been over."""
