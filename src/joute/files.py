"""Files that are written whole or not at all: a draft beside them takes their place when complete.

The user's own folders are named here too.

Every file that Joute writes in one piece goes through `put` or `drafted`. After a full disk, an
interruption or any other failure the old file is as it was and no draft is left; a program that is
killed outright leaves a draft NAME.partial, which the next one overwrites.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

DRAFT = ".partial"


@contextmanager
def drafted(path: Path, *, shared: bool = False, durable: bool = False) -> Iterator[Path]:
    """The path of a draft, which becomes the file at `path` when the block ends without error.

    Folders on the way are made. A file that is not a regular one, as /dev/stdout, is written in
    place. The draft of a `shared` file, which several processes may write at once, has a name of
    its own. A `durable` file is on the disk before it takes its place, so that a power cut leaves
    the old one or the new one, whole. Raises OSError.
    """
    target = path.resolve()  # the target of a link is replaced, the link stays
    if target.exists() and not target.is_file():
        yield target
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    own = f".{os.urandom(4).hex()}" if shared else ""
    draft = target.with_name(f"{target.name}{own}{DRAFT}")
    try:
        yield draft
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        if durable:
            _flush(draft)
        draft.replace(target)
        if durable:
            with suppress(OSError):  # of a file system that cannot: the file is there all the same
                _flush(target.parent)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def _flush(path: Path) -> None:
    """Returns when a file's content, or a folder's list of names, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put(
    path: Path,
    content: str | bytes,
    *,
    private: bool = False,
    shared: bool = False,
    durable: bool = False,
) -> Path:
    """Writes a file whole, text as UTF-8; returns its path. Raises OSError, which names the path.

    A `private` file can be read by its owner only, and so can a folder that is made for it; for
    `shared` and `durable` see `drafted`.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if private:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with drafted(path, shared=shared, durable=durable) as draft:
            mode = 0o600 if private else 0o666
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
    except OSError as error:
        # Not the draft's, and not none at all, as of a disk that is full.
        raise type(error)(error.errno, error.strerror, str(path)) from error
    return path


def from_here(path: Path) -> Path:
    """The path as it is shortest to write: relative if it is below the current folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def cache_folder() -> Path:
    """The folder of compiled code and other caches: JOUTE_CACHE, else the user's cache."""
    if own := os.environ.get("JOUTE_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "joute"


def shipped(name: str) -> Path:
    """The folder `docs`, `examples` or `verifier`: in the package, in a clone at its root.

    Raises FileNotFoundError where the package came without it.
    """
    package = Path(__file__).parent
    for place in (package / "shipped", package.parents[1]):
        if (place / name).is_dir():
            return place / name
    raise FileNotFoundError(
        errno.ENOENT, os.strerror(errno.ENOENT), str(package / "shipped" / name)
    )


def data_folder(environ: Mapping[str, str]) -> Path:
    """The folder of a user's data, unless another is named."""
    named = environ.get("XDG_DATA_HOME") or Path(environ.get("HOME") or Path.home(), ".local/share")
    return Path(named, "joute")


def tighten(path: Path) -> None:
    """Withdraws the permissions of others than the owner on a file or folder of ours.

    A file that is shared with a group, and with the group alone, is left alone. Nothing happens to
    a file that is not there or belongs to somebody else.
    """
    with suppress(OSError):
        found = path.stat()
        if found.st_uid == os.getuid() and found.st_mode & stat.S_IRWXO:
            path.chmod(stat.S_IMODE(found.st_mode) & stat.S_IRWXU)
