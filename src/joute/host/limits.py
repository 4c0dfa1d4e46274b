"""Limits of a bot: time, memory, processes, files; and how it is isolated."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from joute.host.sandbox.grants import Level

LINE_BYTES = 1 << 20  # The longest line that a bot may answer, in bytes

CLOCK = ("move_seconds", "bank_seconds", "increment_seconds", "grace_seconds", "start_seconds")
"""The limits of time that records name."""

ASKED = (Level.KERNEL, Level.FULL)  # The levels of isolation that a contest may ask for


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The table [limits] of a contest: what each of its bots may use in a game.

    Times are seconds of CPU; `wall_seconds` says what stops a bot that sleeps. A key that is added
    at the end, with a default that changes nothing, leaves the games of before as they are.
    """

    move_seconds: Annotated[float, Meta(ge=0.001, le=86400)] = 10.0  # Of each turn
    bank_seconds: Annotated[float, Meta(ge=0, le=86400)] = 0.0
    """For the whole game: what turns take beyond `move_seconds` comes out of it."""
    increment_seconds: Annotated[float, Meta(ge=0, le=86400)] = 0.0
    """That each turn adds to the bank when it is over."""
    grace_seconds: Annotated[float, Meta(ge=0, le=60)] = 0.0
    """By which a turn may be late when the bank is empty."""
    start_seconds: Annotated[float, Meta(ge=0.01, le=3600)] = 10.0
    """From the start of the process to its `ready`."""
    memory_mb: Annotated[int, Meta(ge=16)] = 1024
    """Of each process of the bot, in MiB of writable memory; at `full`, where control groups can be
    had, of all of them together too."""
    isolation: Level = Level.KERNEL
    """At most; `joute.host.sandbox.applied` says what this machine grants of it. What follows is
    enforced from `kernel` on. A contest is not played below it."""
    processes: Annotated[int, Meta(ge=1, le=4096)] = 64  # Processes and threads at once, in all
    file_mb: Annotated[int, Meta(ge=1, le=65536)] = 64
    """The size of its scratch folder in MiB; all other folders are closed to it."""
    import_joute: bool = False
    """Whether it may import Joute: its rules, its searches, its own players."""

    def identifying(self) -> tuple[list[float], dict[str, object]]:
        """The limits that the identity of a game depends on.

        The numbers that always stand in it, and the keys that stand in it unless at their defaults.
        Isolation is left out: a game is the same whatever holds its bots.
        """
        values = msgspec.structs.asdict(self)
        del values["isolation"]
        always = [values.pop(name) for name in (*CLOCK, "memory_mb", "processes", "file_mb")]
        usual = type(self)()
        return always, {key: value for key, value in values.items() if value != getattr(usual, key)}


class BotLimits(Limits, frozen=True, kw_only=True):
    """The limits of one bot in one game, and what else its host has to know."""

    last_try: bool = False
    """Whether the game is not played again if the machine is too busy: who then has no answer,
    after more patience than usual, is late."""
    output_kb: int = 64
    """Kept per ply of what the bot prints, in KiB; the rest is counted and dropped."""
    children: bool | None = None
    """Whether it may start processes; None: a program may, a Python file may only start threads."""
    builds: bool = False
    """Whether it is the build of a bot, which changes permissions and times of its files, groups
    its processes and hears of their end; only where it reaches no files of others."""
    network: int | None = None  # The one TCP port of 127.0.0.1 that it reaches
    readable: tuple[str, ...] = ()
    """Files and folders that it may read, besides its own and its interpreter's."""
    hidden: tuple[str, ...] = ()
    """Files and folders that it may not read even beside its own: the other bots."""


def wall_seconds(cpu_seconds: float) -> float:
    """The seconds on the wall after which a bot with `cpu_seconds` of CPU is stopped anyway."""
    return 2.0 * cpu_seconds + 1.0
