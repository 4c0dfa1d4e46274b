"""The arguments of the library's functions, checked: a wrong one is told in a sentence."""

import math
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from joute.core.card import is_path
from joute.core.errors import GameError
from joute.core.interface import has_rule
from joute.errors import Error
from joute.i18n.words import Sentence

_NUMBERS = int, float, np.integer, np.floating
_SHOWN = 60  # signs of what somebody gave


def wrong(name: str, given: Any, expected: str, error: type[Error] = GameError) -> Error:
    """The error of an argument; `expected` ends the key of the sentence about what it should be."""
    wanted = Sentence(f"error.argument.{expected}")
    shown = repr(given).partition("\n")[0][:_SHOWN]
    return error(Sentence("error.argument", name=name, expected=wanted, given=shown))


def whole(name: str, given: Any, error: type[Error] = GameError) -> int:
    """A whole number, one of NumPy too. Raises `error`."""
    try:
        if isinstance(given, bool):
            raise TypeError
        return index(given)
    except TypeError:
        raise wrong(name, given, "whole", error) from None


def positive(name: str, given: Any, error: type[Error] = GameError) -> int:
    """A whole number of at least 1. Raises `error`."""
    number = whole(name, given, error)
    if number < 1:
        raise wrong(name, given, "positive", error)
    return number


def real(name: str, given: Any, error: type[Error] = GameError) -> float:
    """A number, of whatever range. Raises `error`."""
    if isinstance(given, _NUMBERS) and not isinstance(given, bool):
        return float(given)
    raise wrong(name, given, "number", error)


def span(name: str, given: Any, error: type[Error] = GameError) -> float:
    """A number of seconds above 0. Raises `error`."""
    if isinstance(given, _NUMBERS) and not isinstance(given, bool) and 0 < float(given) < math.inf:
        return float(given)
    raise wrong(name, given, "seconds", error)


def seat(name: str, given: Any, players: int) -> int:
    """The number of a player. Raises GameError."""
    player = whole(name, given)
    if not 0 <= player < players:
        raise GameError(Sentence("error.position.player", player=player, highest=players - 1))
    return player


def seed_text(given: Any) -> str:
    """A seed as matches print it, of a text or a whole number. Raises GameError."""
    if isinstance(given, str):
        return given
    try:
        return str(whole("seed", given))
    except GameError:
        raise wrong("seed", given, "seed") from None


def game_text(given: Any, error: type[Error] = GameError) -> str:
    """The name or path of a game, as a text; a path that is no text stands for itself."""
    if isinstance(given, Path):
        return str(given) if is_path(str(given)) else f"./{given}"
    if not isinstance(given, str):
        raise wrong("game", given, "game", error)
    return given


def game_value(name: str, given: Any) -> Any:
    """A game as a value: one whose class implements the rules. Raises GameError."""
    if not has_rule(type(given), "properties"):
        raise wrong(name, given, "rules")
    return given


def unwrapped(given: Any) -> Any:
    """A number of NumPy as one of Python, for what is kept as JSON; anything else as it is."""
    return given.item() if type(given).__module__ == "numpy" and not given.shape else given
