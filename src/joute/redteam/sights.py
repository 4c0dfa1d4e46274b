"""What an attack might learn without reading a file: secrets in sizes, times, names and numbers.

And what lies beside a bot of one file: the files of contests, others' data and others' results.
"""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import joute

PIECES = 4
"""Files whose sizes tell a secret, sixteen bits each."""
BITS = 64
_DAY_NS = 86_400 * 10**9
_QUARTER_NS = 10**9 // 4  # of a second: as many of them as 32 bits count lie in no far future
_READ = "core/interface.py"


class Sights:
    """What can be seen in one attack's surroundings."""

    def __init__(self, folder: Path, other: Path, mark: str, secret: Callable[[], str]) -> None:
        """Lays everything out.

        Args:
            folder: of the bots.
            other: of another bot.
            mark: with which secrets begin.
            secret: makes one.
        """
        sizes, times, name = secret(), secret(), secret()
        for number, size in enumerate(_pieces(sizes[len(mark) :])):
            (other / f"size-{number}").write_bytes(bytes(size))
        self.stamped = other / "stamped"
        for number in range(2):
            digits = times[len(mark) + 8 * number :][:8]
            file = other / f"{self.stamped.name}-{number}"
            file.touch()
            os.utime(file, ns=(time.time_ns(), int(digits, 16) * _QUARTER_NS))
        self.secrets = [sizes, times, name, *_beside(folder, secret)]
        whole = (Path(joute.__file__).parent / _READ).read_bytes()
        self.secrets.append(mark + hashlib.blake2b(whole).hexdigest()[:16])
        self._named = socket.socket(socket.AF_UNIX)
        self._named.bind(f"\0{name}")
        self._quiet = subprocess.Popen(["cat"], stdin=subprocess.PIPE, start_new_session=True)
        # Of the other process of ours attacks are told; of this one, that there is one.
        self.secrets.append(f"process {self._quiet.pid}.")

    def close(self) -> None:
        """Ends the process and closes the socket."""
        self._named.close()
        self._quiet.kill()
        self._quiet.communicate()


def pages(own: Path) -> None:
    """Files in the folder of both partners, whose times of access tell who has read them."""
    folder = own / "pages"
    folder.mkdir()
    for number in range(BITS):
        page = folder / f"{number:02}"
        page.write_bytes(b".")
        now = time.time_ns()
        # Written later than it is ever read: then each reading is noted.
        os.utime(page, ns=(now - _DAY_NS, now + _DAY_NS))


def _pieces(digits: str) -> list[int]:
    width = len(digits) // PIECES
    return [int(digits[at : at + width], 16) for at in range(0, len(digits), width)]


def _beside(folder: Path, secret: Callable[[], str]) -> list[str]:
    """Puts files beside a bot of one file; the secrets in them."""
    kept = []
    names = ("contest.toml", "cup.sqlite", "rival_weights.json", "rival/weights.json")
    for name in (*names, "other.results/contest.sqlite", "results/contest.sqlite"):
        (folder / name).parent.mkdir(exist_ok=True)
        kept.append(secret())
        (folder / name).write_text(f'seed = "{kept[-1]}"\n', encoding="ascii")
    (folder / "rival" / "__init__.py").touch()
    (folder / "results" / "__init__.py").touch()
    return kept
