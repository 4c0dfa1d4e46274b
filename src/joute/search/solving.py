"""The exact end of a game, if it can be found in the time there is.

By null windows that close in on the value: Plaat and others, "Best-first fixed-depth minimax
algorithms" (1996), MTD(f), over alpha-beta without a limit of depth. The first ones ask whether the
game is won, and else whether it is drawn, which takes a fraction of the time.
"""

import time
from typing import Any

import numpy as np

from joute.core.interface import mover
from joute.search.alphabeta import AlphaBeta, Result
from joute.search.alphabeta_tree import INFINITY, MAX_DEPTH, NODES, SOLVING
from joute.search.evaluation import FinalLead, evaluate

WON, DRAWN = 1.0, 0.0  # the least leads that are


class Solver(AlphaBeta):
    """Solves states of a game by the lead in points at its end. Raises ValueError as AlphaBeta."""

    def __init__(self, game: Any, state: np.ndarray, table_log2: int = 18) -> None:
        super().__init__(game, state, FinalLead(), table_log2)

    def settle(self, state: np.ndarray, seconds: float) -> Result | None:
        """The best action and the exact lead; None if CPU `seconds` do not suffice.

        If they suffice to prove a win, but not by how much, the result is not `solved`: its action
        leads to this lead or a higher one. Also None if a line does not end within MAX_DEPTH plies.
        What was found on the way stays in the table, so the next state of the same game takes less.
        """
        stop = time.thread_time() + seconds
        work = self._work
        # Lines go to the end of the game, where siblings have little in common: killers mislead.
        work.control[NODES], work.control[SOLVING] = 0, 1
        work.killers[:], work.history[:] = -1, 0
        lowest, highest, action = -INFINITY, INFINITY, -1
        guess = float(evaluate(self._evaluation, self._game, state, mover(self._game, state)))
        while lowest < highest:
            if lowest < WON <= highest:
                beta = WON
            elif lowest < DRAWN <= highest:
                beta = DRAWN
            else:
                beta = min(max(guess, lowest + 1), highest)
            ended = self._iterate(state, MAX_DEPTH, 2**62, stop, (beta - 1, beta))
            if not ended or not work.whole[0]:
                break
            value = float(work.values[0])
            if value < beta:
                highest = value
            else:
                lowest, action = value, int(work.best[0])
            if beta not in (WON, DRAWN):
                guess = value
        if lowest < highest and lowest < WON:
            return None
        line = self._line(state, action, MAX_DEPTH)
        solved = lowest == highest
        return Result(action, lowest, len(line), int(work.control[NODES]), solved, line)
