"""Virus in C: random games, and alpha-beta with its table."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

from bench.against_c import compiled
from joute.core.interface import properties
from joute.search.alphabeta_search import MAX_DEPTH
from joute.search.transpositions import Transpositions

SOURCE = Path(__file__).with_name("virus.c")


class Search(ctypes.Structure):
    """`search` of virus.c."""

    _fields_ = [
        ("size", ctypes.c_int64),
        ("voluntary_pass", ctypes.c_int64),
        ("weights", ctypes.c_void_p),
        ("mask", ctypes.c_uint64),
        ("keys", ctypes.c_void_p),
        ("facts", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("table_actions", ctypes.c_void_p),
        ("history", ctypes.c_void_p),
        ("history_stride", ctypes.c_int64),
        ("killers", ctypes.c_void_p),
        ("nodes", ctypes.c_int64),
        ("best", ctypes.c_int64),
    ]


class VirusC:
    """Virus in C. Raises NoCompilerError if `cc` is missing or refuses."""

    def __init__(self, compiler: str = "cc") -> None:
        code = compiled(SOURCE, compiler)
        self._playouts, self._deepen = code.playouts, code.deepen
        self._playouts.restype = ctypes.c_int64
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self._playouts.argtypes = [whole, whole, pointer, whole, pointer, pointer]
        self._deepen.restype = ctypes.c_double
        self._deepen.argtypes = [ctypes.POINTER(Search), pointer, whole]

    def playouts(
        self, game: Any, root: np.ndarray, count: int, rng: np.ndarray, total: np.ndarray
    ) -> int:
        """As `joute.search.playouts.playouts`."""
        plies: int = self._playouts(
            game.size, game.voluntary_pass, root.ctypes.data, count, rng.ctypes.data,
            total.ctypes.data,
        )  # fmt: skip
        return plies

    def searcher(self, game: Any, weights: np.ndarray | None, memory: Transpositions) -> "SearchC":
        """An alpha-beta with a table; `weights` are of the fitted evaluation, None is the lead."""
        return SearchC(self._deepen, game, weights, memory)


class SearchC:
    """Alpha-beta in C."""

    def __init__(
        self, deepen: Any, game: Any, weights: np.ndarray | None, memory: Transpositions
    ) -> None:
        self._deepen = deepen
        actions = properties(game).max_actions
        self._weights = weights
        self._table = memory
        self._history = np.zeros((2, actions), np.int64)
        self._killers = np.zeros((MAX_DEPTH + 1, 2), np.int32)
        self._search = Search(
            size=game.size,
            voluntary_pass=game.voluntary_pass,
            weights=None if weights is None else weights.ctypes.data,
            mask=self._table.keys.size - 1,
            keys=self._table.keys.ctypes.data,
            facts=self._table.facts.ctypes.data,
            values=self._table.values.ctypes.data,
            table_actions=self._table.actions.ctypes.data,
            history=self._history.ctypes.data,
            history_stride=actions,
            killers=self._killers.ctypes.data,
        )

    def forget(self) -> None:
        """Starts from nothing."""
        self._table.keys.fill(0)
        self._history.fill(0)
        self._killers.fill(-1)

    def deepen(self, state: np.ndarray, depth: int) -> tuple[int, int, float]:
        """Looks deeper and deeper to `depth`: nodes, best action, value."""
        value = self._deepen(ctypes.byref(self._search), state.ctypes.data, depth)
        return self._search.nodes, self._search.best, value
