"""Tron in real time: bikes drive on by themselves, and do not turn back into their own trails."""

from __future__ import annotations

from typing import Any

from joute.core.interface import fault_action, legal_actions, mover
from joute.games.tron.text import chart_of, courses, heads, living, marks, rounds, settings_of
from joute.play.steering import DOWN, LEFT, RIGHT, UP, Realtime

BACK = {LEFT: RIGHT, RIGHT: LEFT, UP: DOWN, DOWN: UP}


def _turns(game: Any, state: Any, player: int, action: int) -> bool:
    course = courses(game, state)[player]
    return action not in (course, BACK.get(course))


def _ahead(game: Any, state: Any, player: int) -> int:
    begun = courses(game, state)[player] >= 0
    return int(fault_action(game, state, player)) if begun else _longest(game, state)


def _longest(game: Any, state: Any) -> int:
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


REALTIME = Realtime(rounds, living, _ahead, _turns)
