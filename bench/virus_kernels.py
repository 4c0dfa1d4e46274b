"""Playouts and alpha-beta of Virus, in Numba and in C: equal results first, then speed."""

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from bench.native import SearchC, VirusC
from bench.rows import Row
from joute.bots.virus import fitted
from joute.games.interface import mover, openings, play, start
from joute.games.random import below, generator
from joute.search.alphabeta import INFINITY, advance
from joute.search.alphabeta import work as search_work
from joute.search.evaluation import Lead
from joute.search.playouts import playouts
from joute.search.playouts import work as playout_work
from joute.search.table import table

ROUNDS = 9
ROUND_SECONDS = 0.2
AIM = 0.9  # of the speed of C
TABLE_LOG2 = 16
MIDGAME_PLIES = (20, 36, 52)
DEPTHS = {"lead": 7, "fitted": 6}


class DifferenceError(Exception):
    """C and Numba disagree: their speeds cannot be compared."""


class NumbaSearch:
    """The kernel of alpha-beta, driven as `AlphaBeta.search` does, over its own table."""

    def __init__(self, game: Any, evaluation: Any, table_log2: int) -> None:
        self._game = game
        self._evaluation = evaluation
        self._work = search_work(game, start(game))
        self._table = table(table_log2)

    def forget(self) -> None:
        """Start from nothing."""
        self._table.keys.fill(0)
        self._work.history.fill(0)
        self._work.killers.fill(-1)

    def deepen(self, state: np.ndarray, depth: int) -> tuple[int, int, float]:
        """Look deeper and deeper to `depth`: nodes, best action, value."""
        work = self._work
        work.control[2] = 0
        for reached in range(1, depth + 1):
            work.states[0] = state
            work.depths[0] = reached
            work.players[0] = mover(self._game, state)
            work.alphas[0], work.betas[0] = -INFINITY, INFINITY
            work.control[0], work.control[1] = 0, 1
            advance(self._game, self._evaluation, work, self._table, 2**62)
        return int(work.control[2]), int(work.best[0]), float(work.values[0])


def positions(game: Any, plies: tuple[int, ...] = MIDGAME_PLIES, seed: int = 1) -> list[np.ndarray]:
    """States of random games, after so many stones."""
    found = []
    for index, length in enumerate(plies):
        rng = generator(seed + index)
        state = start(game).tolist()
        play(game, state, index % 2)
        for _ in range(length):
            actions = openings(game, state)
            play(game, state, actions[below(rng, len(actions))])
        if mover(game, state) < 0:
            raise ValueError(f"a game was over after {length} plies")
        found.append(np.array(state, np.int64))
    return found


def check_playouts(native: VirusC, game: Any, count: int, seed: int = 1) -> None:
    """Raises DifferenceError unless both play the same random games."""
    root, work = start(game), playout_work(game)
    ours, theirs, total = generator(seed), generator(seed), np.zeros(2)
    plies = playouts(game, root, count, ours, work)
    native_plies = native.playouts(game, root, count, theirs, total)
    found = (int(plies), work.total.tolist(), ours.tolist())
    expected = (native_plies, total.tolist(), theirs.tolist())
    if found != expected:
        raise DifferenceError(f"playouts of {game}: Numba {found}, C {expected}")


def searchers(
    native: VirusC, game: Any, evaluation: str, table_log2: int = TABLE_LOG2
) -> tuple[NumbaSearch, SearchC]:
    """The same search twice, in Numba and in C."""
    value = Lead() if evaluation == "lead" else fitted()
    weights = None if evaluation == "lead" else value.weights
    return (
        NumbaSearch(game, value, table_log2),
        native.searcher(game, weights, table_log2),
    )


def check_search(
    pair: tuple[NumbaSearch, SearchC], states: list[np.ndarray], depth: int
) -> list[int]:
    """Raises DifferenceError unless both find the same; the nodes of each state."""
    nodes = []
    for state in states:
        found = []
        for search in pair:
            search.forget()
            found.append(search.deepen(state, depth))
        if found[0] != found[1]:
            raise DifferenceError(
                f"alpha-beta at depth {depth} of {state.tolist()}: (nodes, action, value) "
                f"Numba {found[0]}, C {found[1]}"
            )
        nodes.append(found[0][0])
    return nodes


def alternate(
    ours: Callable[[], object], theirs: Callable[[], object], rounds: int = ROUNDS
) -> tuple[float, float, float]:
    """CPU seconds of each, by the median, and the median of the ratios of speed by round.

    Short rounds in turn: a busy machine slows both sides of a round alike.
    """
    times: list[tuple[float, float]] = []
    for index in range(rounds):
        order = (0, 1) if index % 2 else (1, 0)
        taken = [0.0, 0.0]
        for side in order:
            began = process_time()
            (ours, theirs)[side]()
            taken[side] = process_time() - began
        times.append((taken[0], taken[1]))
    return (
        median(mine for mine, _ in times),
        median(his for _, his in times),
        median(his / mine for mine, his in times),
    )


def playout_row(native: VirusC | None, game: Any) -> Row:
    """Random games a second, from the first state."""
    root, work, total = start(game), playout_work(game), np.zeros(2)
    ours, theirs = generator(1), generator(1)
    playouts(game, root, 1, ours, work)
    began = process_time()
    playouts(game, root, 2000, ours, work)
    count = max(int(2000 * ROUND_SECONDS / (process_time() - began)), 1)

    def mine() -> None:
        playouts(game, root, count, ours, work)

    if native is None:
        taken, _, _ = alternate(mine, lambda: None)
        return Row("playouts", count / taken, "games/s", aim=f">= {AIM} of C")
    check_playouts(native, game, 5000)
    taken, his, ratio = alternate(mine, lambda: native.playouts(game, root, count, theirs, total))
    return against_c("playouts", count / taken, "games/s", count / his, ratio)


def search_row(native: VirusC | None, game: Any, evaluation: str) -> Row:
    """Nodes a second of alpha-beta at a fixed depth, over positions of mid-game."""
    states, depth = positions(game), DEPTHS[evaluation]
    name = f"alpha-beta, {evaluation}, depth {depth}"
    pair = searchers(native, game, evaluation)
    nodes = sum(check_search(pair, states, depth))

    def run(search: NumbaSearch | SearchC) -> Callable[[], None]:
        def all_states() -> None:
            for state in states:
                search.forget()
                search.deepen(state, depth)

        return all_states

    mine, his, ratio = alternate(run(pair[0]), run(pair[1]))
    return against_c(name, nodes / mine, "nodes/s", nodes / his, ratio)


def against_c(name: str, value: float, unit: str, theirs: float, ratio: float) -> Row:
    """A row that compares with C."""
    return Row(name, value, unit, f"C: {theirs:,.0f}", ratio, f"ratio >= {AIM}", ratio >= AIM)
