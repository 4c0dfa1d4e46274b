"""Control groups: made where they hold, claimed nowhere else, and gone with their bots."""

import os
import sys

import pytest
from helpers import wait_until
from host.hosting import EASY, play_message, start_message
from host.jailing import ATTEMPTING, need_level
from msgspec.structs import replace

from joute.host import Fault, Level
from joute.host.sandbox import groups, spawning
from joute.host.sandbox.groups import ControlGroup, Share
from joute.host.sandbox.spawning import BotCommand

SHARE = Share(memory_bytes=1 << 27, processes=8)

TAKING = """
import json, os, sys
for line in sys.stdin:
    if '"start"' in line:
        print('{"type":"ready"}', flush=True)
        continue
    many, megabytes = json.loads(line)["observation"]["take"]
    ready, told = os.pipe()
    for _ in range(many):
        if os.fork() == 0:
            hoard = b"x" * (megabytes << 20)
            os.write(told, b".")
            os.read(os.pipe()[0], 1)
    for _ in range(many):
        os.read(ready, 1)
    print(json.dumps({"type": "action", "action": many}), flush=True)
"""


MADE = []


class Written(ControlGroup):
    """A group of plain files, which holds nobody."""

    def __init__(self, ground, share):
        self.path = ground / f"group-{len(MADE)}"
        self.path.mkdir()
        (self.path / "cgroup.procs").touch()
        self.share, self.taken, self.closed = share, [], False
        MADE.append(self)

    def take(self, pid):
        super().take(pid)
        self.taken.append(pid)

    def close(self):
        self.closed = True


@pytest.fixture
def written(tmp_path_factory, monkeypatch):
    """The groups that are made, all of plain files."""
    need_level(Level.FULL)
    folder = tmp_path_factory.mktemp("groups")
    monkeypatch.setattr(groups, "ground", lambda: folder)
    monkeypatch.setattr(spawning, "ControlGroup", Written)
    MADE.clear()
    return MADE


FULL = replace(EASY, isolation=Level.FULL)


def system(tmp_path, monkeypatch, own="/user/shell", kind="cgroup2"):
    """A system's groups as plain folders: the folder that this process's own lies in."""
    root = tmp_path / "cgroup"
    for folder in (root / "user" / "shell", root / "user", root):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup.subtree_control").write_text("")
        (folder / "cgroup.procs").touch()
    (tmp_path / "mounts").write_text(f"proc /proc proc rw 0 0\n{kind} {root} {kind} rw 0 0\n")
    (tmp_path / "own").write_text(f"4:memory:/elsewhere\n0::{own}\n")
    monkeypatch.setattr(groups, "_MOUNTS", tmp_path / "mounts")
    monkeypatch.setattr(groups, "_OWN", tmp_path / "own")
    return root / "user"


def test_groups_are_made_beside_ones_own_where_limits_hold(tmp_path, monkeypatch):
    folder = system(tmp_path, monkeypatch)
    assert list(groups._candidates()) == []
    (folder / "cgroup.subtree_control").write_text("cpu memory\n")
    assert list(groups._candidates()) == []
    (folder / "cgroup.subtree_control").write_text("cpu memory pids\n")
    assert list(groups._candidates()) == [folder]


@pytest.mark.parametrize("changes", [{"own": "/../shell"}, {"own": ""}, {"kind": "cgroup"}])
def test_without_a_group_of_version_2_there_are_none(tmp_path, monkeypatch, changes):
    folder = system(tmp_path, monkeypatch, **changes)
    (folder / "cgroup.subtree_control").write_text("memory pids")
    assert list(groups._candidates()) == []


def test_groups_that_do_not_hold_a_canary_are_not_used(tmp_path, monkeypatch):
    folder = system(tmp_path, monkeypatch)
    (folder / "cgroup.subtree_control").write_text("memory pids")
    assert list(groups._candidates()) == [folder]
    monkeypatch.setattr(groups, "ControlGroup", Written)
    assert groups.ground.__wrapped__() is None
    monkeypatch.setattr(groups, "_holds", lambda folder: True)
    assert groups.ground.__wrapped__() == folder


def test_where_a_group_cannot_be_set_up_nothing_stays(tmp_path, monkeypatch):
    def refused(self, name, value):
        raise PermissionError(1, "Operation not permitted", name)

    monkeypatch.setattr(ControlGroup, "_set", refused)
    with pytest.raises(PermissionError):
        ControlGroup(tmp_path, SHARE)
    assert list(tmp_path.iterdir()) == []


def test_a_group_that_is_slow_to_end_is_removed_with_the_next_one(tmp_path, monkeypatch):
    monkeypatch.setattr(groups, "_GONE_SECONDS", 0.0)
    monkeypatch.setattr(ControlGroup, "_set", lambda self, name, value: None)
    group = ControlGroup(tmp_path, SHARE)
    process = group.path / "process"
    process.touch()
    group.close()
    assert group.path.exists()
    process.unlink()
    following = ControlGroup(tmp_path, SHARE)
    assert list(tmp_path.iterdir()) == [following.path]


def test_what_a_killed_process_has_left_is_removed_and_nothing_else(tmp_path):
    (tmp_path / "joute-4194305-0").mkdir()  # beyond the numbers of processes
    others = {f"joute-{os.getpid()}-0", "joute-web-0", "other"}
    for name in others:
        (tmp_path / name).mkdir()
    groups.sweep(tmp_path)
    assert {each.name for each in tmp_path.iterdir()} == others


def test_a_bot_of_the_highest_level_is_in_its_group_before_it_runs(hosts, written):
    bot = hosts.source(ATTEMPTING, replace(FULL, memory_mb=256, file_mb=16, processes=5))
    [group] = written
    assert group.share == Share(memory_bytes=272 << 20, processes=7)
    assert group.taken == [bot.pid, bot.bot_pid]
    bot.close()
    assert group.closed


def test_a_bot_below_the_highest_level_needs_no_group(hosts, written):
    hosts.source(ATTEMPTING, replace(EASY, isolation=Level.KERNEL))
    assert written == []


def test_a_bot_whose_processes_took_too_much_together_has_no_memory_left(hosts, written):
    text = "import os\ndef play(o, c):\n    os.kill(os.getpid(), 9)\n"
    killed = hosts.source(text, FULL)
    assert killed.ask(play_message()).fault is Fault.CRASH
    bot = hosts.source(text, FULL)
    (written[1].path / "memory.events").write_text("low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\n")
    answer = bot.ask(play_message())
    assert answer.fault is Fault.MEMORY
    assert answer.detail == "its processes together took more than 256 MiB of memory"


def test_a_bot_that_ends_before_it_reports_takes_nobody_else_into_its_group(hosts, written):
    bot = hosts.command(BotCommand(["/bin/false"], Level.FULL, share=SHARE))
    assert bot.start(start_message()).fault is Fault.START_UP
    assert 0 not in written[0].taken


@pytest.mark.parametrize("broken", [1, 2])
def test_a_bot_that_cannot_be_put_into_its_group_does_not_run(hosts, written, monkeypatch, broken):
    def take(self, pid):
        self.taken.append(pid)
        if len(self.taken) == broken:
            raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Written, "take", take)
    hosts.write("mine.py", ATTEMPTING)
    bot = hosts.bot("mine.py", FULL, base=hosts.folder)
    assert bot.start(start_message()).fault is Fault.INFRASTRUCTURE
    assert written[0].closed


def test_all_processes_of_a_bot_share_its_memory_where_groups_can_be_had(hosts):
    need_level(Level.FULL)
    if groups.ground() is None:
        pytest.skip("this machine lets this user make no control groups: see joute doctor")
    hosts.write("mine.py", TAKING)
    limits = replace(FULL, memory_mb=128, file_mb=16)
    for many, megabytes, fault in ((2, 32, None), (4, 60, Fault.MEMORY)):
        program = f"program:{sys.executable} mine.py"
        bot = hosts.started(program, limits, base=hosts.folder)
        group = bot._group.path
        assert bot.ask(play_message(take=[many, megabytes])).fault is fault
        bot.close()
        wait_until(lambda group=group: not group.exists())
