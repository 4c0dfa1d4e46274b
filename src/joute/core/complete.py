"""Whether a game has what every game needs: its operations, and a first state of numbers.

This is looked at whenever a game is made, so that a mistake is told before anything is compiled.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from joute.core import interface
from joute.core.interface import properties, rules_of, start
from joute.i18n.words import Sentence

NEEDED = ("properties", "start", "mover", "legal", "play", "returns", "observe")
_LATER = ("features", "features_shape")  # operations that another module holds


class Incomplete(NamedTuple):
    """A thing that a game lacks, and the function to blame, if there is one."""

    law: Sentence
    rule: Callable[..., Any] | None


def incomplete(game: Any) -> Iterator[Incomplete]:
    """Yields the things that the game lacks; none, if it can be played."""
    given = rules_of(type(game))
    if not given:
        yield Incomplete(Sentence("error.law.make", found=type(game).__name__), None)
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
