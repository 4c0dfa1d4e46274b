"""Messages between the runner and the process that hosts attacks, a JSON line each."""

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
    """Its name, as in a contest's file."""
    base: str
    """The folder that its name is relative to."""
    level: str
    staging: str
    """The kind of game; see `joute.redteam.corpus`."""
    plies: int
    aim: dict[str, Any]
    """The observation of the attack, except what only its host knows."""
    secret: str
    """Kept by the host in its memory and in a file that it has open."""
    word: str
    """A word that one partner is to learn from the other."""
    hidden: list[str]
    """The other bots of its contest."""
    guarded: list[str]
    """Folders in which nothing may be written."""


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one message to an attack, by the referee and by measurement."""

    role: str
    """`alone`, or of partners the `sender` or the `receiver`; `end` for the farewell."""
    action: str | None
    fault: str | None
    detail: str
    text: str
    """Its message beside the action, and its output."""
    cpu_ms: float
    """CPU that the clock has charged."""
    true_ms: float
    """CPU that its processes have really used for it."""
    wall_ms: float
    held_ms: float
    """The time for which the slot was not free after the referee's verdict."""
    idle_ms: float = 0.0
    """CPU that its processes used while it was stopped, afterwards."""
    crowd: float = 0.0
    """The most seconds that a thread had to wait, for each second that it ran."""


class HostingReport(msgspec.Struct, kw_only=True):
    """Measurements of an attack from outside."""

    exchanges: list[Exchange] = []
    processes: int = 0
    """The most at one time, beyond those that a bot has at its start."""
    threads: int = 0
    halted: bool = False
    """Whether more processes than usual were seen, all of them stopped."""
    memory_mb: float = 0.0
    said_mb: float = 0.0
    """Output and messages, as far as a record keeps them."""
    held: list[str] = []
    changed: list[str] = []
    """Properties of its own process that an isolated bot cannot change."""
    host_mb: float = 0.0
    """The most by which the host's own memory grew."""
    refused: str = ""
    """The reason no bot was made of it at all."""
    error: str = ""
    """An exception of the host, which is a bug."""


class HostingOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The end of hosting an attack."""

    report: HostingReport
    end: str
    """The host's: "done", "killed" or "hung"; "done" also where it was to be killed."""
    survivors: int
    """Processes that were still there when all should have been over."""
