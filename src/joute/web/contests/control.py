"""The organiser's control of contests: playing, pausing, stopping, sealing and releasing them.

Each contest is played by `joute contest run` in a process of its own. To pause it is to ask that
process to stop: what was played is kept, and a later start goes on from there. What the organiser
decided about a contest is stored in the data folder.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar
from uuid import uuid4

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.errors import FolderError, SealError
from joute.contest.folder import has_store
from joute.contest.report.standings import seal_facts
from joute.contest.run.runner import status
from joute.contest.sealing import draw_seed, seal_contest
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence, language, say
from joute.store.store import StoreError
from joute.web.contests.catalogue import Catalogue, ServedContest
from joute.web.contests.other_runs import ask_to_stop, end_run, found_run
from joute.web.contests.snapshot import FINISHED, NEW, PAUSED, PLAYING, is_played
from joute.web.errors import RequestRefusal
from joute.web.registration.jobs import end
from joute.web.settings import DataError, check_there, write_private

FILE = "choices.json"
FAILED = "failed"
# By the exit code of a run; -SIGTERM is one that was asked to stop while it started.
_STAGES: dict[int | None, str] = {0: FINISHED, 3: PAUSED, -signal.SIGTERM: PAUSED}
SHOWN_OUTPUT = 4000  # characters

C = TypeVar("C")


class ContestOptions(msgspec.Struct, frozen=True, omit_defaults=True):
    """The organiser's decisions about a contest."""

    messages: bool | None = None  # whether everybody may read bots' messages; None: as usual
    stopped: bool = False  # whether the games that are left are never to be played


class OptionsStore:
    """The options of all contests, by folder, in a file of the data folder if there is one."""

    def __init__(self, data: Path | None, messages: bool = False) -> None:
        """Reads the file; `messages` is the usual for contests named at the start.

        Raises DataError for a damaged file.
        """
        self._path = None if data is None else data / FILE
        self._messages = messages
        self._lock = Lock()
        self._options: dict[str, ContestOptions] = {}
        if self._path is not None and self._path.exists():
            found = self._path.read_bytes()
            try:
                self._options = msgspec.json.decode(found, type=dict[str, ContestOptions])
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                wrong = {"file": self._path, "reason": foreign(error)}
                raise DataError(Sentence("serve.choices", **wrong)) from None

    def of(self, folder: Path) -> ContestOptions:
        """The options of the contest in a folder."""
        return self._options.get(_key(folder), ContestOptions())

    def messages(self, folder: Path) -> bool:
        """Whether everybody may read the messages of a contest's bots."""
        chosen = self.of(folder).messages
        return self._messages if chosen is None else chosen

    def change(self, folder: Path, **changes: bool | None) -> None:
        """Changes some options of a contest."""
        with self._lock:
            self._put(folder, msgspec.structs.replace(self.of(folder), **changes))

    def forget(self, folder: Path) -> None:
        """Sets the options of a contest back to the usual ones."""
        with self._lock:
            self._put(folder, ContestOptions())

    def _put(self, folder: Path, options: ContestOptions) -> None:
        """Stores the options of a contest. To be called with the lock held."""
        changed = {key: each for key, each in self._options.items() if key != _key(folder)}
        if options != ContestOptions():
            changed[_key(folder)] = options
        if self._path is not None:
            check_there(self._path.parent)
            write_private(self._path, msgspec.json.encode(changed))
        self._options = changed  # last: what cannot be stored is not chosen


def _key(folder: Path) -> str:
    return str(folder.resolve())


class ContestProcesses:
    """The processes that play contests, by the folders of results; safe from several threads.

    A run that another process of this user has started, as a server that was killed, can be paused
    and stopped too.
    """

    def __init__(self) -> None:
        self._running: dict[Path, subprocess.Popen[bytes]] = {}
        self._lock = Lock()  # while one begins or is forgotten

    def stage(self, results: Path, served: ServedContest | None = None) -> str:
        """The stage of a contest: as a `Snapshot` has it, or FAILED. `served` are its results."""
        process = self._running.get(results)
        code = process.poll() if process else None
        if code is not None and code not in _STAGES:
            return FAILED
        if (process and code is None) or is_played(results):
            return PLAYING
        if served is not None:
            return served.stage
        return _STAGES.get(code, PAUSED if has_store(results) else NEW)

    def check_idle(self, results: Path) -> None:
        """Raises RequestRefusal while the contest is being played."""
        if self.stage(results) == PLAYING:
            raise RequestRefusal(say("submit.run.playing"))

    def start(self, results: Path, command: Sequence[str], base: Path, log: Path) -> None:
        """Runs a command that plays what remains, in the folder `base`. Raises RequestRefusal."""
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._lock:
            self.check_idle(results)  # before the output of the last run is gone
            with log.open("wb") as file:
                self._running[results] = subprocess.Popen(
                    (*command, "--lang", language()),
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    cwd=base,
                    start_new_session=True,
                )

    def pause(self, results: Path) -> None:
        """Asks the process to stop after the games that are being played. Raises RequestRefusal."""
        process = self._running.get(results)
        if process is not None and process.poll() is None:
            process.terminate()
        elif (run := found_run(results)) is not None:
            ask_to_stop(run)
        else:
            raise RequestRefusal(say("submit.run.idle"))

    def stop(self, results: Path) -> None:
        """Ends the process, if there is one; returns when it is gone. Raises RequestRefusal."""
        process = self._running.get(results)
        if process is not None and process.poll() is None:
            end(process)
        elif (run := found_run(results)) is not None:
            end_run(results, run)
        elif is_played(results):
            raise RequestRefusal(say("submit.run.idle"))

    def forget(self, results: Path) -> None:
        """Forgets how the last run ended. Raises RequestRefusal while there is one."""
        with self._lock:
            self.check_idle(results)
            self._running.pop(results, None)

    def close(self) -> None:
        """Stops all of them; they can be started again."""
        with self._lock:
            running = list(self._running.values())
        for process in running:
            if process.poll() is None:
                end(process)


class ContestControl(Generic[C]):
    """The control of contests of one kind. Raises RequestRefusal where it cannot."""

    def __init__(
        self, catalogue: Catalogue, options: OptionsStore, processes: ContestProcesses
    ) -> None:
        self._catalogue = catalogue
        self._options = options
        self._processes = processes
        self._serving = Lock()  # while what is served changes

    def results(self, entry: C) -> Path:
        """The folder of a contest's results."""
        raise NotImplementedError

    def log(self, entry: C) -> Path:
        """The file with the output of the last run."""
        raise NotImplementedError

    def command(self, entry: C) -> tuple[Sequence[str], Path]:
        """The command that plays a contest, and the folder to run it in."""
        raise NotImplementedError

    def contest(self, entry: C) -> Contest:
        """The contest as it would be played now."""
        raise NotImplementedError

    def is_public(self, entry: C) -> bool:
        """Whether everybody may see the results."""
        return True

    def keep_identifier(self, entry: C, identifier: str) -> None:
        """Stores the identifier under which a contest has begun to be served."""

    def served(self, entry: C) -> ServedContest | None:
        """The results among the contests that are served; None while there are none."""
        results = self.results(entry)
        with self._serving:
            found = self._catalogue.of(results)
            new = found is None and has_store(results)
            if new:
                try:
                    found = self._catalogue.add(results, self.is_public(entry))
                except (FolderError, OSError):  # the store is just being made
                    return None
        if found is not None and new:
            self.keep_identifier(entry, found.identifier)
        if found is not None:
            found.stopped = self._options.of(results).stopped
        return found

    def holds(self, entry: C, name: str) -> bool:
        """Whether the results have a bot of that name, or cannot be read."""
        served = self.served(entry)
        if served is None:
            return has_store(self.results(entry))
        try:
            bots = [bot.name for bot in served.contest.bots]
            return name in bots or bool(served.newest([name], count=1))
        except (StoreError, OSError, ValueError):
            return True

    def address(self, entry: C) -> str:
        """The address of the results; "" while there are none."""
        served = self.served(entry)
        return f"/contests/{served.identifier}" if served else ""

    def stage(self, entry: C) -> str:
        """NEW, PLAYING, PAUSED, FINISHED, FAILED or STOPPED."""
        return self._processes.stage(self.results(entry), self.served(entry))

    def output(self, entry: C) -> str:
        """The end of the output of the last run."""
        log = self.log(entry)
        if not log.exists():
            return ""
        text = log.read_text(encoding="utf-8", errors="replace")[-SHOWN_OUTPUT:]
        # Whoever reads it is not at this machine.
        return text.replace(f"{self.results(entry).parent}/", "").strip()

    def check_idle(self, entry: C) -> None:
        """Raises RequestRefusal while the contest is being played."""
        self._processes.check_idle(self.results(entry))

    def changes(self, entry: C) -> int:
        """The games that a run would play, of a contest that was played to its end."""
        if self.stage(entry) != FINISHED:
            return 0
        try:
            return status(self.contest(entry)).left
        except (RequestRefusal, FolderError, StoreError, OSError, ValueError):
            return 1  # a run will say what is wrong

    def start(self, entry: C) -> None:
        """Plays what remains, unless the contest is sealed and waits for its public value."""
        results = self.results(entry)
        self._processes.check_idle(results)
        sealed = self.sealed(entry)
        if sealed and sealed["public"] is None:
            raise RequestRefusal(str(SealError("waiting", seal=sealed["seal"])))
        command, base = self.command(entry)
        self._processes.start(results, command, base, self.log(entry))
        self._options.change(results, stopped=False)

    def pause(self, entry: C) -> None:
        """Asks the run to stop after the games that are being played."""
        self._processes.pause(self.results(entry))

    def stop(self, entry: C) -> None:
        """Ends a contest where it stands."""
        self._processes.stop(self.results(entry))
        self._options.change(self.results(entry), stopped=True)
        self.served(entry)

    def delete(self, entry: C, folder: Path) -> None:
        """Deletes a folder that holds the results. Raises RequestRefusal while they are made."""
        results = self.results(entry)
        self._processes.forget(results)
        gone = folder.with_name(f".{folder.name}-{uuid4().hex}")
        with self._serving:  # nobody serves again what is being deleted
            self._catalogue.remove(results)
            with suppress(FileNotFoundError):
                folder.rename(gone)
        self._options.forget(results)
        shutil.rmtree(gone, ignore_errors=True)

    def seal(self, entry: C) -> None:
        """Seals a contest."""
        contest = self.contest(entry)
        _checked(lambda: seal_contest(contest))
        self.served(entry)

    def draw(self, entry: C, value: str) -> None:
        """Gives a sealed contest the public value that its seed comes from."""
        contest = self.contest(entry)
        _checked(lambda: draw_seed(contest, value))

    def sealed(self, entry: C) -> dict[str, str | None]:
        """The seal, the public value and the seed of a contest; empty if it is not sealed."""
        return shown_seal(self.served(entry))

    def release(self, entry: C, messages: bool) -> None:
        """Lets everybody who sees the results read the bots' messages, or no longer."""
        self._options.change(self.results(entry), messages=messages)

    def released(self, entry: C) -> bool:
        """Whether everybody who sees the results may read the bots' messages."""
        return self._options.messages(self.results(entry))


def shown_seal(served: ServedContest | None) -> dict[str, str | None]:
    """The seal, public value and seed of a contest as its folder has them; empty without a seal."""
    if served is None:
        return {}
    try:
        return seal_facts(served.contest)
    except StoreError:  # the page says it where it shows the results
        return {}


def _checked(work: Callable[[], Any]) -> None:
    try:
        work()
    except (SealError, FolderError) as error:
        raise RequestRefusal(str(error)) from None
