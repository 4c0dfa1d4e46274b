"""The processes that play contests for the organiser, one for each folder of results.

To pause one is to ask its process to stop: what was played is kept, and starting it again goes on.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from joute.contest.folder import has_store
from joute.i18n.words import language, say
from joute.web.contests.catalogue import ServedContest
from joute.web.contests.snapshot import FINISHED, NEW, PAUSED, PLAYING, is_played
from joute.web.entries.jobs import end
from joute.web.entries.refused import Refused

FAILED = "failed"
# By the code that a run ends with; one that is asked to stop while it starts ends by the signal.
_STAGES: dict[int | None, str] = {0: FINISHED, 3: PAUSED, -signal.SIGTERM: PAUSED}
TOLD = 4000  # characters of what a run has said that are shown


class Players:
    """Starts and stops them."""

    def __init__(self) -> None:
        self._running: dict[Path, subprocess.Popen[bytes]] = {}

    def stage(self, results: Path, served: ServedContest | None = None) -> str:
        """Where it stands: as a `Snapshot` says, or FAILED. `served` are its results."""
        process = self._running.get(results)
        code = process.poll() if process else None
        if code is not None and code not in _STAGES:
            return FAILED
        if (process and code is None) or is_played(results):
            return PLAYING
        if served is not None:
            return served.stage
        return _STAGES.get(code, PAUSED if has_store(results) else NEW)

    def start(self, results: Path, command: Sequence[str], base: Path, log: Path) -> None:
        """Plays what remains by a command, from the folder `base`. Raises Refused."""
        if self.stage(results) == PLAYING:
            raise Refused(say("submit.run.playing"))
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
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
        """Asks it to stop after the games that are being played. Raises Refused."""
        process = self._running.get(results)
        if process is None or process.poll() is not None:
            raise Refused(say("submit.run.idle"))
        process.terminate()

    def stop(self, results: Path) -> None:
        """Ends it, if it is being played; returns when nobody plays any more. Raises Refused."""
        process = self._running.get(results)
        if process is not None and process.poll() is None:
            end(process)
        elif is_played(results):
            raise Refused(say("submit.run.idle"))

    def forget(self, results: Path) -> None:
        """As if it had never been played. Raises Refused while it is."""
        if self.stage(results) == PLAYING:
            raise Refused(say("submit.run.playing"))
        self._running.pop(results, None)

    def close(self) -> None:
        """Stops all of them; they can be gone on with."""
        for process in self._running.values():
            if process.poll() is None:
                end(process)


def told(log: Path) -> str:
    """What the last run has said."""
    if not log.exists():
        return ""
    return log.read_text(encoding="utf-8", errors="replace")[-TOLD:].strip()
