"""Builds a bot inside the jail: `build.py FOLDER COMMAND`.

The sources are copied from the folder into the scratch folder, the only one that can be written;
there a shell runs the command, whose output is this process's. What it has made or changed leaves
by the standard error: nothing else that could leave the jail is open.

That stream is the line MADE with the command's status, then for each file four bytes with the
length of its path, eight with its size, one that tells whether it can be executed, all big-endian,
then the path and the content. Of files that begin as programs do, it can: not every jail lets a
command change the permissions of a file.

Of a folder that is marked as a cache, as Cargo marks `target`, only programs leave: the rest is of
use to the next build only, and there is none.
"""

import errno
import os
import shutil
import struct
import subprocess
import sys
import tempfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Tuple

MADE = b"joute-made "
HEAD = struct.Struct(">IQ?")
_CACHE = "CACHEDIR.TAG"
_PROGRAMS = (b"\x7fELF", b"#!")
_CHUNK = 1 << 20


def main(source: str, command: str) -> None:
    """Builds, and sends what was made."""
    out = os.fdopen(os.dup(2), "wb")
    os.dup2(1, 2)  # whatever goes wrong from here on is for the author
    folder = os.path.join(tempfile.mkdtemp(), "bot")
    _copy(source, folder)
    done = subprocess.run(  # noqa: S602 - the author's command
        command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, check=False
    )
    out.write(MADE + str(done.returncode).encode() + b"\n")
    try:
        if done.returncode == 0:
            for path, name in _made(folder, source):
                _send(out, path, name)
        out.flush()
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        # More than a file may hold was made, and what is sent by now says so.


def _copy(source: str, folder: str) -> None:
    """Copies a folder, by nothing that changes permissions or times: no call of the jail does."""
    for where, _, files in os.walk(source):
        place = os.path.join(folder, os.path.relpath(where, source))
        os.makedirs(place)
        for each in sorted(files):
            shutil.copyfile(os.path.join(where, each), os.path.join(place, each))


def _made(folder: str, source: str) -> "Iterator[Tuple[str, str]]":
    """The files below a folder that are not in the source, or not the same; (path, name)."""
    cache = None
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if _counts(each))
        if cache is None or not where.startswith(cache):
            cache = where + os.sep if _CACHE in files else None
        for each in sorted(filter(_counts, files)):
            path = os.path.join(where, each)
            name = os.path.relpath(path, folder)
            if not _is_readable(path) or _same(path, os.path.join(source, name)):
                continue
            if cache is None or _is_program(path):
                yield path, name


def _counts(name: str) -> bool:
    return not name.startswith(".") and name != "__pycache__"


def _is_readable(path: str) -> bool:
    # The command may have taken away the right to read what it made: nobody could play with it.
    return os.path.isfile(path) and os.access(path, os.R_OK)


def _is_program(path: str) -> bool:
    with open(path, "rb") as file:
        return os.access(path, os.X_OK) or file.read(4).startswith(_PROGRAMS)


def _same(path: str, other: str) -> bool:
    if not os.path.isfile(other) or os.path.getsize(path) != os.path.getsize(other):
        return False
    with open(path, "rb") as one, open(other, "rb") as two:
        while True:
            piece = one.read(_CHUNK)
            if piece != two.read(_CHUNK):
                return False
            if not piece:
                return True


def _send(out: "object", path: str, name: str) -> None:
    with open(path, "rb") as file:
        word, runs = os.fsencode(name), _is_program(path)
        out.write(HEAD.pack(len(word), os.path.getsize(path), runs) + word)  # type: ignore[attr-defined]
        shutil.copyfileobj(file, out, _CHUNK)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(*sys.argv[1:])
