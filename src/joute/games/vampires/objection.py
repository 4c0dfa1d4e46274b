"""The rule of Vampires vs Werewolves that a small choice breaks, for whoever answered it."""

from typing import Any

from joute.core.interface import accepts, implements
from joute.games.vampires.order import law, move_of, on_grid
from joute.games.vampires.state import (
    DONE,
    KIND,
    MOST,
    MOVER,
    MOVES,
    NEXT_DIRECTION,
    SOURCE_CELL,
    STOP,
    VAMPIRES,
    Vampires,
    first_cell,
    first_plan,
)
from joute.i18n.words import Sentence


@implements(Vampires)
def objection(game: Vampires, state: Any, action: int) -> Sentence | None:
    if accepts(game, state, action):
        return None
    if action == DONE:
        return law(1)
    units, direction, cell = action % KIND, action // KIND % 8, action // KIND // 8
    if action < 0 or action == STOP or not 0 < cell < game.size:
        return Sentence("error.vampires.number", action=action)
    if state[MOVES] == MOST:
        return law(1)
    x, y, _, x2, y2 = move_of(game, action)
    place = f"{x},{y}"
    kind, held = divmod(int(state[first_cell(game) + cell]), KIND)
    if kind != VAMPIRES + state[MOVER]:
        return Sentence("error.vampires.illegal", cell=place, law=law(2))
    if state[first_plan(game) + cell] > 0:
        return Sentence("error.vampires.illegal", cell=place, law=law(5))
    if (cell, direction) < (state[SOURCE_CELL], state[NEXT_DIRECTION]):
        return Sentence("error.vampires.illegal.before", cell=place)
    rule = 4
    if units == 0:
        rule = 6
    elif units > held:
        rule = 3
    elif on_grid(game, x2, y2):
        rule = _of_target(game, state, x2, y2, units, held)
    return Sentence("error.vampires.illegal", cell=place, law=law(rule))


def _of_target(game: Vampires, state: Any, x: int, y: int, units: int, held: int) -> int:
    """The rule that a number of units breaks by going to a cell of the grid."""
    expected = int(state[first_plan(game) + (y + 1) * game.stride + x + 1])
    if expected < 0:
        return 5
    return 8 if not game.split and units != held else 7
