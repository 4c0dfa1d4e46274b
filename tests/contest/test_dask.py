"""Contests on the workers of a Dask cluster: real processes, which are killed and replaced."""

import os
import re
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from contest import fakes
from contest.cluster import PATH, cluster_in, start_coordinator
from contest.fakes import contest_in
from contest.kept_records import records_of
from contest.test_stopping import actions, outcome, rows_in, workers_in
from helpers import wait_until

import joute
from joute.contest.config.config import resolve
from joute.contest.errors import WorkersError
from joute.contest.run.cluster import dask_pool
from joute.contest.run.cluster.dask_pool import RefusedError, SchedulerError
from joute.contest.run.runner import run_contest
from joute.play.verify import verify_record


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with cluster_in(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def two_of(tmp_path, *lines, **settings):
    """The same contest twice, in folders of their own."""
    contests = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        contests.append(contest_in(tmp_path / name, *lines, **settings))
    return contests


@pytest.mark.game("virus")
def test_workers_are_killed_and_replaced_and_nothing_is_lost_or_doubled(tmp_path, cluster):
    here, there = two_of(tmp_path, "games = 20")
    folder = Path(there.base)
    workers = cluster.workers(2)
    with ThreadPoolExecutor(1) as apart:
        run = apart.submit(run_contest, there, play=fakes.waits_for_leave, dask=cluster.address)
        for number in (2, 3):  # those that are dead have left their marks too
            await_playing(run, folder, number)
            workers.pop().send_signal(signal.SIGKILL)
            workers.insert(0, cluster.worker())
        (folder / "go").touch()
        summary = run.result()
    assert (summary.played, summary.failures, summary.left) == (120, [], 0)
    run_contest(here, play=fakes.quick)
    assert outcome(there) == outcome(here)
    assert records_of(there) == records_of(here)


def await_playing(run, folder, number):
    """Wait until so many workers have left their mark that they play, or the run has failed."""
    wait_until(lambda: run.done() or len(workers_in(folder)) == number, what="workers that play")


@pytest.mark.game("virus")
@pytest.mark.full
def test_a_killed_coordinator_goes_on_where_it_was_with_the_same_workers(tmp_path, cluster):
    here, there = two_of(tmp_path, "games = 20")
    folder = Path(there.base)
    cluster.workers(2)
    process = start_coordinator(folder, "waits_after_a_few", cluster.address)
    wait_until(lambda: workers_in(folder) and rows_in(there), what="games played, and one begun")
    process.kill()
    process.wait()
    before = rows_in(there)
    (folder / "go").touch()
    summary = run_contest(there, play=fakes.waits_for_leave, dask=cluster.address)
    assert (summary.already, summary.played) == (before, 120 - before)
    run_contest(here, play=fakes.quick)
    assert outcome(there) == outcome(here)
    assert records_of(there) == records_of(here)


BOT = "import helper\ndef play(observation, clock):\n    return helper.first(observation)\n"
HELPER = "def first(observation):\n    return observation['legal'][0]\n"
FILE = """
bots = ["bots/mine.py", "builtin:greedy"]
[contest]
games = 30
seed = "fixed"
[game]
size = 5
"""


def contest_of_a_file(folder):
    """A contest of a bot of two files, in a folder of its own."""
    (folder / "bots").mkdir(parents=True)
    (folder / "bots" / "mine.py").write_text(BOT)
    (folder / "bots" / "helper.py").write_text(HELPER)
    (folder / "test.toml").write_text(FILE)
    return resolve(folder / "test.toml")


@pytest.mark.game("virus")
def test_files_travel_and_real_games_are_those_played_here(tmp_path, cluster):
    contest = contest_of_a_file(tmp_path / "there")
    [worker] = cluster.workers(1)
    with ThreadPoolExecutor(1) as apart:
        run = apart.submit(run_contest, contest, trust=True, dask=cluster.address)
        wait_until(lambda: rows_in(contest) or run.done(), what="a game played")
        worker.send_signal(signal.SIGKILL)
        cluster.worker()
        summary = run.result()
    assert (summary.played, summary.failures) == (30, [])
    [bundle] = (cluster.cache / "bots").iterdir()
    assert (bundle / "bots" / "helper.py").read_text() == HELPER
    again = contest_of_a_file(tmp_path / "here")
    run_contest(again, trust=True, workers=1)
    for one, other in zip(records_of(contest), records_of(again), strict=True):
        assert verify_record(one).ok
        assert actions(one) == actions(other)


@pytest.mark.game("virus")
def test_a_worker_of_another_version_is_refused_with_the_reason(tmp_path):
    package = tmp_path / "other" / "joute"
    shutil.copytree(Path(joute.__file__).parent, package)
    greedy = package / "bots" / "simple.py"
    greedy.write_text(f"{greedy.read_text()}# changed\n")
    heard = []
    with cluster_in(tmp_path) as cluster, pytest.raises(RefusedError) as error:
        cluster.worker(path=f"{package.parent}{os.pathsep}{PATH}")
        run_contest(contest_in(tmp_path), dask=cluster.address, hear=heard.append)
    assert error.value.refusals == heard[-1:]
    assert heard[-1].reason == "version"
    assert heard[-1].found != heard[-1].wanted
    for side in (heard[-1].found, heard[-1].wanted):
        assert re.fullmatch(rf"joute {joute.__version__} [0-9a-f]{{8}}", side)


@pytest.fixture
def lone(tmp_path):
    """The address of a cluster of one worker, in this process."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address=":0",  # any free port
        local_directory=str(tmp_path),
    ) as found:
        yield found.scheduler_address


@pytest.mark.game("virus")
def test_one_worker_plays_what_is_played_here(tmp_path, lone):
    here, there = two_of(tmp_path, "games = 4")
    summary = run_contest(there, play=fakes.quick, dask=lone)
    assert (summary.played, summary.failures) == (24, [])
    run_contest(here, play=fakes.quick)
    assert records_of(there) == records_of(here)


@pytest.mark.game("virus")
def test_a_scheduler_that_does_not_answer_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(dask_pool, "ANSWER_SECONDS", 0.2)
    contest = contest_in(tmp_path)
    with pytest.raises(SchedulerError, match=r"answers at tcp://127.0.0.1:1: Timed out"):
        run_contest(contest, play=fakes.quick, dask="tcp://127.0.0.1:1")


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("foo://127.0.0.1:1", "unknown address scheme 'foo'"),
        ("tcp://127.0.0.1", "missing port number"),
        ("tls://127.0.0.1:1", "needs certificates"),
    ],
)
def test_an_address_that_cannot_be_one_is_told(tmp_path, address, reason):
    with pytest.raises(SchedulerError, match=reason):
        run_contest(contest_in(tmp_path), play=fakes.quick, dask=address)


@pytest.mark.game("virus")
def test_without_the_package_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkersError, match=r"needs .* distributed: pip install 'joute\[dask\]'"):
        run_contest(contest_in(tmp_path), play=fakes.quick, dask="tcp://127.0.0.1:1")
