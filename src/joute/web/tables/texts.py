"""Messages of a table as they are sent, made once for all who are sent the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import msgspec

KEPT = 32
"""Positions that are kept: the last ones, as the languages and the eyes of the viewers differ."""


class Texts:
    """Messages by what makes them differ. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, str] = OrderedDict()
        self._passing: dict[Hashable, str] = {}

    def lasting(self, key: Hashable, make: Callable[[], Any]) -> str:
        """The text of what never changes, like a position."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            text = encoded(make())
            self._kept[key] = text
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return text

    def passing(self, key: Hashable, make: Callable[[], Any]) -> str:
        """The text of what holds until `forget`."""
        with self._lock:
            if key not in self._passing:
                self._passing[key] = encoded(make())
            return self._passing[key]

    def forget(self) -> None:
        """What holds for a while is to be made again."""
        with self._lock:
            self._passing.clear()


def encoded(message: Any) -> str:
    """A message as JSON."""
    return msgspec.json.encode(message).decode()
