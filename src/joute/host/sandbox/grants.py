"""The isolation that this machine grants: the highest level where no forbidden attempt succeeds.

Found once per boot and kept in the cache folder, for it depends on the kernel, the user and what is
installed, and not on the bots.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from joute.errors import Error
from joute.files import cache_folder, put
from joute.host.sandbox import system_calls
from joute.i18n.words import Sentence
from joute.machine import DESCRIPTORS, MEMORY, PROCESSES, ShortageError, shortage_in


class Level(StrEnum):
    """The isolation of a bot; each level enforces all that those before it do."""

    NONE = "none"  # Its processes are ended with it; nothing else
    LIMITS = "limits"
    """Its memory and the length of its files have limits; it may read, write and connect."""
    KERNEL = "kernel"
    """The jail: it reads what its policy names, writes in a scratch folder of its own, reaches
    nobody, and starts no more processes than it may."""
    FULL = "full"  # The jail inside bubblewrap: what it may not read is not even there

    def __lt__(self, other: str) -> bool:
        return _ORDER.index(self) < _ORDER.index(Level(other))

    def __le__(self, other: str) -> bool:
        return _ORDER.index(self) <= _ORDER.index(Level(other))

    def __gt__(self, other: str) -> bool:
        return _ORDER.index(self) > _ORDER.index(Level(other))

    def __ge__(self, other: str) -> bool:
        return _ORDER.index(self) >= _ORDER.index(Level(other))


_ORDER = tuple(Level)


VARIABLE: Final = "JOUTE_ISOLATION"
"""Lowers what is granted, by the name of a level; it cannot raise it."""

_FILE = "isolation.json"
_PASSING = (DESCRIPTORS, PROCESSES, MEMORY)
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_MOUNTS = ("/", "/proc", "/dev/shm", "/sys/fs/cgroup")  # noqa: S108 - looked at only


REASONS: Final = (
    *("system", "landlock", "seccomp", "bubblewrap"),
    *("start", "canary"),  # it could not be set up; it was, and did not hold
    "lowered",
)
"""Reasons for which a level is not granted; each has a sentence, and one for its remedy."""


class IsolationError(Error, ValueError):
    """JOUTE_ISOLATION names no level."""


@dataclass(frozen=True)
class Missing:
    """A level that is not granted, and why."""

    level: Level
    reason: str  # One of REASONS
    detail: str  # The attempts of the canary that succeeded, or its words in place of an answer


@dataclass(frozen=True)
class Granted:
    """The isolation that this machine enforces."""

    level: Level  # The highest level that holds
    missing: tuple[Missing, ...]  # The levels above, from the lowest on
    open: tuple[str, ...] = ()
    """Attempts of the canary, by name, that succeed in the jail here but not where mounts can be
    had."""


def granted() -> Granted:
    """The level that this machine grants, lowered by JOUTE_ISOLATION; half a second the first time.

    Raises IsolationError if that variable names no level, ShortageError if the machine has too
    little of something to find out.
    """
    found = _found()
    wanted = os.environ.get(VARIABLE, "")
    if not wanted:
        return found
    if wanted not in set(Level):
        known = ", ".join(Level)
        raise IsolationError(
            Sentence("error.isolation", variable=VARIABLE, value=wanted, known=known)
        )
    most = Level(wanted)
    if most >= found.level:
        return found
    lowered = tuple(Missing(each, "lowered", wanted) for each in Level if most < each)
    return Granted(most, lowered, found.open)


def applied(wanted: Level) -> Level:
    """The level at which a bot runs that wants `wanted` at most."""
    return wanted if wanted <= Level.LIMITS and os.name == "posix" else min(wanted, granted().level)


@functools.cache
def _found() -> Granted:
    file = cache_folder() / _FILE
    key = _key()
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(file.read_bytes())
        if kept["key"] == key:
            missing = tuple(
                Missing(Level(each["level"]), each["reason"], each["detail"])
                for each in kept["missing"]
            )
            return Granted(Level(kept["level"]), missing, tuple(kept["open"]))
    found = probe()
    for each in found.missing:
        # Not the system's last word: with room for the canary it may hold.
        if each.reason == "start" and (kind := shortage_in(each.detail)) in _PASSING:
            raise ShortageError(str(kind))
    _keep(file, key, found)
    return found


def _keep(file: Path, key: str, found: Granted) -> None:
    """Writes what was found, at once whole; where that cannot be, it is found again next time."""
    missing = [each.__dict__ for each in found.missing]
    text = json.dumps({"key": key, "level": found.level, "missing": missing, "open": found.open})
    with suppress(OSError):
        put(file, text, shared=True)


def _key() -> str:
    """Of everything that what is found depends on."""
    import joute

    parts: list[object] = [
        joute.__version__,
        sys.executable,
        platform.uname(),
        bubblewrap(),
    ]
    with suppress(OSError):
        parts.append(_BOOT.read_text(encoding="ascii"))
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        wanted = ("Uid", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp")
        parts += [line for line in status.splitlines() if line.startswith(wanted)]
    for mount in _MOUNTS:
        with suppress(OSError):
            parts.append(os.stat(mount).st_dev)  # noqa: PTH116 - several, fast
    for folder in (Path(__file__).parent, Path(__file__).parents[1] / "child"):
        parts += [file.stat().st_mtime_ns for file in sorted(folder.glob("*.py"))]
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def probe() -> Granted:
    """The isolation that this machine grants, found anew."""
    from joute.host.sandbox import canaries

    if os.name != "posix":
        absent = (Level.LIMITS, Level.KERNEL, Level.FULL)
        return Granted(Level.NONE, tuple(Missing(each, "system", "") for each in absent))
    level = Level.NONE
    missing: list[Missing] = []
    seen: set[str] = set()
    for each in (Level.LIMITS, Level.KERNEL, Level.FULL):
        if missing:
            # No level above one that fails can hold; the reason is the same, or comes on top of it.
            missing.append(_obstacle(each) or Missing(each, missing[0].reason, missing[0].detail))
            continue
        answer = _obstacle(each) or canaries.sent(each)
        if isinstance(answer, Missing):
            missing.append(answer)
        else:
            level = each
            seen.update(answer)
            if level is Level.KERNEL:
                seen.update(canaries.open_to_programs())
    return Granted(level, tuple(missing), tuple(sorted(seen)))


@functools.cache
def bubblewrap() -> str | None:
    """The file of bubblewrap; None where it is not installed."""
    return shutil.which("bwrap")


def _obstacle(level: Level) -> Missing | None:
    """The lack that makes a level not worth trying; None if there is none."""
    if level <= Level.LIMITS:
        return None
    if sys.platform != "linux":
        return Missing(level, "system", sys.platform)
    from joute.host.child import landlock

    if landlock.version() < 1:
        return Missing(level, "landlock", platform.release())
    if not system_calls.machine():
        return Missing(level, "seccomp", platform.machine())
    if level is Level.FULL and bubblewrap() is None:
        return Missing(level, "bubblewrap", "")
    return None
