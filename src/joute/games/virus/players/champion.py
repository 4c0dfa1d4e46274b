"""The champion of Virus: alpha-beta under the learned evaluation, and the end of the game exactly.

It looks less deep at actions that come late in the order (`alphabeta?reduce=1`). From SOLVABLE
empty cells on, it first tries for half of its time to solve the state. On grids of another size
than 10 x 10 the evaluation is the fitted one, or the lead above 10 x 10. Option: `seconds` of CPU
per turn (default: a tenth of the time a turn may take).
"""

import numpy as np

from joute.bots import BuiltinBot, Choice, Seating, budget
from joute.bots.alphabeta import alphabeta
from joute.bots.explain import Option
from joute.core.interface import describe, play, points, start
from joute.games.virus.players.patterns import SIZE
from joute.games.virus.rules import LARGEST_ON_BITS
from joute.search.alphabeta_search import Solver

SOLVABLE = 20  # empty cells; who wins is known in some 10 ms, by how much in some 50
SHARE = 0.5  # of a turn's time that may go into a solution that is not found


class _Champion:
    def __init__(self, seat: Seating, seconds: float, evaluation: str) -> None:
        self._game = seat.game
        self._seconds = seconds
        self._solver = Solver(seat.game, start(seat.game))
        self._search = alphabeta(seat, seconds=seconds, evaluation=evaluation, reduce=1)
        self._warm_up()

    def _warm_up(self) -> None:
        """Compiles both searches, so that no turn pays for it."""
        state = start(self._game)
        play(self._game, state, 0)  # chance says who starts
        self._solver.settle(state, 0.0)
        self._search.play(state, 0.001)

    def play(self, state: np.ndarray) -> Choice:
        """The best action, if the state can be solved; else of the deepest look."""
        stones = points(self._game, state, 0) + points(self._game, state, 1)
        if self._game.size**2 - stones > SOLVABLE:
            return self._search.play(state)
        found = self._solver.settle(state, SHARE * self._seconds)
        if found is None:
            return self._search.play(state, (1 - SHARE) * self._seconds)
        text = describe(self._game, state.tolist(), found.action)
        value, proven = f"{found.value:+.0f}", "solved"
        if not found.solved:
            value, proven = f"{value} or more", "won"
        return Choice(
            found.action,
            f"{text}: {value} at the end, {found.nodes} nodes, {proven}",
            float(np.sign(found.value)),
            tuple(found.line),
        )

    def explain(self, state: np.ndarray) -> list[Option]:
        """Every action as the search under the learned evaluation sees it."""
        return self._search.explain(state)


def make(seat: Seating, *, seconds: float = 0.0) -> BuiltinBot:
    """The champion of a game of Virus. Raises BuiltinError for an option out of range."""
    size = seat.game.size
    if size == SIZE:
        evaluation = "learned"
    else:
        evaluation = "fitted" if size <= LARGEST_ON_BITS else "lead"
    return _Champion(seat, budget(seat, seconds), evaluation)
