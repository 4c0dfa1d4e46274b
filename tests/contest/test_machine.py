"""A machine that fails: folders that vanish, disks that are full, too little of everything."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from cli.apart import command, environment
from contest import fakes
from contest.fakes import contest_in
from contest.test_coordinator import Crew
from contest.test_stopping import outcome
from helpers import PATIENCE, need, some, wait_until
from redteam.users import as_user
from sqlalchemy import event

from joute.contest.errors import GoneError, LockedError
from joute.contest.folder import DATABASE, stored_games
from joute.contest.run import coordinator, pool, workers
from joute.contest.run.coordinator import Coordinator, Stop
from joute.contest.run.plan import Plan
from joute.contest.run.playing import Folder, game_row
from joute.contest.run.pool import Pool
from joute.contest.run.runner import run_contest
from joute.machine import DESCRIPTORS, DISK, PROCESSES, ShortageError
from joute.store.store import Store

BOT = "def play(observation, clock):\n    return observation['legal'][0]\n"
GAME = Path(__file__).parents[2] / "examples" / "games" / "connect_four.py"
HOSTED = f"""
bots = ["one.py", "two.py"]
[contest]
games = 4
seed = "s"
workers = 2
[game]
name = "{GAME}"
"""


@pytest.fixture
def calm(tmp_path):
    """The outcome of the contest where nothing went wrong."""
    folder = tmp_path / "calm"
    folder.mkdir()
    contest = contest_in(folder, "games = 20")
    run_contest(contest, play=fakes.quick)
    return outcome(contest)


@pytest.fixture
def hosted(tmp_path):
    """The file of a contest of hosted bots."""
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(BOT)
    file = tmp_path / "hosted.toml"
    file.write_text(HOSTED)
    return file


def joute(*words, limits=()):
    """A command line with less of something, as `ulimit` gives it."""
    limited = "; ".join([*(f"ulimit {each}" for each in limits), 'exec "$@"'])
    return subprocess.run(
        [need("sh"), "-c", limited, "sh", *command(*words)],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )


# Folders and databases that vanish.


def _all(folder):
    shutil.rmtree(folder)


def _database(folder):
    for each in folder.glob("contest.sqlite*"):
        each.unlink()


def _moved(folder):
    folder.rename(folder.with_name("elsewhere"))
    folder.mkdir()


@pytest.mark.game("virus")
@pytest.mark.parametrize("delete", [_all, _database, _moved])
def test_what_is_deleted_while_a_contest_runs_is_noticed_and_rescued(tmp_path, calm, delete):
    contest = contest_in(tmp_path, "games = 20")
    folder = Path(contest.folder)

    def progress(done, *_):
        if done > 20 and folder.joinpath("lock").exists() and not told:
            told.append(done)
            delete(folder)

    told = []
    with pytest.raises(GoneError) as error:
        run_contest(contest, progress, play=fakes.quick)
    rescued = error.value.rescued
    assert rescued == tmp_path / "test.results.rescued" / "contest.sqlite"
    assert len(stored_games(rescued.parent)[1]) >= told[0]
    assert not (folder / "standings.json").exists()
    assert list(tmp_path.rglob("*.partial")) == []
    # As the sentence says.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    rescued.rename(error.value.database)
    summary = run_contest(contest, play=fakes.quick)
    assert summary.already >= told[0]
    assert outcome(contest) == calm


@pytest.mark.game("virus")
def test_games_are_rescued_among_the_temporary_files_where_nothing_else_can_be_written(
    tmp_path, monkeypatch
):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    run_contest(contest, play=fakes.quick)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Folder(Path(contest.folder)) as folder:
        _all(folder.path)
        folder.path = Path("/proc/nowhere/test.results")
        with pytest.raises(GoneError) as error:
            folder.check()
    assert error.value.rescued.parent.parent == tmp_path
    assert len(stored_games(error.value.rescued.parent)[1]) == 2


def has_games(database):
    """Whether a database is there and holds games; another process writes into it."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT COUNT(*) FROM games").fetchone()[0] > 0
    except sqlite3.Error:  # it is being made
        return False


def test_a_deleted_folder_ends_the_command_with_a_sentence_and_code_1(hosted):
    hosted.write_text(HOSTED.replace("games = 4", "games = 4000"))
    results = hosted.with_name("hosted.results")
    run = command("--lang", "fr", "contest", "run", hosted)
    with subprocess.Popen(run, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: has_games(results / "contest.sqlite"), seconds=120)
        shutil.rmtree(results)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "a été supprimé ou remplacé" in said
    assert "Traceback" not in said


# Disks without room.


@pytest.mark.game("virus")
def test_on_a_full_disk_a_contest_stops_and_goes_on_later(tmp_path, calm, monkeypatch):
    contest = contest_in(tmp_path, "games = 20")
    limit = lambda connection, _: connection.execute("PRAGMA max_page_count = 1")  # noqa: E731
    before = Folder.__init__

    def small(self, path, store=None):
        before(self, path, store)
        event.listen(self.store._database._engine, "connect", limit)
        self.store._database._engine.dispose()

    with monkeypatch.context() as patched:
        patched.setattr(Folder, "__init__", small)
        with pytest.raises(ShortageError) as error:
            run_contest(contest, play=fakes.quick)
    assert (error.value.kind, error.value.where) == (DISK, contest.folder)
    played = len(stored_games(Path(contest.folder))[1])
    assert run_contest(contest, play=fakes.quick).already == played
    assert outcome(contest) == calm


def test_a_folder_is_locked_and_let_go_without_room_for_the_number_of_the_owner(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store.in_file(tmp_path / DATABASE) as store:
        store.count()  # its log and index stay as long as it is open
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            with Folder(tmp_path), pytest.raises(LockedError):
                Folder(tmp_path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.full
@pytest.mark.parametrize("language", some(["fr", "en"], 2))
def test_a_limit_on_files_ends_the_command_with_a_sentence_and_code_3(hosted, language):
    hosted.write_text(HOSTED.replace("games = 4", "games = 40"))
    said = joute("--lang", language, "contest", "run", hosted, limits=["-f 100"])
    assert said.returncode == 3
    assert {"en": "no room left", "fr": "plus de place"}[language] in said.stderr
    assert "Traceback" not in said.stderr
    assert list(hosted.parent.rglob("*.partial")) == []
    assert joute("contest", "run", hosted).returncode == 0


@pytest.mark.full
def test_a_full_disk_ends_the_command_with_a_sentence_and_code_3(hosted, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    hosted.write_text(HOSTED.replace("games = 4", "games = 40"))
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = f"mount -t tmpfs -o size=300k tmpfs {disk}; cp {tmp_path}/*.* {disk}; "
    again = f"mount -o remount,size=20m {disk}; "
    run = " ".join(command("contest", "run", disk / "hosted.toml"))
    script = f'{mounted} {run}; echo "code $?"; find {disk} -name "*.partial"; {again} {run}'
    done = subprocess.run(
        [need("unshare"), "--mount", "--propagation", "private", "sh", "-c", script],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert "code 3\n" in done.stdout
    assert "no room left" in done.stderr
    assert "partial" not in done.stdout
    assert "Traceback" not in done.stderr


# Too little of something else.


@pytest.mark.parametrize("descriptors", some([24, 64], 2))
def test_few_descriptors_are_enough(hosted, descriptors):
    said = joute("contest", "run", hosted, "--json", limits=[f"-n {descriptors}"])
    assert said.returncode == 0
    assert '"faults": []' in said.stdout
    assert "start-up" not in said.stdout


@pytest.mark.full
def test_too_few_descriptors_are_told_and_no_bot_is_charged(hosted):
    said = joute("contest", "run", hosted, limits=["-n 10"])
    assert said.returncode == 3
    assert "too many files are open" in said.stderr
    assert "Traceback" not in said.stderr
    assert joute("contest", "run", hosted).returncode == 0  # and nothing wrong was kept


def test_too_little_memory_is_told(hosted):
    said = joute("contest", "run", hosted, limits=["-v 400000"])
    assert (said.returncode, said.stdout) == (1, "")
    assert "ulimit -v unlimited" in said.stderr
    assert said.stderr.count("\n") == 1


@pytest.mark.full
@pytest.mark.parametrize("processes", some([2, 4, 6, 5, 9], 3))
def test_with_few_processes_a_contest_is_played_or_ends_with_a_sentence(hosted, processes):
    if os.geteuid() != 0:
        pytest.skip("the processes of this user are not ours alone to count")
    user = 61000 + os.getpid() % 4000
    # Not below pytest's own folder, which any other pytest closes to everybody but root.
    with as_user(user) as words, tempfile.TemporaryDirectory() as folder:
        opened = shutil.copytree(hosted.parent, Path(folder) / "opened")
        for each in (Path(folder), opened):
            each.chmod(0o777)
        limited = [*words, need("prlimit"), f"--nproc={processes}"]
        done = subprocess.run(
            [*limited, *command("contest", "run", opened / hosted.name)],
            capture_output=True,
            text=True,
            cwd="/",
            timeout=PATIENCE,
        )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 3), done.stderr
    assert done.returncode == 0 or "may not start more processes" in done.stderr
    assert "did not start" not in done.stdout


@pytest.mark.game("virus")
@pytest.mark.parametrize("times", [1, 3])
def test_a_run_goes_on_with_the_workers_that_there_are(tmp_path, monkeypatch, times):
    left = [BlockingIOError(11, "Resource temporarily unavailable")] * times
    fork = workers.ForkServer.fork

    def refused(self):
        if pools[0].workers and left:
            raise left.pop()
        return fork(self)

    pools = []
    before = Pool.__init__
    monkeypatch.setattr(
        Pool, "__init__", lambda self, *a: (pools.append(self), before(self, *a))[1]
    )
    monkeypatch.setattr(workers.ForkServer, "fork", refused)
    summary = run_contest(contest_in(tmp_path, "games = 4"), play=fakes.quick, workers=3)
    assert (summary.played, summary.failed) == (24, 0)


@pytest.mark.game("virus")
def test_a_machine_without_room_for_a_single_worker_ends_the_run(tmp_path, monkeypatch):
    def refused(*_):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(pool, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(pool, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(pool, "server_for", refused)
    with pytest.raises(ShortageError) as error:
        run_contest(contest_in(tmp_path), play=fakes.quick)
    assert error.value.kind == PROCESSES


@pytest.mark.game("virus")
@pytest.mark.parametrize(("times", "ends"), [(3, False), (100, True)])
def test_a_game_for_which_there_is_too_little_is_played_later_or_ends_the_run(
    tmp_path, monkeypatch, times, ends
):
    monkeypatch.setattr(coordinator, "SHORT_SECONDS", 0.0)
    left = [OSError(24, "Too many open files")] * times

    def play(spec):
        if left:
            raise left.pop()
        return fakes.quick(spec)

    contest = contest_in(tmp_path, "games = 2", bots=2)
    plan = Plan(contest, "fixed", {})
    run = Coordinator(
        plan, Crew(play=play), lambda all_: [game_row(each, "") for each in all_], None, Stop()
    )
    if not ends:
        run.run()
        assert (run.played, run.failures) == (2, [])
        return
    with pytest.raises(ShortageError) as error:
        run.run()
    assert error.value.kind == DESCRIPTORS


# Signals.


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_told_to_end_before_it_plays_ends_with_code_3(hosted, number):
    run = command("contest", "run", hosted)
    process = subprocess.Popen(run, env=environment(), stderr=subprocess.PIPE, text=True)
    status = Path(f"/proc/{process.pid}/status")
    caught = 1 << (signal.SIGTERM - 1) | 1 << (number - 1)

    def listens():
        words = status.read_text().partition("SigCgt:")[2].split()
        return int(words[0], 16) & caught == caught

    wait_until(listens, what="a program that has begun")
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert "Traceback" not in said


def test_a_signal_that_was_ignored_stays_ignored(hosted):
    ignoring = 'trap "" HUP; "$@" & kill -HUP $!; wait $!'
    done = subprocess.run(
        [need("sh"), "-c", ignoring, "sh", *command("contest", "run", hosted)],
        env=environment(),
        capture_output=True,
    )
    assert done.returncode == 0


@pytest.mark.game("virus")
@pytest.mark.full
@pytest.mark.parametrize("count", some([4, 12], 2))
def test_killed_at_random_moments_contests_end_the_same(count):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "bench.kills",
            "--count",
            f"{count}",
            "--games",
            "12",
            "--seed",
            "7",
        ],
        env={**environment(), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for each in ("hung", "left", "tracebacks", "different"):
        assert f'"{each}": []' in done.stdout, done.stdout + done.stderr
