"""Checks and test games: one after the other, each in a process of its own, with a time limit."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from joute.i18n.recognised import foreign
from joute.i18n.words import language, say, speaking
from joute.play.record import RecordError, read_record
from joute.web.errors import RequestRefusal
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

COMMAND = (sys.executable, "-m", "joute")
TRIAL = (sys.executable, "-m", "joute.web.contests.child", "trial")
CHECK_SECONDS = 300.0
GAME_SECONDS = 600.0
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

    def so_far(self, registration: Registration, participant: Participant) -> list[CheckFinding]:
        """The findings so far of the check that is running."""
        waiting = [each for each in participant.versions if each.state == WAITING]
        if not waiting or self._checked is not waiting[0]:
            return []
        lines = self._store.report(registration, participant).read_bytes().split(b"\n")
        known = b",".join(line for line in lines[:-1] if line.startswith(b"{"))
        return _findings(
            b"[" + known + b"]", self._store.bot(registration, participant, waiting[0]).parent
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
                except (OSError, RecordError) as error:
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
        bot, contest = (
            self._store.bot(registration, participant, version),
            self._store.contest(registration),
        )
        words = ("check", str(bot), "--contest", str(contest), "--json", "--lang", language())
        if participant not in registration.participants:
            return
        began = time.monotonic()
        report = self._store.report(registration, participant)
        check_there(report.parent)
        write_private(report, b"")
        self._checked = version
        ended = self._run((*COMMAND, *words), CHECK_SECONDS, report)
        self._checked = None
        findings = _findings(ended.output, bot.parent)
        if not findings and self._closed.is_set():  # it begins again with the server
            return
        with self._store.changing(registration):
            version.seconds = time.monotonic() - began
            version.findings, version.language = findings, language()
            version.state = DONE if findings else STOPPED
            version.trouble = "" if findings else _trouble(ended, CHECK_SECONDS)

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
        ended = self._run((*TRIAL, *words), GAME_SECONDS, output)
        output.unlink(missing_ok=True)
        if ended.code != 0 and self._closed.is_set():  # it begins again with the server
            return
        with self._store.changing(registration):
            if ended.code != 0:
                game.state, game.trouble = STOPPED, _trouble(ended, GAME_SECONDS)
            elif participant in registration.participants:
                write_private(self._store.game(registration, participant), ended.output)
                game.state, game.result = DONE, _result(ended.output, seat)

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
