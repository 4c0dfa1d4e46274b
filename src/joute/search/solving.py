"""The exact end of a game, if it can be found in the time there is.

By null windows that close in on the value: Plaat and others, "Best-first fixed-depth minimax
algorithms" (1996), MTD(f), over alpha-beta without a limit of depth.
"""

import time
from typing import Any

import numpy as np

from joute.games.interface import mover
from joute.search.alphabeta import AlphaBeta, Result
from joute.search.alphabeta_tree import INFINITY, MAX_DEPTH, NODES, SOLVING
from joute.search.evaluation import FinalLead, evaluate


class Solver(AlphaBeta):
    """Solves states of a game by the lead in points at its end. Raises ValueError as AlphaBeta."""

    def __init__(self, game: Any, state: np.ndarray, table_log2: int = 18) -> None:
        super().__init__(game, state, FinalLead(), table_log2)

    def settle(self, state: np.ndarray, seconds: float) -> Result | None:
        """The best action and the exact lead; None if CPU `seconds` do not suffice.

        Also None if a line does not end within MAX_DEPTH plies. What was found on the way stays in
        the table, so the next state of the same game takes less.
        """
        stop = time.thread_time() + seconds
        work = self._work
        # Lines go to the end of the game, where siblings have little in common: killers mislead.
        work.control[NODES], work.control[SOLVING] = 0, 1
        work.killers[:], work.history[:] = -1, 0
        lowest, highest, action = -INFINITY, INFINITY, -1
        value = float(evaluate(self._evaluation, self._game, state, mover(self._game, state)))
        while lowest < highest:
            beta = value + 1 if value == lowest else value
            ended = self._iterate(state, MAX_DEPTH, 2**62, stop, (beta - 1, beta))
            if not ended or not work.whole[0]:
                return None
            value = float(work.values[0])
            if value < beta:
                highest = value
            else:
                lowest, action = value, int(work.best[0])
        line = self._line(state, action, MAX_DEPTH)
        return Result(action, value, len(line), int(work.control[NODES]), True, line)
