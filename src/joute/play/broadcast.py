"""A game that is being played, for others to watch: what its record has so far, in a file.

The file lies in the folder LIVE of whoever plays. Its first line names the game and its players,
the others are those of the record, without their chain. It is locked while it is written to, so
that one which a killed process left behind is known by its lock, and it is removed at the end: who
has it open still reads the last line.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from joute.files import tighten
from joute.machine import Closing
from joute.play.game import GameResult, GameSpec

LIVE = "live"
AFTER_SECONDS = 1.0  # that a game has lasted before it is worth watching
SUFFIX = ".jsonl"
_encode = msgspec.json.Encoder().encode


class Broadcast(Closing):
    """The file of one game; `hear` is for the referee to call. A full disk ends it, not the game.

    It begins once the game has lasted for `after` seconds: quick games cost nothing. Without a
    folder nobody watches. Use it as a context manager.
    """

    def __init__(
        self,
        folder: Path | None,
        spec: GameSpec,
        after: float = AFTER_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder or Path()
        # The lines to be written; None if nothing is written any more.
        self._lines: list[dict[str, Any]] | None = None if folder is None else [_head(spec)]
        self._clock = clock
        self._begins = clock() + after
        self._path: Path | None = None
        self._file = -1
        self._flush()

    def hear(self, line: dict[str, Any]) -> None:
        """A line of the record, between its header and its end."""
        if self._lines is not None:
            self._lines.append(line)
            self._flush()

    def end(self, result: GameResult) -> None:
        """The game is over: the last line, with the identity under which its record is found."""
        if self._path is not None:
            last = msgspec.json.decode(result.record.rstrip().rpartition(b"\n")[2])
            self.hear({**last, "identity": result.identity})

    def close(self) -> None:
        """Nobody plays on."""
        self._lines = None
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._path = None

    def _flush(self) -> None:
        if not self._lines or self._clock() < self._begins:
            return
        try:
            if self._path is None:
                self._path = self._open()
            text = b"".join(_encode(line) + b"\n" for line in self._lines)
            self._lines = []
            while text:
                text = text[os.write(self._file, text) :]
            if self._path.suffix != SUFFIX:  # whoever sees the file finds its first line there
                self._path = self._path.rename(self._path.with_suffix(SUFFIX))
        except OSError:
            self._lines = None

    def _open(self) -> Path:
        """Creates the file, locked before anybody can see it, under another name for now."""
        # Not the folder that this one is in: who deletes that does not want it back.
        self._folder.mkdir(mode=0o700, exist_ok=True)
        tighten(self._folder)
        draft = self._folder / f"{secrets.token_hex(8)}.begun"
        self._file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        return draft


class Broadcaster:
    """Plays games as the referee does, each for others to watch. It may be sent to a process."""

    def __init__(self, folder: Path, after: float = AFTER_SECONDS) -> None:
        self._folder = folder
        self._after = after

    def __call__(self, spec: GameSpec) -> GameResult:
        """The result of a game."""
        from joute.play.referee import play_game

        with Broadcast(self._folder, spec, self._after) as broadcast:
            result = play_game(spec, watch=broadcast.hear)
            broadcast.end(result)
        return result


def broadcasts(folder: Path) -> Iterator[Path]:
    """The files of the games that are being played now, in the order of their names."""
    try:
        found = sorted(each for each in folder.iterdir() if each.suffix == SUFFIX)
    except OSError:
        return
    for path in found:
        with suppress(OSError), path.open("rb") as file:
            if is_written(file.fileno()):
                yield path


def is_written(file: int) -> bool:
    """Whether the process that writes an open file is still there."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(file, fcntl.LOCK_UN)
    return False


def swept(folder: Path) -> None:
    """Removes what killed processes have left in a folder."""
    live = set(broadcasts(folder))
    with suppress(OSError):
        for path in folder.iterdir():
            if path not in live and path.suffix == SUFFIX:
                path.unlink(missing_ok=True)


def _head(spec: GameSpec) -> dict[str, Any]:
    return {
        "live": 1,
        "game": spec.game,
        "parameters": spec.parameters,
        "bots": [{"name": seat.name, "bot": seat.bot} for seat in spec.bots],
        "move_seconds": spec.limits.move_seconds,
    }
