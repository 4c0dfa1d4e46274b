"""Two evaluations of Vampires vs Werewolves: units counted, and units that are within reach.

Values are in units: `Material` is the lead in units. `Reach` adds the humans that each side can
convert and the groups that it can kill for sure, each the less the further away they are.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.bits import lowest
from joute.core.interface import implements, inline
from joute.games.vampires.state import (
    BITS,
    COUNTS,
    ENDED,
    HUMANS,
    KIND,
    PHASE,
    WINNER,
    Vampires,
    cell_at,
    first_cell,
    first_word,
)

WON = 1000.0  # beyond every value of a state that is not over; the lead in units comes on top
FAR = 1 << 60  # a distance beyond every other
HUMAN = 0.6  # of a unit, for a human next to a group that can convert it
THREAT = 0.5  # of a unit, for an enemy next to a group that is sure to kill it


class Material(NamedTuple):
    """The lead in units."""


class Reach(NamedTuple):
    """The lead in units, with what is within reach. Carries the arrays it works in."""

    human: float
    threat: float
    columns: np.ndarray  # int64[size], of each cell
    rows: np.ndarray  # int64[size]
    houses: np.ndarray  # int64[houses], the cells where humans can be
    cells: np.ndarray  # int64[2, cells of the grid], of the groups by player
    units: np.ndarray  # int64[2, cells of the grid]


def reach(game: Vampires, human: float = HUMAN, threat: float = THREAT) -> Reach:
    """The evaluation for this game."""
    area = game.rows * game.columns
    groups = np.zeros((2, 2, min(area, game.most_units)), np.int64)
    return Reach(human, threat, *places(game), houses(game), *groups)


def places(game: Vampires) -> tuple[np.ndarray, np.ndarray]:
    """The column and the row of each cell, the border included."""
    rows, columns = np.divmod(np.arange(game.size), game.stride)
    return columns, rows


def houses(game: Vampires) -> np.ndarray:
    """The cells where humans can be: those where they are at the start, for they never move."""
    found = [
        cell_at(game, number % game.columns, number // game.columns)
        for number, held in enumerate(game.cells.tolist())
        if held // KIND == HUMANS
    ]
    return np.array(found, np.int64)


@implements(Material, "evaluate")
def _material(evaluation, game, state, player):
    value = _lead(state)
    return value if player == 0 else -value


@implements(Reach, "evaluate")
def _reach(evaluation, game, state, player):
    value = _lead(state)
    if state[PHASE] != ENDED:
        vampires = list_groups(game, state, 0, evaluation.cells[0], evaluation.units[0])
        werewolves = list_groups(game, state, 1, evaluation.cells[1], evaluation.units[1])
        value += evaluation.human * _humans(evaluation, game, state, vampires, werewolves)
        value += evaluation.threat * _threats(evaluation, vampires, werewolves)
    return value if player == 0 else -value


@inline
def _lead(state):
    """The lead of the Vampires in units; at the end, beyond all else for the winner."""
    lead = float(int(state[COUNTS]) - int(state[COUNTS + 1]))
    if state[PHASE] == ENDED:
        lead += WON * (int(state[WINNER] == 1) - int(state[WINNER] == 2))
    return lead


@inline
def list_groups(game, state, player, cells, units):
    """Write the cells and the sizes of a player's groups, ascending; return how many there are.

    As many are left out as do not fit.
    """
    count = 0
    first = first_word(game, player)
    for word in range(game.words):
        bits = int(state[index(first + word)])
        while bits != 0 and count < len(cells):
            cell = word * BITS + lowest(bits)
            bits &= bits - 1
            cells[index(count)] = cell
            units[index(count)] = int(state[index(first_cell(game) + cell)]) % KIND
            count += 1
    return count


@inline
def distance(tables, cell, other):
    """Turns from a cell to another, for a group in nobody's way; `tables`: columns and rows."""
    across = abs(tables.columns[index(cell)] - tables.columns[index(other)])
    down = abs(tables.rows[index(cell)] - tables.rows[index(other)])
    return max(across, down)


@inline
def _humans(evaluation, game, state, vampires, werewolves):
    """Humans by the inverse distance of the nearest Vampires that can convert them, less theirs."""
    total = 0.0
    for each in range(len(evaluation.houses)):
        cell = evaluation.houses[each]
        held = int(state[index(first_cell(game) + cell)])
        if held // KIND == HUMANS:
            mine = _nearest(evaluation, 0, vampires, cell, held % KIND)
            his = _nearest(evaluation, 1, werewolves, cell, held % KIND)
            total += held % KIND * (1.0 / mine - 1.0 / his)
    return total


@inline
def _nearest(evaluation, player, groups, cell, needed):
    """How far the nearest group of a player that has so many units is from a cell."""
    nearest = FAR
    for each in range(groups):
        if evaluation.units[player, index(each)] >= needed:
            nearest = min(
                nearest, distance(evaluation, evaluation.cells[player, index(each)], cell)
            )
    return max(nearest, 1)


@inline
def _threats(evaluation, vampires, werewolves):
    """Units that Vampires can kill for sure, by the inverse distance, less those that they lose."""
    total = 0.0
    for each in range(vampires):
        mine = evaluation.units[0, index(each)]
        cell = evaluation.cells[0, index(each)]
        for other in range(werewolves):
            his = evaluation.units[1, index(other)]
            killed = his * int(2 * mine >= 3 * his) - mine * int(2 * his >= 3 * mine)
            if killed != 0:
                far = distance(evaluation, cell, evaluation.cells[1, index(other)])
                total += killed / max(far, 1)
    return total
