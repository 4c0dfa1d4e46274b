"""The interface of games: a NamedTuple of parameters and a few functions over a flat array.

A game module defines a NamedTuple class and implements the operations below for it:

    class Nim(NamedTuple):
        heaps: int = 3

    @implements(Nim)
    def mover(game, state): ...

Users of a game call the operation of this module, `interface.mover(game, state)`, and the
game's own function is chosen by the game's type: by a dictionary in pure Python, at compile time in
a kernel. Both run the same source. Pure Python accepts a list of ints as a state, which is twice as
fast there as an array.

Words: a *player* is 0..n-1, or CHANCE, or OVER; an *action* is an int; a chance *outcome* is an
int applied by `play` as actions are. Nothing here draws a random number except `pick`, `draw` and
`determinize`, which are given a generator. The laws that hold for every game are in `laws.py`.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from joute.core.arrays import index
from joute.core.compiling import shared_helper, shared_overload
from joute.core.errors import ActionError
from joute.core.random import INLINE, below, uniform
from joute.i18n.words import Sentence

CHANCE = -1  # the mover of a state where a die is thrown or a card is drawn
OVER = -2  # the mover of a state where nothing can be played any more

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

_RULES: dict[tuple[str, type], Callable[..., Any]] = {}
_DEFAULTS: dict[str, Callable[..., Any]] = {}


class Properties(NamedTuple):
    """The facts of every play of a game."""

    name: str
    players: int
    simultaneous: bool  # players choose without seeing each other's choice of the round
    chance: bool
    hidden_information: bool
    zero_sum: bool  # the returns sum to zero
    max_actions: int  # actions are 0..max_actions - 1, for every player
    max_legal: int  # the longest list that `legal` writes
    max_outcomes: int  # the longest list that `chances` writes
    max_plies: int  # chance outcomes included
    lowest_return: float
    highest_return: float
    version: int  # changes when the rules do, and only then
    opening_plies: tuple[int, int] = (0, 0)  # random plies that make a pair of games worth playing


def implements(game_class: type, name: str | None = None) -> Callable[[F], F]:
    """Registers a function, under its own name or another, as an operation of `game_class`."""

    def register(function: F) -> F:
        _RULES[name or function.__name__, game_class] = function
        return function

    return register


def has_rule(game_class: type, name: str) -> bool:
    """Whether a class implements the operation of this name, beyond its default."""
    return (name, game_class) in _RULES


def default_of(name: str) -> Callable[..., Any] | None:
    """The function that serves games without an operation of this name; None if none is loaded."""
    return _DEFAULTS.get(name)


def rules_of(game_class: type) -> dict[str, Callable[..., Any]]:
    """The operations that a class implements, by their names."""
    return {name: function for (name, each), function in _RULES.items() if each is game_class}


inline = shared_helper(INLINE)
"""Decorates a helper that kernels inline and that stays a plain function in Python."""


def operation(default: Callable[P, R]) -> Callable[P, R]:
    """Makes a function an operation that kernels may call; its body serves games without one."""
    dispatch = _of_actions(default) if _takes_action(default) else _dispatcher(default)
    name = default.__name__

    @shared_overload(dispatch, INLINE)
    def compiled(game: Any, *arguments: Any) -> Any:
        return _RULES.get((name, getattr(game, "instance_class", object)), default)

    return dispatch


def _dispatcher(default: Callable[P, R]) -> Callable[P, R]:
    name = _named(default)

    def dispatch(game: Any, *arguments: Any) -> Any:
        return _RULES.get((name, type(game)), default)(game, *arguments)

    dispatch.__name__ = dispatch.__qualname__ = name
    dispatch.__doc__ = default.__doc__
    dispatch.__module__ = default.__module__
    return cast(Callable[P, R], dispatch)


def _named(default: Callable[..., Any]) -> str:
    """Enters an operation under its name. Raises ValueError for the name of another one."""
    name = default.__name__
    known = _DEFAULTS.setdefault(name, default)
    if known.__module__ != default.__module__:
        raise ValueError(f"{name} is an operation of {known.__module__}")
    _DEFAULTS[name] = default
    return name


def _takes_action(default: Callable[..., Any]) -> bool:
    code = default.__code__
    return code.co_varnames[: code.co_argcount][-1] == "action"


def _of_actions(default: Callable[P, R]) -> Callable[P, R]:
    """A dispatcher for an operation whose last argument is an action, made an int.

    Interpreted kernels read actions from arrays of int32, whose elements NumPy keeps to 32 bits;
    compiled code widens them.
    """
    name = _named(default)

    @functools.wraps(default)
    def dispatch(game: Any, *arguments: Any) -> Any:
        rule = _RULES.get((name, type(game)), default)
        return rule(game, *arguments[:-1], int(arguments[-1]))

    return cast(Callable[P, R], dispatch)


plain = _dispatcher  # an operation that deals in text and plain data, never called by a kernel


def _missing(game: Any, name: str) -> Any:
    raise NotImplementedError(f"{type(game).__name__} does not implement {name}")


# The rules, for kernels and the referee.


@operation
def mover(game, state):
    """The player to choose: 0..players - 1, or CHANCE (-1), or OVER (-2)."""
    _missing(game, "mover")


@operation
def legal(game, state, out):
    """Writes the mover's legal actions to `out` (int[max_legal]), ascending; returns how many.

    The mover must be a player. What `out` holds after them is undefined.
    """
    _missing(game, "legal")


@operation
def play(game, state, action):
    """Applies a legal action of the mover, or an outcome of chance, to `state` in place.

    The action is not checked: the effect of an illegal one is undefined. A game's `fault_action`
    need not be in `legal`.
    """
    _missing(game, "play")


@operation
def returns(game, state, out):
    """Writes each player's return to `out` (float[players]); the game must be over."""
    _missing(game, "returns")


@operation
def chances(game, state, out, weights):
    """Writes the outcomes of chance, ascending, and their probabilities; returns how many.

    They go to `out` (int[max_outcomes]) and `weights` (float64[max_outcomes], which sum to 1). The
    mover must be CHANCE.
    """
    return 0


@operation
def draw(game, state, out, weights, rng):
    """An outcome of chance, drawn by its probability with `rng` (uint64[2]).

    `out` and `weights` are room for `chances`. The mover must be CHANCE.
    """
    count = chances(game, state, out, weights)
    rest = uniform(rng)
    for place in range(count - 1):
        rest -= weights[place]
        if rest < 0.0:
            return int(out[place])
    return int(out[count - 1])


@operation
def pick(game, state, out, rng):
    """A legal action of the mover, drawn uniformly with `rng` (uint64[2]).

    `out` is room for `legal`. The mover must be a player.
    """
    return int(out[below(rng, legal(game, state, out))])


@operation
def mask(game, state, row, out):
    """Marks the mover's legal actions in `row` (bool[max_actions], all False before).

    `out` is scratch as in `legal`.
    """
    for place in range(legal(game, state, out)):
        row[index(out[index(place)])] = True


@operation
def points(game, state, player):
    """The player's points so far, as the game counts them: stones, tokens, cells; else 0."""
    return 0


def has_points(game: Any) -> bool:
    """Whether a game counts points; of another all are 0."""
    return has_rule(type(game), "points")


@operation
def lead_bounds(game, state, player):
    """The least and the greatest lead in points over the other player that can still come.

    For two players: (lowest, highest) of points(player) - points(other) at every later state.
    """
    return -float("inf"), float("inf")


@operation
def pending(game, state):
    """The number of actions already played of the unfinished turn or round; 0 between them.

    Where players choose at once it is above 0 after each choice of a round but the last; in a round
    a player is not asked again once another was.
    """
    return 0


@operation
def promise(game, state, action):
    """A cheap guess of how good an action of the mover is, 0..255: searches try the best first."""
    return 0


@operation
def seen(game, state, player, action):
    """The sight that `player` has of an action or outcome about to be applied, as an int.

    -1 if it sees nothing, else a number, the same for all that it cannot tell apart; by default the
    action itself. A game whose numbers are not the actions implements `tell` too, which otherwise
    tells the action wherever the number is not negative.
    """
    return action


@operation
def determinize(game, state, player, rng):
    """Replaces, in `state` itself, all that `player` cannot know by a draw with `rng` (uint64[2]).

    The draw agrees with all that the player knows. Every such state is as likely as the rules make
    it where players choose uniformly. `below` and `uniform` of `joute.core.random` draw numbers and
    advance `rng`; a rule that only reads it would give one state again and again.
    """
    return


# The same, for people, bots and records; Python only.


def legal_actions(game: Any, state: Any) -> list[int]:
    """The mover's legal actions, ascending. The mover must be a player."""
    out = [0] * properties(game).max_legal
    return out[: legal(game, state, out)]


@plain
def properties(game: Any) -> Properties:
    """The facts of every play of this game."""
    return cast(Properties, _missing(game, "properties"))


@plain
def max_answers(game: Any) -> int:
    """The most answers of all players together in a game; each has a clock of its own.

    Chance answers nothing. A game whose bots answer an order of several actions at once counts
    orders: a bot that chooses its actions one by one is asked, and timed, more often. As it stands,
    `max_plies`.
    """
    return properties(game).max_plies


@plain
def start(game: Any) -> np.ndarray:
    """The first state: a one-dimensional integer array of fixed length."""
    return cast(np.ndarray, _missing(game, "start"))


@plain
def stream(game: Any, state: Any) -> str:
    """The name of the stream which the coming outcome is drawn from: each deck has its own."""
    return "chance"


@plain
def openings(game: Any, state: Any) -> list[int]:
    """The mover's actions that a random opening draws from (default: the legal ones)."""
    return legal_actions(game, state)


@plain
def accepts(game: Any, state: Any, action: int) -> bool:
    """Whether the referee takes an action of the mover (default: it is one of `legal`).

    A game may take actions that no search needs to look at: a bike may drive into a wall.
    """
    return action in legal_actions(game, state)


@plain
def objection(game: Any, state: Any, action: int) -> Sentence | None:
    """The rule that an action breaks, any int; None for one that the referee takes of the mover.

    As it stands, it says only that there is no such action here.
    """
    return None if accepts(game, state, action) else Sentence("error.illegal.other", action=action)


@plain
def fault_action(game: Any, state: Any, player: int) -> int:
    """The referee's action for a player whose bot failed, where the contest lets it go on.

    As it stands, the lowest legal action.
    """
    return legal_actions(game, state)[0]


@plain
def stop_action(game: Any, state: Any) -> int | None:
    """The action that ends the game where its time is over; None where it cannot end now."""
    return None


@plain
def observe(game: Any, state: Any, player: int) -> dict[str, Any]:
    """All that `player` may see, as plain data; the keys are documented in the game's sheet."""
    return cast(dict[str, Any], _missing(game, "observe"))


@plain
def tell(game: Any, state: Any, player: int, action: int) -> dict[str, Any] | None:
    """The news for `player` of an action or outcome about to be applied; None for nothing.

    Always holds `player` (who acts, CHANCE included), `action` and `text`; a game adds all that
    the action reveals. As it stands, it gives the action itself unless `seen` is negative.
    """
    if seen(game, state, player, action) < 0:
        return None
    return {
        "player": int(mover(game, state)),
        "action": int(action),
        "text": describe(game, state, action),
    }


@plain
def describe(game: Any, state: Any, action: int) -> str:
    """An action, or an outcome of chance, as people and bots write it."""
    return str(int(action))


@plain
def parse(game: Any, state: Any, text: str) -> int:
    """The action that `describe` writes as `text`; raises ActionError. It may be illegal."""
    try:
        return int(text)
    except ValueError:
        raise ActionError(text, Sentence("error.action.number")) from None


@plain
def decisions(game: Any, state: Any, action: int) -> tuple[int, ...]:
    """An action of the mover as decisions that a person takes one by one (default: at once).

    The actions of a state differ in their decisions, and have the same number of them.
    """
    return (int(action),)


@plain
def expand(game: Any, state: Any, answer: Any) -> list[int]:
    """The mover's actions that an answer stands for, to be played one after the other.

    An answer is an action, a text, or a list of actions of one turn; a game of large turns also
    takes them in a form of its own. Raises ActionError. The actions may be illegal.
    """
    if isinstance(answer, str):
        return [parse(game, state, answer)]
    answers = answer if isinstance(answer, list | tuple) and answer else [answer]
    if not all(isinstance(each, int) and not isinstance(each, bool) for each in answers):
        raise ActionError(str(answer)[:80], Sentence("error.action.answer"))
    return [int(each) for each in answers]


@plain
def render(game: Any, state: Any, player: int | None = None) -> str:
    """The board as plain text, as `player` may see it (None: everything)."""
    lines = []
    for key, value in observe(game, state, player or 0).items():
        if value and isinstance(value, list) and all(isinstance(row, str) for row in value):
            lines += [f"{key}:", *(f"  {row}" for row in value)]
        else:
            lines.append(f"{key}: {value}")
    return "\n".join(lines)


@plain
def parameters(game: Any) -> dict[str, Any]:
    """The parameters that make this game, as plain data: `make(name, **parameters(game))`."""
    return {key: getattr(game, key) for key in game._fields}
