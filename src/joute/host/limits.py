"""What a bot may use: time, memory, output, and how much of that is enforced."""

from __future__ import annotations

from dataclasses import dataclass

from joute.host.sandbox.levels import Level

LINE_BYTES = 1 << 20
"""The longest line that a bot may answer, in bytes."""


@dataclass(frozen=True)
class Limits:
    """The limits of one bot in one game.

    Times are seconds of CPU; `wall_seconds` says what stops a bot that sleeps.
    """

    move_seconds: float = 10.0
    """Of each turn."""
    bank_seconds: float = 0.0
    """For the whole game: what turns take beyond `move_seconds` comes out of it."""
    increment_seconds: float = 0.0
    """That each turn adds to the bank when it is over."""
    grace_seconds: float = 0.0
    """By which a turn may be late when the bank is empty."""
    start_seconds: float = 10.0
    """From the start of the process to its `ready`."""
    last_try: bool = False
    """Whether the game is not played again if the machine is too busy: who then has no answer,
    after more patience than usual, is late."""
    memory_mb: int = 1024
    """Of each process of the bot, in MiB of writable memory; at `full`, where control groups can be
    had, of all of them together too."""
    output_kb: int = 64
    """Kept per ply of what the bot prints, in KiB; the rest is counted and dropped."""
    isolation: Level = Level.KERNEL
    """At most; `joute.host.sandbox.applied` says what this machine grants of it. What follows is
    enforced from `kernel` on."""
    processes: int = 64
    """Processes and threads at once, in all."""
    children: bool | None = None
    """Whether it may start processes; None: a program may, a Python file may only start threads."""
    file_mb: int = 64
    """What its scratch folder holds, in MiB; all other folders are closed to it."""
    network: int | None = None
    """The one TCP port of 127.0.0.1 that it reaches."""
    readable: tuple[str, ...] = ()
    """Files and folders that it may read, besides its own and its interpreter's."""
    hidden: tuple[str, ...] = ()
    """Files and folders that it may not read even beside its own: the other bots."""
    joute: bool = False
    """Whether it may import Joute: its rules, its searches, its own players."""


def wall_seconds(cpu_seconds: float) -> float:
    """The seconds on the wall after which a bot with `cpu_seconds` of CPU is stopped anyway."""
    return 2.0 * cpu_seconds + 1.0
