"""Tron in words: why a game ended, and which bikes are out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from joute.games.tron.arena import GOAL, PLACE
from joute.games.tron.board import SLOTS
from joute.games.tron.text import heads, living, marks, position
from joute.i18n.words import say
from joute.play.telling import Telling

Names = Sequence[str]


def _ending(game: Any, state: Any, names: Names) -> str:
    if game.players == 1:
        return " ".join(_room(game, state, names[0]))
    return " ".join([*_crashes(game, state, names), _left(game, state, names)])


def _room(game: Any, state: Any, name: str) -> Iterator[str]:
    """The end of a bike that was alone, and how much of the room it left free."""
    free = sum(not mark for mark in marks(game, state)[1:])
    if not free:
        yield say("tron.ending.full")
        return
    yield say(f"tron.ending.{'wall' if _has_way(game, state, 0) else 'blocked'}", name=name)
    yield say("tron.ending.left.one") if free == 1 else say("tron.ending.left", count=free)


def _crashes(game: Any, state: Any, names: Names) -> Iterator[str]:
    """A sentence for each crash of the last round in which bikes went out."""
    places = [int(place) for place in state[PLACE : PLACE + game.players]]
    latest = min(filter(None, places))
    told: set[int] = set()
    for bike in (each for each, place in enumerate(places) if place == latest):
        together = _met(game, state, bike)
        if bike in told:
            continue
        told.update(together)
        if len(together) > 1:
            yield say("tron.ending.met", names=_joined(names, together))
        else:
            yield say(f"tron.ending.{_cause(game, state, bike)}", name=names[bike])


def _cause(game: Any, state: Any, bike: int) -> str:
    """The cause for which a bike went out alone, as far as the last state tells.

    Cells that vanish leave no trace of it, and a wall beside it may have been another's head.
    """
    if game.vanish:
        return "crashed"
    if not _has_way(game, state, bike):
        return "blocked"
    others = {cell for other, cell in enumerate(heads(game, state)) if other != bike}
    return "crashed" if others & set(_beside(game, state, bike)) else "wall"


def _met(game: Any, state: Any, bike: int) -> list[int]:
    """The bikes that entered the cell of one that crashed, or the other end of its pair."""
    goals = [int(goal) for goal in state[GOAL : GOAL + game.players]]
    if game.turns or not goals[bike]:
        return [bike]
    ends = {goals[bike], int(game.partner[goals[bike]])}
    return [other for other, goal in enumerate(goals) if goal and goal in ends]


def _has_way(game: Any, state: Any, bike: int) -> bool:
    """Whether a bike had a free cell beside it; cells entered in the last round were free then."""
    taken = marks(game, state)
    entered: set[int] = set()
    if game.players > 1 and not game.turns:
        entered = {int(goal) for goal in state[GOAL : GOAL + game.players]}
    return any(not taken[cell] or cell in entered for cell in _beside(game, state, bike))


def _beside(game: Any, state: Any, bike: int) -> list[int]:
    """The cells to which ways lead from the head of a bike."""
    first = SLOTS * heads(game, state)[bike]
    return [int(cell) for cell in game.neighbour[first : first + game.directions] if cell]


def _left(game: Any, state: Any, names: Names) -> str:
    left = living(game, state)
    if not left:
        return say("tron.ending.none")
    if len(left) == 1:
        return say("tron.ending.last", name=names[left[0]])
    return say("tron.ending.team", names=_joined(names, left))


def _joined(names: Names, bikes: Sequence[int]) -> str:
    return f" {say('tron.and')} ".join(names[bike] for bike in bikes)


def _out(game: Any, state: Any) -> list[int]:
    """The bikes that are out; a bike that drives alone never is."""
    if game.players == 1:
        return []
    return sorted(set(range(game.players)) - set(living(game, state)))


TELLING = Telling(ending=_ending, out=_out, position=position)
