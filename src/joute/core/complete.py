"""Whether a game has what every game needs: operations, sound properties, a state of numbers.

This is looked at whenever a game is made, so that a mistake is told before anything is compiled.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from inspect import CO_VARARGS
from typing import Any, NamedTuple

import numba
import numpy as np

from joute.core import interface
from joute.core.facts import fault_of_facts
from joute.core.interface import default_of, properties, rules_of, start
from joute.i18n.words import Sentence

NEEDED = ("properties", "start", "mover", "legal", "play", "returns", "observe")
_LATER = ("features", "features_shape")  # operations that another module holds
_CHANGING = (list, set, dict)  # what kernels cannot read where a game holds it


class Incomplete(NamedTuple):
    """A thing that a game lacks, and the function or class to blame, if there is one."""

    law: Sentence
    rule: Callable[..., Any] | None


def incomplete(game: Any) -> Iterator[Incomplete]:
    """Yields the things that the game lacks; none, if it can be played."""
    given = rules_of(type(game))
    if not given:
        yield Incomplete(Sentence("error.law.make", found=type(game).__name__), None)
        return
    unfit = [*_unfit_class(game), *_unfit_rules(given)]
    yield from unfit
    if unfit:  # which may be the reason why they cannot be asked
        return
    wrong = fault_of_facts(properties(game)) if "properties" in given else None
    if wrong is not None:
        yield Incomplete(wrong, given["properties"])
        return
    lacking = set(_needed(game, given)) - {*given}
    misspelt = dict(_misspelt(given))
    for name, meant in misspelt.items():
        yield Incomplete(Sentence("error.law.unknown", name=name, near=meant), given[name])
    for name in sorted(lacking - {*misspelt.values()}):
        told = Sentence("error.law.missing", name=name, game=type(game).__name__)
        yield Incomplete(told, None)
    if "start" in given and not lacking:
        law = _fault_of_start(game)
        if law is not None:
            yield Incomplete(law, given["start"])


def _unfit_class(game: Any) -> Iterator[Incomplete]:
    """A class that is no NamedTuple, and parameters that no kernel can read."""
    kind = type(game)
    if not isinstance(game, tuple) or not hasattr(game, "_fields"):
        yield Incomplete(Sentence("error.law.class", found=kind.__name__), kind)
        return
    for name, value in zip(game._fields, game, strict=True):
        if isinstance(value, _CHANGING) or not _has_type(value):
            told = Sentence("error.law.field", name=name, found=type(value).__name__)
            yield Incomplete(told, kind)


def _has_type(value: Any) -> bool:
    try:
        numba.typeof(value)
    except ValueError:
        return False
    return True


def _unfit_rules(given: dict[str, Callable[..., Any]]) -> Iterator[Incomplete]:
    """Operations that are no plain functions, or that cannot be called as they will be."""
    for name, rule in given.items():
        default = default_of(name)
        if hasattr(rule, "py_func"):
            yield Incomplete(Sentence("error.law.decorated", name=name), rule)
        elif default is not None and not _called_alike(rule, default):
            values = {"found": _parameters(rule), "expected": _parameters(default)}
            yield Incomplete(Sentence("error.law.parameters", name=name, **values), rule)


def _called_alike(rule: Callable[..., Any], default: Callable[..., Any]) -> bool:
    """Whether a function takes as many arguments by place as another does."""
    least, most = _counts(rule)
    fewest, all_of_them = _counts(default)
    return least <= fewest and all_of_them <= most


def _counts(function: Callable[..., Any]) -> tuple[float, float]:
    """The least and the greatest number of arguments that a function takes."""
    code = function.__code__
    least = code.co_argcount - len(function.__defaults__ or ())
    return least, float("inf") if code.co_flags & CO_VARARGS else code.co_argcount


def _parameters(function: Callable[..., Any]) -> str:
    code = function.__code__
    return f"({', '.join(code.co_varnames[: code.co_argcount])})"


def _misspelt(given: dict[str, Callable[..., Any]]) -> Iterator[tuple[str, str]]:
    """Operations that nobody knows, and those that are meant.

    Others are whoever's that calls them: of adapters, of games in real time.
    """
    known = {name for name in dir(interface) if not name.startswith("_")} | {*_LATER}
    for name in given:
        if name not in known and (near := get_close_matches(name, known, n=1, cutoff=0.8)):
            yield name, near[0]


def _needed(game: Any, given: dict[str, Callable[..., Any]]) -> list[str]:
    """The operations that a game with these cannot do without."""
    if "properties" not in given:
        return list(NEEDED)
    facts = properties(game)
    more = {"chances": facts.chance, "determinize": facts.hidden_information}
    more["features_shape"] = "features" in given
    return [*NEEDED, *(name for name, needed in more.items() if needed)]


def _fault_of_start(game: Any) -> Sentence | None:
    first: Any = start(game)
    if isinstance(first, np.ndarray) and first.ndim == 1 and first.dtype.kind in "iu":
        return None
    kind = f"{first.dtype}{list(first.shape)}" if isinstance(first, np.ndarray) else None
    return Sentence("error.law.start", found=kind or type(first).__name__)
