"""Many games of one kind, stepped together: states, masks, rewards and features as arrays.

Every array of a batch stands at one place for the batch's whole life and is written into, so that
it can be kept, wrapped by another library, or read while nothing steps. Each game has generators of
its own, filled from the batch's seed and the game's number: the same games come whatever the number
of threads, and whatever the other games do. Threads work on parts of the batch of their own; the
interpreter's lock is released meanwhile.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.errors import ActionError, GameError
from joute.core.features import batch_features, features_shape
from joute.core.interface import (
    CHANCE,
    OVER,
    Properties,
    draw,
    legal,
    mover,
    pick,
    play,
    properties,
    start,
)
from joute.core.interface import returns as game_returns
from joute.core.maps import with_map
from joute.core.random import generator
from joute.core.registry import make
from joute.i18n.words import Sentence

_CHOICES = 0x63686F6963  # keeps the generators of random actions apart from those of chance
_MOST_BYTES = 1 << 34  # of one array


class Games(NamedTuple):
    """The arrays of n games that kernels write to."""

    first: np.ndarray  # the game's first state
    states: np.ndarray  # [n, length of a state]
    players: np.ndarray  # int8[n]: the mover, or OVER
    over: np.ndarray  # bool[n]: whether the game ended with the last step, or was over
    rewards: np.ndarray  # float32[n, players]
    chance: np.ndarray  # uint64[n, 2]: a generator each
    choices: np.ndarray  # uint64[n, 2]: a generator each


class Scratch(NamedTuple):
    """Room that kernels of one thread work in."""

    state: np.ndarray  # as the game's states
    actions: np.ndarray  # int32[max_legal or max_outcomes, the larger]
    weights: np.ndarray  # float64[max_outcomes]
    returns: np.ndarray  # float64[players]


@kernel
def begin_games(game, games, which, low, high, scratch):
    """Begin anew those of the games low..high - 1 that `which` (bool[n]) marks."""
    for number in range(low, high):
        if which[index(number)]:
            state = games.states[index(number)]
            copy(state, games.first)
            player = mover(game, state)
            while player == CHANCE:
                rng = games.chance[index(number)]
                play(game, state, draw(game, state, scratch.actions, scratch.weights, rng))
                player = mover(game, state)
            games.players[index(number)] = player


@kernel
def refused(game, games, actions, where, low, high, scratch):
    """The first of the games low..high - 1 in play in `where` whose action is illegal; or -1."""
    for number in range(low, high):
        if where[index(number)] and games.players[index(number)] != OVER:
            state = games.states[index(number)]
            count = legal(game, state, scratch.actions)
            action, found = actions[index(number)], False
            for place in range(count):
                found |= scratch.actions[index(place)] == action
            if not found:
                return number
    return -1


@kernel
def step_games(game, games, actions, where, low, high, restart, scratch):
    """Apply an action each to the games low..high - 1 in `where` (bool[n]) that are not over."""
    count = games.rewards.shape[1]
    for number in range(low, high):
        at = index(number)
        for player in range(count):
            games.rewards[at, index(player)] = 0.0
        games.over[at] = games.players[at] == OVER
        if games.players[at] == OVER or not where[at]:
            continue
        state = games.states[at]
        play(game, state, actions[at])
        player = mover(game, state)
        while player == CHANCE:
            rng = games.chance[at]
            play(game, state, draw(game, state, scratch.actions, scratch.weights, rng))
            player = mover(game, state)
        if player == OVER:
            games.over[at] = True
            game_returns(game, state, scratch.returns)
            for each in range(count):
                games.rewards[at, index(each)] = scratch.returns[index(each)]
            if restart:
                copy(state, games.first)
                player = mover(game, state)
                while player == CHANCE:
                    rng = games.chance[at]
                    play(game, state, draw(game, state, scratch.actions, scratch.weights, rng))
                    player = mover(game, state)
        games.players[at] = player


@kernel
def mask_games(game, games, mask, low, high, scratch):
    """Mark in `mask` (bool[n, max_actions]) what is legal in the games low..high - 1."""
    for number in range(low, high):
        at = index(number)
        row = mask[at]
        row[:] = False
        if games.players[at] != OVER:
            count = legal(game, games.states[at], scratch.actions)
            for place in range(count):
                row[index(scratch.actions[index(place)])] = True


@kernel
def choose_games(game, games, actions, low, high, scratch):
    """Draw a legal action, each as likely as the others, for the games low..high - 1."""
    for number in range(low, high):
        at = index(number)
        actions[at] = 0
        if games.players[at] != OVER:
            rng = games.choices[at]
            actions[at] = pick(game, games.states[at], scratch.actions, rng)


@kernel
def play_out_games(game, games, count, means, low, high, scratch):
    """The mean of the returns of `count` random games from each of the games low..high - 1."""
    players = means.shape[1]
    state = scratch.state
    for number in range(low, high):
        at = index(number)
        rng = games.choices[at]
        for player in range(players):
            means[at, index(player)] = 0.0
        for _ in range(count):
            copy(state, games.states[at])
            player = mover(game, state)
            while player != OVER:
                if player == CHANCE:
                    action = draw(game, state, scratch.actions, scratch.weights, rng)
                else:
                    action = pick(game, state, scratch.actions, rng)
                play(game, state, action)
                player = mover(game, state)
            game_returns(game, state, scratch.returns)
            for each in range(players):
                means[at, index(each)] += scratch.returns[index(each)] / count


class Batch:
    """`count` games of one kind, stepped together.

    Arrays, of which every one keeps its place and is written into:

    - `player`: int8[count], who is to act in each game; -2 where it is over;
    - `legal`: bool[count, actions], what may be played; all False where the game is over;
    - `over`: bool[count], the games that ended with the last step, or are still over;
    - `rewards`: float32[count, players], the returns where a game ended with the last step, else 0;
    - `features`: float32[count, *features_shape], what the player to act sees.

    Raises GameError for a game or parameters that cannot be, ValueError for a count or a number of
    threads below 1.
    """

    def __init__(
        self,
        game: Any,
        count: int,
        *,
        seed: int = 0,
        threads: int = 1,
        restart: bool = False,
        check: bool = True,
        **parameters: Any,
    ) -> None:
        """Begin the games.

        Args:
            game: a game's name or path, or a game.
            count: how many games.
            seed: what chance and random actions are drawn from.
            threads: how many threads work.
            restart: whether a game that ends begins anew in the same step.
            check: whether `step` refuses illegal actions; without, they are undefined.
            parameters: of the game, where it is named.
        """
        if count < 1 or threads < 1:
            raise GameError(Sentence("error.batch.count", count=count, threads=threads))
        rules = getattr(game, "rules", game)
        if isinstance(rules, str):
            rules = make(rules, **with_map(rules, parameters))
        self.rules: Any = rules
        self.facts: Properties = properties(self.rules)
        self.count = count
        self.restart = restart
        self._check = check
        first = start(self.rules)
        self._games = Games(
            first=first,
            states=np.tile(first, (count, 1)),
            players=np.zeros(count, np.int8),
            over=np.zeros(count, np.bool_),
            rewards=np.zeros((count, self.facts.players), np.float32),
            chance=_generators(seed, count),
            choices=_generators(seed ^ _CHOICES, count),
        )
        parts = np.linspace(0, count, min(threads, count) + 1).astype(int).tolist()
        self._parts = [(low, high, _scratch(self.facts, first)) for low, high in pairwise(parts)]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._actions = np.zeros(count, np.int64)
        self._where = np.ones(count, np.bool_)
        self._legal: np.ndarray | None = None
        self._features: np.ndarray | None = None
        self._means = np.zeros((count, self.facts.players), np.float32)
        self._stale = {"legal", "features"}
        self.reset()

    def __repr__(self) -> str:
        return f"Batch({self.facts.name!r}, {self.count})"

    @property
    def player(self) -> npt.NDArray[np.int8]:
        """int8[count]: who is to act; -2 where the game is over."""
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
        """[count, length]: the games' states, whole: what is hidden is in them."""
        return self._games.states

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """bool[count, actions]: what may be played. Raises GameError where that is too many."""
        if self._legal is None:
            size = self.count * self.facts.max_actions
            if size > _MOST_BYTES:
                raise GameError(Sentence("error.batch.legal", game=self.facts.name, bytes=size))
            self._legal = np.zeros((self.count, self.facts.max_actions), np.bool_)
        if "legal" in self._stale:
            self._stale.discard("legal")
            mask = self._legal
            self._run(
                lambda low, high, room: mask_games(self.rules, self._games, mask, low, high, room)
            )
        return self._legal

    @property
    def features_shape(self) -> tuple[int, ...]:
        """The shape of what a player sees of one game."""
        return features_shape(self.rules)

    @property
    def features(self) -> npt.NDArray[np.float32]:
        """float32[count, *features_shape]: what the player to act sees; 0 where a game is over."""
        if self._features is None:
            self._features = np.zeros((self.count, *self.features_shape), np.float32)
        if "features" in self._stale:
            self._stale.discard("features")
            flat = self._features.reshape(self.count, -1)
            states, players = self._games.states, self._games.players
            self._run(
                lambda low, high, room: batch_features(self.rules, states, players, flat, low, high)
            )
        return self._features

    def features_of(self, player: int) -> npt.NDArray[np.float32]:
        """float32[count, *features_shape]: what one player sees of each game, over or not."""
        out = np.zeros((self.count, *self.features_shape), np.float32)
        players = np.full(self.count, player, np.int8)
        flat, states = out.reshape(self.count, -1), self._games.states
        self._run(
            lambda low, high, room: batch_features(self.rules, states, players, flat, low, high)
        )
        return out

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; with a seed, as a batch of this seed."""
        if seed is not None:
            self._games.chance[:] = _generators(seed, self.count)
            self._games.choices[:] = _generators(seed ^ _CHOICES, self.count)
        self._begin(np.ones(self.count, np.bool_))

    def begin(self, where: npt.ArrayLike | None = None) -> None:
        """Begin anew the games in `where` (bool[count]), or those that are over."""
        chosen = self._games.players == OVER if where is None else np.asarray(where, np.bool_)
        self._begin(np.broadcast_to(chosen, (self.count,)).copy())

    def step(
        self, actions: npt.ArrayLike, where: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.float32]:
        """Apply an action (int[count]) to each game that is not over; the rewards.

        With `where` (bool[count]), to those games alone. Raises ActionError for an illegal action,
        and ValueError for another shape; nothing is played then.
        """
        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            told = Sentence(
                "error.batch.actions", count=self.count, shape=given.shape, type=given.dtype
            )
            raise GameError(told)
        self._actions[:] = given
        self._where[:] = True if where is None else where
        if self._check:
            self._check_actions()
        games, played, chosen = self._games, self._actions, self._where
        self._run(
            lambda low, high, room: step_games(
                self.rules, games, played, chosen, low, high, self.restart, room
            )
        )
        self._stale = {"legal", "features"}
        return self._games.rewards

    def random_actions(self) -> npt.NDArray[np.int64]:
        """int64[count]: a legal action of each game, drawn uniformly; 0 where the game is over."""
        chosen = np.zeros(self.count, np.int64)
        self._run(
            lambda low, high, room: choose_games(self.rules, self._games, chosen, low, high, room)
        )
        return chosen

    def playouts(self, count: int) -> npt.NDArray[np.float32]:
        """float32[count, players]: the mean returns of so many random games from each state."""
        if count < 1:
            raise GameError(Sentence("error.batch.playouts", count=count))
        self._run(
            lambda low, high, room: play_out_games(
                self.rules, self._games, count, self._means, low, high, room
            )
        )
        return self._means

    def _begin(self, which: np.ndarray) -> None:
        self._run(
            lambda low, high, room: begin_games(self.rules, self._games, which, low, high, room)
        )
        self._games.over[:] = self._games.players == OVER
        self._games.rewards[which] = 0.0
        self._stale = {"legal", "features"}

    def _check_actions(self) -> None:
        found = self._run(
            lambda low, high, room: refused(
                self.rules, self._games, self._actions, self._where, low, high, room
            )
        )
        wrong = [number for number in found if number >= 0]
        if wrong:
            action = str(self._actions[wrong[0]])
            raise ActionError(action, Sentence("error.batch.illegal", number=wrong[0]))

    def _run(self, work: Callable[[int, int, Scratch], Any]) -> list[Any]:
        if self._pool is None:
            return [work(*part) for part in self._parts]
        return list(self._pool.map(lambda part: work(*part), self._parts))


def _scratch(facts: Properties, first: np.ndarray) -> Scratch:
    return Scratch(
        state=first.copy(),
        actions=np.zeros(max(facts.max_legal, facts.max_outcomes, 1), np.int32),
        weights=np.zeros(max(facts.max_outcomes, 1)),
        returns=np.zeros(facts.players),
    )


def _generators(seed: int, count: int) -> np.ndarray:
    """uint64[count, 2]: a generator for each game."""
    return np.stack([generator((seed << 32) + number) for number in range(count)])
