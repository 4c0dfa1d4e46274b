"""Evaluations and policies that a caller gave: functions of Python, and kernels.

A function of Python makes the kernels of a search interpreted. A kernel gets a class of its own, as
those of Joute have, by which it is compiled with the search. Kernels raise nothing: what one gave
that is no finite number, or no weight, is noted, and told when the search is over.
"""

from __future__ import annotations

import math
from collections import Counter, namedtuple
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from joute.core.arguments import wrong
from joute.core.arrays import index
from joute.core.compiled import Kernel
from joute.core.errors import SearchError
from joute.core.interface import implements, inline
from joute.i18n.words import Sentence

_SHOWN = 60  # signs of a key that somebody gave


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
    value = evaluation.function(evaluation.game.at(state, seed=0), player)
    return _finite("evaluate", value)


@implements(PythonPolicy, "prefer")
def _preferred(
    policy: PythonPolicy, game: Any, state: Any, actions: Any, count: int, weights: Any
) -> None:
    position = policy.game.at(state, seed=0)
    given = policy.function(position)
    if isinstance(given, Mapping):
        _check_keys(given, position.legal)
    else:
        if not isinstance(given, Iterable):
            raise wrong("policy", given, "weights", SearchError)
        found = [_finite("policy", weight) for weight in given]
        if len(found) != count:
            raise SearchError(Sentence("error.search.policy", count=count, given=len(found)))
        given = dict(zip(position.legal, found, strict=True))
    for each in range(count):
        weight = _finite("policy", given.get(int(actions[each]), 0.0))
        if weight < 0.0:
            raise SearchError(Sentence("error.search.weight", weight=weight))
        weights[each] = weight


def _check_keys(given: Mapping[Any, Any], legal: list[int]) -> None:
    """Raises SearchError for a key that is no legal action: its weight would count for nothing."""
    known = set(legal)
    for key in given:
        if key not in known:
            raise SearchError(Sentence("error.search.key", key=repr(key)[:_SHOWN]))


def _finite(name: str, given: Any) -> float:
    """The number that a function gave. Raises SearchError."""
    try:
        value = float(given)
    except (TypeError, ValueError):
        value = math.nan
    if isinstance(given, str) or not math.isfinite(value):
        raise wrong(name, given, "number", SearchError)
    return value


_classes: dict[tuple[Kernel, str], Any] = {}
_names: Counter[str] = Counter()


def evaluation_of(evaluate: Any, game: Any) -> Any:
    """The evaluation that searches take, of what a caller gave."""
    if evaluate is None:
        return None
    if not isinstance(evaluate, Kernel):
        _check_callable("evaluate", evaluate)
        return PythonEvaluation(evaluate, game)
    return _class_of(evaluate, "evaluate")(np.zeros(2))


def policy_of(policy: Any, game: Any) -> Any:
    """The policy that searches take, of what a caller gave."""
    if policy is None:
        return None
    if not isinstance(policy, Kernel):
        _check_callable("policy", policy)
        return PythonPolicy(policy, game)
    return _class_of(policy, "prefer")(np.zeros(2))


def check_given(evaluation: Any, policy: Any = None) -> None:
    """Raises SearchError for what the kernels of a caller gave in a search that is over."""
    if _fault_of(evaluation) is not None:
        raise wrong("evaluate", _fault_of(evaluation), "number", SearchError)
    weight = _fault_of(policy)
    if weight is not None and math.isfinite(weight):
        raise SearchError(Sentence("error.search.weight", weight=weight))
    if weight is not None:
        raise wrong("policy", weight, "number", SearchError)


def _fault_of(given: Any) -> float | None:
    """The number that a kernel gave and may not give; None where there is none."""
    fault = getattr(given, "fault", None)
    return float(fault[1]) if fault is not None and fault[0] else None


def _check_callable(name: str, given: Any) -> None:
    if not callable(given):
        raise wrong(name, given, "function", SearchError)


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
    # float64[2]: whether there is a fault, and what was given.
    made: Any = namedtuple(f"{function.__name__}{again}", ("fault",))  # type: ignore[misc]
    made.__module__, made.__qualname__ = function.__module__, f"{function.__qualname__}{again}"

    made.given = operation, kernel.function  # type: ignore[attr-defined]

    if operation == "evaluate":

        @implements(made, "evaluate")
        def evaluated(evaluation, game, state, player):
            value = function(game, state, player) + 0.0  # Numba's float() refuses a bool
            if math.isfinite(value):
                return value
            evaluation.fault[0], evaluation.fault[1] = 1.0, value
            return 0.0

    else:

        @implements(made, "prefer")
        def preferred(policy, game, state, actions, count, weights):
            function(game, state, actions[:count], weights[:count])
            for each in range(count):
                weight = weights[index(each)]
                if not 0.0 <= weight < math.inf:
                    policy.fault[0], policy.fault[1] = 1.0, weight
                    weights[index(each)] = 0.0

    return made
