"""The searches as functions of a position: what `joute.search` offers.

Each takes a position and a budget, and returns a `SearchResult`. None of them looks at what is
hidden from the player to act.

An *evaluation* is a function `evaluate(position, player)` that returns the value of a position for
a player, a float in any unit; or a kernel, decorated with `@joute.kernel`, of
`(game, state, player)`. Evaluations are for games of two players in which one wins what the other
loses: the value for one is the negative of the value for the other. Searches to a depth
(`alphabeta`, `expectimax`) ask for the value of finished games too: where `position.over`, an
evaluation returns what a win or a loss is worth, in its own unit. In searches by simulations
(`uct`, `ismcts`, `flat`) finished games count by their returns, an evaluation takes the place of
random games, and a value v counts as v / (|v| + scale).

A *policy* is a function `policy(position)` that returns the weights, at least 0, of the legal
actions: a sequence or an array in the order of `position.legal`, or a dictionary by the numbers of
legal actions, where those left out have the weight 0. As a kernel it is of
`(game, state, actions, weights)`, and fills the array `weights`, float64[number of actions].
Searches by simulations draw the actions of their random games by these weights, and `uct` takes
them as the priors of PUCT.

A Python function may do anything, and the search is interpreted with it, which is slow; a kernel is
compiled with the search, which runs at full speed. The results are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy.typing as npt

from joute.core.arguments import positive, real, span, whole, wrong
from joute.core.compiled import Kernel
from joute.core.errors import SearchError
from joute.core.interface import describe
from joute.search.given import check_given, evaluation_of, policy_of
from joute.search.refusals import mover_of

DEPTH = 4  # plies of a search that is told neither depth nor seconds


class Searched(Protocol):
    """A position, as far as a search looks at it."""

    @property
    def game(self) -> Any: ...

    @property
    def state(self) -> npt.NDArray[Any]: ...


Evaluate = Callable[[Any, int], float] | Kernel
Weights = Sequence[float] | npt.NDArray[Any] | Mapping[int, float]
Policy = Callable[[Any], Weights] | Kernel


class SearchResult(NamedTuple):
    """The result of a search; what it says is for the player to act."""

    action: int
    """The best action found, or the first action of the best turn."""
    text: str
    """The action as people write it."""
    value: float | None
    """The value of `action`, in the unit of the evaluation if there is one.

    In a search by simulations it is the mean of the returns, or of the values v / (|v| + scale). In
    a search to a depth without an evaluation it is the lead in points; in a game without points the
    difference of the two returns, which is 2 for a win where returns are 1 and -1.
    """
    visits: dict[int, int]
    """By action, how often a search by simulations visited it; empty for searches to a depth."""
    values: dict[int, float]
    """By action, its value as `value` has it; searches to a depth have the best action's alone."""
    line: tuple[int, ...]
    """The actions that the search expects, the best action first."""
    nodes: int
    """The number of nodes visited, or of simulations run."""


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
    """UCT (Kocsis and Szepesvári, 2006), a tree of simulations, for games where all is seen.

    With N visits of a state and n of an action in it, the action of the highest
    mean + c sqrt(ln N / n) is tried next. With priors P, which are those of a `policy`, or with
    `informed` the game's own, it is that of the highest mean + c P sqrt(N) / (1 + n): PUCT (Rosin,
    2011). `exploration` is c as a part of the span of returns: by default 0.5 for UCT, 0.75 for
    PUCT.

    The search runs `simulations`, which is reproducible, or for `seconds` of CPU, or until the
    first of the two; 1,000 simulations if neither is given. Raises SearchError for a game that it
    cannot play, for one that is over, and for a wrong option.
    """
    from joute.search.uct_search import Uct

    rules = _rules(position)
    judge, guide = evaluation_of(evaluate, position.game), policy_of(policy, position.game)
    search = Uct(
        rules,
        whole("seed", seed, SearchError),
        None if exploration is None else real("exploration", exploration, SearchError),
        judge,
        real("scale", scale, SearchError),
        informed or guide is not None,
        policy=guide,
    )
    found = _of_simulations(position, search, simulations, seconds)
    check_given(judge, guide)
    return found


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
    """Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012).

    It is for hidden information and simultaneous choices: each simulation starts from a state that
    the player to act cannot tell from the true one. `exploration` is 0.7 by default. Budget and
    errors are those of `uct`.
    """
    from joute.search.ismcts_search import EXPLORATION, Ismcts

    rules = _rules(position)
    judge, guide = evaluation_of(evaluate, position.game), policy_of(policy, position.game)
    search = Ismcts(
        rules,
        whole("seed", seed, SearchError),
        EXPLORATION if exploration is None else real("exploration", exploration, SearchError),
        evaluation=judge,
        scale=real("scale", scale, SearchError),
        policy=guide,
    )
    found = _of_simulations(position, search, simulations, seconds)
    check_given(judge, guide)
    return found


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
    """Flat Monte Carlo (Abramson, 1990): the mean return of random games after each action.

    With an evaluation it is the value of the position after the turn or round of the action, what
    is left of which is drawn at random. Each action gets `simulations`; budget and errors are
    otherwise those of `uct`.
    """
    from joute.search.flat_search import FlatMonteCarlo

    rules = _rules(position)
    judge, guide = evaluation_of(evaluate, position.game), policy_of(policy, position.game)
    weighed = real("scale", scale, SearchError)
    search = FlatMonteCarlo(rules, whole("seed", seed, SearchError), judge, weighed, guide)
    found = _of_simulations(position, search, simulations, seconds)
    check_given(judge, guide)
    return found


def alphabeta(
    position: Searched,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    evaluate: Evaluate | None = None,
) -> SearchResult:
    """Alpha-beta (Knuth and Moore, 1975) with iterative deepening, for two players without chance.

    It ends at a `depth` in plies, after `nodes`, or after `seconds` of CPU, whichever comes first;
    at depth 4 if none is given. Without an evaluation the value is the lead in points; in a game
    without points the difference of the two returns (2 for a win where they are 1 and -1), and 0
    before the end. Raises SearchError for a game that it cannot play, for one that is over, and for
    a wrong option.
    """
    from joute.search.alphabeta_search import AlphaBeta

    rules = _rules(position)
    game, state = position.game, position.state
    mover_of("alpha-beta", rules, state)
    judge = evaluation_of(evaluate, game)
    search = AlphaBeta(rules, state, judge)
    found = search.search(state, **_budget(depth, nodes, seconds))
    check_given(judge)
    return _of_depth(position, found)


def expectimax(
    position: Searched,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    evaluate: Evaluate | None = None,
) -> SearchResult:
    """Expectimax: alpha-beta with nodes of chance (Ballard, 1983), for two players.

    `depth` counts whole turns. Budget and errors are otherwise those of `alphabeta`.
    """
    from joute.search.expectimax_search import Expectimax

    rules = _rules(position)
    game, state = position.game, position.state
    mover_of("expectimax", rules, state)
    judge = evaluation_of(evaluate, game)
    search = Expectimax(rules, state, None, judge)
    found = search.search(state, **_budget(depth, nodes, seconds))
    check_given(judge)
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
    visits = getattr(found, "visits", [found.simulations] * len(found.actions))
    action = found.best
    return SearchResult(
        action=action,
        text=describe(position.game.rules, position.state.tolist(), action),
        value=values[action],
        visits=dict(zip(found.actions, visits, strict=True)),
        values=values,
        line=(action,),
        nodes=sum(visits),
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
