"""The settings of `joute serve`, and what it keeps between two runs.

The data folder holds the secret that signs cookies and the hash of the organiser's password, each
in a file that only its owner can read. One server at a time uses a data folder: what it stores, it
has in memory too, and writes its files whole.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from joute.errors import Error
from joute.files import put
from joute.i18n.words import Sentence

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
SECRET_BYTES = 32
PASSWORD_FILE = "organiser"  # in the data folder: the hash of the organiser's password
LOCK = "lock"  # in the data folder, held by its server
_NUMBER_BYTES = 32  # that are read of a process's number
_HASH = "$argon2"  # how the hash of a password begins


class DataError(Error):
    """The data folder cannot be used: another server has it, or a file in it is damaged."""


class GoneFolderError(FileNotFoundError):
    """A folder of the data was moved or deleted while it was served."""


@dataclass(frozen=True)
class Settings:
    """The settings of the web application."""

    folders: tuple[Path, ...] = ()  # of the contests shown
    data: Path | None = None  # what is kept; None keeps nothing
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(SECRET_BYTES))
    password: str | None = None  # hash of the organiser's; None: whoever asks is the organiser
    hosts: tuple[str, ...] = LOOPBACK  # names and addresses that a request may be for
    https: bool = False  # the browser's connection is encrypted: cookies travel over no other
    proxied: bool = False  # a server in front of this one tells who has come
    messages: bool = False  # everybody may read what the bots of contests in `folders` say
    prepare: bool = False  # built-in bots are compiled before they are waited for
    fresh: bool = False  # pages and static files are read again at each request


@contextmanager
def held(data: Path) -> Iterator[None]:
    """Keeps the data folder, which is made where it is missing, from other servers.

    The system lets it go however this process ends. Raises DataError if another one has it, OSError
    where it cannot be made.
    """
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(data / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(lock, _NUMBER_BYTES).decode(errors="replace").strip()
            key = "serve.held_by" if owner else "serve.held"
            raise DataError(Sentence(key, folder=data, owner=owner)) from None
        with suppress(OSError):  # for want of room: it is held all the same
            os.truncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode())
        yield
        with suppress(OSError):
            os.truncate(lock, 0)
    finally:
        os.close(lock)


def kept_secret(data: Path) -> bytes:
    """The secret of the data folder; drawn the first time. Raises DataError for a damaged one."""
    path = data / "secret"
    if not path.exists():
        write_private(path, secrets.token_bytes(SECRET_BYTES))
    found = path.read_bytes()
    if len(found) != SECRET_BYTES:
        values = {"file": path, "found": len(found), "size": SECRET_BYTES}
        raise DataError(Sentence("serve.secret", **values))
    return found


def kept_password(data: Path) -> str | None:
    """The hash of the organiser's password, if there is one yet. Raises DataError for no hash."""
    path = data / PASSWORD_FILE
    if not path.exists():
        return None
    found = path.read_text(encoding="ascii", errors="replace").strip()
    if not found.startswith(_HASH):
        raise DataError(Sentence("serve.no_hash", file=path))
    return found


def keep_password(data: Path, password: str) -> str:
    """The hash of a new password of the organiser, kept in the data folder."""
    from argon2 import PasswordHasher

    hashed = PasswordHasher().hash(password)
    write_private(data / PASSWORD_FILE, hashed.encode("ascii"))
    return hashed


def write_private(path: Path, content: bytes) -> None:
    """Writes a file that only its owner can read, whole or not at all, also at a power cut."""
    put(path, content, private=True, shared=True, durable=True)


def check_there(folder: Path) -> None:
    """Raises GoneFolderError for a folder that was moved or deleted while it was served.

    Writing into it would make another one, which is not looked into where the first comes back.
    """
    if not folder.is_dir():
        raise GoneFolderError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
