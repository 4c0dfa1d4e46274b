"""Evaluations and policies that a caller gave: functions of Python, and kernels.

A function of Python makes the kernels of a search interpreted. A kernel gets a class of its own, as
those of Joute have, by which it is compiled with the search.
"""

from __future__ import annotations

import math
from collections import Counter, namedtuple
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from joute.core.compiled import Kernel
from joute.core.errors import SearchError
from joute.core.interface import implements, inline
from joute.i18n.words import Sentence


class PythonEvaluation(NamedTuple):
    """An evaluation written in Python; searches with it are interpreted."""

    function: Callable[[Any, int], float]
    game: Any  # which makes positions


class PythonPolicy(NamedTuple):
    """A policy written in Python; searches with it are interpreted."""

    function: Callable[[Any], Any]
    game: Any


PythonEvaluation.interpreted = True  # type: ignore[attr-defined]
PythonPolicy.interpreted = True  # type: ignore[attr-defined]


@implements(PythonEvaluation, "evaluate")
def _evaluated(evaluation: PythonEvaluation, game: Any, state: Any, player: int) -> float:
    return float(evaluation.function(evaluation.game.at(state, seed=0), player))


@implements(PythonPolicy, "prefer")
def _preferred(
    policy: PythonPolicy, game: Any, state: Any, actions: Any, count: int, weights: Any
) -> None:
    position = policy.game.at(state, seed=0)
    given = policy.function(position)
    if not isinstance(given, Mapping):
        found = [float(weight) for weight in given]
        if len(found) != count:
            raise SearchError(Sentence("error.search.policy", count=count, given=len(found)))
        given = dict(zip(position.legal, found, strict=True))
    for each in range(count):
        weight = float(given.get(int(actions[each]), 0.0))
        if not 0.0 <= weight < math.inf:
            raise SearchError(Sentence("error.search.weight", weight=weight))
        weights[each] = weight


_classes: dict[tuple[Kernel, str], Any] = {}
_names: Counter[str] = Counter()


def evaluation_of(evaluate: Any, game: Any) -> Any:
    """The evaluation that searches take, of what a caller gave."""
    if evaluate is None:
        return None
    if not isinstance(evaluate, Kernel):
        return PythonEvaluation(evaluate, game)
    return _class_of(evaluate, "evaluate")()


def policy_of(policy: Any, game: Any) -> Any:
    """The policy that searches take, of what a caller gave."""
    if policy is None:
        return None
    if not isinstance(policy, Kernel):
        return PythonPolicy(policy, game)
    return _class_of(policy, "prefer")()


def _class_of(kernel: Kernel, operation: str) -> Any:
    """The class of a kernel that implements an operation."""
    if (kernel, operation) not in _classes:
        _classes[kernel, operation] = _made(kernel, operation)
    return _classes[kernel, operation]


def _made(kernel: Kernel, operation: str) -> Any:
    function = inline(kernel.function)
    # Numba tells NamedTuple classes apart by their names, and a notebook defines one name again.
    place = f"{function.__module__}.{function.__qualname__}"
    again = f"_{_names[place]}" if _names[place] else ""
    _names[place] += 1
    made: Any = namedtuple(f"{function.__name__}{again}", ())  # type: ignore[misc]
    made.__module__, made.__qualname__ = function.__module__, f"{function.__qualname__}{again}"

    made.given = operation, kernel.function  # type: ignore[attr-defined]

    if operation == "evaluate":

        @implements(made, "evaluate")
        def evaluated(evaluation, game, state, player):
            return float(function(game, state, player))

    else:

        @implements(made, "prefer")
        def preferred(policy, game, state, actions, count, weights):
            function(game, state, actions[:count], weights[:count])

    return made
