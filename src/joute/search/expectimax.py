"""Expectimax: the value of a state by looking ahead over whole turns, where chance has a say.

Alpha-beta between the players' turns; what chance decides is averaged over, each outcome with its
probability. Michie, "Game-playing and game-learning automata" (1966), and Ballard, "The *-minimax
search procedure for trees containing chance nodes" (1983), with the bounds of his Star2.

Values are for the player to move at the state they belong to. `search` looks at the root with a
full window. If the generator lists every turn and nothing is thinned, the value it returns is
exactly that of depth d: the player to move can reach, on average, a state d turns on with at least
this evaluation whatever the other does, and the other can keep him to it. If the generator lists
some turns, that holds for the game in which both may play those only, which bounds the game's own
value on neither side. If outcomes are thinned it is an estimate of that.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from joute.core.interface import mover, properties
from joute.i18n.words import Sentence
from joute.search.batches import Pace, countdown
from joute.search.evaluation import usual
from joute.search.expectimax_tree import ENTERING, INFINITY, LEVEL, NODES, advance, work
from joute.search.refusals import check_duel
from joute.search.table import Table, table
from joute.search.turns import singles

MAX_DEPTH = 64  # turns


class Result(NamedTuple):
    """What a search found."""

    turn: list[int]  # its actions
    value: float  # for the player to move
    depth: int  # turns, of the last depth that was finished
    nodes: int
    whole: bool  # no line was cut off by the depth: looking deeper finds the same


class Expectimax:
    """A search with its memory: what it learns for one state serves the next of the same game.

    `generator` lists the turns (default: every legal action is one), `evaluation` is of the leaves
    (default: the lead in points). `thin`: of more outcomes of chance than so many, as many
    quantiles are averaged over, each as likely as the other; 0: all outcomes, exactly.
    Raises ValueError for a game it cannot play, or a negative number.
    """

    def __init__(
        self,
        game: Any,
        state: np.ndarray,
        generator: Any = None,
        evaluation: Any = None,
        thin: int = 0,
        table_log2: int = 16,
    ) -> None:
        facts = properties(game)
        check_duel("expectimax", facts)
        if thin < 0:
            raise ValueError(Sentence("error.search.thin", thin=thin))
        self._game = game
        self._generator = singles(game) if generator is None else generator
        self._evaluation = usual(game) if evaluation is None else evaluation
        self._thin = thin
        self._work = work(game, state, self._generator)
        self._table: Table = table(table_log2)
        self._clock: Callable[[], float] = time.thread_time
        self._pace = Pace(self._now)

    def search(
        self,
        state: np.ndarray,
        depth: int = MAX_DEPTH,
        nodes: int | None = None,
        seconds: float | None = None,
        wall_seconds: float = INFINITY,
    ) -> Result:
        """Look deeper and deeper until `depth`, `nodes`, CPU `seconds` or `wall_seconds` run out.

        The latter count only beside `seconds`; what runs out first is overrun by a few
        milliseconds. Reproducible unless `seconds` is given. The state
        must be a player's at the begin of a turn. Before anything else is compared, the
        generator's first turn is the best.
        """
        stop = None
        if seconds is not None:
            self._clock, stop = countdown(seconds, wall_seconds), 0.0
        self._work.control[NODES] = 0
        budget = 2**62 if nodes is None else max(nodes, 1)
        found: Result | None = None
        for reached in range(1, depth + 1):
            ended = self._iterate(state, reached, budget, stop)
            if found is None or self._work.best[0] >= 0:
                found = self._result(reached if ended else reached - 1, ended)
            if not ended or found.whole or (stop is not None and self._clock() >= stop):
                break
        if found is None:
            raise ValueError(f"a search looks at least one turn ahead, not {depth}")
        return found._replace(nodes=int(self._work.control[NODES]))

    def forget(self) -> None:
        """Lose what was learned: for a generator that lists other turns of a state than before."""
        self._table.keys[:] = 0

    def _now(self) -> float:
        return self._clock()

    def _iterate(self, state: np.ndarray, depth: int, budget: int, stop: float | None) -> bool:
        """Search to one depth; whether it ended before the budget and the clock did."""
        work = self._work
        work.states[0] = state
        work.depths[0] = depth
        work.players[0] = mover(self._game, state)
        work.alphas[0], work.betas[0] = -INFINITY, INFINITY
        work.best[0] = -1
        work.control[LEVEL], work.control[ENTERING] = 0, 1
        return self._pace.run(
            lambda nodes: advance(
                self._game, self._generator, self._evaluation, work, self._table, self._thin, nodes
            ),
            lambda: int(work.control[NODES]),
            budget,
            stop,
        )

    def _result(self, depth: int, ended: bool) -> Result:
        work = self._work
        chosen = int(work.best[0])
        value = float(work.values[0]) if chosen >= 0 else 0.0
        chosen = max(chosen, 0)
        begin = int(work.ends[0, chosen - 1]) if chosen else 0
        return Result(
            turn=work.actions[0, begin : work.ends[0, chosen]].tolist(),
            value=value,
            depth=depth,
            nodes=0,
            whole=ended and bool(work.whole[0]),
        )
