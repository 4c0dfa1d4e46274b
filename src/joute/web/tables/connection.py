"""The connection of a browser to a table.

Advice takes as long as a bot does, or waits until the bot is compiled, so it alone has the threads
of `asyncio.to_thread`: what is quick goes to those that answer requests, and is not held up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi.concurrency import run_in_threadpool
from starlette.websockets import WebSocket

from joute.i18n.words import say
from joute.play.advice import adviser
from joute.web.errors import RequestRefusal
from joute.web.rate_limits import Limiter
from joute.web.tables import messages
from joute.web.tables.messages import preview
from joute.web.tables.playing import Question
from joute.web.tables.receiver import Receiver
from joute.web.tables.table import HINT, REMATCH, THINK, Table
from joute.web.tables.tables import Tables
from joute.web.updates import encoded, send

MESSAGES = (60, 2.0)  # of a browser, and as many again in so many seconds; more of them wait


class Connection:
    """The connection of one browser to one table."""

    def __init__(self, socket: WebSocket, tables: Tables, table: Table, receiver: Receiver) -> None:
        self._socket = socket
        self._tables = tables
        self._table = table
        self._receiver = receiver
        self._pace = Limiter(*MESSAGES)
        self._hint_task: asyncio.Task[None] | None = None
        self._hinted = -1  # the question that it looks at
        self._wonder_task: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Sends and read until the connection ends."""
        table, chairs = self._table, self._table.chairs
        news = table.watchers.join()
        for seat in self._receiver.seats:
            chairs[seat].connections += 1
        table.touch()
        table.playing.nudge()
        if self._receiver.seats:
            table.changed()
        news.set()
        self._news = news
        reading = asyncio.create_task(self._read())
        sending = asyncio.create_task(self._send())
        try:
            await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            others = (self._hint_task, self._wonder_task)
            tasks = [reading, sending, *(task for task in others if task is not None)]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            table.watchers.leave(news)
            table.playing.nudge()
            for seat in self._receiver.seats:
                chairs[seat].connections -= 1
            table.touch()
            if self._receiver.seats:
                table.changed()

    async def _send(self) -> None:
        """Sends what is new, whenever there is something."""
        while True:
            await self._news.wait()
            self._news.clear()
            for text in self._receiver.news():
                await self._told(text)
            self._wonder()

    def _wonder(self) -> None:
        """Lets an adviser think about the question, once for all connections that want it."""
        table = self._table
        question, thought = table.playing.question, table.playing.thought
        known = thought is not None and thought.choice.value is not None
        hidden = table.facts.hidden_information
        wanted = self._receiver.thinks and table.may(THINK)
        if not wanted or question is None or known or hidden:
            return
        if table.wondered != question:
            table.wondered = question
            self._wonder_task = asyncio.create_task(self._opinion(question))

    async def _opinion(self, question: Question) -> None:
        await self._tell_preparing()
        # Told by the table, not here: others wait for it too, who stay when this browser leaves.
        await asyncio.to_thread(self._table.think, question)

    async def _told(self, text: str) -> None:
        await send(self._socket, text)

    async def _read(self) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            self._table.touch()
            while wait := self._pace.wait(""):
                await asyncio.sleep(wait)
            self._pace.charge("", 1.0)
            try:
                content = received.get("text")
                await self._heard(received["bytes"] if content is None else content)
            except RequestRefusal as refused:
                await self._told(encoded({"type": "error", "text": str(refused)}))

    async def _heard(self, content: str | bytes) -> None:
        """Carries out a message. Raises RequestRefusal."""
        message = messages.read(content)
        await _DOES[type(message)](self, message)

    # One method for each kind of message.

    async def _answer(self, message: messages.AnswerMessage) -> None:
        self._table.answer(self._receiver.seats, message.number, message.action)

    async def _steer(self, message: messages.SteerMessage) -> None:
        self._table.steer(self._receiver.seats, message.player, message.action)

    async def _ready(self, message: messages.ReadyMessage) -> None:
        self._table.ready(self._receiver.seats)

    async def _pause(self, message: messages.PauseMessage) -> None:
        self._table.hold(self._receiver.seats, message.on)

    async def _resign(self, message: messages.ResignMessage) -> None:
        self._table.resign(self._receiver.seats, message.player)

    async def _undo(self, message: messages.UndoMessage) -> None:
        self._table.undo(self._receiver.seats)

    async def _allow(self, message: messages.AllowMessage) -> None:
        self._table.allow(message.what, self._receiver.seats)

    async def _decline(self, message: messages.DeclineMessage) -> None:
        self._table.decline(message.what, self._receiver.seats)

    async def _pace_set(self, message: messages.PaceMessage) -> None:
        self._table.set_pace(self._receiver.visitor, message.seconds, message.paused)

    async def _wait(self, message: messages.WaitMessage) -> None:
        if not self._receiver.seats:
            raise RequestRefusal(say("table.error.not_playing"))
        self._table.playing.waits = True
        self._table.changed()

    async def _look(self, message: messages.LookMessage) -> None:
        self._receiver.look(message.player)
        self._news.set()

    async def _think(self, message: messages.ThinkMessage) -> None:
        self._receiver.thinks = message.on
        self._news.set()

    async def _preview(self, message: messages.PreviewMessage) -> None:
        reply: dict[str, Any] = {"type": "preview", "ticket": message.ticket}
        try:
            question = self._table.asked(self._receiver.seats)
            reply |= preview(self._table.playing, question, message.actions)
        except RequestRefusal as refused:
            reply |= {"legal": False, "text": str(refused), "odds": []}
        await self._told(encoded(reply))

    async def _hint(self, message: messages.HintMessage) -> None:
        question = self._table.asked(self._receiver.seats)
        if not self._table.may(HINT):
            raise RequestRefusal(say("table.error.no_help"))
        if self._hint_task is not None and not self._hint_task.done():
            if self._hinted == question.number:
                return
            self._hint_task.cancel()  # it looks at a position that is gone
        self._hinted = question.number
        self._hint_task = asyncio.create_task(self._advise(question))

    async def _advise(self, question: Question) -> None:
        """Sends a hint when there is one; the person may play meanwhile."""
        await self._tell_preparing()
        try:
            reply = await asyncio.to_thread(self._table.hint, question)
        except RequestRefusal as refused:
            reply = {"type": "error", "text": str(refused)}
        await self._told(encoded(reply))

    async def _tell_preparing(self) -> None:
        """Says that advice takes longer than usual, where the adviser is still being compiled."""
        game = self._table.playing.game
        if self._table.thinkers.pending(game, adviser(game)):
            await self._told(encoded({"type": "notice", "text": say("table.preparing")}))

    async def _rematch(self, message: messages.RematchMessage) -> None:
        table = self._table
        watched = not table.chairs and self._receiver.visitor == table.opener
        if not table.over or not (self._receiver.seats or watched):
            raise RequestRefusal(say("table.error.not_over"))
        if table.wish(REMATCH, self._receiver.seats):
            await run_in_threadpool(self._tables.rematch, table)


_DOES: dict[type, Callable[[Connection, Any], Awaitable[None]]] = {
    messages.AnswerMessage: Connection._answer,
    messages.SteerMessage: Connection._steer,
    messages.ReadyMessage: Connection._ready,
    messages.PauseMessage: Connection._pause,
    messages.ResignMessage: Connection._resign,
    messages.UndoMessage: Connection._undo,
    messages.AllowMessage: Connection._allow,
    messages.DeclineMessage: Connection._decline,
    messages.PaceMessage: Connection._pace_set,
    messages.WaitMessage: Connection._wait,
    messages.LookMessage: Connection._look,
    messages.ThinkMessage: Connection._think,
    messages.PreviewMessage: Connection._preview,
    messages.HintMessage: Connection._hint,
    messages.RematchMessage: Connection._rematch,
}
