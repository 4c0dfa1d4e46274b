"""What attacks leave outside of their room, all of it marked by the room's token."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_KINDS = ("shm", "msg", "sem")
_REMOVE = 0  # IPC_RMID


def leftovers(token: str) -> list[str]:
    """What is there, in words."""
    kept = [f"shared {kind} of System V" for kind, _ in _system_v(token)]
    return [str(path) for path in _files(token)] + kept


def remove(token: str) -> list[str]:
    """Removes all of it; what was there that only removing can find, in words."""
    for path in _files(token):
        path.unlink()
    library = ctypes.CDLL(None)
    for kind, number in list(_system_v(token)):
        call = getattr(library, f"{kind}ctl")
        call(number, 0, _REMOVE) if kind == "sem" else call(number, _REMOVE, None)
    found = library.mq_unlink(f"/word-{token}".encode()) == 0
    return ["a queue of messages"] if found else []


def _files(token: str) -> Iterator[Path]:
    for folder in {tempfile.gettempdir(), "/var/tmp", "/dev/shm", str(Path.home())}:  # noqa: S108
        yield from Path(folder).glob(f"*-{token}*")


def _system_v(token: str) -> Iterator[tuple[str, int]]:
    """The kind and the number of what of System V has the key that attacks make of the token."""
    key = str(int(token[:7], 16))
    for kind in _KINDS:
        with suppress(OSError):
            for line in Path("/proc/sysvipc", kind).read_text(encoding="ascii").splitlines():
                words = line.split()
                if words[0] == key:
                    yield kind, int(words[1])
