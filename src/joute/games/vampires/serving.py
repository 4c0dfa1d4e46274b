"""What a server of Vampires vs Werewolves shows: its log, and on a terminal the board above it."""

from __future__ import annotations

import shutil
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.games.vampires.server.settings import Settings
    from joute.play.game import GameResult, GameSpec

LINES = 50  # of the log, that are kept
LEAST_LINES = 3  # of them, that are shown below a board however high


class Show:
    """Hears a server and shows it; see `joute.games.vampires.server.serve.Hooks`."""

    def __init__(self, settings: Settings, plain: bool) -> None:
        self._settings = settings
        self._plain = plain
        self._began = time.monotonic()
        self._log: deque[str] = deque(maxlen=LINES)
        self._names: list[str] = []
        self._last = ["", ""]
        self._spent = [0.0, 0.0]
        self._board = ""
        self._game: Any = None
        self._state: list[int] = []
        self._trace = None if not settings.trace else Path(settings.trace)

    def __enter__(self) -> Self:
        self._file = None if self._trace is None else self._trace.open("a", encoding="utf-8")
        if not self._plain:
            from rich.live import Live

            self._live = Live(self._page(), auto_refresh=False, screen=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
        if not self._plain:
            self._live.stop()
            # The screen is as it was: what happened last is said once more.
            print("\n".join([*([self._board] if self._board else []), *self._log]))

    def tell(self, line: str) -> None:
        """Takes a line of the log."""
        stamped = f"{time.monotonic() - self._began:9.3f}  {line}"
        if self._file is not None:
            self._file.write(stamped + "\n")
            self._file.flush()
        self._log.append(stamped)
        if self._plain:
            print(stamped, flush=True)
        else:
            self._live.update(self._page(), refresh=True)

    def opened(self, spec: GameSpec) -> None:
        """Hears of a game that begins."""
        from joute.core.interface import render, start
        from joute.core.registry import make

        self._names = [seat.name for seat in spec.bots]
        self._last, self._spent = ["", ""], [0.0, 0.0]
        self._game = make(spec.game, **spec.parameters)
        self._state = start(self._game).tolist()
        self._board = render(self._game, self._state)

    def watch(self, line: dict[str, Any]) -> None:
        """Hears of a line of the record; the board follows."""
        from joute.core.interface import CHANCE, mover, play, render
        from joute.play.record import actions_of

        for action in actions_of(line):
            play(self._game, self._state, action)
        if line.get("by") == "bot":
            player = line["player"]
            self._spent[player] += line["wall_ms"] / 1000
            self._last[player] = line.get("text", "") if "fault" not in line else line["fault"]
        if mover(self._game, self._state) == CHANCE:
            return  # the battles follow at once
        self._board = render(self._game, self._state)
        if self._plain:
            print(self._board, flush=True)
        else:
            self._live.update(self._page(), refresh=True)

    def over(self, result: GameResult) -> None:
        """Hears how a game ended; the log has said it."""

    def _page(self) -> Any:
        from rich.text import Text

        top = [*self._clocks(), "", *self._board.splitlines(), ""]
        room = max(shutil.get_terminal_size().lines - len(top), LEAST_LINES)
        return Text("\n".join([*top, *[*self._log][-room:]]), no_wrap=True, overflow="ellipsis")

    def _clocks(self) -> list[str]:
        species = (say("vampires.vampires"), say("vampires.werewolves"))
        width = max((len(name) for name in self._names), default=0)
        return [
            f"{kind:<12} {name:<{width}}  {spent:7.2f} s  {last}"
            for kind, name, spent, last in zip(
                species, self._names, self._spent, self._last, strict=False
            )
        ]
