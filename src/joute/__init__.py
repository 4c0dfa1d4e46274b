"""Contests of game-playing programs, played in isolation and recorded so that they can be proved.

As a library:

    import joute

    position = joute.game("virus", size=6).start(seed=7)
    thought = joute.bot("builtin:champion").think(position)
    match = joute.match("virus", "mine.py", "builtin:greedy", games=20, seed=1)

The layers, from the top down; imports go downwards only:

    games
    interop | cli
    library
    web
    learn
    contest | redteam
    play | store
    bots | host
    search
    core
    i18n
    files | http_client | machine | svg | text
    errors

This module imports nothing of them, so that the command line starts at once: what it offers is
imported when it is used.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from joute import interop as interop
    from joute import search as search
    from joute.contest.errors import ConfigError as ConfigError
    from joute.core.batch import Batch as Batch
    from joute.core.compiled import kernel as kernel
    from joute.core.errors import ActionError as ActionError
    from joute.core.errors import GameError as GameError
    from joute.core.errors import SearchError as SearchError
    from joute.errors import Error as Error
    from joute.host.names import BotError as BotError
    from joute.library.bots import Bot as Bot
    from joute.library.bots import Thought as Thought
    from joute.library.bots import bot as bot
    from joute.library.matches import ContestRun as ContestRun
    from joute.library.matches import Match as Match
    from joute.library.matches import Standings as Standings
    from joute.library.matches import contest as contest
    from joute.library.matches import match as match
    from joute.library.positions import Game as Game
    from joute.library.positions import Position as Position
    from joute.library.positions import game as game
    from joute.library.positions import games as games
    from joute.library.records import GameRecord as GameRecord
    from joute.library.records import record as record
    from joute.play.record import RecordError as RecordError

__version__ = "0.1.0"

_PUBLIC = {
    "ActionError": "joute.core.errors",
    "Batch": "joute.core.batch",
    "Bot": "joute.library.bots",
    "BotError": "joute.host.names",
    "ConfigError": "joute.contest.errors",
    "ContestRun": "joute.library.matches",
    "Error": "joute.errors",
    "Game": "joute.library.positions",
    "GameError": "joute.core.errors",
    "GameRecord": "joute.library.records",
    "Match": "joute.library.matches",
    "Position": "joute.library.positions",
    "RecordError": "joute.play.record",
    "SearchError": "joute.core.errors",
    "Standings": "joute.library.matches",
    "Thought": "joute.library.bots",
    "bot": "joute.library.bots",
    "contest": "joute.library.matches",
    "game": "joute.library.positions",
    "games": "joute.library.positions",
    "kernel": "joute.core.compiled",
    "match": "joute.library.matches",
    "record": "joute.library.records",
}
"""The module of each public name."""

_PACKAGES = {"contest", "games"}  # which are public functions too
_MODULES = {"interop", "search"}


if not TYPE_CHECKING:  # who checks types would be told that there is any name

    def __getattr__(name: str) -> Any:
        if name in _PACKAGES | _MODULES:
            return import_module(f"joute.{name}")
        if name in _PUBLIC:
            return getattr(import_module(_PUBLIC[name]), name)
        raise AttributeError(f"module 'joute' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC, *_MODULES})


class _CalledPackage(ModuleType):
    """A package of ours that is called as the public function of its name."""

    def __call__(self, *arguments: Any, **values: Any) -> Any:
        name = self.__name__.rpartition(".")[2]
        return getattr(import_module(_PUBLIC[name]), name)(*arguments, **values)


class _Joute(ModuleType):
    """This package: what is imported of it becomes an attribute, and stays callable."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _PACKAGES and isinstance(value, ModuleType):
            value.__class__ = _CalledPackage
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Joute
