"""Bikes that are steered while they drive: Tron in real time, on a terminal or in a browser.

Quick turns are kept for the next rounds, so that two in a row come out as meant; a bike does not
turn back into its own trail, and drives straight ahead where it is not steered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from joute import bots
from joute.core.interface import fault_action, legal_actions, mover, start
from joute.games.tron.text import chart_of, courses, heads, marks, settings_of
from joute.host.names import parse_bot

LEFT, UP, RIGHT, DOWN, UPSTAIRS, DOWNSTAIRS = range(6)
BACK = {LEFT: RIGHT, RIGHT: LEFT, UP: DOWN, DOWN: UP}
COUNTDOWN = 3  # seconds before the first round
KEPT = 2  # turns that wait for the next rounds


class Steering:
    """The turns of some players that are still to be taken."""

    def __init__(self, players: Iterable[int]) -> None:
        self._turns: dict[int, deque[int]] = {player: deque(maxlen=KEPT) for player in players}

    def steer(self, player: int, turn: int) -> None:
        """Keep a turn for the coming rounds, unless it is the one that waits or many do."""
        turns = self._turns[player]
        if not (turns and turns[-1] == turn) and len(turns) < KEPT:
            turns.append(turn)

    def direction(self, game: Any, state: Any, player: int) -> int:
        """Where a player goes now: the next turn that leads anywhere else, or straight ahead."""
        course = courses(game, state)[player]
        turns = self._turns[player]
        while turns:
            turn = turns.popleft()
            if turn not in (course, BACK.get(course)):
                return turn
        return int(fault_action(game, state, player)) if course >= 0 else longest(game, state)


def longest(game: Any, state: Any) -> int:
    """The direction in which the player to move has most free cells ahead, before any turn."""
    _, graph = chart_of(settings_of(game))
    taken = marks(game, state)
    ways = {}
    for direction in legal_actions(game, state):
        cell, seen = heads(game, state)[mover(game, state)], set()
        while (cell := int(graph.neighbour[8 * cell + direction])) and cell not in seen:
            if taken[cell]:
                break
            seen.add(cell)
        ways[direction] = len(seen)
    return max(ways, key=ways.__getitem__)


def warm_up(game: Any, bot: str) -> None:
    """Has a built-in bot compile what it needs, so that it is not late in the first round."""
    spec = parse_bot(bot)
    if spec.kind == "builtin" and not spec.hosted:
        bots.make(spec.name, spec.options, bots.Table(game, 0, 0, 0.1)).play(start(game))
