"""The settings of `joute serve`, and what it keeps between two runs.

The data folder holds the secret that signs cookies and the hash of the organiser's password, each
in a file that only its owner can read.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from joute.files import put

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
SECRET_BYTES = 32


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


def kept_secret(data: Path) -> bytes:
    """The secret of the data folder; drawn the first time."""
    path = data / "secret"
    if not path.exists():
        write_private(path, secrets.token_bytes(SECRET_BYTES))
    return path.read_bytes()


def kept_password(data: Path) -> str | None:
    """The hash of the organiser's password, if there is one yet."""
    path = data / "organiser"
    return path.read_text(encoding="ascii").strip() if path.exists() else None


def keep_password(data: Path, password: str) -> str:
    """The hash of a new password of the organiser, kept in the data folder."""
    from argon2 import PasswordHasher

    hashed = PasswordHasher().hash(password)
    write_private(data / "organiser", hashed.encode("ascii"))
    return hashed


def write_private(path: Path, content: bytes) -> None:
    """Writes a file that only its owner can read, whole or not at all."""
    put(path, content, private=True, shared=True)
