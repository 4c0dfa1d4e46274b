"""Evaluations of Vampires vs Werewolves: units counted, units within reach, the race for humans.

Values of `Material` and `Reach` are in units: `Material` is the lead in units, `Reach` adds the
humans that each side can convert and the groups that it can kill for sure, each the less the
further away they are.

`Race` looks at how strong each side is once the humans are shared out. Every group makes for the
humans that bring it most units a turn, of those that it can convert; who comes first has them,
grows, and goes on, until nobody can convert any more. Late gains count less. To that come the
groups that each side can kill for sure, by the inverse distance. Its values are from -1, lost, to
1, won: a ratio of strengths says how likely it is to win, so that chances are weighed by what they
decide. A lead is the surer the fewer turns are left.
"""

import math
from typing import NamedTuple

import numpy as np

from joute.core.arrays import index, lowest
from joute.core.interface import implements, inline
from joute.games.vampires.state import (
    BITS,
    COUNTS,
    ENDED,
    HUMANS,
    KIND,
    MOVER,
    PHASE,
    TURNS,
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
    """Writes the cells and the sizes of a player's groups, ascending; returns how many there are.

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
            theirs = _nearest(evaluation, 1, werewolves, cell, held % KIND)
            total += held % KIND * (1.0 / mine - 1.0 / theirs)
    return total


@inline
def _nearest(evaluation, player, groups, cell, needed):
    """The distance from a cell to the nearest group of a player that has so many units."""
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
            theirs = evaluation.units[1, index(other)]
            killed = theirs * int(2 * mine >= 3 * theirs) - mine * int(2 * theirs >= 3 * mine)
            if killed != 0:
                far = distance(evaluation, cell, evaluation.cells[1, index(other)])
                total += killed / max(far, 1)
    return total


DECISIVE = 1.0  # a value that often decides a game
SURE = 4.0  # log-odds, halved, of winning with e times the strength
LATE_SURE = 40.0  # more of them, divided by the turns that are left
RACE_THREAT = 0.6  # of a unit, for an enemy next to a group that is sure to kill it
QUICK = 1e-4  # of a win, for each turn sooner
PATIENCE = 0.9  # of a human's worth is left a turn later
MOST_GROUPS = 24  # of a side; the others stand still
NOBODY = -1
LATE = 1 << 40


class Race(NamedTuple):
    """The strengths after the race. Carries the arrays it works in."""

    sure: float
    threat: float
    worths: np.ndarray  # float64[turns], what is left of a human's worth after so many
    power: np.ndarray  # float64[2], the strengths
    columns: np.ndarray  # int64[size], of each cell
    rows: np.ndarray  # int64[size]
    houses: np.ndarray  # int64[houses], the cells where humans can be
    cells: np.ndarray  # int64[2, MOST_GROUPS], of the groups by player
    units: np.ndarray  # int64[2, MOST_GROUPS]
    left: np.ndarray  # int64[houses], the humans that are there, 0 for none
    turns: np.ndarray  # int64[2, MOST_GROUPS], when the group came where it is
    goals: np.ndarray  # int64[2, MOST_GROUPS], the house that it makes for, or NOBODY
    due: np.ndarray  # int64[2, MOST_GROUPS], when it comes there: twice the turns, by who moves


def race(
    game: Vampires, sure: float = SURE, patience: float = PATIENCE, threat: float = RACE_THREAT
) -> Race:
    """The evaluation for this game."""
    turns = 4 * (game.rows + game.columns) * 8
    groups = np.zeros((5, 2, MOST_GROUPS), np.int64)
    cells = houses(game)
    return Race(
        sure=sure,
        threat=threat,
        worths=patience ** np.arange(turns),
        power=np.zeros(2),
        columns=places(game)[0],
        rows=places(game)[1],
        houses=cells,
        cells=groups[0],
        units=groups[1],
        left=np.zeros(cells.size, np.int64),
        turns=groups[2],
        goals=groups[3],
        due=groups[4],
    )


@implements(Race, "evaluate")
def _race(evaluation, game, state, player):
    if state[PHASE] == ENDED:
        value = float(int(state[WINNER] == 1) - int(state[WINNER] == 2))
        value *= 2.0 - QUICK * int(state[TURNS])
        return value if player == 0 else -value
    vampires = list_groups(game, state, 0, evaluation.cells[0], evaluation.units[0])
    werewolves = list_groups(game, state, 1, evaluation.cells[1], evaluation.units[1])
    evaluation.power[0] = 1.0 + int(state[COUNTS])
    evaluation.power[1] = 1.0 + int(state[COUNTS + 1])
    _threaten(evaluation, vampires, werewolves)
    run(evaluation, game, state, vampires, werewolves)
    sure = evaluation.sure + LATE_SURE / (game.plies - int(state[TURNS]))
    value = math.tanh(sure * math.log(evaluation.power[0] / evaluation.power[1]))
    return value if player == 0 else -value


@inline
def _threaten(race, vampires, werewolves):
    """Adds to each side's strength what its groups can kill for sure."""
    for each in range(vampires):
        mine = race.units[0, index(each)]
        for other in range(werewolves):
            theirs = race.units[1, index(other)]
            if 2 * mine >= 3 * theirs or 2 * theirs >= 3 * mine:
                far = distance(race, race.cells[0, index(each)], race.cells[1, index(other)])
                side = int(mine < theirs)
                race.power[side] += race.threat * min(mine, theirs) / max(far, 1)


@inline
def run(race, game, state, vampires, werewolves):
    """Adds to each side's strength what it wins in the race; groups end where it ends.

    Return how many humans there were.
    """
    whole = 0
    for house in range(race.houses.size):
        held = int(state[index(first_cell(game) + race.houses[house])])
        there = held % KIND if held // KIND == HUMANS else 0
        race.left[house] = there
        whole += there
    humans = whole
    for side in range(2):
        for group in range(werewolves if side else vampires):
            race.turns[side, index(group)] = 0
            race.goals[side, index(group)] = NOBODY
            race.due[side, index(group)] = 0
    mine = int(state[MOVER])
    while humans > 0:
        side, group = _first(race, vampires, werewolves, mine)
        if side == NOBODY:
            break
        house = index(race.goals[side, index(group)])
        there = race.left[house]
        at = race.due[side, index(group)] >> 1
        race.power[side] += race.worths[index(min(at, race.worths.size - 1))] * there
        race.left[house] = 0
        humans -= there
        race.cells[side, index(group)] = race.houses[house]
        race.units[side, index(group)] += there
        race.turns[side, index(group)] = at
    return whole


@inline
def _first(race, vampires, werewolves, mover):
    """The side and the group that come to their humans first; NOBODY if none can."""
    found, first, soonest = NOBODY, 0, LATE
    for side in range(2):
        for group in range(werewolves if side else vampires):
            here = index(group)
            if race.goals[side, here] == NOBODY and race.due[side, here] == LATE:
                continue
            goal = race.goals[side, here]
            if goal == NOBODY or race.left[index(goal)] == 0:
                _choose(race, side, group, int(side != mover))
            if race.due[side, here] < soonest:
                found, first, soonest = side, group, race.due[side, here]
    return found, first


@inline
def _choose(race, side, group, later):
    """Lets a group make for the humans that bring it most a turn."""
    here = index(group)
    units, cell = race.units[side, here], race.cells[side, here]
    best, goal, far = 0.0, NOBODY, 0
    for house in range(race.houses.size):
        there = race.left[house]
        if 0 < there <= units:
            away = distance(race, cell, race.houses[house])
            if there > best * away:
                best, goal, far = there / away, house, away
    race.goals[side, here] = goal
    race.due[side, here] = LATE
    if goal != NOBODY:
        race.due[side, here] = 2 * (race.turns[side, here] + far) + later
