"""The built-in players of any game, and what they share: seats, choices, evaluations by name.

A bot is made by a function `(seat, *, option=default ...)`. A bot of any game has its line here, a
bot of one game on the card of the game. The function's module may also have `PEEKS` (see `peeks`),
`INTERPRETED` (see `interpreted`), `suits` (see there) and `TUNED`, the names of numbers in its code
that were chosen by hand.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np

from joute.core.interface import determinize, has_rule, properties
from joute.core.random import generator
from joute.core.registry import card_of, cards
from joute.errors import Error
from joute.i18n.words import Sentence, hinted
from joute.search.evaluation import usual

SHARE = 0.1  # of a turn's time, by default: people do not wait long for a bot
MARGIN_SECONDS = 0.02  # of a turn, kept back for the work around a search, but
MARGIN_SHARE = 0.3  # of the turn's time at most
DECISIVE = 12.0  # points, a lead of which often decides a game
LARGEST = 10**15  # of a number that is an option: kernels count in 64 bits
OVER_SHARE = 0.25  # of the span of returns, since a game that is over is decided
_VIEW = 0x76696577  # keeps the generator of a bot's view apart from the bot's own

BOTS = {
    "alphabeta": "joute.bots.alphabeta:alphabeta",
    "champion": "joute.bots.ladder:champion",
    "expectimax": "joute.bots.expectimax:expectimax",
    "flat": "joute.bots.montecarlo:flat",
    "greedy": "joute.bots.simple:greedy",
    "ismcts": "joute.bots.montecarlo:ismcts",
    "maxn": "joute.bots.paranoid:maxn",
    "paranoid": "joute.bots.paranoid:paranoid",
    "random": "joute.bots.simple:random",
    "uct": "joute.bots.montecarlo:uct",
}
"""The maker of each built-in bot that plays any game; cards name those of one game."""


class BuiltinError(Error, ValueError):
    """A built-in bot or an option that does not exist, or a game that it cannot play."""


def refused(bot: str, reason: object) -> BuiltinError:
    """The error of a bot that cannot be made so; `reason` is a sentence or an error."""
    return BuiltinError(Sentence("error.builtin", bot=bot, reason=reason))


def wrong_stray(bot: str, stray: float) -> BuiltinError:
    """The error of a bot whose option `stray`, a probability, is none."""
    bounds = {"lowest": 0, "highest": 1, "value": f"{stray:g}"}
    return refused(bot, Sentence("error.range", name="stray", **bounds))


def other_game(bot: str, plays: str, seat: Seating) -> BuiltinError:
    """The error of a bot of one game that is to play another."""
    other = properties(seat.game).name
    return BuiltinError(Sentence("error.builtin.plays", bot=bot, game=plays, other=other))


class Seating(NamedTuple):
    """A bot's place in a game."""

    game: Any
    player: int
    seed: int  # of the bot's own generator; the game's chance has others
    move_seconds: float


def budget(seat: Seating, seconds: float) -> float:
    """CPU seconds a turn of a search that was told so many, or 0: the usual share of a turn."""
    margin = min(MARGIN_SECONDS, MARGIN_SHARE * seat.move_seconds)
    return min(seconds or SHARE * seat.move_seconds, seat.move_seconds - margin)


class Choice(NamedTuple):
    """A bot's action, or those of its whole turn, with its comments."""

    action: int | list[int]
    message: str = ""
    value: float | None = None  # its own expected result: from -1, lost, to 1, won
    line: tuple[int, ...] = ()  # the actions that it expects, its own first
    visits: dict[int, int] | None = None  # by action, simulations of a tree search that took it


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
    """The states that a built-in bot is given: all that it may not know is drawn anew in them.

    So it cannot peek, not even by mistake, and searches in a state like those it must consider.
    With `whole`, in a study of a bot that peeks, it is given everything.
    """

    def __init__(self, seat: Seating, whole: bool = False) -> None:
        facts = properties(seat.game)
        self._game = seat.game
        self._player = seat.player
        self._whole = whole or not (facts.hidden_information or facts.simultaneous)
        self._rng = generator(seat.seed ^ _VIEW)

    def of(self, state: list[int]) -> list[int]:
        """The state as the player may imagine it: a new list, or the same if it sees everything."""
        if self._whole:
            return state
        imagined = state.copy()
        determinize(self._game, imagined, self._player, self._rng)
        return imagined


class BuiltinBot(Protocol):
    """A player that is trusted with the state."""

    def play(self, state: np.ndarray) -> Choice:
        """A legal action; leaves `state` as it was."""


def make(name: str, options: dict[str, str], seat: Seating, study: bool = False) -> BuiltinBot:
    """The bot of this name. Raises BuiltinError for the name, an option or the game.

    A bot that peeks is refused but for a `study`.
    """
    maker = maker_of(name, seat.game)
    if peeks(name) and not study:
        raise BuiltinError(Sentence("error.builtin.peeks", bot=name))
    own = getattr(maker, "options", None)  # where they depend on the game
    defaults: dict[str, Any] = own(seat.game) if own else maker.__kwdefaults__ or {}
    values = {key: _value(name, key, text, defaults) for key, text in options.items()}
    bot: BuiltinBot = maker(seat, **values)
    return bot


def suits(name: str, game: Any) -> bool:
    """Whether the built-in bot of this name plays a game, its options being the usual ones.

    A bot's module may say so by a function `suits`, of the same arguments, where to make the bot
    takes seconds of compiling.
    """
    said = getattr(sys.modules[maker_of(name, game).__module__], "suits", None)
    if said is not None:
        return bool(said(name, game))
    try:
        make(name, {}, Seating(game, 0, 0, 1.0))
    except BuiltinError:
        return False
    return True


def names() -> list[str]:
    """The names of all built-in bots, those of single games among them, sorted."""
    return sorted({*BOTS, *(name for card in cards() for name in card.bots)})


def names_for(game: Any) -> list[str]:
    """The names of the built-in bots that may play a game: the general ones, and its own."""
    return sorted({*BOTS, *card_of(game).bots})


def maker_of(name: str, game: Any = None) -> Any:
    """The maker of a built-in bot: the game's own, else the general one, else another game's.

    Raises BuiltinError if there is none of this name.
    """
    if game is not None and name in (own := card_of(game)).bots:
        return own.load(own.bots[name])
    if name in BOTS:
        module, _, function = BOTS[name].partition(":")
        return getattr(import_module(module), function)
    for card in cards():
        if name in card.bots:
            return card.load(card.bots[name])
    known = names() if game is None else names_for(game)
    unknown = Sentence("error.builtin.unknown", name=name, known=_listed(known))
    raise _unknown(unknown, name, known)


def peeks(name: str) -> bool:
    """Whether a built-in bot is made to see hidden things: then its module says PEEKS = True."""
    return bool(getattr(sys.modules[maker_of(name).__module__], "PEEKS", False))


def interpreted(name: str, game: Any) -> bool:
    """Whether a bot uses no kernel, so that it never has anything to compile.

    Then its module says INTERPRETED = True.
    """
    return bool(getattr(sys.modules[maker_of(name, game).__module__], "INTERPRETED", False))


def _value(name: str, key: str, text: str, defaults: dict[str, Any]) -> Any:
    if key not in defaults:
        unknown = Sentence("error.builtin.option", bot=name, key=key, known=_listed(defaults))
        raise _unknown(unknown, key, defaults)
    kind = type(defaults[key])
    try:
        value = kind(text)
        if kind is float and math.isnan(value):
            raise ValueError
    except ValueError:
        wanted = "error.builtin.whole" if kind is int else "error.builtin.number"
        raise refused(name, Sentence(wanted, key=key, text=text)) from None
    if kind in (int, float) and abs(value) > LARGEST:
        raise refused(name, Sentence("error.builtin.large", key=key, text=text))
    return value


def _listed(known: Collection[str]) -> object:
    return ", ".join(known) or Sentence("error.none")


def _unknown(sentence: Sentence, word: str, known: Collection[str]) -> BuiltinError:
    near = get_close_matches(word, known, n=1)
    return BuiltinError(hinted(sentence, list(map(repr, near))))


class Evaluation(NamedTuple):
    """An evaluation by name; see `joute.search.evaluation`."""

    make: Callable[[], Any]
    decisive: float = 0.0  # a value that often decides a game; 0: as many points as usual
    several: bool = False  # whether it judges more than two players


def own_evaluations(game: Any) -> dict[str, Evaluation]:
    """The evaluations that a game brings, the best first."""
    card = card_of(game)
    return dict(card.load(card.evaluations)(game)) if card.evaluations else {}


def lead(game: Any) -> Evaluation:
    """The evaluation `lead`: by points, or of games without them by returns, once they are over."""
    if has_rule(type(game), "points"):
        return Evaluation(lambda: usual(game))
    span = properties(game).highest_return - properties(game).lowest_return
    return Evaluation(lambda: usual(game), OVER_SHARE * span)


def usual_evaluations(game: Any) -> dict[str, Evaluation]:
    """The evaluations that a bot for two players may be told to use."""
    return {"lead": lead(game), **own_evaluations(game)}


def evaluation_of(bot: str, game: Any, name: str, known: Mapping[str, Evaluation]) -> Evaluation:
    """The one of this name. Raises BuiltinError, in the name of a bot, with those there are."""
    if name not in known:
        found = {"evaluation": name, "game": properties(game).name, "known": ", ".join(known)}
        raise refused(bot, Sentence("error.builtin.evaluation", **found))
    return known[name]


def seconds_of(seat: Seating, seconds: float, limited: bool) -> float | None:
    """The CPU seconds a turn of a search: None where other options alone limit it."""
    return budget(seat, seconds) if seconds or not limited else None
