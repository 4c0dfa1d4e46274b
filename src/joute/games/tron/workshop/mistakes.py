"""Where a game of Tron alone went wrong: the move after which much less could still be filled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from joute.core.interface import play, start
from joute.games.tron.players.fill import RoomFiller
from joute.games.tron.text import heads
from joute.search.fill import ROUNDS, Filling

QUICK = 16  # rounds of the search after a move that is not its own
SURE = 4 * ROUNDS  # rounds in which the worst move must stay the worst


class Mistake(NamedTuple):
    """The move after which the longest way to play on that is known dropped most."""

    ply: int  # from 0
    direction: int
    better: int  # the direction that the filling search takes there
    before: int  # moves in the whole game that were still possible, as far as is known
    after: int
    cut: list[int]  # cells that could be reached before the move, and not after it
    left: list[int]  # cells that the best way before the move took and the best one after does not
    why: str  # "cut", "pocket" or "shape"


class _Step(NamedTuple):
    """A position of the game and the best way that is known to play on from it."""

    state: list[int]
    best: Filling


def find_mistake(game: Any, directions: Sequence[int]) -> Mistake | None:
    """The worst move of a game, the first of them if there are several; None for a game without.

    What "was possible" is what the filling search finds: it may know too little, never too much.
    """
    filler = RoomFiller(game)
    steps = _steps(game, filler, directions)
    while True:
        losses = [
            1 + len(after.best.cells) - len(before.best.cells) for before, after in pairwise(steps)
        ]
        if not losses or min(losses) == 0:
            return None
        ply = losses.index(min(losses))
        surer = _fill(filler, steps, ply + 1, SURE)
        if len(surer.cells) == len(steps[ply + 1].best.cells):
            return _mistake(game, filler, steps, ply, directions[ply])
        steps[ply + 1] = steps[ply + 1]._replace(best=surer)
        _spread_back(game, steps, directions, ply + 1)


def _steps(game: Any, filler: RoomFiller, directions: Sequence[int]) -> list[_Step]:
    """Every position of the game with the best way on from it."""
    state = start(game).tolist()
    steps = [_Step(state, filler.fill(state))]
    for ply, direction in enumerate(directions):
        state = state.copy()
        play(game, state, direction)
        best = steps[-1].best
        if best.directions[:1] == [direction]:
            steps.append(_Step(state, _rest(best)))
            continue
        steps.append(_Step(state, Filling([], [], 0)))
        steps[-1] = _Step(state, _fill(filler, steps, ply + 1, QUICK))
        _spread_back(game, steps, directions, ply + 1)
    return steps


def _fill(filler: RoomFiller, steps: list[_Step], place: int, rounds: int) -> Filling:
    """The best way on from a position: as long as the one before it allows, or what is found."""
    enough = len(steps[place - 1].best.cells) - 1
    step = steps[place]
    return filler.fill(step.state, rounds=rounds, known=step.best.cells, enough=enough)


def _rest(best: Filling) -> Filling:
    return Filling(best.cells[1:], best.directions[1:], best.most - 1)


def _spread_back(game: Any, steps: list[_Step], directions: Sequence[int], place: int) -> None:
    """Give the positions before `place` the way that was found there, where it is longer."""
    while place > 0:
        best = steps[place].best
        before = steps[place - 1]
        if len(before.best.cells) >= 1 + len(best.cells):
            return
        cells = [heads(game, steps[place].state)[0], *best.cells]
        most = max(before.best.most, len(cells))
        longer = Filling(cells, [directions[place - 1], *best.directions], most)
        steps[place - 1] = before._replace(best=longer)
        place -= 1


def _mistake(
    game: Any, filler: RoomFiller, steps: list[_Step], ply: int, direction: int
) -> Mistake:
    before, after = steps[ply], steps[ply + 1]
    reached = set(filler.reachable(before.state))
    still = set(filler.reachable(after.state))
    entered = heads(game, after.state)[0]
    gone = {entered, int(game.partner[entered])}
    cut = sorted(reached - still - gone)
    taken = _both_ends(game, after.best.cells)
    left = sorted((_both_ends(game, before.best.cells) & still) - taken)
    return Mistake(
        ply=ply,
        direction=direction,
        better=before.best.directions[0],
        before=ply + len(before.best.cells),
        after=ply + 1 + len(after.best.cells),
        cut=cut,
        left=left,
        why=_why(filler, before, after, len(cut)),
    )


def _both_ends(game: Any, cells: list[int]) -> set[int]:
    return {*cells, *(int(game.partner[cell]) for cell in cells)} - {0}


def _why(filler: RoomFiller, before: _Step, after: _Step, cut: int) -> str:
    """What makes a move cost what it does.

    "cut": the cells that it cut off; "pocket": parts of the room without a way back, and cells of
    one colour of the draughts board that are too few for those of the other; "shape": neither.
    """
    possible = len(before.best.cells) - 1
    if cut >= possible - len(after.best.cells):
        return "cut"
    return "pocket" if filler.bound_by_parts(after.state) < possible else "shape"
