"""Whether the properties of a game are of the types, and in the ranges, that everything relies on.

Numbers of NumPy do as well as those of Python: a game may compute them.
"""

import math
from typing import Any

import numpy as np

from joute.core.arguments import positive, real, whole, wrong
from joute.core.card import is_name
from joute.core.errors import GameError
from joute.core.interface import Properties
from joute.i18n.words import Sentence

_FLAGS = ("simultaneous", "chance", "hidden_information", "zero_sum")
_POSITIVE = ("players", "max_actions", "max_legal", "max_plies")
INT32_MAX = 2**31 - 1
MOST_LISTED = 2**24  # legal actions, of which lists are made, in searches one a level
_COUNTS = ("max_outcomes", "version")


def fault_of_name(found: Any) -> Sentence | None:
    """The mistake in the name of a game, or in what should hold it; None if there is none."""
    if not isinstance(found, Properties):
        return Sentence("error.law.properties.type", found=type(found).__name__)
    return None if is_name(found.name) else _told(wrong("name", found.name, "slug"))


def fault_of_facts(found: Any) -> Sentence | None:
    """The first mistake in what `properties` gives; None if there is none."""
    fault = fault_of_name(found)
    if fault is not None:
        return fault
    try:
        for name in _FLAGS:
            if not isinstance(getattr(found, name), bool | np.bool_):
                raise wrong(name, getattr(found, name), "flag")
        for name in _POSITIVE:
            positive(name, getattr(found, name))
        if found.max_actions > INT32_MAX:
            raise wrong("max_actions", found.max_actions, "int32")
        if found.max_legal > MOST_LISTED:
            raise wrong("max_legal", found.max_legal, "listed")
        for name in _COUNTS:
            _count(name, getattr(found, name))
        _check_returns(found)
        _check_opening(found.opening_plies, found.max_plies)
    except GameError as error:
        return _told(error)
    return None


def _told(error: Exception) -> Sentence:
    return Sentence("error.law.properties", reason=error)


def _count(name: str, given: Any) -> None:
    if whole(name, given) < 0:
        raise wrong(name, given, "count")


def _check_returns(facts: Properties) -> None:
    """Raises GameError for bounds that are no finite numbers, or in the wrong order."""
    for name in ("lowest_return", "highest_return"):
        if not math.isfinite(real(name, getattr(facts, name))):
            raise wrong(name, getattr(facts, name), "number")
    if facts.highest_return < facts.lowest_return:
        raise wrong("highest_return", facts.highest_return, "highest")


def _check_opening(given: Any, plies: int) -> None:
    """Raises GameError for anything but the least and the greatest number of random plies.

    They are fewer than the plies of the longest game: bots would never be asked.
    """
    try:
        fewest, most = (whole("opening_plies", each) for each in given)
    except (GameError, TypeError, ValueError):
        raise wrong("opening_plies", given, "opening") from None
    if not 0 <= fewest <= most:
        raise wrong("opening_plies", given, "opening")
    if most >= plies:
        raise wrong("opening_plies", given, "shorter")
