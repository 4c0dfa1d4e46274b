"""A game's card: one value that names all that the game brings.

A game is its rules; all else on its card has a default that works for any game. A reference is a
text, `module:attribute`, or `module` for the module itself, imported when it is used; a module that
begins with a dot is looked for in the game's own package.

Files are found beside the card by their names: `words/LANGUAGE.json`, `rulebook/LANGUAGE.md` and
`rulebook/drawings.toml` (`joute.play.rulebook` says what is in them), `web/board.js`,
`web/board.css`, `web/picture.svg`, `maps/`, `templates/STYLE.LANGUAGE.py.txt` and
`templates/PREFIX` (`joute.core.starters` says what is in them), `positions.json` and `sheet.md`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

LEVELS = ("random", "greedy", "flat?simulations=50", "alphabeta", "ismcts")
"""The levels of a game that names none; those that cannot play it are left out."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


@dataclass(frozen=True, kw_only=True)
class Card:
    """All that a game brings. Every field but `name` and `rules` may be left out."""

    name: str
    """The game's name in commands and records: small letters a to z, digits and hyphens."""
    rules: str
    """Reference to a function `make(*, parameters)` that returns the game."""
    usual: bool = False
    """Whether commands and contests that are told no game take this one."""
    parameters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Values to be offered of parameters that people may choose, `players` among them. Of a
    parameter without a default the first is the usual one."""
    bots: Mapping[str, str] = field(default_factory=dict)
    """By name, references to makers `(seat, *, options)`, as `joute.bots` has them."""
    champion: str = ""
    """Reference to the module of the strongest player."""
    levels: tuple[str, ...] = LEVELS
    """Bots for people to climb, as they stand after `builtin:`, the weakest first."""
    evaluations: str = ""
    """Reference to a function from the game to its evaluations, as `joute.bots.Evaluation`s."""
    turns: str = ""
    """Reference to a function from the game to the lister of its turns that make sense, for
    `joute.search.expectimax_search`."""
    horizon: str = ""
    """Reference to a function from the game to an evaluation where playouts may end, or None, for
    `joute.search.ismcts_search`."""
    opponent: str = ""
    """The bot that a beginner's first bot meets; without one, a low level."""
    costs: Mapping[str, str] = field(default_factory=dict)
    """The costs of faults, `turn` or `game`, where they are not those of other games."""
    most_illegal: int | None = None
    """The illegal answer of a player that loses the game where one costs the turn, counted from 1;
    None: each costs the turn, however many."""
    rankings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Rankings of the game's original contest, for two players: by name, the rules of
    `joute.contest.ranking`. In them a bot beats another by winning their meeting."""
    adapters: Mapping[str, str] = field(default_factory=dict)
    """Interfaces of Python bots of the original contest: by name, reference to the module that
    serves them in their own processes, as `joute.host.child.interfaces` says."""
    dialects: Mapping[str, str] = field(default_factory=dict)
    """Programs of the original contest that talk by their standard input and output: by the prefix
    of their names, reference to a `joute.host.protocol.Dialect`."""
    seats: Mapping[str, str] = field(default_factory=dict)
    """Programs that talk in another way: by the prefix of their names, reference to the class of
    their seat, as `joute.host.adapters.seat_of` says."""
    server: str = ""
    """The command of the server, if there is one, that players called `remote` connect to."""
    telling: str = ""
    """Reference to a `joute.play.telling.Telling`: the game's events and choices in words."""
    terminal: str = ""
    """Reference to a `joute.cli.playing.drawing.Terminal`: how it is drawn and typed."""
    web: str = ""
    """Reference to a `joute.web.games.Web`: the extras of its page beside the board."""
    realtime: str = ""
    """Reference to a `joute.play.steering.Realtime`, if it can be played in real time."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """Commands of its own: by name, reference to a function that adds it to a Typer application."""
    exports: Mapping[str, str] = field(default_factory=dict)
    """Forms of its own that records are exported in: by name, reference to a
    `joute.contest.records.RecordForm`."""
    maps: str = ""
    """Reference to a module that reads, draws and makes maps, as `joute map` needs it."""
    map_suffix: str = ".txt"
    """The end of the name of a map's file."""
    judge: str = "random"
    """The built-in bot that plays on to tell the value of a choice, as `joute compare` asks."""
    learning: str = ""
    """Reference to a function from the game to its `joute.learn.training.Trainer`."""
    responding: str = ""
    """Reference to a `joute.learn.exploiting.Responder`: how its champion plays against one bot."""
    package: str = ""
    """The module that holds the card; known when the card is loaded."""
    folder: Path | None = None
    """The folder of that module, if it is a folder's; known when the card is loaded."""

    def load(self, reference: str) -> Any:
        """The object of a reference of this card. Raises ImportError or AttributeError."""
        module, _, attribute = reference.partition(":")
        found: Any = import_module(module, self.package)
        for name in filter(None, attribute.split(".")):
            found = getattr(found, name)
        return found

    def file(self, name: str) -> Path | None:
        """A file or folder that the game brings, if it does."""
        path = self.folder and self.folder / name
        return path if path and path.exists() else None


def is_path(name: str) -> bool:
    """Whether a game's name is the path of its file or folder."""
    return "/" in name or "\\" in name or name.endswith(".py")


def is_name(name: object) -> bool:
    """Whether a game can have this name in commands, records, links and other libraries."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None
