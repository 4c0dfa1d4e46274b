"""A Dask cluster of real processes on this machine, and coordinators that play on it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contest import fakes
from helpers import wait_until

from joute.contest.config.config import resolve
from joute.contest.run.runner import run_contest

DASK = str(Path(sys.executable).with_name("dask"))
PATH = os.pathsep.join(entry for entry in sys.path if entry)


class Cluster:
    """A scheduler, and the workers that tests start for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen] = []
        self._workers: list[subprocess.Popen] = []
        self.cache = folder / "cache"
        file = folder / "scheduler.json"
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        wait_until(lambda: file.exists() and file.read_text().endswith("}"), what="a scheduler")
        self.address = json.loads(file.read_text())["address"]

    def worker(self, path: str = PATH) -> subprocess.Popen:
        """Start a worker; it joins when it is ready."""
        options = ["--no-nanny", "--nthreads", "1", "--local-directory", self._folder]
        environment = {"JOUTE_CACHE": str(self.cache), "PYTHONPATH": path}
        self._workers.append(self._start("worker", self.address, *options, **environment))
        return self._workers[-1]

    def workers(self, count: int) -> list[subprocess.Popen]:
        """Have just so many workers that live, those of before among them."""
        alive = [worker for worker in self._workers if worker.poll() is None]
        for worker in alive[count:]:
            worker.kill()
            worker.wait()
        return alive[:count] + [self.worker() for _ in range(count - len(alive))]

    def _start(self, *words: object, **environment: str) -> subprocess.Popen:
        with (self._folder / f"{len(self._processes)}.log").open("w") as log:
            process = subprocess.Popen(
                [DASK, *map(str, words), "--dashboard-address", ":0"],
                env={**os.environ, "NUMBA_NUM_THREADS": "1", **environment},
                stdout=log,
                stderr=log,
            )
        self._processes.append(process)
        return process

    def close(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()


@contextmanager
def cluster_in(folder: Path) -> Iterator[Cluster]:
    """A cluster whose processes end with the block."""
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.close()


def start_coordinator(folder: Path, play: str, address: str) -> subprocess.Popen:
    """A process of its own that plays the contest of a folder on a cluster, with a fake."""
    run = f"from contest import cluster; cluster.coordinate({str(folder)!r}, {play!r}, {address!r})"
    return subprocess.Popen([sys.executable, "-c", run], env={**os.environ, "PYTHONPATH": PATH})


def coordinate(folder: str, play: str, address: str) -> None:
    """The process that `start_coordinator` starts."""
    contest = resolve(Path(folder) / "test.toml", {"contest.seed": "fixed"})
    run_contest(contest, play=getattr(fakes, play), dask=address)
