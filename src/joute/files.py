"""Files that are written whole or not at all: a draft beside them takes their place when complete.

Every file that Joute writes in one piece goes through `put` or `drafted`. After a full disk, an
interruption or any other failure the old file is as it was and no draft is left; a program that is
killed outright leaves a draft NAME.partial, which the next one overwrites.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

DRAFT = ".partial"
LONGEST_SLUG = 40  # characters


@contextmanager
def drafted(path: Path, *, shared: bool = False) -> Iterator[Path]:
    """The path of a draft, which becomes the file at `path` when the block ends without error.

    Folders on the way are made. A file that is not a regular one, as /dev/stdout, is written in
    place. The draft of a `shared` file, which several processes may write at once, has a name of
    its own. Raises OSError.
    """
    target = path.resolve()  # what a link leads to is replaced, the link stays
    if target.exists() and not target.is_file():
        yield target
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    own = f".{secrets.token_hex(4)}" if shared else ""
    draft = target.with_name(f"{target.name}{own}{DRAFT}")
    try:
        yield draft
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def put(path: Path, content: str | bytes, *, private: bool = False, shared: bool = False) -> Path:
    """Write a file whole, text as UTF-8; returns its path. Raises OSError, which names the path.

    A `private` file can be read by its owner only, and so can a folder that is made for it; for
    `shared` see `drafted`.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if private:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with drafted(path, shared=shared) as draft:
            mode = 0o600 if private else 0o666
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
    except OSError as error:
        # Not the draft's, and not none at all, as of a disk that is full.
        raise type(error)(error.errno, error.strerror, str(path)) from error
    return path


def tighten(path: Path) -> None:
    """Takes what others than its owner may do with a file or folder of ours from them.

    Whoever shares one with a group, and with the group alone, is left alone. Nothing happens to
    what is not there or belongs to somebody else.
    """
    with suppress(OSError):
        found = path.stat()
        if found.st_uid == os.getuid() and found.st_mode & stat.S_IRWXO:
            path.chmod(stat.S_IMODE(found.st_mode) & stat.S_IRWXU)


def slug(name: str) -> str:
    """A name in letters, digits and hyphens, which every disk and every address takes; or ""."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:LONGEST_SLUG]


def numbered_name(number: int, name: str) -> str:
    """The name of one of several files without its ending, in their order."""
    return f"{number:02d}-{slug(name)}".rstrip("-")
