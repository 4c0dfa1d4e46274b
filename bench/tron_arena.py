"""Tron's arena, in Numba and in C: equal results first, then speed. Rows of `bench tron`."""

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench import against_c
from bench.against_c import DifferenceError, alternate, compared_row, compiled, side
from bench.rows import Row
from joute.core.compiled import kernel
from joute.core.interface import OVER, mover, pending, pick, play, start
from joute.core.maps import find_map
from joute.core.random import below, generator
from joute.core.registry import make
from joute.games.tron.players.evaluation import Territory, territory
from joute.search.evaluation import evaluate

SOURCE = Path(__file__).with_name("tron_arena.c")
GAMES = {2: 200_000, 4: 80_000, 8: 30_000}  # by bikes, in a round: an eighth of a second
CHECKED_GAMES = 2000
POSITIONS = 256
TIMES = 80  # that each is evaluated in a round
TERRITORY_AIM, TERRITORIES_AIM = 0.95, 90_000
TERRITORY_AIM_TEXT = "0.95 of C, 90,000"


class Rules(ctypes.Structure):
    """`rules` of tron_arena.c."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("players", "directions", "turns", "vanish")),
        *((name, ctypes.c_int64) for name in ("cells", "teams")),
        *((name, ctypes.c_void_p) for name in ("neighbour", "partner", "team")),
    ]


class Board(ctypes.Structure):
    """`board` of tron_arena.c: the fields of `Territory` but those of a search."""

    _fields_ = [
        ("bipartite", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in Territory._fields[1:-2]),
    ]


class TronC:
    """The arena in C. Raises NoCompilerError if `cc` is missing or refuses."""

    def __init__(self, compiler: str = "cc") -> None:
        code = compiled(SOURCE, compiler)
        self._playouts, self._territories = code.playouts, code.territories
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        rules = ctypes.POINTER(Rules)
        self._playouts.restype = whole
        self._playouts.argtypes = [rules, pointer, whole, pointer, pointer, pointer]
        self._territories.restype = ctypes.c_double
        self._territories.argtypes = [ctypes.POINTER(Board), rules, pointer, whole, whole]

    def playouts(
        self, game: Any, root: np.ndarray, count: int, rng: np.ndarray, total: np.ndarray
    ) -> int:
        """As `joute.search.playouts.playouts`."""
        state = root.copy()
        plies: int = self._playouts(
            _structure(Rules, game), root.ctypes.data, count, rng.ctypes.data, state.ctypes.data,
            total.ctypes.data,
        )  # fmt: skip
        return plies

    def territories(
        self, game: Any, evaluation: Territory, states: np.ndarray, player: int
    ) -> float:
        """As the kernel below."""
        board = _structure(Board, evaluation)
        rules = _structure(Rules, game)
        total: float = self._territories(board, rules, states.ctypes.data, len(states), player)
        return total


def _structure(kind: type[ctypes.Structure], of: Any) -> Any:
    """A C structure of the fields of a NamedTuple; it must not outlive its arrays."""
    values = {name: getattr(of, name) for name, _ in kind._fields_}
    return kind(
        **{
            name: value.ctypes.data if isinstance(value, np.ndarray) else int(value)
            for name, value in values.items()
        }
    )


@kernel
def territories(game, evaluation, states, player):
    """The sum of the values of `states`, one a row, for a player."""
    total = 0.0
    for row in range(states.shape[0]):
        total += evaluate(evaluation, game, states[row], player)
    return total


def positions(game: Any, count: int = POSITIONS, seed: int = 1) -> np.ndarray:
    """States in which a round begins, one of each of so many random games."""
    rng, scratch, found = generator(seed), [0] * 6, []
    for _ in range(count):
        state = start(game).tolist()
        rounds = []
        while mover(game, state) != OVER:
            if pending(game, state) == 0:
                rounds.append(state.copy())
            play(game, state, pick(game, state, scratch, rng))
        found.append(rounds[below(rng, len(rounds))])
    return np.array(found, start(game).dtype)


def check_territories(native: TronC, game: Any, states: np.ndarray) -> None:
    """Raises DifferenceError unless both give each state the same value, for every player."""
    evaluation = territory(game)
    for player in range(game.players):
        for row in range(len(states)):
            ours = territories(game, evaluation, states[row : row + 1], player)
            theirs = native.territories(game, evaluation, states[row : row + 1], player)
            if ours != theirs:
                raise DifferenceError(
                    f"territory of player {player} in {states[row].tolist()}: "
                    f"Numba {ours}, C {theirs}"
                )


def playout_row(native: TronC | None, bikes: int, why: str = "") -> Row:
    """Random games a second from the first state; without C, `why` there is none."""
    game = make("tron", map=find_map("tron", "eight") if bikes > 4 else "", players=bikes)
    name = f"playouts, {bikes} bikes"
    return against_c.playout_row(native, why, game, name, GAMES[bikes], CHECKED_GAMES)


def territory_row(native: TronC | None, why: str = "") -> Row:
    """Evaluations a second, for two bikes in a room of 15 x 15, in positions of random games."""
    game = make("tron")
    evaluation, states = territory(game), positions(game)

    def mine() -> None:
        for _ in range(TIMES):
            territories(game, evaluation, states, 0)

    def other() -> None:
        for _ in range(TIMES if native is not None else 0):
            native.territories(game, evaluation, states, 0)  # type: ignore[union-attr]

    territories(game, evaluation, states, 0)
    if native is not None:
        check_territories(native, game, states)
    taken = alternate(mine, other)
    row = compared_row(
        "territory, 2 bikes, 15 x 15", TIMES * len(states), "states/s", taken, bool(native), why,
        TERRITORY_AIM, TERRITORY_AIM_TEXT,
    )  # fmt: skip
    return row._replace(met=row.met and row.value is not None and row.value >= TERRITORIES_AIM)


def rows() -> Iterator[Row]:
    """The arena's rows: under a minute."""
    native, why = side(TronC)
    for bikes in GAMES:
        yield playout_row(native, bikes, why)
    yield territory_row(native, why)
