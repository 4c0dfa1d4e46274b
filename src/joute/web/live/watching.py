"""The connection of a browser that watches the games of a folder; what it sends is not heard."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from starlette.websockets import WebSocket

from joute.i18n.words import speaking
from joute.web.live.broadcasts import LOOK_SECONDS, Broadcasts, Followed
from joute.web.tables.news import encoded
from joute.web.tables.socket import send


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
        """The messages that bring it up to date."""
        games = await self._broadcasts.games()
        with speaking(self._language):
            return [text for game in games for text in self._of(game)] + self._count(games)

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


async def watch(socket: WebSocket, watcher: Watcher) -> None:
    """Send what is new until the browser leaves."""
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
