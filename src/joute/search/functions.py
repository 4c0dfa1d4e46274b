"""The searches as functions of a position: what `joute.search` offers.

An evaluation is a function `evaluate(position, player)` of the value of a position for a player, in
any unit; or a kernel, decorated with `@joute.kernel`, of `(game, state, player)`. Evaluations are
for games of two players in which what one wins the other loses: the value for one is that for the
other with its sign changed. To a search to a depth (alphabeta, expectimax) an evaluation says the
value of finished games too: where `position.over`, it returns what a win or a loss is worth, in its
own unit. In a search of simulations (uct, ismcts, flat) finished games count by their returns, an
evaluation takes the place of random games, and a value v counts as v / (|v| + scale).

A policy is a function `policy(position)` of the weights, at least 0, of the legal actions, in the
order of `position.legal` or by action; or a kernel of `(game, state, actions, weights)`, two arrays
of which it fills the second. Searches of simulations draw the actions of their random games by
these weights, and uct takes them as the priors of PUCT.

Functions of Python may do whatever they like, and the search is interpreted, so slow; kernels are
compiled with the search, which runs at full speed. The results are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy.typing as npt

from joute.core.arguments import positive, span, whole, wrong
from joute.core.compiled import Kernel
from joute.core.errors import SearchError
from joute.core.interface import describe
from joute.search.given import evaluation_of, policy_of
from joute.search.refusals import mover_of

DEPTH = 4  # plies of a search that is told neither depth nor seconds


class Searched(Protocol):
    """A position, as far as a search looks at it."""

    @property
    def game(self) -> Any: ...

    @property
    def state(self) -> npt.NDArray[Any]: ...


Evaluate = Callable[[Any, int], float] | Kernel
Policy = Callable[[Any], Sequence[float] | Mapping[int, float]] | Kernel


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


def uct(
    position: Searched,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    evaluate: Evaluate | None = None,
    scale: float = 1.0,
    policy: Policy | None = None,
    exploration: float | None = None,
    informed: bool = False,
    seed: int = 0,
) -> SearchResult:
    """UCT, a tree of simulations, for games where everything is seen; with priors, PUCT.

    The priors are those of a `policy`, or with `informed` the game's own.

    Either so many `simulations`, which is reproducible, or `seconds` of CPU; 1,000 simulations if
    neither is given. Raises SearchError for a game that it cannot play, or where it is over.
    """
    from joute.search.uct_search import Uct

    rules = _rules(position)
    judge, guide = evaluation_of(evaluate, position.game), policy_of(policy, position.game)
    informed = informed or guide is not None
    search = Uct(
        rules, whole("seed", seed, SearchError), exploration, judge, scale, informed, policy=guide
    )
    return _of_simulations(position, search, simulations, seconds)


def ismcts(
    position: Searched,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    evaluate: Evaluate | None = None,
    scale: float = 1.0,
    policy: Policy | None = None,
    exploration: float | None = None,
    seed: int = 0,
) -> SearchResult:
    """Information-set Monte Carlo tree search: for hidden information and simultaneous choices.

    The position is looked at through the eyes of the player to act. Budget and errors as `uct`.
    """
    from joute.search.ismcts_search import EXPLORATION, Ismcts

    search = Ismcts(
        _rules(position),
        whole("seed", seed, SearchError),
        EXPLORATION if exploration is None else exploration,
        evaluation=evaluation_of(evaluate, position.game),
        scale=scale,
        policy=policy_of(policy, position.game),
    )
    return _of_simulations(position, search, simulations, seconds)


def flat(
    position: Searched,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    evaluate: Evaluate | None = None,
    scale: float = 1.0,
    policy: Policy | None = None,
    seed: int = 0,
) -> SearchResult:
    """Flat Monte Carlo: the mean of random games after each action. Budget and errors as `uct`.

    An evaluation judges the first position after an action where a player is to choose.
    """
    from joute.search.flat_search import FlatMonteCarlo

    rules = _rules(position)
    judge, guide = evaluation_of(evaluate, position.game), policy_of(policy, position.game)
    search = FlatMonteCarlo(rules, whole("seed", seed, SearchError), judge, scale, guide)
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

    rules = _rules(position)
    game, state = position.game, position.state
    mover_of("alpha-beta", rules, state)
    search = AlphaBeta(rules, state, evaluation_of(evaluate, game))
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

    rules = _rules(position)
    game, state = position.game, position.state
    mover_of("expectimax", rules, state)
    search = Expectimax(rules, state, None, evaluation_of(evaluate, game))
    found = search.search(state, **_budget(depth, nodes, seconds))
    return _of_depth(position, found)


def _rules(position: Searched) -> Any:
    """The rules of a position's game. Raises SearchError for what is no position."""
    if not hasattr(position, "game") or not hasattr(position, "state"):
        raise wrong("position", position, "position", SearchError)
    return position.game.rules


def _budget(depth: int | None, nodes: int | None, seconds: float | None) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    if depth is not None:
        chosen["depth"] = positive("depth", depth, SearchError)
    if nodes is not None:
        chosen["nodes"] = positive("nodes", nodes, SearchError)
    if seconds is not None:
        chosen["seconds"] = span("seconds", seconds, SearchError)
    return chosen or {"depth": DEPTH}


def _of_simulations(
    position: Searched, search: Any, simulations: int | None, seconds: float | None
) -> SearchResult:
    wanted = 1_000 if simulations is None and seconds is None else simulations
    found = search.search(
        position.state,
        None if wanted is None else whole("simulations", wanted, SearchError),
        None if seconds is None else span("seconds", seconds, SearchError),
    )
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
