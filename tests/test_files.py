"""Files that are written whole or not at all."""

import os
import re
import resource
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from helpers import names_missing_game

import joute
from joute import files
from joute.core.weights import save_weights
from joute.learn.training import _keep
from joute.web.settings import write_private

SOURCE = Path(joute.__file__).parent
# Who writes a file otherwise, and why.
APART = {
    "core/weights.py": "into a draft",
    "games/virus/learning.py": "into a draft",
    "learn/training.py": "into a draft",
    "games/vampires/commands.py": "a log, line by line",
    "contest/run/playing.py": "a lock, which is held open",
    "contest/run/cluster/bundle.py": "below a folder that is a draft itself",
    "host/building/built.py": "below a folder that is a draft itself",
    "host/child/namespaces.py": "files of the kernel",
    "host/child/tree.py": "files of the kernel",
    "host/sandbox/canaries.py": "in a temporary folder",
    "host/sandbox/canary.py": "in a temporary folder",
    "host/sandbox/groups.py": "files of the kernel",
    "web/contests/control.py": "output of a process, as it comes",
    "web/registration/jobs.py": "output of a process, as it comes",
}
WRITES = re.compile(r"\.write_(text|bytes)\(|\bopen\([^)]*[\"'][wax][b+]*[\"']")


class Positions(NamedTuple):
    """The part of a batch of games that a trainer keeps."""

    values: np.ndarray


def test_no_other_module_writes_files_in_its_own_way():
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if WRITES.search(path.read_text("utf-8")) and "redteam" not in path.parts
    }
    assert found == {name for name in APART if not names_missing_game(name)}


@contextmanager
def full_disk():
    """Every file that is written is too long: as on a full disk, with another number.

    No fixture, which would hold while pytest writes of the test, to a file perhaps.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_is_written_with_the_folders_on_its_way(tmp_path):
    path = files.put(tmp_path / "a" / "b.txt", "é")
    assert path.read_bytes() == "é".encode()
    assert [each.name for each in path.parent.iterdir()] == ["b.txt"]


@pytest.mark.parametrize("options", [{}, {"shared": True}, {"private": True}])
def test_on_a_full_disk_the_old_file_stays_and_no_draft(tmp_path, options):
    path = tmp_path / "a.txt"
    os.mknod(path)
    with full_disk(), pytest.raises(OSError, match=r"a\.txt") as error:
        files.put(path, "new", **options)
    assert error.value.filename == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_bytes() == b""


def test_a_durable_file_is_on_the_disk_before_it_takes_its_place(tmp_path, monkeypatch):
    path, flushed = tmp_path / "a.txt", []

    def fsync(handle):
        found = Path(f"/proc/self/fd/{handle}").readlink()
        flushed.append((found.name, found.is_file() and found.read_text(), path.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    files.put(path, "text")
    path.unlink()
    assert flushed == []
    files.put(path, "text", durable=True)
    assert flushed == [("a.txt.partial", "text", False), (tmp_path.name, False, True)]


@pytest.mark.parametrize(
    "write",
    [
        lambda path: write_private(path, b""),
        lambda path: save_weights(np.zeros(3), path, "joute learn"),
        lambda path: _keep(path, Positions(np.zeros(3))),
    ],
)
def test_what_is_kept_for_long_is_durable(tmp_path, monkeypatch, write):
    flushed = []
    monkeypatch.setattr(os, "fsync", flushed.append)
    write(tmp_path / "file")
    assert len(flushed) == 2 and (tmp_path / "file").exists()


def test_what_is_interrupted_leaves_no_draft(tmp_path):
    with pytest.raises(KeyboardInterrupt), files.drafted(tmp_path / "a.txt") as draft:
        draft.write_text("half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_way_is_named(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError) as error:
        files.put(tmp_path / "a", "text")
    assert error.value.filename == str(tmp_path / "a")
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_a_device_is_written_to_and_stays_a_device(tmp_path):
    assert files.put(Path("/dev/null"), "text") == Path("/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_link_stays_a_link_and_a_mode_a_mode(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    files.put(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_a_private_file_is_its_owner_s_alone(tmp_path):
    path = files.put(tmp_path / "keys" / "secret", b"\0", private=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
