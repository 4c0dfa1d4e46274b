"""Lists and arrays that refuse an index below 0, to find those that compiled code cannot take.

Plain Python and NumPy count a negative index from the end. Compiled code does so where it sees that
the index may be negative, but not where `index` promises that it is not: it reads and writes memory
that is none of the array's. So a rule that computes one is told, whether `index` is there or not; a
number or a constant in the source, as `state[-1]` or `state[LAST]`, is meant.
"""

from __future__ import annotations

import linecache
import re
import sys
from typing import Any

import numpy as np

from joute.core.interface import rules_of
from joute.library.sources import reached


class _Guard:
    """A sequence or an array that refuses to be counted from its end."""

    def __getitem__(self, place: Any) -> Any:
        if type(place) is not int or place < 0:
            _refuse_negative(place)
        return super().__getitem__(place)  # type: ignore[misc]

    def __setitem__(self, place: Any, value: Any) -> None:
        if type(place) is not int or place < 0:
            _refuse_negative(place)
        super().__setitem__(place, value)  # type: ignore[misc]


class Guarded(_Guard, list[Any]):
    """A guarded state, or room for choices."""


class GuardedArray(_Guard, np.ndarray[Any, Any]):
    """A guarded view of an array that the game has."""

    def __repr__(self) -> str:  # NumPy writes arrays out from their end
        return repr(self.view(np.ndarray))

    def __str__(self) -> str:
        return str(self.view(np.ndarray))


class GuardedGame:
    """The arrays of a game and of its modules, guarded while the guard is entered.

    `guard.game` is the game, with its arrays guarded always.
    """

    def __init__(self, game: Any) -> None:
        own = {name: getattr(game, name) for name in game._fields}
        arrays = {name: value for name, value in own.items() if type(value) is np.ndarray}
        views = {name: value.view(GuardedArray) for name, value in arrays.items()}
        self.game = game._replace(**views)
        self._names = [
            (function.__globals__, name, value)
            for rule in rules_of(type(game)).values()
            for function in reached(rule)
            for name in function.__code__.co_names
            if type(value := function.__globals__.get(name)) is np.ndarray
        ]

    def __enter__(self) -> Any:
        for names, name, value in self._names:
            names[name] = value.view(GuardedArray)
        return self.game

    def __exit__(self, *_: object) -> None:
        for names, name, value in self._names:
            names[name] = value


def _refuse_negative(place: Any) -> None:
    for each in place if isinstance(place, tuple) else (place,):
        if isinstance(each, int | np.integer) and each < 0 and not _is_meant(int(each)):
            raise IndexError(f"index {each} is negative")


def _is_meant(place: int) -> bool:
    """Whether the line that is being run has this index as a number or as a global constant."""
    frame = sys._getframe(3)
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    written = re.findall(r"[\[,]\s*(-\d+|\w+)\s*(?=[,\]])", line)
    return any(each == str(place) or frame.f_globals.get(each) == place for each in written)
