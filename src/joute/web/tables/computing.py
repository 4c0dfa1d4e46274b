"""The seat of a built-in bot at a table, which computes in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from joute.host.protocol import Answer
from joute.play.standing_in import PreparedSeat
from joute.play.thinkers import Thinkers


class TableBot(PreparedSeat):
    """The seat of a built-in bot that computes in a thread of its own.

    `thinkers` says when it may, `turned` is notified when there is an answer, and `think` waits for
    it, in the game's thread. The other arguments are those of its class.
    """

    def __init__(
        self,
        bot: str,
        game: Any,
        thinkers: Thinkers,
        turned: threading.Condition,
        think: Callable[[TableBot, list[int], dict[str, Any]], Answer],
        waits: Callable[[], bool],
        at_once: bool,
    ) -> None:
        super().__init__(bot, game, thinkers, waits, at_once)
        self.player = 0
        self._turned = turned
        self._think = think
        self._thread: threading.Thread | None = None

    def start(self, message: dict[str, Any]) -> Answer:
        self.player = message["player"]
        return super().start(message)

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        return self._think(self, state, message)

    def begin(self, state: list[int], message: dict[str, Any]) -> Future[Answer]:
        """Lets the bot compute its answer."""
        thinking: Future[Answer] = Future()

        def compute() -> None:
            try:
                thinking.set_result(PreparedSeat.ask(self, state, message))
            except Exception as error:
                thinking.set_exception(error)
            with self._turned:
                self._turned.notify_all()

        self._thread = threading.Thread(target=compute, daemon=True)
        self._thread.start()
        return thinking

    def join(self) -> None:
        """Waits until it has stopped computing."""
        if self._thread is not None:
            self._thread.join()
