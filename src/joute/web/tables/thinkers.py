"""The built-in bots of all tables: how many compute at once, which are compiled in advance.

A bot that was never used on a machine takes some seconds to compile when it first plays. With the
setting `prepare`, processes do that while people are still choosing in the lobby, and when the
server has started, for the levels of all games.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, NamedTuple

from joute.host.names import parse_bot
from joute.host.protocol import Answer
from joute.play.preparing import NICENESS, prepare, prepared, usual_seconds
from joute.play.seats import InlineSeat, answer

Key = tuple[type, str]
"""A bot and the kind of game that it is compiled for."""

WORKERS = max(2, os.cpu_count() or 1)  # that compile at once


class Preparation(NamedTuple):
    """How far the compiling of a bot is."""

    seconds: float  # since it began; 0 while others come first
    usual: float | None  # the seconds that a bot takes on this machine, if any was compiled here


class Thinkers:
    """Lets `most` bots compute at once; with `preparing`, processes compile them in advance.

    What nobody waits for yet is compiled one after the other, behind all else that the machine
    does; what somebody waits for is compiled beside it.
    """

    def __init__(self, most: int = 0, preparing: bool = False) -> None:
        self._room = threading.BoundedSemaphore(most or os.cpu_count() or 1)
        self._preparing = preparing
        self._lock = threading.Lock()
        self._known: dict[Key, threading.Event] = {}  # set: it may play
        self._wanted: deque[tuple[Key, Any]] = deque()
        self._awaited: set[Key] = set()  # those that somebody waits for
        self._now: dict[Key, float] = {}  # those being compiled, and since when
        self._workers: dict[threading.Thread, subprocess.Popen[bytes] | None] = {}
        self._usual: float | None = None  # see Preparation
        self._closed = False

    def want_now(self, game: Any, bots: Iterable[str]) -> None:
        """Compiles these bots for the game, which somebody plays."""
        self._want(game, bots, awaited=True, first=True)

    def want(self, game: Any, bots: Iterable[str]) -> None:
        """Compiles these bots for the game, in their order, before all that nobody waits for."""
        self._want(game, bots, first=True)

    def want_later(self, game: Any, bots: Iterable[str]) -> None:
        """Compiles these bots for the game when no other is wanted."""
        self._want(game, bots)

    def _want(
        self, game: Any, bots: Iterable[str], awaited: bool = False, first: bool = False
    ) -> None:
        if not self._preparing:
            return
        chosen = [((type(game), bot), prepared(game, bot)) for bot in bots]
        with self._lock:
            if self._closed:
                return
            for key, ready in reversed(chosen) if first else chosen:
                known = self._known.setdefault(key, threading.Event())
                if ready and key not in self._now:
                    known.set()
                if known.is_set():
                    continue
                if awaited:
                    self._awaited.add(key)
                waiting = next((each for each in self._wanted if each[0] == key), None)
                if key in self._now or (waiting and not first):
                    continue
                if waiting:
                    self._wanted.remove(waiting)
                (self._wanted.appendleft if first else self._wanted.append)((key, game))
            self._begin()

    def _next(self) -> tuple[Key, Any] | None:
        """The bot to be compiled beside those that are; hold the lock."""
        awaited = (each for each in self._wanted if each[0] in self._awaited)
        others = iter(() if self._now else self._wanted)
        return next(awaited, None) or next(others, None)

    def _begin(self) -> None:
        """Lets more threads work if there is something for them; hold the lock."""
        awaited = sum(key in self._awaited for key, _ in self._wanted)
        work = awaited or bool(self._wanted and not self._now)
        for _ in range(min(len(self._now) + work, WORKERS) - len(self._workers)):
            thread = threading.Thread(target=self._work, daemon=True)
            self._workers[thread] = None
            thread.start()

    def _work(self) -> None:
        while True:
            with self._lock:
                chosen = None if self._closed else self._next()
                if chosen is None:
                    del self._workers[threading.current_thread()]
                    return
                self._wanted.remove(chosen)
                key, game = chosen
                self._now[key] = time.monotonic()
                niceness = 0 if key in self._awaited else NICENESS
            self._usual = usual_seconds()
            prepare(game, key[1], self._running, niceness)
            with self._lock:
                del self._now[key]
                self._awaited.discard(key)
            self._known[key].set()

    def _running(self, process: subprocess.Popen[bytes]) -> None:
        """Notes the process of the thread that calls this."""
        with self._lock:
            self._workers[threading.current_thread()] = process
            if self._closed:
                process.kill()

    def pending(self, game: Any, bot: str) -> bool:
        """Whether a bot is still being compiled."""
        known = self._known.get((type(game), bot))
        return known is not None and not known.is_set()

    def preparation(self, game: Any, bot: str) -> Preparation:
        """How far the compiling of a bot that is pending is."""
        begun = self._now.get((type(game), bot))
        return Preparation(0.0 if begun is None else time.monotonic() - begun, self._usual)

    @contextmanager
    def turn(self, game: Any, bot: str) -> Iterator[None]:
        """Waits until a bot is compiled and there is room; hold the room while it computes."""
        if self.pending(game, bot):
            self.want_now(game, [bot])
            self._known[type(game), bot].wait()
        with self._room:
            yield

    def close(self) -> None:
        """Stops compiling, and lets those who wait for it go on; returns when it has stopped."""
        with self._lock:
            self._closed = True
            self._wanted.clear()
            workers = dict(self._workers)
        for process in workers.values():
            if process is not None:
                process.kill()
        for known in list(self._known.values()):
            known.set()
        for thread in workers:
            thread.join()


class TableBot(InlineSeat):
    """The seat of a built-in bot that computes in a thread of its own.

    `thinkers` says when it may, `turned` is notified when there is an answer, and
    `think` waits for it, in the game's thread. Unless it is made `at_once`, it is made when it is
    first asked: what it needs is compiled until then, which people need not wait for.
    """

    def __init__(
        self,
        bot: str,
        game: Any,
        thinkers: Thinkers,
        turned: threading.Condition,
        think: Callable[[TableBot, list[int], dict[str, Any]], Answer],
        at_once: bool,
    ) -> None:
        super().__init__(parse_bot(bot), game)
        self._at_once = at_once
        self._unmade: dict[str, Any] | None = None  # how the game begins, for a bot to be made
        self.player = 0
        self._bot_name = bot
        self._thinkers = thinkers
        self._turned = turned
        self._think = think
        self._thread: threading.Thread | None = None

    def start(self, message: dict[str, Any]) -> Answer:
        self.player = message["player"]
        if self._at_once:
            return super().start(message)
        self._unmade = message
        return answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        return self._think(self, state, message)

    def begin(self, state: list[int], message: dict[str, Any]) -> Future[Answer]:
        """Lets the bot compute its answer."""
        thinking: Future[Answer] = Future()

        def compute() -> None:
            try:
                with self._thinkers.turn(self._game, self._bot_name):
                    if self._unmade is not None:
                        InlineSeat.start(self, self._unmade)
                        self._unmade = None
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
