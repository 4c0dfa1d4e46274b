"""Joute's games as environments of Gymnasium: one seat, the others taken by bots.

    env = gymnasium.make("joute/Virus-v0", size=6, opponent="builtin:greedy")

The import registers Joute's games with Gymnasium. An observation is the game's features, float32
from -1 to 1; what may be played is in `info["action_mask"]`, int8[actions]. The reward is the
seat's return at the end of the game, and 0 before. An illegal action ends the game with its lowest
return. `gymnasium.make_vec` makes many games; against the random bot they are on one `joute.Batch`.
"""

from __future__ import annotations

from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from joute.core.arguments import game_text, positive, span
from joute.core.arguments import seat as seat_of
from joute.core.batch import Batch
from joute.core.errors import ActionError, GameError
from joute.core.registry import named, names
from joute.i18n.words import Sentence
from joute.interop.packages import needing
from joute.library.bots import Bot, own
from joute.library.positions import Game, Position, game

with needing("gymnasium", extra="gymnasium"):
    import gymnasium
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

RANDOM = "builtin:random"

Observation = npt.NDArray[np.float32]


def register(name: str | Path) -> str:
    """Registers the game of this name or path with Gymnasium; its identifier there.

    `gymnasium.make(identifier, opponent=..., seat=..., **parameters)` makes an environment of it,
    `gymnasium.make_vec` a vector of them. Raises GameError for what is no game.
    """
    found = named(game_text(name))
    words = "".join(word.capitalize() for word in found.split("-"))
    identifier = f"joute/{words}-v0"
    if identifier not in gymnasium.registry:
        gymnasium.register(
            identifier,
            entry_point=f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:BatchEnv",
            kwargs={"name": found},
        )
    return identifier


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """The environment of a game seen from one seat; bots take the others."""

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        name: str | Path,
        *,
        opponent: Any = RANDOM,
        seat: int | None = 0,
        seconds: float = 1.0,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        """Makes the environment; `reset` begins a game.

        Args:
            name: the game's name or path.
            opponent: the bot at the other seats, as `joute.bot` takes it.
            seat: the learner's seat, from 0; None draws a seat for each game.
            seconds: CPU seconds that an opponent may take for a turn.
            render_mode: "human", which prints the board after each step, "ansi", or None.
            parameters: those of the game.

        Raises GameError for what is no game, parameter or seat of the game, BotError for what is no
        bot.
        """
        self.game: Game = game(name, **parameters)
        _check_seat(self.game, seat)
        self.render_mode = render_mode
        self.observation_space = Box(-1.0, 1.0, self.game.features_shape, np.float32)
        self.action_space = Discrete(self.game.actions)
        self._wanted = seat
        self._seconds = span("seconds", seconds)
        self._others: list[Bot] = [own(opponent) for _ in range(self.game.players)]
        self.seat = seat or 0
        self.position: Position = self.game.start(0)
        self._early = False  # over before the seat's first turn, which the first step tells
        self._forfeited = False  # by an illegal action

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game, in which the others act until it is the seat's turn."""
        super().reset(seed=seed)
        if self._wanted is None:
            self.seat = int(self.np_random.integers(self.game.players))
        drawn = int(self.np_random.integers(1 << 62))
        self.position = self.game.start(drawn)
        for player, other in enumerate(self._others):
            other.begin(f"{drawn} {player}")
        self._others_act()
        self._early, self._forfeited = self.position.over, False
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action, and lets the others act.

        A game that the others ended before the seat's first turn ends with the first step. Raises
        GameError where the game is over, by an illegal action too.
        """
        if self._forfeited:
            raise GameError(Sentence("error.position.over"))
        reward = 0.0
        try:
            if not self._early:
                self.position = self.position.play(index(action))
        except ActionError:
            self._forfeited = True
            reward = float(self.game.properties.lowest_return)
        else:
            self._early = False
            self._others_act()
        over = self._forfeited or self.position.over
        if self.position.over:
            reward = self.position.returns[self.seat]
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, over, False, self._info(over)

    def render(self) -> str | None:
        """The board: printed or returned."""
        if self.render_mode == "human":
            print(self.position)
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Stops the opponents."""
        for other in self._others:
            other.close()

    def _others_act(self) -> None:
        while not self.position.over and self.position.player != self.seat:
            thought = self._others[self.position.player].think(self.position, self._seconds)
            self.position = self.position.play(thought.action)

    def _seen(self) -> Observation:
        return self.position.features(self.seat)

    def _info(self, over: bool = False) -> dict[str, Any]:
        mask = np.zeros(self.game.actions, np.int8)
        if not over:
            mask[self.position.legal] = 1
        return {"action_mask": mask}


class BatchEnv(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games seen from one seat: Gymnasium's vector interface.

    A game that ended begins anew at the next step, whose action for it is ignored. Against the
    random bot the games are on one `joute.Batch`; other bots keep account of their game, so that
    each game is a `SeatEnv` with bots of its own.
    """

    def __init__(
        self,
        name: str | Path,
        num_envs: int = 1,
        *,
        opponent: Any = RANDOM,
        seat: int | None = 0,
        threads: int = 1,
        seconds: float = 1.0,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        """Makes the environments, `num_envs` of them; the other arguments are those of `SeatEnv`.

        `threads` threads step the batch. Opponents other than the random one are asked one game
        after the other.
        """
        self.game: Game = game(name, **parameters)
        _check_seat(self.game, seat)
        self.num_envs = positive("num_envs", num_envs)
        self.seat = seat
        self.render_mode = render_mode
        self.metadata = {**SeatEnv.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = Box(-1.0, 1.0, self.game.features_shape, np.float32)
        self.single_action_space = Discrete(self.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = MultiDiscrete(np.full(num_envs, self.game.actions))
        self._games: _OnBatch | _Apart
        if isinstance(opponent, str) and opponent == RANDOM:
            self._games = _OnBatch(Batch(self.game, num_envs, threads=threads, check=False), seat)
        else:
            given = {"opponent": opponent, "seat": seat, "seconds": seconds, **parameters}
            self._games = _Apart([SeatEnv(name, **given) for _ in range(num_envs)])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins all games."""
        super().reset(seed=seed)
        self._games.reset(self.np_random, seed)
        return self._games.seen(), {"action_mask": self._games.mask()}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Plays an action in each game that goes on, and lets the others act.

        Raises GameError for an array of another shape or type.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            told = {"count": self.num_envs, "shape": given.shape, "type": given.dtype}
            raise GameError(Sentence("error.batch.actions", **told))
        rewards, games = self._games.step(given), self._games
        info = {"action_mask": games.mask()}
        return games.seen(), rewards, games.ended.copy(), np.zeros_like(games.ended), info

    def close_extras(self, **ignored: Any) -> None:
        """Stops the opponents."""
        self._games.close()


class _OnBatch:
    """Games on a batch, in which all others play at random."""

    def __init__(self, batch: Batch, seat: int | None) -> None:
        self.batch = batch
        self.ended = np.zeros(batch.count, np.bool_)  # with the last step
        self._wanted = seat
        self._seats = np.full(batch.count, seat or 0)
        self._rewards = np.zeros(batch.count)
        self._rng = np.random.default_rng()

    def reset(self, rng: np.random.Generator, seed: int | None) -> None:
        """Begins all games; what `seed` decides is drawn from `rng`."""
        self._rng = rng
        self.batch.reset(int(rng.integers(1 << 31)))
        self._rewards[:] = 0.0
        self.ended[:] = False
        self._draw_seats(~self.ended)
        self._others_act(~self.ended)

    def step(self, actions: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Plays an action in each game that goes on and begins those that ended; the rewards."""
        began, playing = self.ended, ~self.ended & (self.batch.player >= 0)
        early = ~(began | playing)  # over before the seat's first turn, which is told now
        self._rewards[~early] = 0.0
        legal = playing & self._legal(actions)
        illegal = playing & ~legal
        self._act(actions, legal)
        self._rewards[illegal] = self.batch.facts.lowest_return
        self.batch.begin(began)
        self._draw_seats(began)
        self._others_act(~illegal)
        self.ended = illegal | ((self.batch.player < 0) & ~began)
        return np.where(began, 0.0, self._rewards)

    def _draw_seats(self, where: npt.NDArray[np.bool_]) -> None:
        if self._wanted is None:
            players = self.batch.facts.players
            self._seats[where] = self._rng.integers(players, size=np.count_nonzero(where))

    def _legal(self, actions: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        known = (actions >= 0) & (actions < self.batch.facts.max_actions)
        number = np.where(known, actions, 0).astype(np.int64)
        found: npt.NDArray[np.bool_] = known & self.batch.legal[np.arange(number.size), number]
        return found

    def _act(self, actions: npt.NDArray[Any], where: npt.NDArray[np.bool_]) -> None:
        rewards = self.batch.step(actions, where)
        self._rewards[where] += rewards[where, self._seats[where]]

    def _others_act(self, where: npt.NDArray[np.bool_]) -> None:
        player = self.batch.player
        while (waiting := where & (player >= 0) & (player != self._seats)).any():
            self._act(self.batch.random_actions(), waiting)

    def seen(self) -> Observation:
        """The features that each game's seat sees, in a new array."""
        found = self.batch.features_of(self._wanted or 0)
        for seat in range(1, self.batch.facts.players) if self._wanted is None else ():
            here = self._seats == seat
            found[here] = self.batch.features_of(seat)[here]
        return found

    def mask(self) -> npt.NDArray[np.int8]:
        """The actions of each game that its seat may play; none where the game ended."""
        return (self.batch.legal & ~self.ended[:, np.newaxis]).astype(np.int8)

    def close(self) -> None:
        """There is nothing to close."""


class _Apart:
    """Games that are environments of their own."""

    def __init__(self, envs: list[SeatEnv]) -> None:
        self.ended = np.zeros(len(envs), np.bool_)  # with the last step
        self._envs = envs
        self._seen = np.zeros((len(envs), *envs[0].game.features_shape), np.float32)
        self._masks = np.zeros((len(envs), envs[0].game.actions), np.int8)

    def reset(self, rng: np.random.Generator, seed: int | None) -> None:
        """Begins all games, those of a seed as single environments of it and the seeds after it."""
        for number in range(len(self._envs)):
            self._begin(number, None if seed is None else seed + number)

    def step(self, actions: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Plays an action in each game that goes on and begins those that ended; the rewards."""
        rewards = np.zeros(len(self._envs))
        for number, env in enumerate(self._envs):
            if self.ended[number]:
                self._begin(number)
                continue
            seen, rewards[number], self.ended[number], _, info = env.step(actions[number])
            self._seen[number], self._masks[number] = seen, info["action_mask"]
        return rewards

    def _begin(self, number: int, seed: int | None = None) -> None:
        seen, info = self._envs[number].reset(seed=seed)
        self.ended[number] = False
        self._seen[number], self._masks[number] = seen, info["action_mask"]

    def seen(self) -> Observation:
        """The features that each game's seat sees, in a new array."""
        return self._seen.copy()

    def mask(self) -> npt.NDArray[np.int8]:
        """The actions of each game that its seat may play; none where the game ended."""
        return self._masks.copy()

    def close(self) -> None:
        """Stops the opponents."""
        for env in self._envs:
            env.close()


def _check_seat(made: Game, seat: int | None) -> None:
    if seat is not None:
        seat_of("seat", seat, made.players)


for _name in names():
    register(_name)
