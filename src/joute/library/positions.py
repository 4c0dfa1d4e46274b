"""Games and positions: a game is stepped through, and nothing that was there ever changes.

    game = joute.game("virus", size=6)
    position = game.start(seed=7)
    while not position.over:
        position = position.play(position.legal[0])

Chance is drawn from the seed, by the same streams as in a match: whoever plays a record's actions
from its seed sees the same cards.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from joute.core.arguments import game_text, game_value, seat, seed_text, unwrapped, whole, wrong
from joute.core.compiled import kernel
from joute.core.errors import ActionError, GameError
from joute.core.features import features_of, features_shape
from joute.core.interface import (
    CHANCE,
    OVER,
    Properties,
    accepts,
    describe,
    determinize,
    expand,
    legal,
    legal_actions,
    mover,
    observe,
    parameters,
    parse,
    properties,
    render,
    start,
)
from joute.core.interface import play as apply
from joute.core.interface import returns as game_returns
from joute.core.maps import with_map
from joute.core.random import generator
from joute.core.registry import make, named_again, names, path_of
from joute.i18n.words import Sentence
from joute.play.chance import Streams

if TYPE_CHECKING:
    import numpy.typing as npt

_ILLEGAL = -3  # of `advance`
_INTERPRETED = 64  # plies of a game before its rules are compiled: who looks at a few need not wait


class Game:
    """A game with its parameters; `joute.game` makes one."""

    __slots__ = ("_first", "_plies", "properties", "rules")

    def __init__(self, rules: Any) -> None:
        self.rules: Any = game_value("rules", rules)
        """The game as a value: a NamedTuple of its parameters."""
        self.properties: Properties = properties(rules)
        """The facts that hold in every play of the game, by name.

        Among them `simultaneous`, `chance`, `hidden_information`, `zero_sum`, `max_plies`,
        `lowest_return`, `highest_return`, and `version`, which changes when the rules do.
        """
        self._first = _fixed(start(rules).copy())
        self._plies = 0

    @property
    def name(self) -> str:
        """The name by which records and commands call the game."""
        return self.properties.name

    @property
    def players(self) -> int:
        """The number of players."""
        return self.properties.players

    @property
    def actions(self) -> int:
        """The number of actions: each is an int from 0 to below it."""
        return self.properties.max_actions

    @property
    def parameters(self) -> dict[str, Any]:
        """The game's parameters, as plain data."""
        return parameters(self.rules)

    @property
    def features_shape(self) -> tuple[int, ...]:
        """The shape of the array that `Position.features` returns."""
        return features_shape(self.rules)

    def start(self, seed: int | str | None = None) -> Position:
        """The first position where a player is to act; chance is drawn from `seed`.

        Without a seed, a random one is taken. A str is a seed as matches print it.
        """
        return _settled(self, self._first.copy(), _streams(seed), None, (), self._first)

    def at(self, state: npt.ArrayLike, seed: int | str | None = None) -> Position:
        """The position of a state, int[length], whose layout the game's module describes.

        It has no earlier actions; chance goes on from `seed`. Raises GameError for an array of
        another shape, or of anything but numbers. Whether a game can come to such a state is not
        checked.
        """
        words = _whole_numbers(state, self._first.dtype)
        if words is None:
            raise wrong("state", state, "state")
        if words.shape != self._first.shape:
            shapes = {"shape": words.shape, "expected": self._first.shape}
            raise GameError(Sentence("error.position.state", **shapes))
        return _settled(self, words, _streams(seed), None, (), _fixed(words.copy()))

    def position(self, actions: Iterable[int | str], seed: int | str | None = None) -> Position:
        """The position after these actions of the players; chance is drawn from `seed`.

        Raises ActionError for one that is not legal, GameError for one after the end of the game.
        """
        position = self.start(seed)
        if isinstance(actions, str) or not isinstance(actions, Iterable):
            raise wrong("actions", actions, "actions")
        for action in actions:
            position = position.play(action)
        return position

    def _scratch(self) -> npt.NDArray[np.int32]:
        """Room for the legal actions; threads may step through one game's positions at once."""
        return np.empty(max(self.properties.max_legal, 1), np.int32)

    def __repr__(self) -> str:
        given = "".join(f", {key}={value!r}" for key, value in self.parameters.items())
        return f"joute.game({self.name!r}{given})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game) or self.name != other.name:
            return False
        return self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.name, self.parameters, path_of(self.name))


class Position:
    """A state of a game, where a player is to act or the game is over. It never changes.

    `print` shows the board as text, a notebook draws it. Positions of one game are equal where
    their states are; they can be members of sets, keys of dictionaries, and be pickled.
    """

    __slots__ = ("_before", "_played", "_state", "_streams", "game", "origin", "player")

    def __init__(
        self,
        game: Game,
        state: npt.NDArray[Any],
        streams: Streams,
        before: Position | None,
        played: tuple[int, ...],
        origin: npt.NDArray[Any],
    ) -> None:
        self.game = game
        """The game that this is a position of."""
        self.origin = origin
        """The state that `actions` go on from: the game's first, or one given or drawn anew.

        It cannot be written to.
        """
        self.player = int(mover(game.rules, state))
        """The player to act, 0 to players - 1; -2 where the game is over."""
        self._state = state
        self._streams = streams
        self._before = before
        self._played = played

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.player == OVER

    @property
    def actions(self) -> list[int]:
        """All that was played since `origin`, outcomes of chance included, in order."""
        parts: list[tuple[int, ...]] = []
        position: Position | None = self
        while position is not None:
            parts.append(position._played)
            position = position._before
        return [action for part in reversed(parts) for action in part]

    @property
    def state(self) -> npt.NDArray[Any]:
        """A copy of the state, int[length]; the game's module describes its layout."""
        return self._state.copy()

    @property
    def returns(self) -> tuple[float, ...]:
        """Each player's return, by seat; 0 for each while the game goes on.

        A return lies between `lowest_return` and `highest_return` of the game's `properties`: in
        most games from -1, lost, to 1, won.
        """
        values = [0.0] * self.game.players
        if self.over:
            game_returns(self.game.rules, self._state.tolist(), values)
        return tuple(map(float, values))

    @property
    def legal(self) -> list[int]:
        """The actions that may be played, ascending; none where the game is over."""
        if self.over:
            return []
        game = self.game
        if game._plies < _INTERPRETED:
            return legal_actions(game.rules, self._state.tolist())
        out = game._scratch()
        count = _list_legal(game.rules, self._state, out)
        found: list[int] = out[:count].tolist()
        return found

    @property
    def texts(self) -> list[str]:
        """The legal actions as people write them, in the order of `legal`."""
        state = self._state.tolist()
        return [describe(self.game.rules, state, action) for action in self.legal]

    def text(self, action: int) -> str:
        """An action that is legal here, as people write it. Raises ActionError for another."""
        state, number = self._state.tolist(), whole("action", action)
        if self.over or (self.player >= 0 and not accepts(self.game.rules, state, number)):
            raise ActionError(str(number), Sentence("error.position.illegal"))
        return describe(self.game.rules, state, number)

    def play(self, action: int | np.integer | str | Sequence[int]) -> Position:
        """The position after an action of the player to act, and after the chance that follows.

        An action is an int, a text as `texts` has them, or the actions of a whole turn: a sequence
        of ints, texts with "; " between them, or in a form of the game's own. Raises ActionError
        for one that is not legal, and GameError where the game is over.
        """
        game = self.game
        state = self._state.copy()
        if type(action) is int and game._plies >= _INTERPRETED and self.player != OVER:
            following = _advance(game.rules, state, action, game._scratch())
            if following != _ILLEGAL:
                made = Position if following != CHANCE else _settled
                return made(game, state, self._streams, self, (action,), self.origin)
        return self._played_slowly(state, action)

    def after(self, action: int) -> Position:
        """The position after an action that is known to be legal, or after an outcome of chance.

        For the actions and outcomes of a record, one at a time: nothing is drawn, and where chance
        is to act, the position's `player` is -1. The action is not checked.
        """
        state = self._state.tolist()
        apply(self.game.rules, state, action)
        there = np.array(state, self._state.dtype)
        return Position(self.game, there, self._streams, self, (action,), self.origin)

    def observe(self, player: int) -> dict[str, Any]:
        """The observation of a player, as plain data: what a bot is sent.

        The game's sheet describes its keys. Raises GameError for a player that the game has not.
        """
        return observe(self.game.rules, self._state.tolist(), self._checked(player))

    def features(self, player: int) -> npt.NDArray[np.float32]:
        """The observation of a player as numbers from -1 to 1: float32[game.features_shape].

        A game without features of its own has 512, hashed from the observation (Weinberger and
        others, 2009). Raises GameError for a player that the game has not.
        """
        compiled = self.game._plies >= _INTERPRETED
        return features_of(self.game.rules, self._state, self._checked(player), compiled)

    def determinized(self, player: int, seed: int | None = None) -> Position:
        """A position that `player` cannot tell from this one: all hidden things are drawn anew.

        What the player knows of the actions that led here is respected. The position itself has no
        earlier actions: they lead to what is hidden here. The draw, and chance from there on, come
        from `seed`, a random one if it is None. Raises GameError for a player that the game has
        not.
        """
        drawn = secrets.randbits(63) if seed is None else whole("seed", seed)
        state: list[int] = self._state.tolist()
        determinize(self.game.rules, state, self._checked(player), generator(drawn))
        there = np.array(state, self._state.dtype)
        return Position(self.game, there, Streams(str(drawn)), None, (), _fixed(there.copy()))

    def __str__(self) -> str:
        return render(self.game.rules, self._state.tolist())

    def __repr__(self) -> str:
        return f"<{self.game.name}, ply {len(self.actions)}>\n{self}"

    def _repr_html_(self) -> str:
        from joute.library.display import position_html

        return position_html(self.game.rules, self._state.tolist(), self.game.name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position) or self.game != other.game:
            return False
        return bool(np.array_equal(self._state, other._state))

    def __hash__(self) -> int:
        return hash((self.game, self._state.tobytes()))

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        kept = {name: getattr(self, name) for name in self.__slots__ if name != "_before"}
        return None, {**kept, "_before": None, "_played": tuple(self.actions)}

    def __setstate__(self, kept: tuple[None, dict[str, Any]]) -> None:
        for name, value in kept[1].items():
            setattr(self, name, value)
        _fixed(self.origin)

    def _checked(self, player: int) -> int:
        return seat("player", player, self.game.players)

    def _played_slowly(self, state: npt.NDArray[Any], action: Any) -> Position:
        """As `play`, in plain Python: texts, whole turns, and what only the referee takes."""
        game, now = self.game, state.tolist()
        if self.over:
            raise GameError(Sentence("error.position.over"))
        actions = _actions_of(game.rules, now, action)
        game._plies += 1
        for each in actions:
            if mover(game.rules, now) != self.player or not accepts(game.rules, now, each):
                raise ActionError(str(action), Sentence("error.position.illegal"))
            apply(game.rules, now, each)
        state[:] = now
        return _settled(game, state, self._streams, self, tuple(actions), self.origin)


def games() -> list[str]:
    """The names of the games, those that are installed beside Joute among them, sorted."""
    return names()


def game(name: str | Path, **parameters: Any) -> Game:
    """The game of this name, or at this path, with these parameters.

    A map is named, or given as a path or a text. Raises GameError for a name, a path or parameters
    that stand for no game.
    """
    text = game_text(name)
    given = {key: unwrapped(value) for key, value in parameters.items()}
    return Game(make(text, **with_map(text, given)))


def _whole_numbers(given: npt.ArrayLike, kind: np.dtype[Any]) -> npt.NDArray[Any] | None:
    """A new array of a type of integers; None where it would not hold the numbers as they are."""
    if isinstance(given, np.ndarray) and given.dtype == kind:
        return given.copy()
    try:
        found = np.asarray(given)
        if found.dtype.kind not in "iufb":
            return None
        with np.errstate(invalid="ignore"):
            words = found.astype(kind)
        return words if np.array_equal(words, found) else None
    except (TypeError, ValueError, OverflowError):
        return None


def _streams(seed: int | str | None) -> Streams:
    return Streams(secrets.token_hex(16) if seed is None else seed_text(seed))


def _fixed(state: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, which cannot be written to any more."""
    state.setflags(write=False)
    return state


def _again(name: str, values: dict[str, Any], path: str | None = None) -> Game:
    """A game that was pickled; `path`: of a game of a path. Raises GameError."""
    return Game(make(named_again(name, path), **values))


def _settled(
    game: Game,
    state: npt.NDArray[Any],
    streams: Streams,
    before: Position | None,
    played: tuple[int, ...],
    origin: npt.NDArray[Any],
) -> Position:
    """The position once chance has had its turns; `state` is changed."""
    now = state.tolist()
    if mover(game.rules, now) == CHANCE:
        streams = streams.copy()
        while mover(game.rules, now) == CHANCE:
            outcome = streams.outcome(game.rules, now)
            apply(game.rules, now, outcome)
            played += (outcome,)
        state[:] = now
    return Position(game, state, streams, before, played, origin)


def _actions_of(rules: Any, state: list[int], given: Any) -> list[int]:
    """The actions that somebody wrote. Raises ActionError; they may be illegal."""
    if isinstance(given, np.generic | np.ndarray):
        given = given.tolist()
    if isinstance(given, str):
        for texts in ([given], given.split(";")):
            with suppress(ActionError):
                return _parsed(rules, state.copy(), texts)
    return expand(rules, state, given)


def _parsed(rules: Any, state: list[int], texts: list[str]) -> list[int]:
    """The actions of texts, one after the other; `state` is changed. Raises ActionError."""
    actions = []
    for text in texts:
        action = parse(rules, state, text.strip())
        if not accepts(rules, state, action):
            raise ActionError(text, Sentence("error.position.illegal"))
        apply(rules, state, action)
        actions.append(action)
    return actions


@kernel
def _advance(game: Any, state: Any, action: int, out: Any) -> int:
    """Applies a legal action; the mover after it, or _ILLEGAL, and then the state is as before."""
    found = False
    for place in range(legal(game, state, out)):
        found |= out[place] == action
    if not found:
        return _ILLEGAL
    apply(game, state, action)
    player: int = mover(game, state)
    return player


@kernel
def _list_legal(game: Any, state: Any, out: Any) -> int:
    count: int = legal(game, state, out)
    return count
