"""Answers that take long to work out: one at a time, each once, those of modest visitors first.

What is worked out is kept, the latest of it; who asks for what is being worked out waits for that.
What it took is charged to the visitor who asked first (`limits.py`), in seconds of CPU.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import HTTPException
from starlette.requests import HTTPConnection

from joute.i18n.words import say
from joute.web.rate_limits import limits_of, visitor_of

T = TypeVar("T")

KEPT = 64 * 1024 * 1024  # bytes of memory, or thereabouts, of all that is kept
WAITING = 200  # answers that may wait to be worked out
OF_A_VISITOR = 48  # of these: a wall of games asks for many at once
_PACE = "computing"


@dataclass
class _Kept:
    value: Any
    size: int


@dataclass(order=True)
class _Job:
    cost: float  # what the visitor's address has taken, and waits for: the least comes first
    number: int  # then who came first


class ComputeQueue:
    """What is worked out for all visitors. Its methods are for the loop that serves them."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._size = 0
        self._made: dict[Hashable, asyncio.Future[Any]] = {}  # that wait or are worked out
        self._waiting: list[tuple[_Job, asyncio.Future[None]]] = []
        self._asked: dict[str, int] = {}  # by visitor, how many of them
        self._numbers = itertools.count()
        self._busy = False
        self._pool = ThreadPoolExecutor(1, "computing")

    async def get(
        self,
        connection: HTTPConnection,
        key: Hashable,
        make: Callable[[], T],
        size: Callable[[T], int],
    ) -> T:
        """What `make` returns, kept under the key; `size` is about what it takes in memory.

        Raises HTTPException: 429 for a visitor who has asked for too much, 503 if too many wait.
        """
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            value: T = kept.value
            return value
        if key not in self._made:
            self._check(connection)
            _, visitor = visitor_of(connection)
            self._asked[visitor] = self._asked.get(visitor, 0) + 1
            making = self._make(connection, key, make, size, self._asked[visitor])
            self._made[key] = asyncio.ensure_future(making)
            self._made[key].add_done_callback(_seen)
        # Who leaves does not take it from the others who wait for it.
        made: T = await asyncio.shield(self._made[key])
        return made

    def _check(self, connection: HTTPConnection) -> None:
        limits_of(connection).need(connection, _PACE)
        _, visitor = visitor_of(connection)
        if len(self._made) >= WAITING or self._asked.get(visitor, 0) >= OF_A_VISITOR:
            raise HTTPException(503, say("web.error.busy"), {"Retry-After": "5"})

    async def _make(
        self,
        connection: HTTPConnection,
        key: Hashable,
        make: Callable[[], T],
        size: Callable[[T], int],
        place: int,
    ) -> T:
        """The same, `place` being that among what the visitor waits for."""
        _, visitor = visitor_of(connection)
        try:
            await self._turn(limits_of(connection).used(connection, _PACE) + place)
            try:
                value, spent = await self._worked_out(make)
            finally:
                self._next()
            limits_of(connection).charge(connection, _PACE, spent)
            if isinstance(value, BaseException):
                raise value
            self._keep(key, value, size(value))
            return value
        finally:
            del self._made[key]
            self._asked[visitor] -= 1
            if not self._asked[visitor]:
                del self._asked[visitor]

    async def _worked_out(self, make: Callable[[], T]) -> tuple[T | BaseException, float]:
        """The result or the exception, and the seconds of CPU that it took."""

        def work() -> tuple[T | BaseException, float]:
            began = time.thread_time()
            result: T | BaseException
            try:
                result = make()
            except Exception as error:
                result = error
            return result, time.thread_time() - began

        context = copy_context()  # the language that is spoken
        return await asyncio.get_running_loop().run_in_executor(
            self._pool, lambda: context.run(work)
        )

    async def _turn(self, cost: float) -> None:
        """Returns when nothing else is worked out."""
        if not self._busy:
            self._busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (_Job(cost, next(self._numbers)), turn))
        await turn

    def _next(self) -> None:
        """The next one's turn."""
        self._busy = bool(self._waiting)
        if self._busy:
            heapq.heappop(self._waiting)[1].set_result(None)

    def _keep(self, key: Hashable, value: Any, size: int) -> None:
        self._kept[key] = _Kept(value, size)
        self._size += size
        while self._size > self._most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._size -= oldest.size

    def close(self) -> None:
        """Works out nothing more."""
        self._pool.shutdown(cancel_futures=True)


def _seen(made: asyncio.Future[Any]) -> None:
    """An exception of which nobody waits to hear is none that was forgotten."""
    if not made.cancelled():
        made.exception()
