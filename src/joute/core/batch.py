"""Many games of one kind, stepped together: states, masks, rewards and features as arrays.

Every array of a batch stands at one place for the batch's whole life and is written into, so that
it can be kept, wrapped by another library, or read while nothing steps. Each game has generators of
its own, filled from the batch's seed and the game's number: the same games come whatever the number
of threads, and whatever the other games do. Threads work on parts of the batch of their own; the
interpreter's lock is released meanwhile.
"""

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from joute.core.arguments import game_text, game_value, seat, unwrapped, whole, wrong
from joute.core.compiled import Kernel
from joute.core.errors import ActionError, GameError
from joute.core.features import batch_features, features_shape
from joute.core.interface import OVER, Properties, has_rule, parameters, properties, start
from joute.core.maps import with_map
from joute.core.random import generator, generators
from joute.core.registry import make, named_again, path_of
from joute.core.stepping import (
    Games,
    Offers,
    Scratch,
    begin_games,
    choose_games,
    offer_games,
    play_out_games,
    refused_games,
    scratch_of,
    step_games,
)
from joute.i18n.words import Sentence

_MOST_BYTES = 1 << 34  # of one array
_MOST_PLAYOUTS = (1 << 63) - 1


class Batch:
    """Many games of one kind, stepped together.

    Every array keeps its place in memory for the batch's whole life and is written into by each
    step. The arrays are to be read, not written to; what is kept from step to step is to be copied.
    A batch can be pickled and deeply copied, and goes on as the first does.
    """

    def __init__(
        self,
        game: Any,
        count: int,
        *,
        seed: int | None = 0,
        threads: int = 1,
        restart: bool = False,
        check: bool = True,
        **parameters: Any,
    ) -> None:
        """Begins the games.

        Args:
            game: a game's name or path, or a game.
            count: how many games, at least 1.
            seed: what chance and random actions are drawn from; a random one if it is None.
            threads: how many threads step the games, at least 1; the games are the same.
            restart: whether a game that ends begins anew in the same step.
            check: whether `step` refuses illegal actions; otherwise their effect is undefined.
            parameters: those of the game, where it is given by its name or path.

        Raises GameError for an argument that is not one of these.
        """
        if not _is_positive(count) or not _is_positive(threads):
            raise GameError(Sentence("error.batch.count", count=count, threads=threads))
        self.rules: Any = _rules(game, parameters)
        self.facts: Properties = properties(self.rules)
        self.count = count
        self.restart = restart
        self._check = check
        first, players = start(self.rules), self.facts.players
        states = self._room((first.size,), first.dtype)
        self._games = Games(
            first=first,
            states=states,
            players=np.zeros(count, np.int8),
            over=np.zeros(count, np.bool_),
            rewards=self._room((players,), np.float32),
            chance=np.zeros((count, 2), np.uint64),
            choices=np.zeros((count, 2), np.uint64),
        )
        parts = np.linspace(0, count, min(threads, count) + 1).astype(int).tolist()
        self._parts = [(low, high, scratch_of(self.facts, first)) for low, high in pairwise(parts)]
        self._pool = _pool(len(self._parts))
        self._code: dict[Kernel, Callable[..., Any]] = {}
        self._all = np.ones(count, np.bool_)
        self._offers = self._nothing = Offers(  # until they are read
            masks=np.zeros((0, self.facts.max_actions), np.bool_),
            actions=np.zeros((0, self.facts.max_legal), np.int32),
            counts=np.zeros(0, np.int32),
        )
        self._features: np.ndarray | None = None
        self._seen = False  # whether the features are those of the states
        self._means = self._room((players,), np.float32)
        self.reset(secrets.randbits(63) if seed is None else seed)

    def __repr__(self) -> str:
        return f"Batch({self.facts.name!r}, {self.count})"

    def __reduce__(self) -> tuple[Any, ...]:
        path = path_of(self.facts.name)
        rules = self.rules if path is None else (self.facts.name, path, parameters(self.rules))
        kept = {**vars(self), "rules": rules, "_pool": None, "_code": {}}  # both are made again
        return _again, (kept, path is not None)

    @property
    def player(self) -> npt.NDArray[np.int8]:
        """int8[count]: the player to act in each game; -2 where it is over."""
        return self._games.players

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """bool[count]: which games ended with the last step, or are still over."""
        return self._games.over

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """float32[count, players]: the returns of games that ended with the last step, else 0."""
        return self._games.rewards

    @property
    def states(self) -> np.ndarray:
        """int[count, length]: the whole states of the games, with what is hidden from players."""
        return self._games.states

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """bool[count, actions]: what may be played; all False where the game is over.

        Raises GameError where the array would take more than 16 GiB.
        """
        if not self._offers.masks.size:
            masks = self._room((self.facts.max_actions,), np.bool_)
            self._offers = self._offers._replace(masks=masks)
            if has_rule(type(self.rules), "mask") or self._offers.counts.size:
                self._run(offer_games, self._offers, self._all)
            else:
                self._list()
        return self._offers.masks

    @property
    def legal_actions(self) -> npt.NDArray[np.int32]:
        """int32[count, max_legal]: what may be played, ascending, as a list in each row.

        The first `legal_counts` of a row are its list; what stands after them means nothing.
        """
        self._list()
        return self._offers.actions

    @property
    def legal_counts(self) -> npt.NDArray[np.int32]:
        """int32[count]: how many actions may be played; 0 where the game is over."""
        self._list()
        return self._offers.counts

    @property
    def features_shape(self) -> tuple[int, ...]:
        """The shape of the features of one game."""
        return features_shape(self.rules)

    @property
    def features(self) -> npt.NDArray[np.float32]:
        """float32[count, *features_shape]: what the player to act sees, from -1 to 1.

        All 0 where a game is over. Raises GameError where the array would take more than 16 GiB.
        """
        if self._features is None:
            self._features = self._room(self.features_shape, np.float32)
        if not self._seen:
            self._seen = True
            self._write_features(self._games.players, self._features)
        return self._features

    def features_of(self, player: int) -> npt.NDArray[np.float32]:
        """float32[count, *features_shape], a new array: what one player sees of each game.

        Games that are over are shown too. Raises GameError for a player that the game has not.
        """
        number = seat("player", player, self.facts.players)
        out = self._room(self.features_shape, np.float32)
        self._write_features(np.full(self.count, number, np.int8), out)
        return out

    def reset(self, seed: int | None = None) -> None:
        """Begins all games anew; with a seed, as a new batch of this seed does."""
        if seed is not None:
            chance, choices = generator(whole("seed", seed)).tolist()
            self._games.chance[:] = generators(chance, self.count)
            self._games.choices[:] = generators(choices, self.count)
        self._begin(self._all)

    def begin(self, where: npt.ArrayLike | None = None) -> None:
        """Begins anew the games where `where` (bool[count]) is True; by default those over.

        Raises GameError for an array of another shape or type.
        """
        self._begin(self._games.players == OVER if where is None else self._marked(where))

    def step(
        self, actions: npt.ArrayLike, where: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.float32]:
        """Applies an action (int[count]) to each game that is not over; returns `rewards`.

        With `where` (bool[count]), only to the games where it is True. Raises ActionError for an
        illegal action, unless the batch was made with check=False, and GameError for an array of
        another shape or type; nothing is played then.
        """
        played = np.asarray(actions)
        if played.shape != (self.count,) or played.dtype.kind not in "iu":
            told = {"count": self.count, "shape": played.shape, "type": played.dtype}
            raise GameError(Sentence("error.batch.actions", **told))
        if played.dtype != np.int64 or not played.flags.carray:
            played = np.require(played, np.int64, ("C", "A", "W"))
        chosen = self._all if where is None else self._marked(where)
        check = self._check and len(self._parts) == 1
        if self._check and not check:  # no thread plays before all have looked
            self._refuse(played, self._run(refused_games, self._offers, played, chosen))
        found = self._run(step_games, self._offers, played, chosen, self.restart, check)
        self._refuse(played, found)
        self._seen = False
        return self._games.rewards

    def random_actions(self) -> npt.NDArray[np.int64]:
        """int64[count], a new array: a legal action of each game, uniformly drawn.

        It is 0 where the game is over.
        """
        chosen = np.empty(self.count, np.int64)
        listed = not has_rule(type(self.rules), "pick")
        self._run(choose_games, self._offers if listed else self._nothing, chosen)
        return chosen

    def playouts(self, count: int) -> npt.NDArray[np.float32]:
        """float32[count, players]: the mean returns of `count` random games from each state.

        This array keeps its place too. The games themselves stay as they are. Raises GameError for
        a count below 1.
        """
        if not _is_positive(count):
            raise GameError(Sentence("error.batch.playouts", count=count))
        if count > _MOST_PLAYOUTS:
            bounds = {"lowest": 1, "highest": _MOST_PLAYOUTS, "value": count}
            raise GameError(Sentence("error.range", name="count", **bounds))
        self._run(play_out_games, int(count), self._means)
        return self._means

    def _begin(self, which: np.ndarray) -> None:
        self._run(begin_games, which)
        self._seen = False
        self._run(offer_games, self._offers, which)

    def _list(self) -> None:
        """Keeps the legal actions as lists from here on."""
        if not self._offers.counts.size:
            actions = self._room((self.facts.max_legal,), np.int32)
            counts = np.zeros(self.count, np.int32)
            self._offers = self._offers._replace(actions=actions, counts=counts)
            self._run(offer_games, self._offers, self._all)

    def _write_features(self, players: np.ndarray, out: np.ndarray) -> None:
        flat, states = out.reshape(self.count, -1), self._games.states
        self._each(
            lambda low, high, room: batch_features(self.rules, states, players, flat, low, high)
        )

    def _refuse(self, actions: np.ndarray, found: list[int]) -> None:
        wrong = [number for number in found if number >= 0]
        if wrong:
            action = str(actions[wrong[0]])
            raise ActionError(action, Sentence("error.batch.illegal", number=wrong[0]))

    def _marked(self, where: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """The games that are meant, checked."""
        given = np.asarray(where)
        if given.shape != (self.count,) or given.dtype != np.bool_:
            told = {"count": self.count, "shape": given.shape, "type": given.dtype}
            raise GameError(Sentence("error.batch.where", **told))
        return np.require(given, np.bool_, ("C", "A", "W"))

    def _room(self, shape: tuple[int, ...], kind: npt.DTypeLike) -> np.ndarray:
        """An array of zeros, so much for each game. Raises GameError where it is too large."""
        size = self.count * prod(shape) * np.dtype(kind).itemsize
        if size > _MOST_BYTES:
            raise GameError(Sentence("error.batch.bytes", game=self.facts.name, bytes=size))
        return np.zeros((self.count, *shape), kind)

    def _run(self, kernel: Kernel, *arguments: Any) -> list[Any]:
        """Calls a kernel for each part of the batch; its arguments are always of the same types."""
        rules, games, code = self.rules, self._games, self._code.get(kernel)
        if code is None:
            code = kernel.bound(rules, games, *arguments, *self._parts[0])
            self._code[kernel] = code
        return self._each(lambda *part: code(rules, games, *arguments, *part))

    def _each(self, work: Callable[[int, int, Scratch], Any]) -> list[Any]:
        """Does work for each part of the batch: its first game, the one past its last, and room."""
        if self._pool is None:
            return [work(*self._parts[0])]
        return list(self._pool.map(lambda part: work(*part), self._parts))


def _again(kept: dict[str, Any], placed: bool) -> Batch:
    """A batch that was pickled; `placed`: the rules are those of a game of a path."""
    batch = Batch.__new__(Batch)
    vars(batch).update(kept, _pool=_pool(len(kept["_parts"])))
    if placed:
        name, path, values = batch.rules
        batch.rules = make(named_again(name, path), **values)
    return batch


def _pool(threads: int) -> ThreadPoolExecutor | None:
    return ThreadPoolExecutor(threads) if threads > 1 else None


def _is_positive(number: Any) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool) and int(number) > 0


def _rules(game: Any, parameters: dict[str, Any]) -> Any:
    """The rules that are meant by a name, a path or a game. Raises GameError."""
    if isinstance(game, str | Path):
        given = {key: unwrapped(value) for key, value in parameters.items()}
        name = game_text(game)
        return make(name, **with_map(name, given))
    if not hasattr(game, "_fields") and not hasattr(game, "rules"):
        raise wrong("game", game, "game")
    if parameters:
        raise GameError(Sentence("error.batch.parameters", names=", ".join(parameters)))
    return game_value("game", game if hasattr(game, "_fields") else game.rules)
