"""A built-in bot at a table: it computes in its turn among those of all tables."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from joute import bots
from joute.host.answer import Answer
from joute.play.seats import InlineSeat
from joute.web.tables.thinkers import Thinkers


class Turnwise:
    """The seat of a built-in bot that computes in a thread of its own.

    `thinkers` says when it may, `turned` is notified when there is an answer, and
    `think` waits for it, in the game's thread.
    """

    observes = False

    def __init__(
        self,
        seat: InlineSeat,
        bot: str,
        game: Any,
        thinkers: Thinkers,
        turned: threading.Condition,
        think: Callable[[Turnwise, list[int], dict[str, Any]], Answer],
    ) -> None:
        self.isolation = seat.isolation
        self.player = 0
        self._seat = seat
        self._bot, self._game = bot, game
        self._thinkers = thinkers
        self._turned = turned
        self._think = think
        self._thread: threading.Thread | None = None

    @property
    def thought(self) -> bots.Choice | None:
        """Its last choice, with what no record keeps."""
        return self._seat.thought

    def start(self, message: dict[str, Any]) -> Answer:
        """As a seat does."""
        self.player = message["player"]
        return self._seat.start(message)

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        """As a seat does."""
        return self._think(self, state, message)

    def begin(self, state: list[int], message: dict[str, Any]) -> Future[Answer]:
        """Have it compute its answer."""
        thinking: Future[Answer] = Future()

        def compute() -> None:
            try:
                with self._thinkers.turn(self._game, self._bot):
                    thinking.set_result(self._seat.ask(state, message))
            except Exception as error:
                thinking.set_exception(error)
            with self._turned:
                self._turned.notify_all()

        self._thread = threading.Thread(target=compute, daemon=True)
        self._thread.start()
        return thinking

    def join(self) -> None:
        """Returns when it computes no more."""
        if self._thread is not None:
            self._thread.join()

    def end(self, message: dict[str, Any]) -> None:
        """As a seat does."""
        self._seat.end(message)

    def close(self) -> None:
        """As a seat does."""
        self._seat.close()
