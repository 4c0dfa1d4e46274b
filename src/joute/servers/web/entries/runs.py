"""The contests that are played for a desk, each by `joute contest run` in a process of its own.

To pause one is to ask its process to stop: what was played is kept, and starting it again goes on.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from joute.contest.errors import FolderError
from joute.contest.folder import has_store
from joute.servers.web.contests.shelf import Kept, Shelf
from joute.servers.web.contests.summary import is_played
from joute.servers.web.entries.desk import Desk
from joute.servers.web.entries.jobs import COMMAND, end
from joute.servers.web.entries.kept import Call
from joute.servers.web.entries.opening import composed
from joute.servers.web.entries.refused import Refused
from joute.speech.words import language, say

NEW, PLAYING, PAUSED, FINISHED, FAILED = "new", "playing", "paused", "finished", "failed"
_STAGES = {0: FINISHED, 3: PAUSED}  # by the code that `joute contest run` ends with
TOLD = 4000  # characters of what a run has said that are shown
_LOG, _RESULTS = "run.log", "contest.results"


class Runs:
    """Starts and stops them."""

    def __init__(self, desk: Desk, shelf: Shelf) -> None:
        self._desk = desk
        self._shelf = shelf
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        for call in desk:
            if call.published and has_store(self.results(call)):
                shelf.add(self.results(call))

    def results(self, call: Call) -> Path:
        """The folder of a contest's results."""
        return self._desk.run(call) / _RESULTS

    def stage(self, call: Call) -> str:
        """NEW, PLAYING, PAUSED, FINISHED or FAILED."""
        process = self._running.get(call.identity)
        code = process.poll() if process else None
        if code is not None:
            return _STAGES.get(code, FAILED)
        if process or is_played(self.results(call)):
            return PLAYING
        return PAUSED if has_store(self.results(call)) else NEW

    def told(self, call: Call) -> str:
        """What the last run has said."""
        log = self._desk.run(call) / _LOG
        if not log.exists():
            return ""
        return log.read_text(encoding="utf-8", errors="replace")[-TOLD:].strip()

    def start(self, call: Call) -> None:
        """Plays what remains, with those who take part now. Raises Refused."""
        if self.stage(call) == PLAYING:
            raise Refused(say("submit.run.playing"))
        file = composed(self._desk, call)
        with (self._desk.run(call) / _LOG).open("wb") as log:
            self._running[call.identity] = subprocess.Popen(
                (*COMMAND, "contest", "run", file.name, "--lang", language()),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=file.parent,
                start_new_session=True,
            )

    def pause(self, call: Call) -> None:
        """Asks it to stop after the games that are being played. Raises Refused."""
        process = self._running.get(call.identity)
        if process is None or process.poll() is not None:
            raise Refused(say("submit.run.idle"))
        process.terminate()

    def publish(self, call: Call) -> Kept:
        """Shows the results to everybody from now on. Raises Refused."""
        shown = self._shelf.of(self.results(call))
        if shown is None:
            try:
                shown = self._shelf.add(self.results(call))
            except (FolderError, OSError):
                raise Refused(say("submit.run.none")) from None
        with self._desk.changing(call):
            call.published = True
        return shown

    def shown(self, call: Call) -> str:
        """The address of the results; "" while they are not for everybody."""
        kept = self._shelf.of(self.results(call))
        return f"/contests/{kept.identifier}" if kept else ""

    def forget(self, call: Call) -> None:
        """Removes all results: somebody's name or games are not to be in them. Raises Refused."""
        if self.stage(call) == PLAYING:
            raise Refused(say("submit.run.playing"))
        self._running.pop(call.identity, None)
        self._shelf.remove(self.results(call))
        shutil.rmtree(self._desk.run(call), ignore_errors=True)
        with self._desk.changing(call):
            call.published = False

    def close(self) -> None:
        """Stops all of them; they can be gone on with."""
        for process in self._running.values():
            if process.poll() is None:
                end(process)
