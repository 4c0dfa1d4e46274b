"""The built-in players of any game. A bot's module has `make(table, *, option=default ...)`.

A bot of any game has its line here, a bot of one game on the card of the game. A module may also
have `PEEKS` (see `peeks`), and `TUNED`, the names of numbers in its code that were chosen by hand.
"""

import math
from collections.abc import Collection
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np

from joute.core.interface import determinize, properties
from joute.core.random import generator
from joute.core.registry import card_of, cards
from joute.i18n.words import Sentence, hinted

SHARE = 0.1  # of a turn's time, by default: nobody waits for a bot that plays against people
MARGIN_SECONDS = 0.02  # of a turn, kept back for what happens around a search, but
MARGIN_SHARE = 0.3  # of the turn's time at most

_VIEW = 0x76696577  # keeps the generator of a bot's view apart from the bot's own

BOTS = {
    "alphabeta": "joute.bots.alphabeta",
    "champion": "joute.bots.champion",
    "expectimax": "joute.bots.expectimax",
    "flat": "joute.bots.flat",
    "greedy": "joute.bots.greedy",
    "ismcts": "joute.bots.ismcts",
    "maxn": "joute.bots.maxn",
    "paranoid": "joute.bots.paranoid",
    "random": "joute.bots.random",
    "uct": "joute.bots.uct",
}
"""The module of each built-in bot that plays any game; cards name those of one game."""


class BuiltinError(ValueError):
    """A built-in bot or an option that does not exist, or a game that it cannot play."""


def refused(bot: str, reason: object) -> BuiltinError:
    """The error of a bot that cannot be made so; `reason` is a sentence or an error."""
    return BuiltinError(Sentence("error.builtin", bot=bot, reason=reason))


def wrong_stray(bot: str, stray: float) -> BuiltinError:
    """The error of a bot whose option `stray`, a probability, is none."""
    bounds = {"lowest": 0, "highest": 1, "value": f"{stray:g}"}
    return refused(bot, Sentence("error.range", name="stray", **bounds))


def other_game(bot: str, plays: str, table: "Table") -> BuiltinError:
    """The error of a bot of one game that is to play another."""
    other = properties(table.game).name
    return BuiltinError(Sentence("error.builtin.plays", bot=bot, game=plays, other=other))


class Table(NamedTuple):
    """Where a bot sits."""

    game: Any
    player: int
    seed: int  # of the bot's own generator; the game's chance has others
    move_seconds: float


def budget(table: Table, seconds: float) -> float:
    """CPU seconds a turn of a search that was told so many, or 0: the usual share of a turn."""
    margin = min(MARGIN_SECONDS, MARGIN_SHARE * table.move_seconds)
    return min(seconds or SHARE * table.move_seconds, table.move_seconds - margin)


class Choice(NamedTuple):
    """A bot's action, or those of its whole turn, and what it has to say about it."""

    action: int | list[int]
    message: str = ""
    value: float | None = None  # what it expects for itself: from -1, lost, to 1, won
    line: tuple[int, ...] = ()  # the actions that it expects, its own first


def outlook(value: float, unit: float) -> float:
    """A value of an evaluation as one from -1 to 1; `unit` is a lead that often decides a game."""
    return math.tanh(value / unit)


def centred(game: Any, value: float) -> float:
    """A mean of the game's returns as a value from -1, the lowest return, to 1, the highest."""
    facts = properties(game)
    middle = (facts.highest_return + facts.lowest_return) / 2
    value = (value - middle) / (facts.highest_return - middle)
    return max(-1.0, min(value, 1.0))


class View:
    """What a built-in bot is given: states in which all that it may not know is drawn anew.

    So it cannot peek, not even by mistake, and searches in a state like those it must consider.
    With `whole`, in a study of a bot that peeks, it is given everything.
    """

    def __init__(self, table: Table, whole: bool = False) -> None:
        facts = properties(table.game)
        self._game = table.game
        self._player = table.player
        self._whole = whole or not (facts.hidden_information or facts.simultaneous)
        self._rng = generator(table.seed ^ _VIEW)

    def of(self, state: list[int]) -> list[int]:
        """The state as the player may imagine it: a new list, or the same if he sees it all."""
        if self._whole:
            return state
        imagined = state.copy()
        determinize(self._game, imagined, self._player, self._rng)
        return imagined


class Bot(Protocol):
    """A player that is trusted with the state."""

    def play(self, state: np.ndarray) -> Choice:
        """A legal action; leaves `state` as it was."""


def make(name: str, options: dict[str, str], table: Table, study: bool = False) -> Bot:
    """The bot of this name. Raises BuiltinError for the name, an option or the game.

    A bot that peeks is refused but for a `study`.
    """
    module = module_of(name, table.game)
    if peeks(name) and not study:
        raise BuiltinError(Sentence("error.builtin.peeks", bot=name))
    maker = module.make
    defaults: dict[str, Any] = maker.__kwdefaults__ or {}
    values = {key: _value(name, key, text, defaults) for key, text in options.items()}
    bot: Bot = maker(table, **values)
    return bot


def names() -> list[str]:
    """The names of all built-in bots, those of single games among them, sorted."""
    return sorted({*BOTS, *(name for card in cards() for name in card.bots)})


def module_of(name: str, game: Any = None) -> Any:
    """The module of a built-in bot: the game's own, else the general one, else another game's.

    Raises BuiltinError if there is none of this name.
    """
    if game is not None and name in (own := card_of(game)).bots:
        return own.load(own.bots[name])
    if name in BOTS:
        return import_module(BOTS[name])
    for card in cards():
        if name in card.bots:
            return card.load(card.bots[name])
    unknown = Sentence("error.builtin.unknown", name=name, known=_listed(names()))
    raise _unknown(unknown, name, names())


def peeks(name: str) -> bool:
    """Whether a built-in bot is made to see what is hidden: then its module says PEEKS = True."""
    return bool(getattr(module_of(name), "PEEKS", False))


def _value(name: str, key: str, text: str, defaults: dict[str, Any]) -> Any:
    if key not in defaults:
        unknown = Sentence("error.builtin.option", bot=name, key=key, known=_listed(defaults))
        raise _unknown(unknown, key, defaults)
    kind = type(defaults[key])
    try:
        return kind(text)
    except ValueError:
        wanted = Sentence("error.builtin.type", key=key, type=kind.__name__, text=text)
        raise refused(name, wanted) from None


def _listed(known: Collection[str]) -> object:
    return ", ".join(known) or Sentence("error.none")


def _unknown(sentence: Sentence, word: str, known: Collection[str]) -> BuiltinError:
    near = get_close_matches(word, known, n=1)
    return BuiltinError(hinted(sentence, list(map(repr, near))))
