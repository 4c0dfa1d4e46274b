"""Games that another process is playing: the broadcasts of a folder, and who watches them.

A browser that watches has a WebSocket; messages that it sends are ignored.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from fastapi.concurrency import run_in_threadpool
from starlette.websockets import WebSocket

from joute.core.errors import GameError
from joute.core.interface import properties
from joute.core.registry import make
from joute.i18n.words import language, say, speaking
from joute.play.broadcast import LIVE, broadcasts, is_written
from joute.play.timeline import Step, Timeline
from joute.web.positions import NONE, facts, position, redacted
from joute.web.replays.recorded import kind_of
from joute.web.updates import MessageCache, encoded, send

LOOK_SECONDS = 0.2  # between two looks, however many watch
LAST_SECONDS = 5.0  # that a game which is over can still be watched to its end
MOST_GAMES = 12  # that are followed at once
STATES_KEPT = 50  # positions that can be sent; whoever comes later is sent the last one

BROKEN = (msgspec.DecodeError, GameError, KeyError, TypeError, ValueError, IndexError)
"""Raised when a file is read that is no broadcast."""


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
        self.texts = MessageCache()
        self._rest = b""

    def look(self) -> None:
        """Reads what has come since."""
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
        """Stops following the game."""
        self.gone = True
        self._file.close()

    @property
    def last(self) -> Step:
        """The latest position."""
        return self.timeline.steps[-1]

    def facts(self) -> dict[str, Any]:
        """The facts that a browser is sent of the game."""
        return facts(self.game, self.names, self.kinds)

    def due(self, number: int) -> list[Step]:
        """The positions after that one, or the last alone where these are too many."""
        return self.timeline.since(number, STATES_KEPT)

    def position(self, step: Step) -> str:
        """A position as it is sent: everybody's cards, and nobody's messages."""

        def made() -> dict[str, Any]:
            sent = position(self.game, step, self.names)
            sent["events"] = [redacted(event, self.names, NONE) for event in sent["events"]]
            return {"type": "position", "game": self.name, **sent}

        return self.texts.lasting((step.number, language()), made)

    def outcome(self) -> str:
        """The result in words; "" if the game is not over, or its end is not known."""
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


class Broadcasts:
    """The games that are being played into a folder, looked at only while somebody watches."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder / LIVE
        self._clock = clock
        self._games: dict[str, Followed] = {}
        self._ended: dict[str, float] = {}  # when each that is over was seen to be
        self._refused: set[str] = set()
        self._looked = -LOOK_SECONDS
        self._lock = asyncio.Lock()

    def count(self) -> int:
        """The number of games that are being played now."""
        return sum(1 for _ in broadcasts(self._folder))

    async def games(self) -> list[Followed]:
        """The games that are being played, and those that have just ended."""
        if not self._lock.locked() and self._clock() - self._looked >= LOOK_SECONDS:
            async with self._lock:
                await run_in_threadpool(self._look)
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
        """Stops following all games."""
        for game in self._games.values():
            game.close()


class Watcher:
    """One browser's place in the games of a folder; `home` is where their replays are."""

    def __init__(self, broadcasts: Broadcasts, language: str, home: str) -> None:
        self._broadcasts = broadcasts
        self._language = language
        self._home = home
        self._known: dict[str, int] = {}  # by game, the number of the last position it has
        self._ended: set[str] = set()
        self._told = -1  # games that it was told are being played

    async def news(self) -> list[str]:
        """The messages that bring the browser up to date."""
        games = await self._broadcasts.games()
        with speaking(self._language):
            first = self._count(games) if self._told < 0 else []
            return first + [text for game in games for text in self._of(game)] + self._count(games)

    def _of(self, game: Followed) -> Iterator[str]:
        gone = game.gone  # before the positions: then none is missed
        if game.name in self._ended:
            return
        if game.name not in self._known:
            if gone:
                return
            self._known[game.name] = -1
            yield encoded({"type": "game", "game": game.name, "facts": game.facts()})
        for step in game.due(self._known[game.name]):
            yield game.position(step)
            self._known[game.name] = step.number
        if gone:
            self._ended.add(game.name)
            yield encoded(self._over(game))

    def _over(self, game: Followed) -> dict[str, Any]:
        replay = f"{self._home}/games/{game.identity}" if game.identity else ""
        sent = {"type": "over", "game": game.name, "text": game.outcome(), "replay": replay}
        return {**sent, "returns": game.last.end["returns"] if game.last.end else []}

    def _count(self, games: list[Followed]) -> list[str]:
        playing = sum(not game.gone for game in games)
        if playing == self._told:
            return []
        self._told = playing
        return [encoded({"type": "playing", "games": playing})]


async def send_news(socket: WebSocket, watcher: Watcher) -> None:
    """Sends what is new until the browser leaves."""
    reading = asyncio.create_task(_until_it_leaves(socket))
    sending = asyncio.create_task(_send(socket, watcher))
    tasks = (reading, sending)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _until_it_leaves(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    while True:
        for text in await watcher.news():
            await send(socket, text)
        await asyncio.sleep(LOOK_SECONDS)
