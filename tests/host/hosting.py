"""Shared parts of the tests of the host: messages of the protocol, and bots in their processes."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from joute.host import BotLimits, HostedBot, Level, command_for, parse_bot
from joute.host.adapters import dialect_of

BOTS = Path(__file__).parents[1] / "bots"

QUICK = BotLimits(move_seconds=0.25, start_seconds=20.0, memory_mb=256)
"""Short turns; a start that is generous on any machine."""

EASY = BotLimits(move_seconds=20.0, start_seconds=20.0, memory_mb=256)
"""For tests where no clock should ever run out."""

PARENTS = replace(EASY, children=True)
"""For bots that start processes."""

FREE = replace(EASY, isolation=Level.LIMITS)
"""For bots that do what the jail forbids, where that is not the point."""


def start_message(player: int = 0, **changes: Any) -> dict[str, Any]:
    message = {
        "type": "start",
        "protocol": 1,
        "game": "virus",
        "parameters": {"size": 10, "voluntary_pass": True},
        "player": player,
        "names": ["ada", "blaise"],
        "seed": 7,
        "move_seconds": 0.25,
        "events": [{"player": -1, "action": 0, "text": "player 0 starts"}],
    }
    return {**message, **changes}


def play_message(events: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    observation = {
        "size": 10,
        "grid": ["0........1", *[".........."] * 8, "1........0"],
        "to_move": 0,
        "scores": [2, 2],
        "passes": 0,
        "voluntary_pass": True,
        "legal": [1, 10, 11, 88, 89, 98, 100],
    }
    return {"type": "play", "observation": {**observation, **changes}, "events": events or []}


END = {"type": "end", "returns": [1.0, -1.0], "events": []}


class Hosts:
    """Makes hosted bots, and closes them all when the test is over."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: list[HostedBot] = []

    def bot(
        self, name: str, limits: BotLimits = EASY, base: Path = BOTS, python: str | None = None
    ) -> HostedBot:
        spec = parse_bot(name, base, python)
        return self.command(command_for(spec, limits), limits, spec.dialect)

    def command(self, command: list[str], limits: BotLimits = EASY, dialect: str = "") -> HostedBot:
        bot = HostedBot(command, limits, dialect=dialect_of(dialect))
        self._open.append(bot)
        return bot

    def started(self, name: str, limits: BotLimits = EASY, **more: Any) -> HostedBot:
        bot = self.bot(name, limits, **more)
        answer = bot.start(start_message())
        assert (answer.fault, answer.detail, answer.alive) == (None, "", True)
        return bot

    def source(self, text: str, limits: BotLimits = EASY, name: str = "mine.py") -> HostedBot:
        """A started bot whose file has `text`."""
        self.write(name, text)
        return self.started(name, limits, base=self.folder)

    def write(self, name: str, text: str) -> Path:
        """The folder of the test's own files, with a file that has `text` added."""
        (self.folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
        return self.folder

    def close(self) -> None:
        for bot in self._open:
            bot.close()
