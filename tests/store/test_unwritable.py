"""A database that we may not write is read all the same, and stays as it is."""

import os
import sqlite3
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from cli.apart import command, environment
from redteam.users import as_nobody
from sqlalchemy import text
from store.samples import GAME, numbered
from store.test_layouts import LAYOUT_1

from joute.contest.config.config import resolve
from joute.contest.errors import FolderError
from joute.contest.folder import DATABASE, now
from joute.contest.proof.verification import verify_results
from joute.contest.run.runner import run_contest
from joute.machine import READ_ONLY
from joute.store.database import Database
from joute.store.model import ForbiddenError
from joute.store.store import Store, StoreError

CONTEST = """
bots = ["builtin:greedy", "builtin:random"]
[contest]
games = 2
workers = 1
seed = "cup"
[game]
size = 4
"""


@pytest.fixture(name="path")
def _path(tmp_path):
    path = tmp_path / DATABASE
    with Store.in_file(path) as store:
        store.add([GAME], records={GAME.identity: b"{}\n"})
    return path


@pytest.fixture
def forbid(monkeypatch):
    """Forbids us to write, whoever we are, or allows it again."""
    known = os.access

    def forbid(what):
        monkeypatch.setattr(os, "access", lambda path, mode: not mode & what and known(path, mode))

    return forbid


def test_a_database_that_may_not_be_written_is_read_and_nothing_is_made_beside_it(path, forbid):
    forbid(os.W_OK)
    with Store.in_file(path) as store:
        assert store.games() == {GAME.identity: GAME}
        assert store.record(GAME.identity) == b"{}\n"
        assert [each.name for each in path.parent.iterdir()] == [path.name]
        with pytest.raises(ForbiddenError, match="cannot be written: Permission denied"):
            store.add([numbered(1)])
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_what_is_written_meanwhile_is_read_by_whoever_may_not_write(path, forbid):
    forbid(os.W_OK)
    with Store.in_file(path) as reader:
        assert reader.count() == 1
        forbid(0)
        with Store.in_file(path) as writer:
            writer.add([numbered(1)])
            assert reader.count() == 2  # from the log
        assert reader.count() == 2
        with Store.in_file(path) as writer:
            writer.add([numbered(2)])
        assert reader.count() == 3


def test_a_look_at_a_database_that_is_written_in_its_middle_is_done_again(path, forbid):
    forbid(os.W_OK)
    database = Database(f"sqlite:///{path}")
    forbid(0)
    looks = []

    def look(connection):
        looks.append(connection.scalar(text("SELECT count(*) FROM games")))
        if len(looks) == 1:
            with Store.in_file(path) as writer:
                writer.add([numbered(1)])
        return connection.scalar(text("SELECT count(*) FROM games"))

    assert database.read(look) == 2
    assert looks == [1, 2]
    database.close()


def test_an_older_layout_that_may_not_be_written_is_refused_with_its_number(tmp_path, forbid):
    path = tmp_path / DATABASE
    connection = sqlite3.connect(path)
    connection.executescript(LAYOUT_1)
    connection.close()
    forbid(os.W_OK)
    with pytest.raises(ForbiddenError, match=r"Permission denied \(layout 1, brought up to date"):
        Store.in_file(path)
    with pytest.raises(FolderError, match="layout 1"):
        verify_results(tmp_path)


def test_results_that_may_not_be_read_are_no_difference(path, forbid):
    path.write_bytes(b"no database at all")
    assert [each.key for each in verify_results(path.parent).differences] == ["store"]
    forbid(os.R_OK)
    with pytest.raises(FolderError, match="not a usable database"):
        verify_results(path.parent)


def test_a_file_system_that_is_read_only_is_told_from_a_file_that_is(path, forbid, monkeypatch):
    forbid(os.W_OK)
    with Store.in_file(path) as store:
        facts = os.statvfs(path)
        read_only = os.statvfs_result((*facts[:8], facts.f_flag | os.ST_RDONLY, *facts[9:]))
        monkeypatch.setattr(os, "statvfs", lambda path: read_only)
        with pytest.raises(StoreError, match="Read-only file system") as told:
            store.add([numbered(1)])
    assert told.value.short == READ_ONLY


def log_left_behind(path):
    """Leave the log and its index beside a database, as a kill does."""
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("UPDATE meta SET value = value")
    writer.commit()
    names = [path.name + suffix for suffix in ("", "-wal", "-shm")]
    kept = {name: (path.parent / name).read_bytes() for name in names}
    writer.close()
    for name, content in kept.items():
        (path.parent / name).write_bytes(content)


@pytest.mark.full
@pytest.mark.game("virus")
@pytest.mark.parametrize("owner", ["away", "killed", "writing"])
def test_an_ordinary_user_verifies_results_that_are_only_to_be_read(owner):
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    # Not below pytest's own folder, which is root's alone.
    with as_nobody() as words, tempfile.TemporaryDirectory() as folder, ExitStack() as until_read:
        file = Path(folder) / "cup.toml"
        file.write_text(CONTEST)
        contest = resolve(file)
        run_contest(contest, trust=True)
        results = Path(contest.folder)
        if owner == "killed":
            log_left_behind(results / DATABASE)
        if owner == "writing":
            writer = until_read.enter_context(Store.in_file(results / DATABASE))
            writer.note("other", {}, now())
            assert (results / f"{DATABASE}-wal").stat().st_size
        for each in (Path(folder), *Path(folder).rglob("*")):
            each.chmod(0o555 if each.is_dir() else 0o444)
        before = sorted(results.iterdir())
        for wanted in (["verify"], ["contest", "audit"], ["contest", "standings"], ["records"]):
            done = subprocess.run(
                [*words, *command(*wanted, results if wanted == ["records"] else file)],
                env=environment(),
                capture_output=True,
                text=True,
                cwd="/",
            )
            assert (done.returncode, done.stderr) == (0, ""), wanted
        assert sorted(results.iterdir()) == before
