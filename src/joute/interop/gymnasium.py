"""Joute's games as environments of Gymnasium: one seat, the others taken by bots.

    env = gymnasium.make("joute/Virus-v0", size=6, opponent="builtin:greedy")

The import registers Joute's games with Gymnasium. An observation is the game's features, float32
from -1 to 1; what may be played is in `info["action_mask"]`, int8[actions]. The reward is the
seat's return at the end of the game, and 0 before. An illegal action ends the game with its lowest
return. `gymnasium.make_vec` makes many games on one `joute.Batch`.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from joute.core.arguments import seat as seat_of
from joute.core.batch import Batch
from joute.core.errors import ActionError
from joute.core.registry import named, names
from joute.interop.packages import needing
from joute.library.bots import Bot, bot
from joute.library.positions import Game, Position, game

with needing("gymnasium", extra="gymnasium"):
    import gymnasium
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

RANDOM = "builtin:random"

Observation = npt.NDArray[np.float32]


def register(name: str) -> str:
    """Registers the game of this name or path with Gymnasium; its identifier there.

    `gymnasium.make(identifier, opponent=..., seat=..., **parameters)` makes an environment of it,
    `gymnasium.make_vec` a vector of them on one `joute.Batch`. Raises GameError for what is no
    game.
    """
    found = named(name)
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
        name: str,
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
        self._seconds = seconds
        self._others: list[Bot] = [bot(opponent) for _ in range(self.game.players)]
        self.seat = seat or 0
        self.position: Position = self.game.start(0)

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
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action, and lets the others act."""
        reward, illegal = 0.0, False
        try:
            self.position = self.position.play(index(action))
            self._others_act()
        except ActionError:
            illegal, reward = True, float(self.game.properties.lowest_return)
        over = illegal or self.position.over
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
    """Many games seen from one seat, on a batch: Gymnasium's vector interface.

    A game that ended begins anew at the next step, whose action for it is ignored.
    """

    def __init__(
        self,
        name: str,
        num_envs: int = 1,
        *,
        opponent: Any = RANDOM,
        seat: int = 0,
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
        self.batch = Batch(self.game, num_envs, threads=threads, check=False)
        self.num_envs = num_envs
        self.seat = seat
        self.render_mode = render_mode
        self.metadata = {**SeatEnv.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = Box(-1.0, 1.0, self.game.features_shape, np.float32)
        self.single_action_space = Discrete(self.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = MultiDiscrete(np.full(num_envs, self.game.actions))
        self._other = None if opponent == RANDOM else bot(opponent)
        self._seconds = seconds
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins all games."""
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(1 << 31)))
        self._ended[:] = False
        self._rewards = np.zeros(self.num_envs)
        if self._other is not None:
            self._other.begin(int(self.np_random.integers(1 << 31)))
        self._others_act()
        return self._seen(), self._info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Plays an action in each game that goes on, and lets the others act."""
        self._rewards[:] = 0.0
        began, playing = self._ended.copy(), ~self._ended
        given = np.asarray(actions)
        legal = self.batch.legal[np.arange(self.num_envs), given]
        illegal = playing & ~legal
        self._act(given, playing & legal)
        self.batch.begin(began | illegal)
        self._rewards[illegal] = self.game.properties.lowest_return
        self._others_act()
        ended = illegal | (self.batch.player < 0)
        self._ended = ended
        return self._seen(), self._rewards.copy(), ended, np.zeros_like(ended), self._info()

    def _act(self, actions: npt.NDArray[Any], where: npt.NDArray[np.bool_]) -> None:
        rewards = self.batch.step(actions, where)
        self._rewards[where] += rewards[where, self.seat]

    def _others_act(self) -> None:
        while (waiting := (self.batch.player >= 0) & (self.batch.player != self.seat)).any():
            actions = self.batch.random_actions()
            if self._other is not None:
                for number in np.flatnonzero(waiting):
                    position = self.game.at(self.batch.states[number])
                    thought = self._other.think(position, self._seconds)
                    first = thought.action
                    actions[number] = first if isinstance(first, int) else first[0]
            self._act(actions, waiting)

    def _seen(self) -> Observation:
        return self.batch.features_of(self.seat).copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.legal.astype(np.int8)}

    def close_extras(self, **ignored: Any) -> None:
        """Stops the opponents."""
        if self._other is not None:
            self._other.close()


def _check_seat(made: Game, seat: int | None) -> None:
    if seat is not None:
        seat_of("seat", seat, made.players)


for _name in names():
    register(_name)
