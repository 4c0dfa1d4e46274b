"""A game that is being played elsewhere, as far as it has come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from joute.core.errors import GameError
from joute.core.interface import properties
from joute.core.registry import make
from joute.i18n.words import language, say
from joute.play.broadcast import is_written
from joute.play.timeline import Step, Timeline
from joute.web.positions import NONE, facts, position, redacted
from joute.web.replaying.recorded import kind_of
from joute.web.tables.news import Texts

STATES_KEPT = 50  # positions that can be sent; whoever comes later is sent the last one

BROKEN = (msgspec.DecodeError, GameError, KeyError, TypeError, ValueError, IndexError)
"""What comes of reading a file that is none of ours."""


class Followed:
    """The game of a broadcast. Call `look` now and then; the methods are for one thread at a time.

    Raises OSError, or one of BROKEN, for a file that cannot be followed.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self._file = path.open("rb")
        try:
            self._head = msgspec.json.decode(self._file.readline())
            self.game = make(self._head["game"], **self._head["parameters"])
            self.names = [str(bot["name"]) for bot in self._head["bots"]]
            self.kinds = [kind_of(str(bot["bot"])) for bot in self._head["bots"]]
        except BaseException:
            self._file.close()
            raise
        self.identity = ""  # under which its record is found, once it is over
        self.gone = False  # whether nothing more will come
        self.hidden = properties(self.game).hidden_information
        self.timeline = Timeline(self.game, STATES_KEPT)
        self.texts = Texts()
        self._rest = b""

    def look(self) -> None:
        """Read what has come since."""
        if self.gone:
            return
        written = is_written(self._file.fileno())  # before the last look: nothing comes after it
        *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
        try:
            for line in lines:
                self._hear(msgspec.json.decode(line))
        except BROKEN:
            written = False
        if not written or self.last.end is not None:
            self.gone = True
            self._file.close()

    def _hear(self, line: dict[str, Any]) -> None:
        self.timeline.hear(line)
        self.identity = str(line.get("identity", ""))

    def close(self) -> None:
        """Look no more."""
        self.gone = True
        self._file.close()

    @property
    def last(self) -> Step:
        """The position up to now."""
        return self.timeline.steps[-1]

    def facts(self) -> dict[str, Any]:
        """What a browser is told of the game."""
        return facts(self.game, self.names, self.kinds)

    def due(self, number: int) -> list[Step]:
        """The positions after that one, or the last alone where these are too many."""
        steps = self.timeline.steps
        if number < 0 or self.last.number - number > STATES_KEPT:
            return [self.last] if self.last.number != number else []
        return steps[number + 1 :]

    def position(self, step: Step) -> str:
        """A position as it is sent: everybody's cards, and nobody's messages."""

        def made() -> dict[str, Any]:
            sent = position(self.game, step, self.names)
            sent["events"] = [redacted(event, self.names, NONE) for event in sent["events"]]
            return {"type": "position", "game": self.name, **sent}

        return self.texts.lasting((step.number, language()), made)

    def outcome(self) -> str:
        """How it ended, in words; "" before, or where nobody knows."""
        end = self.last.end
        if end is None:
            return ""
        best = max(end["returns"])
        won = [
            name for name, value in zip(self.names, end["returns"], strict=True) if value == best
        ]
        if len(self.names) > 1 and len(won) == len(self.names):
            return say("live.level")
        return say("live.won", names=", ".join(won)) if len(self.names) > 1 else say("live.over")
