"""The built-in bots of games with people: how many compute at once, which are compiled beforehand.

A bot that was never used on a machine takes some seconds to compile when it first plays. Processes
do that while people are still choosing in the lobby, or play already.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from joute.play.preparing import NICENESS, prepare, prepared, usual_seconds

Key = tuple[type, str]
"""A bot and the kind of game that it is compiled for."""

WORKERS = max(2, os.cpu_count() or 1)  # that compile at once


class Preparation(NamedTuple):
    """The progress of compiling a bot."""

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
        self.settled: Callable[[], None] = lambda: None  # called when a bot has been compiled

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
            self.settled()

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
        """The progress of compiling a bot that is pending."""
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
