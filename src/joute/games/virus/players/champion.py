"""The champion of Virus: PUCT by learned weights, and the end of the game exactly.

From SOLVABLE empty cells on, it first tries for half of its time to solve the state. On small grids
of another size than 10 x 10 it goes by the fitted evaluation and a policy by hand; above 10 x 10 it
is alpha-beta by the lead, which looks less deep at actions that come late in the order. Options:
`seconds` of CPU per turn, or `simulations`, with which it always plays the same; `exploration`, in
spans of returns; `solvable`, empty cells.
"""

from typing import Any

import numpy as np

from joute.bots import BuiltinBot, Choice, Seating, budget, refused
from joute.bots.alphabeta import alphabeta
from joute.bots.explain import Option, SearchNode
from joute.bots.montecarlo import check_amounts, walked
from joute.core.interface import describe, play, points, start
from joute.games.virus.players.evaluation import fitted
from joute.games.virus.players.patterns import SIZE
from joute.games.virus.players.spread import spread
from joute.games.virus.players.weights import learned, learned_policy
from joute.games.virus.rules import LARGEST_ON_BITS
from joute.search.alphabeta_search import Solver
from joute.search.puct_search import Puct, PuctResult

EXPLORATION = 0.35  # in spans of returns
SOLVABLE = 22  # empty cells; who wins is known in some 10 ms, by how much in some 50, from 20 on
SHARE = 0.5  # of a turn's time that may go into a solution that is not found
NODES = 40  # of the solver for each simulation, where these are counted
LEAST_LOG2, MOST_LOG2 = 16, 22  # places of a tree
PLACES_A_SECOND = 6_000_000  # that a tree takes
PLACES_A_SIMULATION = 8
SHOWN = 3  # actions in a message


class _Champion:
    def __init__(
        self, seat: Seating, seconds: float, simulations: int, exploration: float, solvable: int
    ) -> None:
        self._game = seat.game
        self._seconds = seconds
        self._simulations = simulations
        self._solvable = solvable
        self._solver = Solver(seat.game, start(seat.game))
        wanted = simulations * PLACES_A_SIMULATION or int(seconds * PLACES_A_SECOND)
        log2 = min(max(wanted.bit_length(), LEAST_LOG2), MOST_LOG2)
        parts: tuple[Any, Any] = fitted(), spread()
        if seat.game.size == SIZE:
            parts = learned(), learned_policy()
        self._search = Puct(seat.game, *parts, exploration, tree_log2=log2)
        self._warm_up()

    def _warm_up(self) -> None:
        """Compiles the solver, so that no turn pays for it."""
        state = start(self._game)
        play(self._game, state, 0)  # chance says who starts
        self._solver.settle(state, 0.0)

    def play(self, state: np.ndarray) -> Choice:
        """The best action, if the state can be solved; else the one visited most."""
        solved, seconds = self._settled(state)
        if solved is not None:
            return solved
        found = self._searched(state, seconds)
        return Choice(
            found.action, self._told(state, found), found.value, tuple(found.line), found.visits
        )

    def _settled(self, state: np.ndarray) -> tuple[Choice | None, float]:
        """The choice where the state can be solved, and the seconds that are left for a search."""
        stones = points(self._game, state, 0) + points(self._game, state, 1)
        if self._game.size**2 - stones > self._solvable:
            return None, self._seconds
        return self._solved(state), self._seconds * (1 - SHARE)

    def _searched(self, state: np.ndarray, seconds: float) -> PuctResult:
        """The result of the search: of so many simulations if they are counted."""
        if self._simulations:
            return self._search.search(state, self._simulations)
        return self._search.search(state, seconds=seconds)

    def _solved(self, state: np.ndarray) -> Choice | None:
        if self._simulations:
            found = self._solver.settle(state, nodes=NODES * self._simulations)
        else:
            found = self._solver.settle(state, SHARE * self._seconds)
        if found is None:
            return None
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

    def _told(self, state: np.ndarray, found: PuctResult) -> str:
        if not found.visits:
            return "no other choice"
        most = sorted(found.visits, key=found.visits.__getitem__, reverse=True)[:SHOWN]
        total = max(sum(found.visits.values()), 1)
        words = (
            f"{describe(self._game, state.tolist(), each)} ({found.visits[each] / total:.0%})"
            for each in most
        )
        how = "proven" if found.proven else f"{found.simulations} simulations"
        return f"{found.value:+.2f}, {how}: {', '.join(words)}"

    def explain(self, state: np.ndarray) -> list[Option]:
        """Every action as the search sees it: the one that is played, then the most visited."""
        solved, seconds = self._settled(state)
        found = self._searched(state, seconds)
        values: dict[int, float | None] = dict(found.values)
        played = found.action
        if solved is not None:
            [played, *_] = solved.line
            values[played] = solved.value
        if not found.visits:  # where there is no choice, nothing is searched
            return [Option((played,), values.get(played))]
        ranked = sorted(found.visits, key=lambda each: (each != played, -found.visits[each]))
        return [Option((each,), values.get(each), found.visits[each]) for each in ranked]

    def tree(self, state: np.ndarray, plies: int) -> SearchNode:
        """The first plies of the tree."""
        found = self._searched(state, self._seconds)
        visits = sum(found.visits.values())
        return walked(self._game, self._search.below, state.tolist(), visits, plies)


def make(
    seat: Seating,
    *,
    seconds: float = 0.0,
    simulations: int = 0,
    exploration: float = EXPLORATION,
    solvable: int = SOLVABLE,
) -> BuiltinBot:
    """The champion of a game of Virus. Raises BuiltinError for an option out of range."""
    check_amounts("champion", simulations, seconds)
    if seat.game.size > LARGEST_ON_BITS:
        return alphabeta(seat, seconds=budget(seat, seconds), evaluation="lead", reduce=1)
    try:
        return _Champion(seat, budget(seat, seconds), simulations, exploration, solvable)
    except ValueError as error:
        raise refused("champion", error) from None
