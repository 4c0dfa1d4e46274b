"""The evaluation of the champion of Vampires: the race for humans, and the war that follows it.

A value is from -1, lost, to 1, won: twice the probability of a win, less 1, as far as features of
a state tell it. A small network weighs them: it sums them up into HIDDEN units, of which the first
is counted as it is and the others where they are above 0; the sum of these is the logarithm of the
odds that the player to move wins. The weights are those that `joute learn vampires` found; the file
says with which options.

Features are seen by the player to move, its own first:

- leads, logarithms of the ratio of units: of all and of the largest groups, as they are and once
  the humans are shared out, as `Race` does it, and less the enemies that can be killed at once; a
  lead counts more with fewer turns left. Some are cut off at half as many again, from which on an
  attack is sure to kill;
- how late it is, how many humans are left, how large forces and grid are, how far apart the forces
  are, and whether the player to move comes next to the other if both approach;
- of each side: groups, the share of the largest, and how close to the border that is; what the race
  brings; the enemies that can be killed for sure, at once, in two turns or later, by one group or
  by several together, less easily inside the grid; and the best battle next to it.
"""

import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.core.weights import read_weights
from joute.games.vampires.battle import halves
from joute.games.vampires.players.evaluation import (
    FAR,
    QUICK,
    Race,
    distance,
    list_groups,
    places,
    race,
    run,
)
from joute.games.vampires.state import COUNTS, ENDED, MOVER, PHASE, TURNS, WINNER, Vampires

# Leads: all units and the largest groups after the race, and now; SURE_... are cut off; ALL_LATE is
# by the turns left, ALL_AFTER less the enemies that can be killed at once.
ALL, ALL_LATE, ALL_NOW, LARGEST, LARGEST_NOW, SURE_ALL, SURE_NOW, SURE_LARGEST, ALL_AFTER = range(9)
CONSTANT, LATE, HUMANS_LEFT, UNITS, AREA = range(9, 14)
APART, PARITY = 14, 15  # of the largest groups
CONTACT = 16  # of the groups nearest to each other
# Of a side: the number of groups; the share of the largest; the gain in the race; the enemies that
# can be killed in a turn, in two, in more, or by several groups in two; the best battle; those
# killed by how near the border they are; how near it the largest group is.
GROUPS, SHARE, GAIN, NEXT, NEAR, DISTANT, TOGETHER, BATTLE, BORDER, EDGE = range(10)
SIDES, SIDE = 17, 10  # the place of the first side's features, and how many they are
FEATURES = SIDES + 2 * SIDE
HIDDEN = 16
LEARNED = Path(__file__).with_name("learned.npz")

SURE_RATIO = math.log(1.5)  # of units, from which on an attack is sure to kill
MOST_VALUE = 0.99  # of a state that is not over
MOST_LOGIT = 12.0
TWO_TURNS = 2
LATE_TURNS = 4.0  # that a lead of a late state has at least
LATE_LEAD = 40.0  # turns left, from which on a lead counts more for them than for itself


class War(NamedTuple):
    """The network. Carries the arrays it works in."""

    inner: np.ndarray  # float32[FEATURES, HIDDEN]
    outer: np.ndarray  # float32[HIDDEN]
    features: np.ndarray  # float32[FEATURES], as the player to move sees them
    units: np.ndarray  # float32[HIDDEN]
    closeness: np.ndarray  # float64[size], of each cell to the border: 2 in a corner, less inside
    area: float  # a feature of all states: a quarter of the logarithm of the number of cells
    contempt: np.ndarray  # float64[2], log-odds that each player has beyond those of the network
    race: Race


def war(game: Vampires, weights: np.ndarray | None = None) -> War:
    """The evaluation for this game, by the weights that are shipped or by others.

    Nobody is held in contempt at first; who writes to `contempt` has the search forget its values.
    """
    inner, outer = split(learned() if weights is None else weights)
    arrays = np.zeros(FEATURES, np.float32), np.zeros(HIDDEN, np.float32)
    return War(
        np.ascontiguousarray(inner),
        np.ascontiguousarray(outer),
        *arrays,
        closeness=closeness(game),
        area=0.25 * math.log(game.rows * game.columns),
        contempt=np.zeros(2),
        race=race(game),
    )


def closeness(game: Vampires) -> np.ndarray:
    """The closeness of each cell to the border of the grid: 2 in a corner, less further inside."""
    columns, rows = places(game)
    across = np.minimum(columns, game.columns + 1 - columns)
    down = np.minimum(rows, game.rows + 1 - rows)
    return 1 / np.maximum(across, 1) + 1 / np.maximum(down, 1)


def split(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Views of the weights into the units, float32[FEATURES, HIDDEN], and out of them."""
    return weights[:-HIDDEN].reshape(FEATURES, HIDDEN), weights[-HIDDEN:]


@cache
def learned() -> np.ndarray:
    """The weights that are shipped, in a row."""
    return load(LEARNED)


def load(path: Path) -> np.ndarray:
    """Weights from a file, in a row. Raises ValueError for a file of other weights."""
    return read_weights(path, FEATURES * HIDDEN + HIDDEN)


@implements(War, "evaluate")
def _war(evaluation, game, state, player):
    if state[PHASE] == ENDED:
        value = float(int(state[WINNER] == 1) - int(state[WINNER] == 2))
        value *= 1.0 + QUICK * (game.plies - int(state[TURNS]))
        return value if player == 0 else -value
    measure(evaluation, game, state)
    features, units = evaluation.features, evaluation.units
    units[:] = 0.0
    for feature in range(features.size):
        amount = features[feature]
        if amount != 0.0:
            weights = evaluation.inner[feature]
            # Not HIDDEN: a loop whose length is known is unrolled before it could be vectorized.
            for unit in range(units.size):
                units[unit] += amount * weights[unit]
    logit = float(units[0])
    for unit in range(1, units.size):
        logit += max(float(units[unit]), 0.0) * evaluation.outer[unit]
    mover = int(state[MOVER])
    logit += evaluation.contempt[mover] - evaluation.contempt[1 - mover]
    value = MOST_VALUE * math.tanh(0.5 * min(max(logit, -MOST_LOGIT), MOST_LOGIT))
    return value if player == mover else -value


@implements(War, "bounds")
def _bounds(evaluation, game, state, player):
    most = 1.0 + QUICK * (game.plies - int(state[TURNS]))
    return -most, most


@inline
def measure(war, game, state):
    """Writes the features of a state that is not over."""
    tables, out = war.race, war.features
    out[:] = 0.0
    mover = int(state[MOVER])
    vampires = list_groups(game, state, 0, tables.cells[0], tables.units[0])
    werewolves = list_groups(game, state, 1, tables.cells[1], tables.units[1])
    groups = werewolves if mover else vampires
    enemies = vampires if mover else werewolves
    ours, theirs = 1.0 + int(state[COUNTS + mover]), 1.0 + int(state[COUNTS + 1 - mover])
    whole = ours + theirs
    left = game.plies - int(state[TURNS])
    out[CONSTANT] = 1.0
    out[LATE] = 8.0 / (left + 8.0)
    out[UNITS] = 0.25 * math.log(whole)
    out[AREA] = war.area
    one, other = _largest(tables, mover, groups), _largest(tables, 1 - mover, enemies)
    far = max(distance(tables, tables.cells[mover, one], tables.cells[1 - mover, other]), 1)
    out[APART] = 1.0 / far
    out[PARITY] = (2.0 - 4.0 * (far & 1)) / (far + 1.0)
    _stand(war, mover, groups, one, SIDES, ours)
    _stand(war, 1 - mover, enemies, other, SIDES + SIDE, theirs)
    _meet(war, mover, groups, enemies, SIDES, whole)
    _meet(war, 1 - mover, enemies, groups, SIDES + SIDE, whole)
    lead, largest = math.log(ours / theirs), _ratio(tables, mover, one, other)
    out[ALL_NOW], out[SURE_NOW], out[LARGEST_NOW] = lead, _sure(lead), largest
    tables.power[mover], tables.power[1 - mover] = ours, theirs
    humans = run(tables, game, state, vampires, werewolves)
    if humans > 0:
        out[HUMANS_LEFT] = humans / (humans + whole)
        out[SIDES + GAIN] = (tables.power[mover] - ours) / whole
        out[SIDES + SIDE + GAIN] = (tables.power[1 - mover] - theirs) / whole
        lead = math.log(tables.power[mover] / tables.power[1 - mover])
        one, other = _largest(tables, mover, groups), _largest(tables, 1 - mover, enemies)
        largest = _ratio(tables, mover, one, other)
    out[ALL], out[SURE_ALL] = lead, _sure(lead)
    out[LARGEST], out[SURE_LARGEST] = largest, _sure(largest)
    out[ALL_LATE] = LATE_LEAD * lead / (left + LATE_TURNS)
    if out[SIDES + NEXT] > 0.0:
        rest = max(tables.power[1 - mover] - out[SIDES + NEXT] * whole, 1.0)
        lead = math.log(tables.power[mover] / rest)
    out[ALL_AFTER] = lead


@inline
def _largest(tables, side, groups):
    """The largest of a side's groups."""
    largest = 0
    for each in range(groups):
        if tables.units[side, index(each)] > tables.units[side, index(largest)]:
            largest = each
    return index(largest)


@inline
def _ratio(tables, side, group, enemy):
    """The logarithm of the ratio of a group of a side to one of the other."""
    units, there = tables.units[side, group], tables.units[1 - side, enemy]
    return math.log(max(units, 1) / max(there, 1))


@inline
def _sure(ratio):
    """The logarithm of a ratio as a part of that of a sure kill: 1 for half as many again."""
    return max(-1.0, min(1.0, ratio / SURE_RATIO))


@inline
def _stand(war, side, groups, largest, first, units):
    """Enters the groups of a side."""
    tables, out = war.race, war.features
    if groups > 1:
        out[first + GROUPS] = math.log(float(groups))
    out[first + SHARE] = tables.units[side, largest] / units
    out[first + EDGE] = war.closeness[index(tables.cells[side, largest])]


@inline
def _meet(war, side, groups, enemies, first, whole):
    """Enters the attacks of the groups of a side on those of the other."""
    tables, out = war.race, war.features
    best, closest = 0.0, FAR
    for enemy in range(enemies):
        there = tables.units[1 - side, index(enemy)]
        cell = tables.cells[1 - side, index(enemy)]
        beside, around, nearest = 0, 0, FAR
        for each in range(groups):
            units = tables.units[side, index(each)]
            far = distance(tables, tables.cells[side, index(each)], cell)
            closest = min(closest, far)
            if far <= TWO_TURNS:
                around += units
                if far == 1:
                    beside += units
            if 2 * units >= 3 * there:
                nearest = min(nearest, far)
        part = there / whole
        if 2 * beside >= 3 * there:
            nearest = 1
        elif beside > 0:
            wins = halves(beside, there) / (2.0 * there)
            best = max(best, (wins * there - (1.0 - wins) * beside) / whole)
        if nearest > TWO_TURNS and 2 * around >= 3 * there:
            out[first + TOGETHER] += part
        if nearest < FAR:
            if nearest == 1:
                out[first + NEXT] += part
            elif nearest == TWO_TURNS:
                out[first + NEAR] += part
            else:
                out[first + DISTANT] += 3.0 * part / nearest
            out[first + BORDER] += part * war.closeness[index(cell)] / nearest
    out[first + BATTLE] = best
    out[CONTACT] = 1.0 / closest
