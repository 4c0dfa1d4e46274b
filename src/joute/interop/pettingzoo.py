"""Joute's games as environments of PettingZoo (Terry and others, 2021).

    env = joute.interop.pettingzoo.aec_env("virus", size=6)

An observation is the game's features, float32 from -1 to 1; what an agent may play is in
`info["action_mask"]`, int8[actions]. Rewards are the game's returns, at its end. An illegal action
ends the game: its player gets the game's lowest return, and in a game of two the other one gets
the highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from joute.core.errors import ActionError, GameError
from joute.core.interface import pending
from joute.i18n.words import Sentence
from joute.interop.packages import needing
from joute.library.positions import Game, Position, game

with needing("gymnasium", "pettingzoo", extra="pettingzoo"):
    from gymnasium.spaces import Box, Discrete
    from pettingzoo import AECEnv, ParallelEnv

RENDER_MODES = ["human", "ansi"]

Observation = npt.NDArray[np.float32]


def aec_env(name: str | Path, *, render_mode: str | None = None, **parameters: Any) -> TurnEnv:
    """The environment of a game of two or more players, in which they act one after the other.

    Where players choose at once, each chooses without seeing the others' choices of the round.
    `render_mode` is "human", which prints the board after each step, "ansi", or None. Raises
    GameError for what is no game, parameter or `render_mode`, and for a game of one player.
    """
    return TurnEnv(game(name, **parameters), render_mode)


def parallel_env(
    name: str | Path, *, render_mode: str | None = None, **parameters: Any
) -> RoundEnv:
    """The environment of a game whose players choose at once, in rounds; as `aec_env`.

    Raises GameError, also for a game whose players do not choose at once.
    """
    return RoundEnv(game(name, **parameters), render_mode)


class _Spaces:
    """The common part of both kinds of environments: agents, their spaces, pictures."""

    def __init__(self, made: Game, render_mode: str | None) -> None:
        if made.players < 2:
            raise GameError(Sentence("error.interop.players", game=made.name))
        if render_mode not in (None, *RENDER_MODES):
            known = ", ".join(RENDER_MODES)
            raise GameError(Sentence("error.interop.render", mode=render_mode, known=known))
        self.game = made
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"{made.name.replace('-', '_')}_v{made.properties.version}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": made.properties.simultaneous,
        }
        self.possible_agents = [f"player_{player}" for player in range(made.players)]
        self.agents: list[str] = []
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: Box(-1.0, 1.0, made.features_shape, np.float32) for agent in self._players
        }
        self.action_spaces = {agent: Discrete(made.actions) for agent in self._players}
        self.position: Position = made.start(0)
        self._rng = np.random.default_rng()

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Box:
        """The space of an agent's observations: the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's actions: the same object each time."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """The observation of an agent."""
        return self.position.features(self._players[agent])

    def render(self) -> str | None:
        """The board, as everybody together sees it: printed or returned."""
        if self.render_mode == "human":
            print(self.position)
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Leaves nothing behind."""

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.position = self.game.start(int(self._rng.integers(1 << 62)))
        self.agents = self.possible_agents[:]

    def _mask(self, legal: Sequence[int] = ()) -> npt.NDArray[np.int8]:
        """A new array: learners write into their masks."""
        mask = np.zeros(self.game.actions, np.int8)
        mask[list(legal)] = 1
        return mask

    def _forfeited(self, player: int) -> dict[str, float]:
        """The rewards where a player acted illegally."""
        facts = self.game.properties
        other = facts.highest_return if facts.players == 2 else 0.0
        return {
            agent: float(facts.lowest_return if each == player else other)
            for agent, each in self._players.items()
        }


class TurnEnv(_Spaces, AECEnv):  # type: ignore[misc]
    """A game whose players act one after the other: PettingZoo's AEC interface."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. The seed draws chance, of this game and of those after it."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def step(self, action: int | None) -> None:
        """Plays an action of the selected agent; None for one whose game is over."""
        if not self.agents:
            return
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            self.position = self.position.play(index(action))  # type: ignore[arg-type]
            over = self.position.over
            if over:
                self.rewards = dict(zip(self.agents, self.position.returns, strict=True))
        except ActionError:
            over = True
            self.rewards = self._forfeited(self._players[agent])
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Selects who is to act, or, at the end, whoever comes first."""
        ended = any(self.terminations.values())
        self.agent_selection = self.agents[0 if ended else self.position.player]
        self.infos = {agent: {"action_mask": self._mask()} for agent in self.agents}
        if not ended:
            self.infos[self.agent_selection] = {"action_mask": self._mask(self.position.legal)}


class RoundEnv(_Spaces, ParallelEnv):  # type: ignore[misc]
    """A game whose players choose at once: PettingZoo's parallel interface."""

    def __init__(self, made: Game, render_mode: str | None) -> None:
        if not made.properties.simultaneous:
            raise GameError(Sentence("error.interop.turns", game=made.name))
        super().__init__(made, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a game; what each agent sees, and its `action_mask`."""
        self._begin(seed)
        return self._seen(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Plays a round: observations, rewards, terminations, truncations, infos by agent.

        The action of a player who is out of the game is ignored.
        """
        agents, rules = self.agents, self.game.rules
        rewards = dict.fromkeys(agents, 0.0)
        position, chosen, over = self.position, set[int](), False
        while not over and position.player not in chosen:
            player = position.player
            chosen.add(player)
            try:
                position = position.play(index(actions[agents[player]]))
                over = position.over
                if over:
                    rewards = dict(zip(agents, position.returns, strict=True))
            except ActionError:
                over, rewards = True, self._forfeited(player)
            if not over and not pending(rules, position.state):
                break
        self.position = position
        observations, infos = self._seen(), self._infos(over)
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        ended = dict.fromkeys(agents, over)
        return observations, rewards, ended, dict.fromkeys(agents, False), infos

    def _seen(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.agents}

    def _infos(self, over: bool = False) -> dict[str, dict[str, Any]]:
        """The agents' masks: what each may choose in the coming round, whoever is asked first."""
        infos = {agent: {"action_mask": self._mask()} for agent in self.agents}
        position, asked = self.position, set[int]()
        while not over and not position.over and position.player not in asked:
            player = position.player
            asked.add(player)
            infos[self.agents[player]] = {"action_mask": self._mask(position.legal)}
            if len(asked) == self.game.players:
                break
            position = position.play(position.legal[0])
            if not pending(self.game.rules, position.state):
                break
        return infos
