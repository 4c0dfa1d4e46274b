"""Coordinators that are stopped and killed, as real processes, and go on where they were."""

import os
import random
import signal
import sqlite3
from pathlib import Path

import pytest
from contest import fakes
from contest.fakes import contest_in, start_coordinator
from contest.kept_records import record_in, records_of
from helpers import wait_until
from msgspec import structs

from joute.contest.folder import stored_games
from joute.contest.report.standings import standings
from joute.contest.run.runner import run_contest, status
from joute.play.record import read_record
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("virus")


def alive(process: int) -> bool:
    """Whether a process runs; one that is dead but not reaped does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # before the look, or in it
        return False


def workers_in(folder: Path) -> list[int]:
    return [int(path.suffix[1:]) for path in folder.glob("playing.*")]


def rows_in(contest) -> int:
    """The number of games that are committed, 0 before there is a database."""
    path = Path(contest.folder, "contest.sqlite")
    if not path.exists():
        return 0
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


def outcome(contest):
    """All that has to be the same in the end: games, results, records, places."""
    games = stored_games(Path(contest.folder))[1]
    records = len(records_of(contest))
    assert list(Path(contest.folder, "records").iterdir()) == []
    facts = {name: (game.returns, game.plies, game.points) for name, game in games.items()}
    table = [structs.asdict(line) for line in standings(contest)]
    return facts, records, [{**line, "mean_ms": None} for line in table]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_contest_keeps_what_is_complete_and_goes_on(tmp_path, number):
    contest = contest_in(tmp_path, "games = 2", bots=3)
    process = start_coordinator(tmp_path, "waits_for_leave")
    wait_until(lambda: len(workers_in(tmp_path)) == 2, what="two workers that play")
    process.send_signal(number)
    (tmp_path / "go").touch()
    assert process.wait() == 3
    assert not any(alive(worker) for worker in workers_in(tmp_path))
    found = status(contest)
    assert found.done >= 2  # what was being played was awaited
    summary = run_contest(contest, play=fakes.quick)
    assert (summary.already, summary.played) == (found.done, 6 - found.done)


def test_a_game_that_does_not_end_is_abandoned_when_stopped(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=3)
    process = start_coordinator(tmp_path, "waits_for_leave")
    wait_until(lambda: len(workers_in(tmp_path)) == 2, what="two workers that play")
    process.send_signal(signal.SIGINT)
    assert process.wait() == 3
    assert not any(alive(worker) for worker in workers_in(tmp_path))
    assert status(contest).done == 0


def test_workers_die_with_their_coordinator(tmp_path):
    contest_in(tmp_path, "games = 2", bots=3)
    process = start_coordinator(tmp_path, "waits_for_leave")
    wait_until(lambda: len(workers_in(tmp_path)) == 2, what="two workers that play")
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(alive, workers_in(tmp_path))), what="the workers' end")


def killed_again_and_again(contest, folder, play, times):
    """Kill the contest's coordinator, each time after a few more games; returns how often."""
    draw = random.Random(times)
    kills = 0
    for _ in range(times):
        process = start_coordinator(folder, play)
        target = rows_in(contest) + draw.randrange(3)
        wait_until(lambda: process.poll() is not None or rows_in(contest) >= target)  # noqa: B023
        process.kill()
        kills += process.wait() == -signal.SIGKILL
    return kills


def test_killed_and_started_again_a_contest_ends_the_same(tmp_path):
    contests = []
    for name in ("calm", "stormy"):
        (tmp_path / name).mkdir()
        contests.append(contest_in(tmp_path / name, "games = 20", bots=4))
    calm, stormy = contests
    run_contest(calm, play=fakes.quick)
    assert killed_again_and_again(stormy, tmp_path / "stormy", "quick", times=3)
    run_contest(stormy, play=fakes.quick)
    assert outcome(stormy) == outcome(calm)


def actions(record: bytes) -> list[int]:
    return [line["action"] for line in read_record(record).plies]


@pytest.mark.thorough
def test_killed_twenty_times_a_contest_of_real_games_ends_the_same(tmp_path):
    contests = []
    for name in ("calm", "stormy"):
        (tmp_path / name).mkdir()
        contests.append(contest_in(tmp_path / name, "games = 120", bots=4))
    calm, stormy = contests
    run_contest(calm)
    assert killed_again_and_again(stormy, tmp_path / "stormy", None, times=20) >= 15
    run_contest(stormy)
    assert outcome(stormy) == outcome(calm)
    for game in stored_games(Path(stormy.folder))[1].values():
        record = record_in(stormy, game.record)
        assert verify_record(record).ok
        assert actions(record) == actions(record_in(calm, game.record))


def test_a_worker_killed_from_outside_costs_nothing(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=3)
    process = start_coordinator(tmp_path, "waits_for_leave")
    first = wait_until(lambda: workers_in(tmp_path), what="a worker that plays")[0]
    os.kill(first, signal.SIGKILL)
    (tmp_path / "go").touch()
    assert process.wait() == 0
    assert status(contest).left == 0
