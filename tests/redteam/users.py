"""A command line as an ordinary user, wherever the interpreter and the checkout lie."""

import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

from helpers import need

import joute

NOBODY = 65534


def as_nobody():
    """The words to put before a command that an ordinary user is to run; see `as_user`."""
    return as_user(NOBODY)


@contextmanager
def as_user(number, needs=None, **variables):
    """The words to put before a command that an ordinary user is to run, with a home of its own.

    `needs` are folders that the command reads, by default those of this interpreter and checkout;
    `variables` are added to its environment.

    Only root can do that, in mounts of its own, which nobody else sees: of folders that an ordinary
    user may not pass, as root's home, only what the command needs is there.
    """
    # Not below pytest's own folder, which is root's alone.
    home = Path(tempfile.mkdtemp())
    os.chown(home, number, number)
    stage = Path(tempfile.mkdtemp())
    ids = [f"--reuid={number}", f"--regid={number}", "--clear-groups"]
    if needs is None:
        needs, variables = _needed(), {"PYTHONPATH": _search(), **variables}
    variables = {"PATH": os.defpath, "HOME": str(home), "TMPDIR": str(home), **variables}
    changed = [
        need("setpriv"),
        *ids,
        need("env"),
        "-i",
        *(f"{k}={v}" for k, v in variables.items()),
    ]
    opened = "\n".join(["set -e", *_opening(stage, needs), 'exec "$@"'])
    apart = [need("unshare"), "--mount", "--propagation", "private"]
    try:
        yield [*apart, need("sh"), "-c", opened, "sh", *changed]
    finally:
        shutil.rmtree(home)
        stage.rmdir()


def _search():
    """The PYTHONPATH of the command."""
    source = str(Path(joute.__file__).parents[1])
    return os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])


def _opening(stage, needs):
    """The lines of a shell that open the way to what the command needs."""
    ways = {}
    for path in needs:
        for folder in reversed(path.parents):
            if not folder.stat().st_mode & 0o001:
                ways.setdefault(folder, []).append(path)
                break
    if ways:
        yield f"mount -t tmpfs tmpfs {quote(str(stage))}"
    for number, (folder, paths) in enumerate(ways.items()):
        for each, path in enumerate(paths):
            kept = quote(f"{stage}/{number}-{each}")
            yield f"mkdir {kept} && mount --bind {quote(str(path))} {kept}"
        yield f"mount -t tmpfs -o mode=755 tmpfs {quote(str(folder))}"
        for each, path in enumerate(paths):
            kept, place = quote(f"{stage}/{number}-{each}"), quote(str(path))
            yield f"mkdir -p {place} && mount --bind {kept} {place}"


def _needed():
    """Folders: of the checkout, and of the interpreter, wherever its links lead."""
    found = {Path(joute.__file__).parents[2], Path(sys.prefix), Path(sys.base_prefix)}
    return sorted(each.resolve() for each in found if each.is_dir())
