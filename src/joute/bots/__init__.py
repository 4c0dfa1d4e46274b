"""The built-in players. A bot's module has `make(table, *, option=default ...)`; adding a bot is
its file and its line here.
"""

from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np

BOTS = {
    "alphabeta": "joute.bots.alphabeta",
    "greedy": "joute.bots.greedy",
    "random": "joute.bots.random",
}
"""The module of each built-in bot."""


class BuiltinError(ValueError):
    """A built-in bot or an option that does not exist, or a game that it cannot play."""


class Table(NamedTuple):
    """Where a bot sits."""

    game: Any
    player: int
    seed: int  # of the bot's own generator; the game's chance has others
    move_seconds: float


class Choice(NamedTuple):
    """A bot's action, and what it has to say about it (kept with the ply)."""

    action: int
    message: str = ""


class Bot(Protocol):
    """A player that is trusted with the state."""

    def play(self, state: np.ndarray) -> Choice:
        """A legal action; leaves `state` as it was."""


def make(name: str, options: dict[str, str], table: Table) -> Bot:
    """The bot of this name. Raises BuiltinError for the name, an option or the game."""
    if name not in BOTS:
        raise BuiltinError(f"there is no built-in bot {name!r}{_hint(name, BOTS)}")
    maker = import_module(BOTS[name]).make
    defaults: dict[str, Any] = maker.__kwdefaults__ or {}
    values = {key: _value(name, key, text, defaults) for key, text in options.items()}
    bot: Bot = maker(table, **values)
    return bot


def _value(name: str, key: str, text: str, defaults: dict[str, Any]) -> Any:
    if key not in defaults:
        raise BuiltinError(f"builtin:{name} has no option {key!r}{_hint(key, defaults)}")
    kind = type(defaults[key])
    try:
        return kind(text)
    except ValueError:
        raise BuiltinError(
            f"builtin:{name}: {key} must be of type {kind.__name__}, got {text!r}"
        ) from None


def _hint(word: str, known: dict[str, Any]) -> str:
    near = get_close_matches(word, known, n=1)
    expected = f" (there are: {', '.join(known) or 'none'})"
    return expected + (f"; did you mean {near[0]!r}?" if near else "")
