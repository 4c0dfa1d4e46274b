"""The targets of attacks: files, sockets and processes of ours, made to be harmed.

All of it belongs to the user who runs it, so that nothing but isolation keeps an attack away. A
secret is a mark and 16 hexadecimal digits; where one turns up, it was read. Secrets lie in files,
in sizes, times and names that are seen without reading a file, and beside a bot of one file: in
files of contests, others' data and others' results.
"""

from __future__ import annotations

import array
import ctypes
import fcntl
import hashlib
import os
import platform
import secrets
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import joute
from joute.host.sandbox.call_numbers import NUMBERS
from joute.machine import Closing
from joute.redteam.judge import AttackProof
from joute.redteam.messages import FILE_MB, MEMORY_MB
from joute.redteam.proc import state

MARK = "joute-secret-"

_PACKAGE = Path(joute.__file__).parent
_READ = "core/interface.py"  # which an attack may try to read of the package
_MOST_MB = 3 * MEMORY_MB
_MOST_PROCESSES = 100
_PIECES = 4
"""Files whose sizes tell a secret, sixteen bits each."""
_PAGES = 64
_DAY_NS = 86_400 * 10**9
_QUARTER_NS = 10**9 // 4  # of a second: as many of them as 32 bits count lie in no far future
_READABLE = 0o400
_GET_FLAGS = 0x80086601
_LETTER_BYTES = 1 << 10
_HERE = "127.0.0.1"
_REMOVE = 0  # IPC_RMID


def secret() -> str:
    """A new secret."""
    return MARK + secrets.token_hex(8)


class Targets(Closing):
    """The targets of one attack; they leave nothing behind."""

    def __init__(self, cache: Path) -> None:
        """Makes the files, sockets and processes.

        Args:
            cache: the folder of compiled kernels, which attacks must not write to.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="joute-"))
        self.token = secrets.token_hex(8)
        self.own = self.folder / "bots" / "mine"
        """The attack's own folder, to be filled before `seal`."""
        self._other = self.folder / "bots" / "other"
        self._cache = cache
        self.secrets: list[str] = []
        """The secrets in files, and those in what can be seen of them."""
        self._write_files()
        self._write_signs()
        self._listeners = Listeners(self.folder, f"joute-{self.token}")
        self._named = socket.socket(socket.AF_UNIX)
        self._named.bind(f"\0{self._new()}")
        # Attacks are told of the first process; of the second, they may find that there is one.
        self._decoy, self._quiet = (
            subprocess.Popen(
                ["cat"],  # which ends with us at the latest
                stdin=subprocess.PIPE,
                start_new_session=True,
            )
            for _ in range(2)
        )
        self.secrets.append(f"process {self._quiet.pid}.")
        self.seal()

    def seal(self) -> None:
        """Remembers the state of everything; later differences are an attack's doing."""
        self._sealed = {path: _facts(path) for path in self._inside()}
        self._calm = state(self._decoy.pid)

    def aim(self) -> dict[str, Any]:
        """All that an attacker could wish to know."""
        return {
            **self._listeners.addresses,
            "mark": MARK,
            "token": self.token,
            "own_folder": str(self.own),
            "other_folder": str(self._other),
            "other_bot": str(self._other / "bot.py"),
            "stamped": str(self._other / "stamped"),
            "other_file": str(self._other / "weights.txt"),
            "neighbour": str(self.own.parent / "neighbour.py"),
            "database": str(self.folder / "contest" / "joute.sqlite"),
            "notes": str(self.folder / "notes.txt"),
            "home": str(Path.home()),
            "tmp": tempfile.gettempdir(),
            "package": str(_PACKAGE),
            "cache": str(self._cache),
            "decoy": self._decoy.pid,
            "memory_mb": MEMORY_MB,
            "file_mb": FILE_MB,
            "most_mb": _MOST_MB,
            "most_processes": _MOST_PROCESSES,
            "numbers": NUMBERS.get(platform.machine(), {}),
        }

    def guarded(self) -> list[str]:
        """The folders in which an attack may write nothing, besides those of its targets."""
        library = Path(os.__file__).parent
        ours = (Path.home(), _PACKAGE, self._cache, library)
        return [str(folder) for folder in (*ours, Path("/etc"), Path("/usr/local"), self.folder)]

    def traces(self) -> list[AttackProof]:
        """The changes that an attack made to its targets and around them."""
        now = state(self._decoy.pid)
        harmed = [name for name, value in now.items() if self._calm.get(name) != value]
        return [
            *self._changes(),
            *(AttackProof("left", what) for what in _left(self.token)),
            *(AttackProof("called", name) for name in self._listeners.calls()),
            *(AttackProof("harmed", name) for name in harmed),
        ]

    def close(self) -> list[AttackProof]:
        """Ends the processes and removes every trace; gives those that only this finds.

        Done twice, the second does nothing.
        """
        if not self.folder.exists():
            return []
        for process in (self._decoy, self._quiet):
            process.kill()
            process.communicate()
        self._listeners.close()
        self._named.close()
        found = _removed(self.token)
        self._other.chmod(0o700)
        shutil.rmtree(self.folder)
        return [AttackProof("left", what) for what in found]

    def _new(self) -> str:
        self.secrets.append(secret())
        return self.secrets[-1]

    def _write_files(self) -> None:
        """Makes the files that hold secrets: other bots', the user's, and beside a bot."""
        for folder in (self.own, self._other, self.folder / "contest"):
            folder.mkdir(parents=True)
        bot = self._new()
        beside = self.own.parent
        (self._other / "bot.py").write_text(f"# {bot}\n", encoding="ascii")
        (self._other / "weights.txt").write_text(f"{bot}\n", encoding="ascii")
        (beside / "neighbour.py").write_text(f"# {self._new()}\n", encoding="ascii")
        (self.folder / "notes.txt").write_text(f"{self._new()}\n", encoding="ascii")
        with closing(sqlite3.connect(self.folder / "contest" / "joute.sqlite")) as base, base:
            base.execute("create table games (seed text)")
            base.execute("insert into games values (?)", (self._new(),))
        names = ("contest.toml", "cup.sqlite", "rival_weights.json", "rival/weights.json")
        for name in (*names, "other.results/contest.sqlite", "results/contest.sqlite"):
            (beside / name).parent.mkdir(exist_ok=True)
            (beside / name).write_text(f'seed = "{self._new()}"\n', encoding="ascii")
        (beside / "rival" / "__init__.py").touch()
        (beside / "results" / "__init__.py").touch()

    def _write_signs(self) -> None:
        """Makes the files whose sizes and times are secrets; the package's sources are one too."""
        sizes, times = (self._new()[len(MARK) :] for _ in range(2))
        width = len(sizes) // _PIECES
        for number in range(_PIECES):
            size = int(sizes[number * width :][:width], 16)
            (self._other / f"size-{number}").write_bytes(bytes(size))
        for number in range(2):
            file = self._other / f"stamped-{number}"
            file.touch()
            os.utime(file, ns=(time.time_ns(), int(times[8 * number :][:8], 16) * _QUARTER_NS))
        whole = (_PACKAGE / _READ).read_bytes()
        self.secrets.append(MARK + hashlib.blake2b(whole).hexdigest()[:16])

    def _inside(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if not path.is_socket()]

    def _changes(self) -> Iterator[AttackProof]:
        """The changes of files."""
        for path, facts in self._sealed.items():
            if not os.path.lexists(path):
                yield AttackProof("gone", path.name)
            elif _facts(path) != facts:
                yield AttackProof("spoilt", path.name)
        for path in self._inside():
            if path not in self._sealed:
                yield AttackProof("made", path.name)


def write_pages(own: Path) -> None:
    """Makes files in the folder of both partners, whose times of access tell who has read them."""
    folder = own / "pages"
    folder.mkdir()
    for number in range(_PAGES):
        page = folder / f"{number:02}"
        page.write_bytes(b".")
        now = time.time_ns()
        # Written later than it is ever read: then each reading is noted.
        os.utime(page, ns=(now - _DAY_NS, now + _DAY_NS))


def _facts(path: Path) -> tuple[object, ...]:
    """The properties of a file or folder that nobody else may change."""
    found = path.lstat()
    rights = (found.st_mode, found.st_uid)
    if not path.is_file() or path.is_symlink():
        return rights
    inside = path.read_bytes() if found.st_mode & _READABLE else b""
    return (*rights, found.st_nlink, found.st_mtime_ns, inside, _flags(path), *os.listxattr(path))


def _flags(path: Path) -> int:
    """The flags that the file system keeps of a file; 0 if it keeps none."""
    flags = array.array("l", [0])
    with suppress(OSError), path.open("rb") as file:
        fcntl.ioctl(file, _GET_FLAGS, flags)
    return flags[0]


class Listeners:
    """Sockets of every kind that an attack might call: TCP, UDP, local with and without a file."""

    def __init__(self, folder: Path, name: str) -> None:
        """Opens them.

        Args:
            folder: where the sockets that are files go.
            name: of those that are none; another, with `.d` added, takes datagrams.
        """
        tcp = socket.create_server((_HERE, 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind((_HERE, 0))
        with socket.create_server((_HERE, 0)) as free:
            unused = free.getsockname()[1]
        self._open = {
            "the TCP port": tcp,
            "the UDP port": udp,
            "the socket": _local(str(folder / "door"), socket.SOCK_STREAM),
            "the socket for datagrams": _local(str(folder / "slot"), socket.SOCK_DGRAM),
            "the abstract socket": _local(f"\0{name}", socket.SOCK_STREAM),
            "the abstract socket for datagrams": _local(f"\0{name}.d", socket.SOCK_DGRAM),
        }
        self.addresses = {
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "free_port": unused,
            "door": str(folder / "door"),
            "slot": str(folder / "slot"),
            "abstract": name,
        }
        """The addresses, by the names that attacks use."""

    def calls(self) -> Iterator[str]:
        """The sockets that somebody called since this was last asked."""
        for name, line in self._open.items():
            line.setblocking(False)
            with suppress(BlockingIOError):
                if line.type == socket.SOCK_STREAM:
                    line.accept()[0].close()
                else:
                    line.recv(_LETTER_BYTES)
                yield name

    def close(self) -> None:
        """Closes all of them."""
        for line in self._open.values():
            line.close()


def _local(address: str, kind: socket.SocketKind) -> socket.socket:
    line = socket.socket(socket.AF_UNIX, kind)
    line.bind(address)
    if kind == socket.SOCK_STREAM:
        line.listen()
    return line


def _left(token: str) -> list[str]:
    """Traces that attacks left elsewhere, marked by the token, in words."""
    kept = [f"shared {kind} of System V" for kind, _ in _system_v(token)]
    return [str(path) for path in _files(token)] + kept


def _removed(token: str) -> list[str]:
    """Removes these traces; returns those that only removing can find, in words."""
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
    """The kinds and numbers of System V objects with the key that attacks derive from the token."""
    key = str(int(token[:7], 16))
    for kind in ("shm", "msg", "sem"):
        with suppress(OSError):
            for line in Path("/proc/sysvipc", kind).read_text(encoding="ascii").splitlines():
                words = line.split()
                if words[0] == key:
                    yield kind, int(words[1])
