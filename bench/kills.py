"""Contests that are killed at random moments, and go on: do they end as one that nobody disturbed?

Each kill is of the command (`joute contest run`, or `joute export`) as a whole group of processes,
of the coordinator alone, of a worker, of the process that forks workers, or of the interpreter that
bots are forked of; by SIGKILL, SIGTERM, SIGINT or SIGHUP; while tables are made, an older store is
brought up to date, games are played, standings are written, pages are exported. After each, no
process may be left. In the end everything is as in the undisturbed contest, game for game; but for
those that Joute itself has noted as spoilt by the machine, each of which has another in its place:
such is a game whose bots' warm interpreter was killed while it was played.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from bench.rows import Row

KILLS = 200
JOUTE = [sys.executable, "-m", "joute"]
RUN = ("contest", "run", "contest.toml", "--workers", "2")
EXPORT = ("export", "contest.toml", "--format", "html", "--out", "pages")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
STAGES = ("schema", "migration", "play", "play", "play", "standings", "export")
WHOLE, COORDINATOR, WORKER, SERVER, ZYGOTE = (
    *("group", "coordinator", "worker", "fork server", "zygote"),
)
END_SECONDS = 120.0  # for a command to end that was told to
LEFT_SECONDS = 20.0  # for what it has started to end
_PR_SET_CHILD_SUBREAPER = 36

BOT = """
def play(observation, clock):
    return observation["legal"][{place}]
"""
CONTEST = """
bots = ["first.py", "last.py", "builtin:greedy", "builtin:random"]
[contest]
games = {games}
seed = "kills"
[game]
name = "virus"
size = 4
"""


class Kill(NamedTuple):
    """One kill and what came of it."""

    stage: str
    target: str
    signal: str
    code: int | None  # of the command; None if it had to be ended
    left: int  # processes that were left behind
    trace: bool  # whether a traceback was printed


class Storm:
    """A contest in `folder` with `games` for each pair, killed again and again."""

    def __init__(self, folder: Path, games: int, seed: int) -> None:
        self.folder = folder
        self.games = games
        self.draw = random.Random(seed)
        # Whatever a killed command leaves becomes a child of ours, and is seen.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self.calm = self._prepared("calm")
        self._to_the_end(self.calm, RUN)
        self._to_the_end(self.calm, EXPORT)
        self.stormy = self._prepared("stormy")
        self.old = self._prepared("old")
        self._age(self.old)

    def _prepared(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir()
        (folder / "first.py").write_text(BOT.format(place=0))
        (folder / "last.py").write_text(BOT.format(place=-1))
        (folder / "contest.toml").write_text(CONTEST.format(games=self.games))
        return folder

    def _to_the_end(self, folder: Path, words: tuple[str, ...]) -> None:
        done = subprocess.run([*JOUTE, *words], cwd=folder, capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.decode())

    def kill(self) -> Kill:
        """Runs a command, kills it at a random moment, waits for its end."""
        stage = self.draw.choice(STAGES)
        target = self.draw.choice((WHOLE, COORDINATOR))
        if stage == "play":
            target = self.draw.choice((WHOLE, COORDINATOR, WORKER, SERVER, ZYGOTE))
        number = self.draw.choice(SIGNALS)
        if target not in (WHOLE, COORDINATOR):
            number = signal.SIGKILL
        with tempfile.TemporaryFile() as said:
            return self._killed(stage, target, number, said)

    def _killed(self, stage: str, target: str, number: signal.Signals, said: Any) -> Kill:
        folder = self._place(stage)
        results = folder / "contest.results"
        words = EXPORT if stage == "export" else RUN
        process = subprocess.Popen(
            [*JOUTE, *words], cwd=folder, stdout=said, stderr=said, start_new_session=True
        )
        self._await(process, stage, results)
        victim = self._victim(process, target)
        with suppress(ProcessLookupError):
            (os.killpg if target == WHOLE else os.kill)(victim, number)
        if target not in (WHOLE, COORDINATOR):  # it goes on, for a while
            with suppress(subprocess.TimeoutExpired):
                process.wait(self.draw.uniform(0.0, 3.0))
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        try:
            code: int | None = process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(0)
        text = said.read().decode(errors="replace")
        if "Traceback" in text:
            sys.stderr.write(text)
        return Kill(stage, target, number.name, code, left_behind(), "Traceback" in text)

    def _place(self, stage: str) -> Path:
        """The folder where it happens: for some stages as it was before the first run."""
        if stage not in ("schema", "migration"):
            return self.calm if stage in ("standings", "export") else self.stormy
        if stage == "migration":
            folder = self.folder / "migrated"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(self.old, folder)
            return folder
        folder = self.folder / "fresh"
        shutil.rmtree(folder, ignore_errors=True)
        return self._prepared("fresh")

    def _await(self, process: subprocess.Popen[bytes], stage: str, results: Path) -> None:
        """Waits for the stage, then for a random moment in it."""
        database, standings = results / "contest.sqlite", results / "standings.json"
        before = _changed(standings)
        until = {
            "schema": database.exists,
            "migration": lambda: _changed(results / "lock") > _changed(self.old / "contest.toml"),
            "play": lambda: _workers(process.pid),
            "standings": lambda: _changed(standings) != before,
            "export": (results.parent / "pages").exists,
        }[stage]
        longest = {"schema": 0.05, "migration": 0.3, "play": 3.0, "standings": 0.1, "export": 1.0}
        if self.draw.random() < 0.2:  # at any moment
            _wait(process, self.draw.uniform(0.0, 4.0), lambda: False)
            return
        _wait(process, END_SECONDS, until)
        _wait(process, self.draw.uniform(0.0, longest[stage]), lambda: False)

    def _victim(self, process: subprocess.Popen[bytes], target: str) -> int:
        if target in (WHOLE, COORDINATOR):
            return process.pid
        servers = [each for each in children(process.pid) if "run_server" in _command(each)]
        workers = [each for server in servers for each in children(server)]
        zygotes = [
            each for worker in workers for each in children(worker) if "--zygote" in _command(each)
        ]
        found = {WORKER: workers, SERVER: servers, ZYGOTE: zygotes}[target]
        return self.draw.choice(found) if found else process.pid

    def differences(self) -> list[str]:
        """The differences from the undisturbed contest, once all that was killed has gone on."""
        found = []
        wanted = outcome(self.calm)
        for folder in (self.stormy, self.folder / "migrated", self.folder / "fresh"):
            if not folder.exists():
                continue
            self._to_the_end(folder, RUN)
            if wanted.differs(outcome(folder)):
                found.append(folder.name)
            found += [str(each) for each in (folder / "contest.results").rglob("*.partial")]
        self._to_the_end(self.calm, RUN)
        self._to_the_end(self.calm, EXPORT)
        found += [str(each) for each in self.calm.rglob("*.partial")]
        return found

    def _age(self, folder: Path) -> None:
        """The results of the undisturbed contest as the first version would have kept them."""
        from joute.contest.folder import DATABASE, opened_store, stored_games
        from joute.store.database import Database
        from joute.store.tables import migrate

        results = folder / "contest.results"
        (results / "records").mkdir(parents=True)
        database = Database(f"sqlite:///{results / DATABASE}")
        _, games = stored_games(self.calm / "contest.results")
        database.write(lambda connection: migrate(connection, None, "1"))
        rows = [
            (
                *(game.identity, json.dumps(game.members), game.set_number, json.dumps(game.bots)),
                *(game.ending, json.dumps(game.returns), json.dumps(game.points), game.plies),
                *(json.dumps(game.faults), json.dumps(game.cpu_ms), json.dumps(game.asked)),
                *(game.chain, f"{game.identity}.jsonl", game.played_at),
            )
            for game in games.values()
        ]
        names = (
            "identity, pairing, pair, bots, ending, returns, points, plies, faults, cpu_ms, asked, "
            "chain, record, played_at"
        )
        places = ", ".join("?" * 14)

        def fill(connection: Any) -> None:
            for row in rows:
                connection.exec_driver_sql(f"INSERT INTO games ({names}) VALUES ({places})", row)
            connection.exec_driver_sql("INSERT INTO contest VALUES (1, '{}', 'kills')")

        database.write(fill)
        database.close()
        with opened_store(self.calm / "contest.results") as store:
            for identity, record in store.records():
                (results / "records" / f"{identity}.jsonl").write_bytes(record)


class Outcome(NamedTuple):
    """All that has to be the same in two contests, and what may differ."""

    games: dict[Any, tuple[Any, ...]]  # by place of the schedule: the identity, and what came of it
    ranking: list[tuple[int, str]]
    spoilt: set[str]  # identities of games that have others in their place

    def differs(self, other: Outcome) -> bool:
        """Whether anything differs that no spoilt game explains."""
        if self.games.keys() != other.games.keys():
            return True
        spoilt = self.spoilt | other.spoilt
        pairs = ((game, other.games[place]) for place, game in self.games.items())
        if any(one != two and spoilt.isdisjoint((one[0], two[0])) for one, two in pairs):
            return True
        return not spoilt and self.ranking != other.ranking


def outcome(folder: Path) -> Outcome:
    """The outcome of the contest in a folder."""
    from joute.contest.config.config import resolve
    from joute.contest.folder import opened_store
    from joute.contest.report.standings import standings
    from joute.contest.run.tasks import is_ours

    with opened_store(folder / "contest.results") as store:
        games = store.games()
        spoilt = {each.subject for each in store.decisions() if is_ours(each)}
    facts: dict[Any, tuple[Any, ...]] = {}
    for name, game in games.items():
        if name not in spoilt:
            place = (tuple(game.members), game.set_number, tuple(game.bots))
            facts[place] = (name, game.returns, game.plies, game.points, game.faults)
    table = standings(resolve(folder / "contest.toml"))
    return Outcome(facts, [(line.rank, line.name) for line in table], spoilt)


def children(process: int) -> list[int]:
    """The processes that a process has started and that run."""
    found = []
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            found += [int(each) for each in (thread / "children").read_text().split()]
    return [each for each in found if _state(each) not in ("Z", "")]


def left_behind() -> int:
    """The number of processes that are left, after a while; they are ended."""
    deadline = time.monotonic() + LEFT_SECONDS
    while children(os.getpid()) and time.monotonic() < deadline:
        _reap()
        time.sleep(0.02)
    left = children(os.getpid())
    for each in left:
        sys.stderr.write(f"left behind: {_command(each)}\n")
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    _reap()
    return len(left)


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _workers(process: int) -> bool:
    return any(children(each) for each in children(process))


def _state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def _command(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")[:300]
    return ""


def _changed(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0


def _wait(process: subprocess.Popen[bytes], seconds: float, until: Any) -> None:
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline and not until():
        time.sleep(0.002)


def storm(count: int, games: int, seed: int) -> tuple[list[Kill], list[str]]:
    """The kills, and what was different in the end."""
    with tempfile.TemporaryDirectory(prefix="joute-kills-") as folder:
        found = Storm(Path(folder), games, seed)
        kills = [found.kill() for _ in range(count)]
        return kills, found.differences()


def rows() -> Iterator[Row]:
    """The figures of `scripts/bench kills`: all of them should be 0, but for the first."""
    yield from _rows(*storm(KILLS, 300, 1))


def _rows(kills: list[Kill], different: list[str]) -> Iterator[Row]:
    yield Row("kills", len(kills), "")
    yield Row("hung", sum(kill.code is None for kill in kills), "")
    yield Row("left a process behind", sum(kill.left > 0 for kill in kills), "")
    yield Row("printed a traceback", sum(kill.trace for kill in kills), "")
    yield Row("contests that ended differently", len(different), "")


def main() -> None:
    """Prints the kills by stage, target and signal with their exit codes, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=KILLS)
    parser.add_argument("--games", type=int, default=300, help="of each pair")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    kills, different = storm(asked.count, asked.games, asked.seed)
    codes = Counter((each.stage, each.target, each.signal, each.code) for each in kills)
    told = {
        "kills": len(kills),
        "hung": [each for each in kills if each.code is None],
        "left": [each for each in kills if each.left],
        "tracebacks": [each for each in kills if each.trace],
        "different": different,
        "codes": sorted((*map(str, key), count) for key, count in codes.items()),
    }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
