"""What a bot may use: time, memory, output."""

from __future__ import annotations

from dataclasses import dataclass

LINE_BYTES = 1 << 20
"""The longest line that a bot may answer, in bytes."""


@dataclass(frozen=True)
class Limits:
    """The limits of one bot in one game.

    Times are seconds of CPU; `wall_seconds` says what stops a bot that sleeps.
    """

    move_seconds: float = 10.0
    start_seconds: float = 10.0
    """From the start of the process to its `ready`."""
    memory_mb: int = 1024
    """Of each process of the bot, in MiB of writable memory."""
    output_kb: int = 64
    """Kept per ply of what the bot prints, in KiB; the rest is counted and dropped."""


def wall_seconds(cpu_seconds: float) -> float:
    """The seconds on the wall after which a bot with `cpu_seconds` of CPU is stopped anyway."""
    return 2.0 * cpu_seconds + 1.0
