"""The built-in bots of all tables: how many compute at once, which are compiled in advance.

A bot that was never used on a machine takes some seconds to compile when it first plays. With the
setting `prepare`, a process does that while people are still choosing in the lobby.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from joute.host.names import parse_bot
from joute.host.protocol import Answer
from joute.play.preparing import prepare, prepared
from joute.play.seats import InlineSeat

Key = tuple[type, str]
"""A bot and the kind of game that it is compiled for."""


class Thinkers:
    """Lets `most` bots compute at once; with `preparing`, a process compiles them in advance."""

    def __init__(self, most: int = 0, preparing: bool = False) -> None:
        self._room = threading.BoundedSemaphore(most or os.cpu_count() or 1)
        self._preparing = preparing
        self._lock = threading.Lock()
        self._known: dict[Key, threading.Event] = {}  # set: it may play
        self._wanted: deque[tuple[Key, Any]] = deque()
        self._works = False
        self._now: Key | None = None  # who is being compiled
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def want(self, game: Any, bots: Iterable[str]) -> None:
        """Compiles these bots for the game, in their order, before all that are waiting."""
        if not self._preparing:
            return
        with self._lock:
            for bot in reversed(list(bots)):
                self._want((type(game), bot), game)
            if self._wanted and not self._works and not self._closed:
                self._works = True
                threading.Thread(target=self._work, daemon=True).start()

    def _want(self, key: Key, game: Any) -> None:
        known = self._known.setdefault(key, threading.Event())
        waiting = [each for each in self._wanted if each[0] == key]
        if waiting:
            self._wanted.remove(waiting[0])
        elif known.is_set() or key == self._now:
            return
        elif prepared(game, key[1]):
            known.set()
            return
        self._wanted.appendleft((key, game))

    def _work(self) -> None:
        while True:
            with self._lock:
                if self._closed or not self._wanted:
                    self._works, self._now = False, None
                    return
                self._now, game = self._wanted.popleft()
            prepare(game, self._now[1], self._running)
            self._known[self._now].set()

    def _running(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        if self._closed:
            process.kill()

    def pending(self, game: Any, bot: str) -> bool:
        """Whether a bot is still being compiled."""
        known = self._known.get((type(game), bot))
        return known is not None and not known.is_set()

    @contextmanager
    def turn(self, game: Any, bot: str) -> Iterator[None]:
        """Waits until a bot is compiled and there is room; hold the room while it computes."""
        if self.pending(game, bot):
            self.want(game, [bot])
            self._known[type(game), bot].wait()
        with self._room:
            yield

    def close(self) -> None:
        """Stops compiling, and lets those who wait for it go on."""
        with self._lock:
            self._closed = True
            self._wanted.clear()
        if self._process is not None:
            self._process.kill()
        for known in list(self._known.values()):
            known.set()


class TableBot(InlineSeat):
    """The seat of a built-in bot that computes in a thread of its own.

    `thinkers` says when it may, `turned` is notified when there is an answer, and
    `think` waits for it, in the game's thread.
    """

    def __init__(
        self,
        bot: str,
        game: Any,
        thinkers: Thinkers,
        turned: threading.Condition,
        think: Callable[[TableBot, list[int], dict[str, Any]], Answer],
    ) -> None:
        super().__init__(parse_bot(bot), game)
        self.player = 0
        self._bot_name = bot
        self._thinkers = thinkers
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
                with self._thinkers.turn(self._game, self._bot_name):
                    thinking.set_result(InlineSeat.ask(self, state, message))
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
