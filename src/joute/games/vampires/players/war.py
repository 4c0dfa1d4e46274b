"""The evaluation of the champion of Vampires: the race for humans, and the war that follows it.

A value is from -1, lost, to 1, won: twice the probability of a win, less 1, as far as features of
a state tell it. Their weights are those of a logistic regression over 32,000 states of games of the
search by this evaluation against itself, by who won, and over 10,000 states that came of any order
there, by the value of a search. All games were on maps drawn at random, alike to both sides, at
1,200 to 1,500 nodes a turn. A feature is the difference between the sides, so that it changes its
sign where they are exchanged. They are

- strengths once the humans are shared out, as `Race` does it: of all units, and of the largest
  groups, whose ratio decides a war between two forces. A lead counts more with fewer turns left;
- whether one side's largest group is sure to kill the other's, half as many again;
- groups that can be killed for sure, by all attackers next to them, by the nearest otherwise; apart
  by distance and by whose turn it is: who is to move kills, who is not may only hope that the group
  cannot flee. It can less at the border of the grid;
- the best battle that the player to move can begin at once;
- who is to move, and who is in more groups.
"""

import math
from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.games.vampires.battle import halves
from joute.games.vampires.players.evaluation import (
    FAR,
    QUICK,
    Race,
    distance,
    list_groups,
    race,
    run,
)
from joute.games.vampires.state import COUNTS, ENDED, MOVER, PHASE, TURNS, WINNER, Vampires

FEATURES = 16
(
    ALL, ALL_LATE, LARGEST, LARGEST_NOW, SURE_ALL, SURE_LARGEST, TURN, GROUPS, BATTLE, BORDER,
    OWN_NEXT, OWN_NEAR, OWN_FAR, OTHERS_NEXT, OTHERS_NEAR, OTHERS_FAR,
) = range(FEATURES)  # fmt: skip

WEIGHTS = (
    2.99, 302.1, -1.38, 0.356, -0.172, 0.674, 0.029, -0.363,
    0.561, 0.553, 4.99, -0.172, -1.89, -1.77, -0.274, -2.14,
)  # fmt: skip
SURE_RATIO = math.log(1.5)  # of units, from which on an attack is sure to kill
MOST_VALUE = 0.99  # of a state that is not over
NEAR = 2  # turns
LATE_TURNS = 4.0  # that a lead of a late state has at least


class War(NamedTuple):
    """The weights of the features. Carries the arrays it works in."""

    weights: np.ndarray  # float64[FEATURES]
    features: np.ndarray  # float64[FEATURES], of Vampires less those of Werewolves
    race: Race


def war(game: Vampires) -> War:
    """The evaluation for this game."""
    return War(np.array(WEIGHTS), np.zeros(FEATURES), race(game))


@implements(War, "evaluate")
def _war(evaluation, game, state, player):
    if state[PHASE] == ENDED:
        value = float(int(state[WINNER] == 1) - int(state[WINNER] == 2))
        value *= 1.0 + QUICK * (game.plies - int(state[TURNS]))
    else:
        measure(evaluation, game, state)
        total = 0.0
        for each in range(FEATURES):
            total += evaluation.weights[each] * evaluation.features[each]
        value = MOST_VALUE * math.tanh(0.5 * total)
    return value if player == 0 else -value


@implements(War, "bounds")
def _bounds(evaluation, game, state, player):
    most = 1.0 + QUICK * (game.plies - int(state[TURNS]))
    return -most, most


@inline
def measure(war, game, state):
    """Write the features of a state that is not over."""
    tables, out = war.race, war.features
    out[:] = 0.0
    mover = int(state[MOVER])
    vampires = list_groups(game, state, 0, tables.cells[0], tables.units[0])
    werewolves = list_groups(game, state, 1, tables.cells[1], tables.units[1])
    ours, theirs = int(state[COUNTS]), int(state[COUNTS + 1])
    out[TURN] = 1.0 - 2.0 * mover
    out[GROUPS] = float(vampires - werewolves)
    out[LARGEST_NOW] = math.log(_largest(tables, 0, vampires) / _largest(tables, 1, werewolves))
    whole = float(ours + theirs)
    _meet(war, game, 0, vampires, werewolves, mover, whole)
    _meet(war, game, 1, werewolves, vampires, mover, whole)
    tables.power[0], tables.power[1] = 1.0 + ours, 1.0 + theirs
    run(tables, game, state, vampires, werewolves)
    lead = math.log(tables.power[0] / tables.power[1])
    largest = math.log(_largest(tables, 0, vampires) / _largest(tables, 1, werewolves))
    out[ALL] = lead
    out[ALL_LATE] = lead / (game.plies - int(state[TURNS]) + LATE_TURNS)
    out[LARGEST] = largest
    out[SURE_ALL] = _sure(lead)
    out[SURE_LARGEST] = _sure(largest)


@inline
def _largest(tables, side, groups):
    """The units of the largest of a side's groups."""
    largest = 1
    for each in range(groups):
        largest = max(largest, tables.units[side, index(each)])
    return float(largest)


@inline
def _sure(ratio):
    """The logarithm of a ratio as a part of that of a sure kill: 1 for half as many again."""
    return max(-1.0, min(1.0, ratio / SURE_RATIO))


@inline
def _meet(war, game, side, groups, enemies, mover, whole):
    """Enter what the groups of a side can do to those of the other."""
    tables, out = war.race, war.features
    sign = 1.0 - 2.0 * side
    first = OWN_NEXT if side == mover else OTHERS_NEXT
    best = 0.0
    for enemy in range(enemies):
        there = tables.units[1 - side, index(enemy)]
        cell = tables.cells[1 - side, index(enemy)]
        beside, nearest = 0, FAR
        for each in range(groups):
            units = tables.units[side, index(each)]
            far = distance(tables, tables.cells[side, index(each)], cell)
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
        if nearest < FAR:
            if nearest == 1:
                out[first] += sign * part
            elif nearest == NEAR:
                out[first + 1] += sign * part
            else:
                out[first + 2] += sign * part / nearest
            out[BORDER] += sign * part * _closeness(tables, game, cell) / nearest
    if side == mover:
        out[BATTLE] += sign * best


@inline
def _closeness(tables, game, cell):
    """The closeness of a cell to the border: 2 in a corner, less further inside."""
    column, row = tables.columns[index(cell)], tables.rows[index(cell)]
    across = min(column, game.columns + 1 - column)
    down = min(row, game.rows + 1 - row)
    return 1.0 / across + 1.0 / down
