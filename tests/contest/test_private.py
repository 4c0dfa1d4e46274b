"""Files that hold seeds and messages are their owner's alone, whatever the umask says."""

import os
import stat
from pathlib import Path

import pytest
from contest import fakes
from contest.test_presentation import cup

from joute.contest.folder import DATABASE
from joute.contest.run.playing import Folder
from joute.contest.run.runner import run_contest
from joute.play.broadcast import Broadcast
from joute.play.game import GameSpec, SeatSpec
from joute.store.store import Store


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.game("virus")
def test_a_contest_s_results_are_for_their_owner(tmp_path, umask):
    contest = cup(tmp_path)
    run_contest(contest, play=fakes.quick, workers=1)
    folder = Path(contest.folder)
    assert mode(folder) == 0o700
    with Folder(folder):
        found = {path.name: mode(path) for path in folder.glob(f"{DATABASE}*")}
        assert set(found.values()) == {0o600} and f"{DATABASE}-wal" in found


def test_a_game_that_is_watched_is_for_its_owner(tmp_path, umask):
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in "ab")
    spec = GameSpec(game="virus", parameters={"size": 4}, bots=seats, seed="1")
    with Broadcast(tmp_path / "live", spec, after=0.0):
        assert mode(tmp_path / "live") == 0o700
        assert {mode(path) for path in (tmp_path / "live").iterdir()} == {0o600}


@pytest.mark.game("virus")
def test_what_an_older_version_left_open_to_all_is_closed_and_still_opens(tmp_path):
    contest = cup(tmp_path)
    run_contest(contest, play=fakes.quick, workers=1)
    folder = Path(contest.folder)
    database, live = folder / DATABASE, folder / "live"
    live.mkdir(exist_ok=True)
    folder.chmod(0o755)
    database.chmod(0o644)
    live.chmod(0o755)
    with Store.in_file(database) as store:
        assert len(store.games()) == 2
    assert mode(database) == 0o600
    assert mode(folder) == 0o755, "who may look into the folder is its owner's affair"
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in "ab")
    with Broadcast(live, GameSpec(game="virus", parameters={}, bots=seats, seed="1"), after=0.0):
        assert mode(live) == 0o700


def test_what_is_shared_with_a_group_stays_shared(tmp_path):
    database = tmp_path / DATABASE
    Store.in_file(database).close()
    database.chmod(0o660)
    Store.in_file(database).close()
    assert mode(database) == 0o660
