"""The rules of the games, and the interface they obey.

A game's module has a function `make(**parameters)`; adding a game is its file and its line here.
"""

from difflib import get_close_matches
from importlib import import_module
from typing import Any

from joute.core.interface import ActionError, GameError, parameters, properties
from joute.i18n.words import Sentence, hinted

__all__ = ["GAMES", "ActionError", "GameError", "make", "names", "parameters", "properties"]

GAMES = {
    "love-letter": "joute.games.love_letter.rules",
    "paradise": "joute.games.paradise.rules",
    "tron": "joute.games.tron.rules",
    "vampires": "joute.games.vampires.rules",
    "virus": "joute.games.virus.rules",
}
"""The module of each game."""


def names() -> list[str]:
    """The names of the games, sorted."""
    return sorted(GAMES)


def make(name: str, **values: Any) -> Any:
    """The game of this name with these parameters. Raises GameError for either."""
    if name not in GAMES:
        near = get_close_matches(name, GAMES, n=1)
        unknown = Sentence("error.game.unknown", name=name, known=", ".join(names()))
        raise GameError(hinted(unknown, list(map(repr, near))))
    maker = import_module(GAMES[name]).make
    known = maker.__kwdefaults__
    for key in values:
        if key not in known:
            raise GameError(
                Sentence("error.game.parameter", game=name, key=key, known=", ".join(known))
            )
    return maker(**values)
