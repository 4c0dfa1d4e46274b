"""The searches as functions of a position: what `joute.search` offers.

An evaluation is a function `evaluate(position, player)` of the value of a position for a player, in
any unit: Python, which is slow but may do whatever it likes; or a kernel, decorated with
`@joute.kernel`, of `(game, state, player)`, which is compiled with the search. Evaluations are for
games of two players in which what one wins the other loses; uct turns a value v into
v / (|v| + scale).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy.typing as npt

from joute.core.compiled import Kernel
from joute.core.interface import describe, implements, inline

DEPTH = 4  # plies of a search that is told neither depth nor seconds


class Searched(Protocol):
    """A position, as far as a search looks at it."""

    @property
    def game(self) -> Any: ...

    @property
    def state(self) -> npt.NDArray[Any]: ...


Evaluate = Callable[[Any, int], float] | Kernel


class SearchResult(NamedTuple):
    """The result of a search."""

    action: int
    """The best action, or the first of the best turn."""
    text: str
    """The same as people write it."""
    value: float | None
    """The value for the player to act: in the unit of the evaluation, or of returns."""
    visits: dict[int, int]
    """By action, how often a search of simulations looked at it; empty for others."""
    values: dict[int, float]
    """By action, what it is worth for the player to act, as far as the search says."""
    line: tuple[int, ...]
    """The actions that are expected, the best first."""
    nodes: int
    """Nodes visited, or simulations run."""


class PythonEvaluation(NamedTuple):
    """An evaluation written in Python; searches with it are interpreted."""

    function: Callable[[Any, int], float]
    game: Any


PythonEvaluation.interpreted = True  # type: ignore[attr-defined]


@implements(PythonEvaluation, "evaluate")
def _evaluated(evaluation: PythonEvaluation, game: Any, state: Any, player: int) -> float:
    return float(evaluation.function(evaluation.game.at(state), player))


_compiled: dict[Kernel, Any] = {}


def evaluation_of(evaluate: Evaluate | None, game: Any) -> Any:
    """The evaluation that searches take, of what a caller gave."""
    if evaluate is None:
        return None
    if not isinstance(evaluate, Kernel):
        return PythonEvaluation(evaluate, game)
    if evaluate not in _compiled:
        _compiled[evaluate] = _evaluation_class(evaluate)
    return _compiled[evaluate]()


def _evaluation_class(kernel: Kernel) -> Any:
    """A class of evaluations of its own for a kernel."""
    function = inline(kernel.function)
    made: Any = namedtuple(kernel.function.__name__, ())  # type: ignore[misc]
    made.__module__ = kernel.function.__module__

    @implements(made, "evaluate")
    def evaluated(evaluation, game, state, player):
        return float(function(game, state, player))

    return made


def uct(
    position: Searched,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    evaluate: Evaluate | None = None,
    scale: float = 1.0,
    exploration: float | None = None,
    informed: bool = False,
    seed: int = 0,
) -> SearchResult:
    """UCT, or PUCT with `informed`: a tree of simulations, for games where everything is seen.

    Either so many `simulations`, which is reproducible, or `seconds` of CPU; 1,000 simulations if
    neither is given. Raises SearchError for a game that it cannot play, or where it is over.
    """
    from joute.search.uct_search import Uct

    rules = position.game.rules
    judge = evaluation_of(evaluate, position.game)
    search = Uct(rules, seed, exploration, judge, scale, informed)
    return _of_simulations(position, search, simulations, seconds)


def ismcts(
    position: Searched,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    exploration: float | None = None,
    seed: int = 0,
) -> SearchResult:
    """Information-set Monte Carlo tree search: for hidden information and simultaneous choices.

    The position is looked at through the eyes of the player to act. Budget and errors as `uct`.
    """
    from joute.search.ismcts_search import EXPLORATION, Ismcts

    rules = position.game.rules
    search = Ismcts(rules, seed, EXPLORATION if exploration is None else exploration)
    return _of_simulations(position, search, simulations, seconds)


def flat(
    position: Searched,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> SearchResult:
    """Flat Monte Carlo: the mean of random games after each action. Budget and errors as `uct`."""
    from joute.search.flat_search import FlatMonteCarlo

    search = FlatMonteCarlo(position.game.rules, seed)
    return _of_simulations(position, search, simulations, seconds)


def alphabeta(
    position: Searched,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    evaluate: Evaluate | None = None,
) -> SearchResult:
    """Alpha-beta with iterative deepening, for two players without chance.

    To a `depth` in plies, for so many `nodes`, or for `seconds` of CPU; to depth 4 if none is
    given. Raises SearchError for a game that it cannot play, or where it is over.
    """
    from joute.search.alphabeta_search import AlphaBeta

    game, state = position.game, position.state
    search = AlphaBeta(game.rules, state, evaluation_of(evaluate, game))
    found = search.search(state, **_budget(depth, nodes, seconds))
    return _of_depth(position, found)


def expectimax(
    position: Searched,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    evaluate: Evaluate | None = None,
) -> SearchResult:
    """Expectimax: alpha-beta with nodes of chance, for two players. As `alphabeta`."""
    from joute.search.expectimax_search import Expectimax

    game, state = position.game, position.state
    search = Expectimax(game.rules, state, None, evaluation_of(evaluate, game))
    found = search.search(state, **_budget(depth, nodes, seconds))
    return _of_depth(position, found)


def _budget(depth: int | None, nodes: int | None, seconds: float | None) -> dict[str, Any]:
    given = {"depth": depth, "nodes": nodes, "seconds": seconds}
    chosen = {key: value for key, value in given.items() if value is not None}
    return chosen or {"depth": DEPTH}


def _of_simulations(
    position: Searched, search: Any, simulations: int | None, seconds: float | None
) -> SearchResult:
    wanted = 1_000 if simulations is None and seconds is None else simulations
    found = search.search(position.state, wanted, seconds)
    values = dict(zip(found.actions, found.values, strict=True))
    action = found.best
    return SearchResult(
        action=action,
        text=describe(position.game.rules, position.state.tolist(), action),
        value=values[action],
        visits=dict.fromkeys(found.actions, found.simulations)
        if not hasattr(found, "visits")
        else dict(zip(found.actions, found.visits, strict=True)),
        values=values,
        line=(action,),
        nodes=found.simulations,
    )


def _of_depth(position: Searched, found: Any) -> SearchResult:
    turn = getattr(found, "turn", None) or [found.action]
    return SearchResult(
        action=turn[0],
        text=describe(position.game.rules, position.state.tolist(), turn[0]),
        value=float(found.value),
        visits={},
        values={turn[0]: float(found.value)},
        line=tuple(getattr(found, "line", turn)) or tuple(turn),
        nodes=found.nodes,
    )
