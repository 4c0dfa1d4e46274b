"""Games in real time, on a terminal or in a browser: rounds come by themselves, players steer.

Quick turns wait for the next rounds, so that two in a row come out as meant; who does not steer
goes straight ahead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from joute import bots
from joute.core.card import Card
from joute.core.interface import start
from joute.core.registry import card_of
from joute.host.names import parse_bot

LEFT, UP, RIGHT, DOWN, UPSTAIRS, DOWNSTAIRS = range(6)
COUNTDOWN = 3  # seconds before the first round
SPEEDS = (2, 4, 6, 9)  # rounds a second that can be chosen
WAITING = 2  # turns that wait for the next rounds


class Realtime(NamedTuple):
    """What is known of a game that can be played in real time.

    All players choose at once, and the actions are directions: LEFT, UP, RIGHT, DOWN, and where
    there are floors UPSTAIRS and DOWNSTAIRS.
    """

    rounds: Callable[[Any, Any], int]
    """How many rounds were played."""
    driving: Callable[[Any, Any], Collection[int]]
    """The players who still choose."""
    ahead: Callable[[Any, Any, int], int]
    """The action of the player to move, if it does not steer."""
    turns: Callable[[Any, Any, int, int], bool]
    """Whether an action of a player changes its direction to one that leads anywhere."""


def realtime(brought: Card) -> Realtime | None:
    """How the game of a card is played in real time, if it can be."""
    found: Realtime | None = brought.load(brought.realtime) if brought.realtime else None
    return found


def timed(game: Any) -> Realtime:
    """How a game that is played in real time is."""
    found = realtime(card_of(game))
    if found is None:
        message = f"{game} cannot be played in real time"
        raise ValueError(message)
    return found


class Steering:
    """The turns of some players that are still to be taken."""

    def __init__(self, players: Iterable[int]) -> None:
        self._turns: dict[int, deque[int]] = {player: deque(maxlen=WAITING) for player in players}

    def steer(self, player: int, turn: int) -> None:
        """Keep a turn for the coming rounds, unless it is the one that waits or many do."""
        turns = self._turns[player]
        if not (turns and turns[-1] == turn) and len(turns) < WAITING:
            turns.append(turn)

    def direction(self, game: Any, state: Any, player: int) -> int:
        """Where a player goes now: the next turn that leads anywhere else, or straight ahead."""
        known, turns = timed(game), self._turns[player]
        while turns:
            turn = turns.popleft()
            if known.turns(game, state, player, turn):
                return turn
        return known.ahead(game, state, player)


def warm_up(game: Any, bot: str) -> None:
    """Has a built-in bot compile what it needs, so that it is not late in the first round."""
    spec = parse_bot(bot)
    if spec.kind == "builtin" and not spec.hosted:
        bots.make(spec.name, spec.options, bots.Table(game, 0, 0, 0.1)).play(start(game))
