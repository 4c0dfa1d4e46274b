"""What attacks are aimed at notices everything that is done to it, and leaves nothing behind."""

import os
import signal
import socket
from pathlib import Path

import pytest
from helpers import wait_until

from joute.redteam.room import MARK, Room


@pytest.fixture
def room(tmp_path):
    with Room(tmp_path) as made:
        yield made


def kinds(room):
    return {proof.kind for proof in room.traces()}


def test_an_undisturbed_room_shows_no_traces(room):
    assert room.traces() == []
    assert all(secret.startswith((MARK, "process ")) for secret in room.secrets)


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
def test_what_is_done_to_a_room_is_seen(room, harm, kind):
    harm(room.aim())
    assert kind in kinds(room)


def test_a_killed_or_stopped_decoy_is_seen(room):
    decoy = room.aim()["decoy"]
    os.kill(decoy, signal.SIGSTOP)
    wait_until(lambda: "harmed" in kinds(room))
    os.kill(decoy, signal.SIGKILL)
    wait_until(lambda: [proof.what for proof in room.traces()] == ["life"])


def test_a_closed_room_leaves_nothing(tmp_path):
    with Room(tmp_path) as room:
        aim = room.aim()
        left = Path(aim["tmp"], f"mine-{room.token}")
        left.touch()
        Path(aim["other_folder"]).chmod(0)
    assert not room.folder.exists()
    assert not left.exists()
    assert not Path(f"/proc/{aim['decoy']}").exists()
    assert room.close() == []
