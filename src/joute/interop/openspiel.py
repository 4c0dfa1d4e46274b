"""Joute's games as Python games of OpenSpiel (Lanctot and others, 2019), and its bots in matches.

    game = joute.interop.openspiel.load("virus", size=5)
    game = pyspiel.load_game("joute_virus(size=5)")

Both are the same once this module is imported. Actions are Joute's. Chance is in explicit nodes,
and players who choose at once do so in simultaneous nodes. A player's information state is all that
the player was told, and what it chose, in order; an observation is the game's observation, its
tensor the game's features.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from joute.core.arguments import game_text, unwrapped
from joute.core.errors import GameError
from joute.core.features import features_of, features_shape
from joute.core.interface import (
    CHANCE,
    OVER,
    Properties,
    chances,
    describe,
    legal_actions,
    mover,
    observe,
    parameters,
    pending,
    play,
    properties,
    render,
    returns,
    start,
    tell,
)
from joute.core.maps import with_map
from joute.core.registry import defaults, make, named, named_again, names, path_of
from joute.i18n.words import Sentence
from joute.interop.packages import needing
from joute.library.positions import Position

with needing("pyspiel", extra="openspiel"):
    import pyspiel

_MOST_SEATS = 8
_registered: set[str] = set()


def load(name: str | Path, **values: Any) -> pyspiel.Game:
    """The game of this name or path with these parameters, as OpenSpiel's.

    A map is given by its name or path, not as a text: OpenSpiel writes parameters in one line.
    Raises GameError for a name, a path or parameters that stand for no game.
    """
    known = named(game_text(name))
    values = {key: unwrapped(value) for key, value in values.items()}
    make(known, **with_map(known, values))  # says what is wrong in our words
    usual = _plain(known)
    given = {
        key: int(value) if type(usual[key]) is int else value
        for key, value in values.items()
        if key in usual
    }
    return pyspiel.load_game(register(known), {**usual, **given})


def register(name: str | Path) -> str:
    """Registers the game of this name or path with OpenSpiel; its short name there.

    `pyspiel.load_game(short_name)` loads it. Raises GameError for what is no game.
    """
    found = named(game_text(name))
    if found not in _registered:
        _registered.add(found)
        kind = _type_of(found, properties(make(found)))
        pyspiel.register_game(kind, type("JouteGame", (_Game,), {"joute_name": found}))
    return _short(found)


def _short(name: str) -> str:
    return f"joute_{name.replace('-', '_')}"


def _type_of(name: str, facts: Properties) -> pyspiel.GameType:
    information, chance = pyspiel.GameType.Information, pyspiel.GameType.ChanceMode
    dynamics, utility = pyspiel.GameType.Dynamics, pyspiel.GameType.Utility
    usual = _plain(name)
    several = "players" in usual
    return pyspiel.GameType(
        short_name=_short(name),
        long_name=f"Joute {name}",
        dynamics=dynamics.SIMULTANEOUS if facts.simultaneous else dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if facts.chance else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION
        if facts.hidden_information
        else information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if facts.zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=_MOST_SEATS if several else facts.players,
        min_num_players=1 if several else facts.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=usual,
    )


def _plain(name: str) -> dict[str, Any]:
    """The parameters that OpenSpiel can write, with their usual values."""
    kinds = bool | int | float | str
    usual = {key: value for key, value in defaults(name).items() if isinstance(value, kinds)}
    # What looks like a number is one to OpenSpiel's parser.
    return {
        key: int(value) if isinstance(value, str) and value.isdigit() else value
        for key, value in usual.items()
    }


def _given(name: str, values: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the game wants them."""
    usual = defaults(name)
    return {
        key: str(value) if isinstance(usual.get(key), str) else value
        for key, value in values.items()
    }


class _Game(pyspiel.Game):  # type: ignore[misc]
    """A game of Joute, as OpenSpiel knows games."""

    joute_name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        values = with_map(self.joute_name, _given(self.joute_name, given))
        self.rules = make(self.joute_name, **values)
        self.facts: Properties = properties(self.rules)
        super().__init__(
            _type_of(self.joute_name, self.facts),
            pyspiel.GameInfo(
                num_distinct_actions=self.facts.max_actions,
                max_chance_outcomes=self.facts.max_outcomes,
                num_players=self.facts.players,
                min_utility=self.facts.lowest_return,
                max_utility=self.facts.highest_return,
                utility_sum=0.0 if self.facts.zero_sum else None,
                max_game_length=self.facts.max_plies,
            ),
            given,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.joute_name, path_of(self.joute_name), self.get_parameters())

    def new_initial_state(self) -> _State:
        """The first state."""
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """The observer that sees states for players."""
        return _Observer(
            self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params
        )


class _State(pyspiel.State):  # type: ignore[misc]
    """A state of a game of Joute, as OpenSpiel knows states."""

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.rules = _Shared(game.rules)
        self.state: list[int] = start(game.rules).tolist()
        self.told: list[tuple[str, ...]] = [()] * game.facts.players

    def current_player(self) -> int:
        """The player to act, or OpenSpiel's sign for chance, all at once, or the end."""
        player = int(mover(self.rules.game, self.state))
        if player == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        if player == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        at_once = properties(self.rules.game).simultaneous
        return int(pyspiel.PlayerId.SIMULTANEOUS) if at_once else player

    def _legal_actions(self, player: int) -> list[int]:
        game = self.rules.game
        if not properties(game).simultaneous:
            return legal_actions(game, self.state)
        for each, now in _round(game, self.state.copy()):
            if each == player:
                return legal_actions(game, now)
        return []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance by their ranks, with their probabilities."""
        return list(enumerate(self._chances()[1]))

    def _chances(self) -> tuple[list[int], list[float]]:
        game = self.rules.game
        most = properties(game).max_outcomes
        out, weights = [0] * most, [0.0] * most
        count: int = chances(game, self.state, out, weights)
        return out[:count], weights[:count]

    def _apply_action(self, action: int) -> None:
        if int(mover(self.rules.game, self.state)) == CHANCE:
            action = self._chances()[0][action]
        self._play([action])

    def _apply_actions(self, actions: list[int]) -> None:
        game, chosen = self.rules.game, []
        state = self.state.copy()
        asked = set[int]()
        while (player := int(mover(game, state))) >= 0 and player not in asked:
            asked.add(player)
            chosen.append(actions[player])
            play(game, state, actions[player])
            if not pending(game, state):
                break
        self._play(chosen)

    def _play(self, actions: list[int]) -> None:
        game = self.rules.game
        told: list[list[str]] = [[] for _ in self.told]
        for action in actions:
            for player in range(len(told)):
                event = tell(game, self.state, player, action)
                if event is not None:
                    told[player].append(json.dumps(event, sort_keys=True))
            play(game, self.state, action)
        self.told = [(*old, *new) for old, new in zip(self.told, told, strict=True)]

    def _action_to_string(self, player: int, action: int) -> str:
        game, state = self.rules.game, self.state
        if player == int(pyspiel.PlayerId.CHANCE):
            action = self._chances()[0][action]
        if player >= 0 and properties(game).simultaneous:
            state = next((s for each, s in _round(game, state.copy()) if each == player), state)
        return describe(game, state, action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return int(mover(self.rules.game, self.state)) == OVER

    def returns(self) -> list[float]:
        """Each player's return at the end, and 0 before."""
        values = [0.0] * len(self.told)
        if self.is_terminal():
            returns(self.rules.game, self.state, values)
        return [float(value) for value in values]

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player was told so far, and sees now."""
        return self._known(self.current_player() if player is None else player, True)

    def observation_string(self, player: int | None = None) -> str:
        """The observation of a player."""
        return self._known(self.current_player() if player is None else player, False)

    def _known(self, player: int, recall: bool) -> str:
        seen = json.dumps(observe(self.rules.game, self.state, player), sort_keys=True)
        return "\n".join((*self.told[player], seen)) if recall else seen

    def __str__(self) -> str:
        return render(self.rules.game, self.state)


class _Shared:
    """A game that the copies of a state have in common."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def __deepcopy__(self, memo: Any) -> _Shared:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        name = properties(self.game).name
        return _remade, (name, parameters(self.game), path_of(name))


def _remade(name: str, values: dict[str, Any], path: str | None = None) -> _Shared:
    return _Shared(make(named_again(name, path), **values))


def _loaded(name: str, path: str | None, values: dict[str, Any]) -> pyspiel.Game:
    """A game that was pickled."""
    return pyspiel.load_game(register(named_again(name, path)), values)


class _Observer:
    """An observer of OpenSpiel: what a player of a game of Joute sees of its states."""

    def __init__(self, rules: Any, kind: Any, params: Any) -> None:
        if params:
            raise GameError(Sentence("error.interop.observer", given=params))
        self._rules = rules
        self._recall = kind.perfect_recall
        self.tensor = np.zeros(int(np.prod(features_shape(rules))), np.float32)
        self.dict = {"features": self.tensor.reshape(features_shape(rules))}

    def set_from(self, state: _State, player: int) -> None:
        """Fills the tensor with the features of a state."""
        self.tensor[:] = features_of(self._rules, state.state, player).reshape(-1)

    def string_from(self, state: _State, player: int) -> str:
        """The observation of a player in a state, or all that it was told."""
        return state._known(player, self._recall)


def _round(game: Any, state: list[int]) -> Any:
    """Each player who chooses in the coming round, with a state where it is asked."""
    asked = set[int]()
    while (player := int(mover(game, state))) >= 0 and player not in asked:
        asked.add(player)
        yield player, state
        play(game, state, legal_actions(game, state)[0])
        if not pending(game, state):
            return


class OpenSpielBot:
    """A bot of OpenSpiel that plays in Joute: give it to `joute.bot` or `joute.match`.

    `make(game, player)` is called with OpenSpiel's game and the number of the player, and returns
    OpenSpiel's bot, which is asked by `step(state)`. Where something is hidden, the bot is given a
    state in which it is drawn anew.
    """

    def __init__(self, make: Callable[[pyspiel.Game, int], Any]) -> None:
        self._make = make
        self._bots: dict[tuple[str, int], Any] = {}

    def think(self, position: Position) -> int:
        """The bot's action in a position, as `joute.bot` asks for it."""
        game = load(position.game.name, **position.game.parameters)
        key = (str(game), position.player)
        if key not in self._bots:
            self._bots[key] = self._make(game, position.player)
        state = game.new_initial_state()
        state.state = position.state.tolist()
        return int(self._bots[key].step(state))


for _name in names():
    register(_name)
