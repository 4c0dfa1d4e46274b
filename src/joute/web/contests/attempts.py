"""The bots of a contest that tried to open the network in its games, as the records have it.

The process of a bot prints a line when it does (see `joute.host.child.watch`), and the record keeps
what it prints. Each record is read once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from threading import Lock

import msgspec

from joute.host.child.watch import NOTE
from joute.store.reading import Listed
from joute.store.store import Store

MOST = 1000  # records that are read at once; the next time goes on after them
_NOTE = NOTE.encode()


class Attempts:
    """The games of a store in which bots tried to open the network, so far."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last = 0  # the number of the last game whose record was read
        self._found: dict[str, list[str]] = defaultdict(list)
        self._lock = Lock()

    def so_far(self) -> Mapping[str, list[str]]:
        """The identities of the games by the name of the bot. Raises StoreError."""
        with self._lock:
            newest = self._store.state()[0]
            until = min(newest, self._last + MOST)
            for game in reversed(self._store.listed((), until + 1, until - self._last)):
                if game.number > self._last:
                    self._read(game)
            self._last = until
            return dict(self._found)

    def _read(self, game: Listed) -> None:
        record = self._store.record(game.identity) or b""
        if _NOTE not in record:
            return
        seats = set()
        for text in record.splitlines():
            if _NOTE in text:
                line = msgspec.json.decode(text)
                seats |= {line["player"]} if NOTE in line.get("output", "") else set()
        for seat in sorted(seats):
            self._found[game.bots[seat]].append(game.identity)
