"""How much is enforced on a bot: the levels of isolation, from nothing to everything."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """What holds a bot; each level enforces all that those before it do."""

    NONE = "none"
    """Its processes are ended with it; nothing else."""
    LIMITS = "limits"
    """Its memory and the length of its files have limits; it may read, write and connect."""
    KERNEL = "kernel"
    """The jail: it reads what its policy names, writes in a scratch folder of its own, reaches
    nobody, and starts no more processes than it may."""
    FULL = "full"
    """The jail inside bubblewrap: what it may not read is not even there."""

    def __lt__(self, other: str) -> bool:
        return _ORDER.index(self) < _ORDER.index(Level(other))

    def __le__(self, other: str) -> bool:
        return _ORDER.index(self) <= _ORDER.index(Level(other))

    def __gt__(self, other: str) -> bool:
        return _ORDER.index(self) > _ORDER.index(Level(other))

    def __ge__(self, other: str) -> bool:
        return _ORDER.index(self) >= _ORDER.index(Level(other))


_ORDER = tuple(Level)
