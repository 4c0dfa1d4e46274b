"""The replay of many recorded games at once: what was seen and legal where bots chose."""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.features import features as write_features
from joute.core.features import features_of, features_shape
from joute.core.interface import (
    CHANCE,
    OVER,
    accepts,
    chances,
    fault_action,
    has_rule,
    legal,
    legal_actions,
    mover,
    play,
    properties,
    start,
    stop_action,
)


class Plies(NamedTuple):
    """Games one after the other."""

    actions: np.ndarray  # int64[plies]: of players and of chance
    chosen: np.ndarray  # int64[rows]: the places in `actions` of what bots chose, ascending
    players: np.ndarray  # int64[rows]: who chose it
    ends: np.ndarray  # int64[games]: where the actions of a game end


class Seen(NamedTuple):
    """Rows, one for each action that a bot chose."""

    features: np.ndarray  # float32[rows, *features_shape]
    legal: np.ndarray  # int32[all]: the legal actions of the rows, one row after the other
    ends: np.ndarray  # int64[rows]: where a row's part of `legal` ends


class _Room(NamedTuple):
    """Arrays that the kernel works in."""

    state: np.ndarray
    first: np.ndarray
    actions: np.ndarray  # int32[max_legal or max_outcomes, the larger]
    weights: np.ndarray  # float64[max_outcomes]


class Replayer:
    """Replays games of one kind."""

    def __init__(self, game: Any) -> None:
        self._game = game
        facts = properties(self._game)
        first = start(self._game)
        most = max(facts.max_legal, facts.max_outcomes, 1)
        weights = np.zeros(max(facts.max_outcomes, 1))
        self._room = _Room(first.copy(), first, np.zeros(most, np.int32), weights)
        self._compiled = has_rule(type(self._game), "features")
        self._most = facts.max_legal
        self.actions: int = facts.max_actions
        self.players: int = facts.players

    def replay(self, plies: Plies) -> tuple[Seen, int | None]:
        """The rows, and the number of the first game that cannot be played, if there is one."""
        shape = features_shape(self._game)
        count = len(plies.chosen)
        rows = np.zeros((count, int(np.prod(shape))), np.float32)
        lists = np.zeros((count + 1) * self._most, np.int32)
        seen = Seen(rows, lists, np.zeros(count, np.int64))
        number = 0
        while number < len(plies.ends):
            if self._compiled:
                number = replay_games(self._game, self._room, plies, seen, number)
            if number < len(plies.ends):
                if not self._replay_plainly(plies, seen, number):
                    return seen, number
                number += 1
        used = int(seen.ends[-1]) if count else 0
        return Seen(rows.reshape(-1, *shape), lists[:used].copy(), seen.ends), None

    def _replay_plainly(self, plies: Plies, seen: Seen, number: int) -> bool:
        """Replays a game in plain Python; whether it can be played.

        For games without features of their own, and for actions that are not in `legal`: the
        referee may take some, and play some for a bot that failed.
        """
        game, now, chosen = self._game, self._room.first.tolist(), plies.chosen
        begin = int(plies.ends[number - 1]) if number else 0
        row = int(np.searchsorted(chosen, begin))
        used = int(seen.ends[row - 1]) if row else 0
        for place in range(begin, int(plies.ends[number])):
            action, player = int(plies.actions[place]), int(mover(game, now))
            if not _possible(game, now, player, action):
                return False
            if row < len(chosen) and chosen[row] == place:
                if player != plies.players[row]:
                    return False
                seen.features[row] = features_of(game, now, player).reshape(-1)
                known = legal_actions(game, now)
                seen.legal[used : used + len(known)] = known
                used += len(known)
                seen.ends[row] = used
                row += 1
            play(game, now, action)
        return True


def _possible(game: Any, state: list[int], player: int, action: int) -> bool:
    if player == OVER:
        return False
    if player == CHANCE:
        most = properties(game).max_outcomes
        out = [0] * most
        return action in out[: chances(game, state, out, [0.0] * most)]
    forced = fault_action(game, state, player), stop_action(game, state)
    return accepts(game, state, action) or action in forced


@kernel
def replay_games(game: Any, room: Any, plies: Any, seen: Any, number: int) -> int:
    """Replays the games from `number` on; the first that has an action which is not legal."""
    place = plies.ends[index(number - 1)] if number > 0 else 0
    row = 0
    while row < plies.chosen.size and plies.chosen[index(row)] < place:
        row += 1
    used = seen.ends[index(row - 1)] if row > 0 else 0
    while number < plies.ends.size:
        copy(room.state, room.first)
        while place < plies.ends[index(number)]:
            action, player = plies.actions[index(place)], mover(game, room.state)
            count = 0
            if player == CHANCE:
                count = chances(game, room.state, room.actions, room.weights)
            elif player != OVER:
                count = legal(game, room.state, room.actions)
            found = False
            for rank in range(count):
                found |= room.actions[index(rank)] == action
            if not found:
                return number
            if row < plies.chosen.size and plies.chosen[index(row)] == place:
                if player != plies.players[index(row)]:
                    return number
                write_features(game, room.state, player, seen.features[index(row)])
                for rank in range(count):
                    seen.legal[index(used + rank)] = room.actions[index(rank)]
                used += count
                seen.ends[index(row)] = used
                row += 1
            play(game, room.state, action)
            place += 1
        number += 1
    return number
