"""Errors of games and their parameters. Imports words alone, so that commands start fast."""

from typing import Any

from joute.errors import Error
from joute.i18n.words import Sentence


class GameError(Error, ValueError):
    """A game, parameters, a position, an action or an array that a game cannot have."""


class SearchError(Error, ValueError):
    """A search of a game that it does not play, of a finished game, or with wrong options."""


class ActionError(GameError):
    """An action that is not legal, or a text that names none; says what was expected."""

    def __init__(self, text: str, expected: object) -> None:
        super().__init__(Sentence("error.action", text=text, expected=expected))


def in_range(game: str, name: str, value: Any, lowest: int, highest: int) -> int:
    """A game's parameter that is a whole number in a range. Raises GameError for another value."""
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        bounds = {"lowest": lowest, "highest": highest, "value": repr(value)}
        reason = Sentence("error.range", name=name, **bounds)
        raise GameError(Sentence("error.game", game=game, reason=reason))
    return value


def truth(game: str, name: str, value: Any) -> bool:
    """A game's parameter that is true or false. Raises GameError for another value."""
    if not isinstance(value, bool):
        reason = Sentence("error.truth", name=name, value=value)
        raise GameError(Sentence("error.game", game=game, reason=reason))
    return value
