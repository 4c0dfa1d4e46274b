"""The built-in bots of all tables: how many compute at once, and who is compiled beforehand.

A bot that was never used on a machine is compiled for some seconds when it first plays. So, where
the server is told to, a process does that while people are still choosing, and whoever sits down
sooner is told what he waits for.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from joute.play.preparing import prepare, prepared

Key = tuple[type, str]
"""A bot and the kind of game that it is compiled for."""


class Thinkers:
    """Room for so many bots to compute; `preparing`: they are compiled by a process beforehand."""

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
        """These bots will play the game: the first is wanted most, before all that are waiting."""
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
        """While a bot computes: once it is compiled, and there is room."""
        if self.pending(game, bot):
            self.want(game, [bot])
            self._known[type(game), bot].wait()
        with self._room:
            yield

    def close(self) -> None:
        """Nothing is compiled any more, and nobody waits for it."""
        with self._lock:
            self._closed = True
            self._wanted.clear()
        if self._process is not None:
            self._process.kill()
        for known in list(self._known.values()):
            known.set()
