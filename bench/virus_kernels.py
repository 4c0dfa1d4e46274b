"""Playouts and alpha-beta of Virus, in Numba and in C: equal results first, then speed."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench import against_c
from bench.against_c import DifferenceError, alternate, compared_row
from bench.rows import Row
from bench.virus_c import SearchC, VirusC
from joute.core.interface import mover, openings, play, start
from joute.core.random import below, generator
from joute.games.virus.players.evaluation import fitted
from joute.search.alphabeta_search import INFINITY, advance, search_stack
from joute.search.evaluation import Lead
from joute.search.transpositions import Transpositions, transpositions

GAMES = 80_000  # in a round: a fifth of a second
CHECKED_GAMES = 5000
TABLE_LOG2 = 16
MIDGAME_PLIES = (20, 36, 52)
DEPTHS = {"lead": 7, "fitted": 6}


class NumbaSearch:
    """The kernel of alpha-beta, driven as `AlphaBeta.search` does."""

    def __init__(self, game: Any, evaluation: Any, memory: Transpositions) -> None:
        self._game = game
        self._evaluation = evaluation
        self._work = search_stack(game, start(game))
        self._table = memory

    def forget(self) -> None:
        """Starts from nothing."""
        self._table.keys.fill(0)
        self._work.history.fill(0)
        self._work.killers.fill(-1)

    def deepen(self, state: np.ndarray, depth: int) -> tuple[int, int, float]:
        """Looks deeper and deeper to `depth`: nodes, best action, value."""
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


def searchers(
    native: VirusC | None, game: Any, evaluation: str, table_log2: int = TABLE_LOG2
) -> list[NumbaSearch | SearchC]:
    """The search in Numba, and the same in C if there is one.

    They share a table, emptied before each search, so that both have the same luck with caches.
    """
    memory = transpositions(table_log2)
    value = Lead() if evaluation == "lead" else fitted()
    found: list[NumbaSearch | SearchC] = [NumbaSearch(game, value, memory)]
    if native is not None:
        weights = None if evaluation == "lead" else value.weights
        found.append(native.searcher(game, weights, memory))
    return found


def check_search(
    searches: list[NumbaSearch | SearchC], states: list[np.ndarray], depth: int
) -> list[int]:
    """The nodes of each state. Raises DifferenceError unless all searches find the same."""
    nodes = []
    for state in states:
        found = []
        for search in searches:
            search.forget()
            found.append(search.deepen(state, depth))
        if found[0] != found[-1]:
            raise DifferenceError(
                f"alpha-beta at depth {depth} of {state.tolist()}: (nodes, action, value) "
                f"Numba {found[0]}, C {found[-1]}"
            )
        nodes.append(found[0][0])
    return nodes


def playout_row(native: VirusC | None, game: Any, why: str = "") -> Row:
    """Random games a second, from the first state; without C, `why` there is none."""
    return against_c.playout_row(native, why, game, "playouts", GAMES, CHECKED_GAMES)


def search_row(native: VirusC | None, game: Any, evaluation: str, why: str = "") -> Row:
    """Nodes a second of alpha-beta at a fixed depth, over positions of mid-game."""
    states, depth = positions(game), DEPTHS[evaluation]
    searches = searchers(native, game, evaluation)
    nodes = sum(check_search(searches, states, depth))

    def run(search: NumbaSearch | SearchC) -> Callable[[], None]:
        def all_states() -> None:
            for state in states:
                search.forget()
                search.deepen(state, depth)

        return all_states

    taken = alternate(run(searches[0]), run(searches[-1]))
    name = f"alpha-beta, {evaluation}, depth {depth}"
    return compared_row(name, nodes, "nodes/s", taken, native is not None, why)
