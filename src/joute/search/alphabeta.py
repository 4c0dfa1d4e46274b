"""Alpha-beta: the value of a state by looking ahead, for two players who see everything.

Knuth and Moore, "An analysis of alpha-beta pruning" (1975), in its fail-soft form, with iterative
deepening, a transposition table, two killer actions a level and the history heuristic for order,
and scouts (principal variation search).

Values are for the player to move at the state they belong to. `search` looks at the root with a
full window, so the value it returns is exactly the one that minimax of that depth would return: the
player to move can reach a state d plies on with at least this evaluation whatever the other does,
and the other can keep him to it. If `solved`, no line was cut off by the depth, and this is the
value of the game itself. If the search is to reduce, it looks less deep at actions that come late
in the order and do not seem better than the best: then the value is an estimate of all that, for a
depth that it reaches sooner; what is `solved` is so all the same.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from joute.core.interface import OVER, legal_actions, mover, play, properties
from joute.search.alphabeta_tree import (
    ENTERING,
    INFINITY,
    LEVEL,
    MAX_DEPTH,
    NODES,
    REDUCING,
    SOLVING,
    advance,
    work,
)
from joute.search.batches import Pace
from joute.search.evaluation import evaluate, usual
from joute.search.refusals import check_chance, check_duel
from joute.search.table import Table, key_of, table


class Result(NamedTuple):
    """What a search found."""

    action: int
    value: float  # for the player to move
    depth: int  # plies, of the last depth that was finished
    nodes: int
    solved: bool  # no line was cut off by the depth
    line: list[int]  # the expected actions, as far as the table remembers them


class AlphaBeta:
    """A search with its memory: what it learns for one state serves the next of the same game.

    `reduce`: whether to look less deep at actions that come late in the order. Raises ValueError
    for a game it cannot play.
    """

    def __init__(
        self,
        game: Any,
        state: np.ndarray,
        evaluation: Any = None,
        table_log2: int = 18,
        reduce: bool = False,
    ) -> None:
        facts = properties(game)
        check_duel("alpha-beta", facts)
        check_chance("alpha-beta", game)
        self._game = game
        self._evaluation = usual(game) if evaluation is None else evaluation
        self._work = work(game, state)
        self._work.control[REDUCING] = reduce
        self._table: Table = table(table_log2)
        self._pace = Pace(time.thread_time)
        self._work.control[ENTERING] = 1
        advance(game, self._evaluation, self._work, self._table, 0)  # compiled, when no clock runs
        key_of(state)

    def search(
        self,
        state: np.ndarray,
        depth: int = MAX_DEPTH,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> Result:
        """Look deeper and deeper until `depth`, `nodes` or CPU `seconds` run out.

        Reproducible unless `seconds` is given. The state must be a player's to move.
        """
        stop = None if seconds is None else time.thread_time() + seconds
        self._work.history[:] >>= 3  # what was learned in the last turn counts less
        self._work.killers[:] = -1
        self._work.control[NODES], self._work.control[SOLVING] = 0, 0
        budget = 2**62 if nodes is None else max(nodes, 2)
        # Should not even one action be looked at in time, for what stands at the root is of old.
        found = Result(legal_actions(self._game, state.tolist())[0], 0.0, 0, 0, False, [])
        for reached in range(1, depth + 1):
            ended = self._iterate(state, reached, budget, stop)
            if self._work.best[0] >= 0:
                found = self._result(reached if ended else reached - 1)
            if not ended or found.solved:
                break
        return found._replace(line=self._line(state, found.action, found.depth))

    def solve(self, state: np.ndarray) -> int:
        """The exact value of a state, of an evaluation whose values are whole numbers.

        By null windows that close in on it: Plaat and others, "Best-first fixed-depth minimax
        algorithms" (1996), MTD(f). Takes as long as it takes; `FinalLead` is made for it.
        Raises ValueError if a line does not end within MAX_DEPTH plies.
        """
        # Lines go to the end of the game, where siblings have little in common: killers mislead.
        self._work.control[NODES], self._work.control[SOLVING] = 0, 1
        self._work.killers[:], self._work.history[:] = -1, 0
        lowest, highest = -INFINITY, INFINITY
        value = float(evaluate(self._evaluation, self._game, state, mover(self._game, state)))
        while lowest < highest:
            beta = value + 1 if value == lowest else value
            self._iterate(state, MAX_DEPTH, 2**62, None, (beta - 1, beta))
            value = float(self._work.values[0])
            if not self._work.whole[0]:
                raise ValueError(f"a line of more than {MAX_DEPTH} plies cannot be solved")
            lowest, highest = (lowest, value) if value < beta else (value, highest)
        return int(value)

    def _iterate(
        self,
        state: np.ndarray,
        depth: int,
        budget: int,
        stop: float | None,
        window: tuple[float, float] = (-INFINITY, INFINITY),
    ) -> bool:
        """Search to one depth; whether it ended before the budget and the clock did."""
        work = self._work
        work.states[0] = state
        work.depths[0] = depth
        work.players[0] = mover(self._game, state)
        work.alphas[0], work.betas[0] = window
        work.best[0] = -1
        work.control[LEVEL], work.control[ENTERING] = 0, 1
        return self._pace.run(
            lambda nodes: advance(self._game, self._evaluation, work, self._table, nodes),
            lambda: int(work.control[NODES]),
            budget,
            stop,
        )

    def _result(self, depth: int) -> Result:
        work = self._work
        solved = bool(work.whole[0]) and depth == work.depths[0]
        return Result(
            action=int(work.best[0]),
            value=float(work.values[0]),
            depth=depth,
            nodes=int(work.control[NODES]),
            solved=solved,
            line=[],
        )

    def _line(self, state: np.ndarray, action: int, depth: int) -> list[int]:
        """The expected actions: the best one, then those that the table holds."""
        line = [action]
        after: list[int] = state.tolist()
        words = np.empty_like(state)
        play(self._game, after, action)
        while len(line) < depth and mover(self._game, after) != OVER:
            words[:] = after
            key = int(key_of(words))
            place = key & (self._table.keys.size - 1)
            if self._table.keys[place] != key or self._table.actions[place] < 0:
                break
            line.append(int(self._table.actions[place]))
            play(self._game, after, line[-1])
        return line
