"""Checks and test games: one after the other, each in a process of its own, with a time limit."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from joute.core.interface import properties
from joute.core.registry import make
from joute.errors import Error
from joute.i18n.recognised import foreign
from joute.i18n.words import language, say, speaking
from joute.machine import OWN_PYTHON
from joute.play.record import read_record
from joute.web.errors import RequestRefusal
from joute.web.registration.contest_files import rules_of
from joute.web.registration.store import (
    DONE,
    STOPPED,
    WAITING,
    CheckFinding,
    EntryVersion,
    Participant,
    Registration,
    RegistrationStore,
    TestGame,
)
from joute.web.settings import check_there, write_private

COMMAND = (*OWN_PYTHON, "-m", "joute")
TRIAL = (*OWN_PYTHON, "-m", "joute.web.contests.child", "trial")
CHECK_SECONDS = 300.0  # and what a bot may take for its turns
GAME_SECONDS = 600.0  # likewise
MOST_SECONDS = 3600.0  # however long the turns are
MOST_LINES = 40  # of a finding's details
LONGEST_LINE = 500  # characters
_GRACE_SECONDS = 5.0
_SEATS = 120  # divisible by the number of seats of any game


class Ended(NamedTuple):
    """A process that is over; `code` is None if it took too long or the server ends."""

    code: int | None
    output: bytes
    errors: str


class Jobs:
    """The checks and test games of all registrations, one after the other."""

    def __init__(self, store: RegistrationStore) -> None:
        self._store = store
        self._pool = ThreadPoolExecutor(1, "joute-entries")
        self._running: subprocess.Popen[bytes] | None = None
        self._checked: EntryVersion | None = None  # by the check that is under way
        self._beginning = threading.Lock()  # while a check begins, or is replaced
        self._closed = threading.Event()

    def check(
        self, registration: Registration, participant: Participant, version: EntryVersion
    ) -> None:
        """Checks a version, in the background."""
        if version.state != WAITING:  # of one that was just stored there is nothing to store
            with self._store.changing(registration):
                version.state, version.findings, version.trouble = WAITING, [], ""
                version.language = language()
        self._later(registration, version, partial(self._check, registration, participant, version))

    def play(
        self,
        registration: Registration,
        participant: Participant,
        version: EntryVersion,
        house: str,
    ) -> None:
        """Plays a game of a version against a built-in bot, in the background."""
        with self._store.changing(registration):
            participant.game = game = TestGame(version.number, house)
        work = partial(self._play, registration, participant, version, game)
        self._later(registration, game, work)

    def resume(self, registration: Registration) -> None:
        """Begins again what was under way in a contest when the server ended."""
        people = registration.participants
        waiting = [
            (version, each)
            for each in people
            for version in each.versions
            if version.state == WAITING
        ]
        for version, each in sorted(waiting, key=lambda found: found[0].sent_at):
            with speaking(version.language or language()):
                self._later(
                    registration, version, partial(self._check, registration, each, version)
                )
        for each in people:
            if (game := each.game) is not None and game.state == WAITING:
                version = each.versions[game.version - 1]
                work = partial(self._play, registration, each, version, game)
                self._later(registration, game, work)

    def give_up(self, registration: Registration, trouble: str) -> None:
        """Leaves undone what was under way in a contest when the server ended."""
        with self._store.changing(registration):
            for each in registration.participants:
                for work in (*each.versions, each.game):
                    if work is not None and work.state == WAITING:
                        work.state, work.trouble = STOPPED, trouble

    def is_queued(self, participant: Participant) -> bool:
        """Whether checks of a participant wait, and nothing of them runs."""
        game = participant.game
        idle = game is None or game.state != WAITING
        waits = all(each is not self._checked for each in participant.versions)
        return idle and waits and participant.checking

    def replace(
        self, registration: Registration, participant: Participant, newest: EntryVersion
    ) -> None:
        """Checks the newest version instead of those whose first checks have not begun.

        One that was checked before may be the one that takes part: it is still checked again.
        """
        with self._beginning:
            former = [
                each
                for each in participant.versions
                if each.state == WAITING
                and not each.seconds
                and each is not newest
                and each is not self._checked
            ]
            if former:
                with self._store.changing(registration):
                    for each in former:
                        each.state = STOPPED
                        each.trouble = say("submit.trouble.replaced", number=newest.number)
        self.check(registration, participant, newest)

    def so_far(
        self, registration: Registration, participant: Participant, version: EntryVersion | None
    ) -> list[CheckFinding]:
        """The findings so far of a version whose check is running; none of others."""
        if version is None or self._checked is not version:
            return []
        lines = self._store.report(registration, participant).read_bytes().split(b"\n")
        known = b",".join(line for line in lines[:-1] if line.startswith(b"{"))
        return _findings(
            b"[" + known + b"]", self._store.bot(registration, participant, version).parent
        )

    def close(self) -> None:
        """Stops what runs; it begins again, as what waits does, when the server does."""
        self._closed.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        if (running := self._running) is not None:
            end(running)
        self._pool.shutdown()

    def _later(
        self, registration: Registration, what: EntryVersion | TestGame, work: Callable[[], None]
    ) -> None:
        spoken = language()

        def done() -> None:
            # What was deleted meanwhile is neither checked nor played.
            with speaking(spoken), contextlib.suppress(RequestRefusal):
                try:
                    work()
                except (OSError, Error) as error:
                    # Where the data lie is nothing for participants.
                    trouble = foreign(error) if isinstance(error, OSError) else error
                    # Nobody is to wait for it, though that cannot be stored either.
                    with (
                        contextlib.suppress(OSError),
                        self._store.changing(registration, undo=False),
                    ):
                        what.state, what.trouble = STOPPED, str(trouble)

        self._pool.submit(done)

    def _check(
        self, registration: Registration, participant: Participant, version: EntryVersion
    ) -> None:
        with self._beginning:
            if version.state != WAITING or participant not in registration.participants:
                return
            report = self._store.report(registration, participant)
            check_there(report.parent)
            write_private(report, b"")
            self._checked = version
        try:
            self._check_now(registration, participant, version, report)
        finally:
            self._checked = None

    def _check_now(
        self,
        registration: Registration,
        participant: Participant,
        version: EntryVersion,
        report: Path,
    ) -> None:
        bot, contest = (
            self._store.bot(registration, participant, version),
            self._store.contest(registration),
        )
        words = ("check", str(bot), "--contest", str(contest), "--json", "--lang", language())
        began = time.monotonic()
        # Against each of two opponents it plays from every seat.
        limit = self._limit(registration, CHECK_SECONDS, games=2)
        ended = self._run((*COMMAND, *words), limit, report)
        findings = _findings(ended.output, bot.parent)
        if not findings and self._closed.is_set():  # it begins again with the server
            return
        with self._store.changing(registration):
            version.seconds = time.monotonic() - began
            version.findings, version.language = findings, language()
            version.state = DONE if findings else STOPPED
            version.trouble = "" if findings else _trouble(ended, limit)

    def _play(
        self,
        registration: Registration,
        participant: Participant,
        version: EntryVersion,
        game: TestGame,
    ) -> None:
        bot, contest = (
            self._store.bot(registration, participant, version),
            self._store.contest(registration),
        )
        seat, seed = secrets.randbelow(_SEATS), secrets.token_hex(16)
        words = (str(contest), str(bot), participant.name, game.house, str(seat), seed)
        if participant not in registration.participants:
            return
        output = self._store.game(registration, participant).with_suffix(".part")
        check_there(output.parent)
        write_private(output, b"")
        limit = self._limit(registration, GAME_SECONDS, games=1)
        ended = self._run((*TRIAL, *words), limit, output)
        output.unlink(missing_ok=True)
        if ended.code != 0 and self._closed.is_set():  # it begins again with the server
            return
        with self._store.changing(registration):
            if ended.code != 0:
                game.state, game.trouble = STOPPED, _trouble(ended, limit)
            elif participant in registration.participants:
                write_private(self._store.game(registration, participant), ended.output)
                game.state, game.result = DONE, _result(ended.output, seat)

    def _limit(self, registration: Registration, least: float, games: int) -> float:
        """The seconds that a job may take, in which a bot uses all its time in so many games."""
        contest = rules_of(self._store, registration)
        limits = contest.limits
        plies = properties(make(contest.game, **contest.maps[0].parameters)).max_plies
        game = limits.bank_seconds + plies * (limits.move_seconds + limits.increment_seconds)
        return min(least + games * game, max(least, MOST_SECONDS))

    def _run(self, command: Sequence[str], seconds: float, output: Path) -> Ended:
        """Runs a command; what it prints goes into a file, where it can be read meanwhile."""
        if self._closed.is_set():
            return Ended(None, b"", "")
        with (
            output.open("wb") as file,
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                cwd=self._store.folder,
                start_new_session=True,
            ) as running,
        ):
            self._running = running
            if self._closed.is_set():  # meanwhile: `close` may not have seen the process
                end(running)
            try:
                _, errors = running.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                end(running)
                return Ended(None, b"", "")
            finally:
                self._running = None
        return Ended(running.returncode, output.read_bytes(), errors.decode(errors="replace"))


def end(process: subprocess.Popen[bytes]) -> None:
    """Asks a process to stop and, if it does not, ends it with all of its session."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _findings(output: bytes, place: Path) -> list[CheckFinding]:
    """The report of `joute check` with its lines cut to length; empty without a report.

    The `place` of the bot on this machine is left out.
    """
    folder = f"{place}/"
    try:
        found = msgspec.json.decode(output, type=list[CheckFinding])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
    return [
        msgspec.structs.replace(
            each,
            said=each.said.replace(folder, ""),
            detail=[line.replace(folder, "")[:LONGEST_LINE] for line in each.detail[:MOST_LINES]],
        )
        for each in found
    ]


def _trouble(ended: Ended, seconds: float) -> str:
    if ended.code is None:
        return say("submit.trouble.stopped", seconds=f"{seconds:g}")
    lines = ended.errors.strip().splitlines() or [say("submit.trouble.code", code=ended.code)]
    return lines[-1].removeprefix("joute: ")[:LONGEST_LINE]


def _result(record: bytes, seat: int) -> str:
    """The result of a game for a seat: "won", "lost" or "level"."""
    returns = read_record(record).end["returns"]
    own = returns[seat % len(returns)]
    rest = max((value for at, value in enumerate(returns) if at != seat % len(returns)), default=0)
    return "won" if own > rest else "lost" if own < rest else "level"
