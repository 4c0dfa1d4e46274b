"""All games that are being played into one folder."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from joute.play.broadcast import LIVE, broadcasts
from joute.web.live.followed import BROKEN, Followed

LOOK_SECONDS = 0.2  # between two looks, however many watch
LAST_SECONDS = 5.0  # that a game which is over can still be watched to its end
MOST_GAMES = 12  # that are followed at once


class Hall:
    """The games of a folder, looked at only while somebody watches."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder / LIVE
        self._clock = clock
        self._games: dict[str, Followed] = {}
        self._ended: dict[str, float] = {}  # when each that is over was seen to be
        self._refused: set[str] = set()
        self._looked = -LOOK_SECONDS
        self._lock = asyncio.Lock()

    def count(self) -> int:
        """How many games are being played now."""
        return sum(1 for _ in broadcasts(self._folder))

    async def games(self) -> list[Followed]:
        """The games that are being played, and those that have just ended."""
        if not self._lock.locked() and self._clock() - self._looked >= LOOK_SECONDS:
            async with self._lock:
                await asyncio.to_thread(self._look)
                self._looked = self._clock()
        return list(self._games.values())

    def _look(self) -> None:
        self._forget()
        found = list(broadcasts(self._folder))
        self._refused &= {path.stem for path in found}
        for path in found:
            if path.stem not in self._games and path.stem not in self._refused:
                self._follow(path)
        for name, game in list(self._games.items()):
            game.look()
            if game.gone:
                self._ended.setdefault(name, self._clock())

    def _follow(self, path: Path) -> None:
        if len(self._games) >= MOST_GAMES:
            return
        try:
            self._games[path.stem] = Followed(path)
        except (OSError, *BROKEN):
            self._refused.add(path.stem)

    def _forget(self) -> None:
        for name, ended in list(self._ended.items()):
            if self._clock() - ended > LAST_SECONDS:
                del self._games[name], self._ended[name]

    def close(self) -> None:
        """Nobody watches any more."""
        for game in self._games.values():
            game.close()
