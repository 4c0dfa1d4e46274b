"""The targets of attacks detect every change, and leave nothing behind."""

import os
import signal
import socket
from pathlib import Path

import pytest
from helpers import wait_until

from joute.redteam.targets import MARK, Targets


@pytest.fixture
def targets(tmp_path):
    with Targets(tmp_path) as made:
        yield made


def kinds(targets):
    return {proof.kind for proof in targets.traces()}


def test_undisturbed_targets_show_no_traces(targets):
    assert targets.traces() == []
    assert all(secret.startswith((MARK, "process ")) for secret in targets.secrets)


@pytest.mark.parametrize(
    ("harm", "kind"),
    [
        (lambda aim: Path(aim["other_bot"]).unlink(), "gone"),
        (lambda aim: Path(aim["other_bot"]).write_text(""), "spoilt"),
        (lambda aim: Path(aim["other_bot"]).chmod(0), "spoilt"),
        (lambda aim: Path(aim["other_folder"]).chmod(0), "spoilt"),
        (lambda aim: os.utime(aim["database"], (1, 1)), "spoilt"),
        (lambda aim: os.link(aim["notes"], aim["own_folder"] + "/mine"), "spoilt"),
        (lambda aim: Path(aim["own_folder"], "mine").touch(), "made"),
        (lambda aim: Path(aim["own_folder"], "mine").symlink_to("/nowhere"), "made"),
        (lambda aim: Path(aim["tmp"], f"mine-{aim['token']}").touch(), "left"),
        (lambda aim: socket.create_connection(("127.0.0.1", aim["tcp"])).close(), "called"),
        (lambda aim: os.setpriority(os.PRIO_PROCESS, aim["decoy"], 19), "harmed"),
    ],
)
def test_what_is_done_to_targets_is_seen(targets, harm, kind):
    harm(targets.aim())
    assert kind in kinds(targets)


def test_a_killed_or_stopped_decoy_is_seen(targets):
    decoy = targets.aim()["decoy"]
    os.kill(decoy, signal.SIGSTOP)
    wait_until(lambda: "harmed" in kinds(targets))
    os.kill(decoy, signal.SIGKILL)
    wait_until(lambda: [proof.what for proof in targets.traces()] == ["life"])


def test_closed_targets_leave_nothing(tmp_path):
    with Targets(tmp_path) as targets:
        aim = targets.aim()
        left = Path(aim["tmp"], f"mine-{targets.token}")
        left.touch()
        Path(aim["other_folder"]).chmod(0)
    assert not targets.folder.exists()
    assert not left.exists()
    assert not Path(f"/proc/{aim['decoy']}").exists()
    assert targets.close() == []
