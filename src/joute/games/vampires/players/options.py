"""What each group of Vampires vs Werewolves may do that a search looks at: a group's options.

Each group has options: all of it to a cell around; where groups split, a part of it, just large
enough, towards humans or enemies, and the rest to others or nowhere; or to stay. An option is worth
what its units may get where they go and, by the inverse distance, further on; less where a stronger
enemy stands next to it. Enemies are sought by several groups together that are strong enough only
as one.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import inline
from joute.games.vampires.players.evaluation import distance, list_groups
from joute.games.vampires.state import BORDER, HUMANS, KIND, MOVER, first_cell, step

MOST_GROUPS = 32  # that move; the others, from the lower right of the grid, stay
MOST_GOALS = 160  # humans and enemies looked at, the humans first
MOST_OPTIONS = 48  # of a group
SPLIT_GOALS = 5  # that parts of a group are sent to

JOIN = 0.3  # what joining another group is worth, of the smaller one
RISK = 0.6  # of the units where a stronger enemy can come in a turn
APART = 0.85  # what splitting leaves of what the parts may get


class Orders(NamedTuple):
    """A generator of whole orders, with the arrays it works in."""

    most_turns: int
    most_actions: int
    columns: np.ndarray  # int64[size], of each cell
    rows: np.ndarray  # int64[size]
    houses: np.ndarray  # int64[houses]
    cells: np.ndarray  # int64[MOST_GROUPS], of the mover's groups
    units: np.ndarray  # int64[MOST_GROUPS]
    goals: np.ndarray  # int64[MOST_GOALS], cells of humans, then of enemies
    there: np.ndarray  # int64[MOST_GOALS], how many they are
    worths: np.ndarray  # float64[MOST_GOALS], of each goal for the group looked at
    nearest: np.ndarray  # int64[SPLIT_GOALS], goals for a part of it
    options: np.ndarray  # int64[MOST_GROUPS, MOST_OPTIONS, 4]: two moves, each after its target
    gains: np.ndarray  # float64[MOST_GROUPS, MOST_OPTIONS]
    ranks: np.ndarray  # int64[MOST_GROUPS, MOST_OPTIONS], the options by their gains
    counts: np.ndarray  # int64[MOST_GROUPS], options
    widths: np.ndarray  # int64[MOST_GROUPS], options that are combined, the best ones
    chosen: np.ndarray  # int64[MOST_GROUPS], the rank of the option in a combination
    keys: np.ndarray  # int64[most_turns], numbers that tell the orders written apart
    marks: np.ndarray  # int64[size], what an order does to a cell: -1 it is left, n come


@inline
def list_options(generator, game, state):
    """List the mover's groups and the options of each, ranked; return how many groups there are."""
    player = int(state[MOVER])
    groups = list_groups(game, state, player, generator.cells, generator.units)
    people, goals = list_goals(generator, game, state, 1 - player)
    for group in range(groups):
        _weigh(generator, groups, people, goals, group)
        generator.counts[group] = 0
        _move_all(generator, game, state, groups, people, goals, group)
        if game.split:
            _split(generator, game, people, goals, group)
        _rank(generator, group)
    return groups


@inline
def list_goals(generator, game, state, enemy):
    """List humans and enemies; return how many goals are humans, and how many there are."""
    count = 0
    for each in range(min(len(generator.houses), MOST_GOALS)):
        cell = generator.houses[each]
        held = int(state[index(first_cell(game) + cell)])
        if held // KIND == HUMANS:
            generator.goals[index(count)] = cell
            generator.there[index(count)] = held % KIND
            count += 1
    enemies = list_groups(game, state, enemy, generator.goals[count:], generator.there[count:])
    return count, count + enemies


@inline
def _weigh(generator, groups, people, goals, group):
    """Say what each goal is worth to a group, in units, if it gets there."""
    units, cell = generator.units[group], generator.cells[group]
    for goal in range(goals):
        there = generator.there[goal]
        if goal < people:
            worth = float(there) if units >= there else _against_humans(units, there)
        else:
            # With those that can be there as soon, who have their share of it.
            far = distance(generator, cell, generator.goals[goal])
            together = 0
            for other in range(groups):
                if distance(generator, generator.cells[other], generator.goals[goal]) <= far:
                    together += generator.units[other]
            worth = max(
                _against_enemies(units, there),
                _against_enemies(together, there) * units / together,
            )
        generator.worths[goal] = worth


@inline
def _against_humans(units, there):
    """The units expected to be won in a battle with more humans."""
    wins = units / (2.0 * there)
    return wins * wins * (units + there) - units


@inline
def _against_enemies(units, there):
    """The enemies expected to fall in an attack, less the units lost."""
    if 2 * units >= 3 * there:
        return float(there)
    wins = units / (2.0 * there) if units <= there else units / there - 0.5
    killed = there * (1.0 - (1.0 - wins) * (1.0 - wins))
    return killed - units * (1.0 - wins * wins)


@inline
def _move_all(generator, game, state, groups, people, goals, group):
    """Add the options of all of a group: each cell around, and to stay."""
    cell, units = generator.cells[group], generator.units[group]
    for direction in range(9):
        target = cell + step(game, direction) if direction < 8 else cell
        if state[index(first_cell(game) + target)] >= BORDER * KIND:
            continue
        gain = _gain(generator, groups, people, goals, group, target)
        if direction == 8:
            target = 0
        _add(generator, group, target, (cell * 8 + direction) * KIND + units, 0, 0, gain)


@inline
def _gain(generator, groups, people, goals, group, target):
    """What it is worth to a group to be at a cell."""
    units = generator.units[group]
    here = pull = risk = 0.0
    for goal in range(goals):
        far = distance(generator, target, generator.goals[goal])
        worth = generator.worths[goal]
        if far == 0:
            here += worth
        else:
            pull = max(pull, worth / (1.0 + far))
            if far == 1 and goal >= people and 2 * generator.there[goal] >= 3 * units:
                risk = RISK * units
    for other in range(groups):
        if other != group:
            far = distance(generator, target, generator.cells[other])
            pull = max(pull, JOIN * min(units, generator.units[other]) / (1.0 + far))
    return here + pull - risk


@inline
def _split(generator, game, people, goals, group):
    """Add options in which a group sends just enough to a goal, and the rest to another or stays.

    Of the goals that a part is enough for, the best ones by worth and distance are looked at.
    """
    cell, units = generator.cells[group], generator.units[group]
    found = _nearest_goals(generator, people, goals, group)
    for one in range(found):
        goal = generator.nearest[one]
        part = _enough(generator, people, goal)
        direction = _towards(generator, cell, generator.goals[goal])
        target = cell + step(game, direction)
        action = (cell * 8 + direction) * KIND + part
        gain = _value(generator, cell, goal)
        _add(generator, group, target, action, 0, 0, APART * gain)
        for two in range(found):
            other = generator.nearest[two]
            turned = _towards(generator, cell, generator.goals[other])
            if turned != direction and part + _enough(generator, people, other) <= units:
                both = APART * (gain + _value(generator, cell, other))
                beside = cell + step(game, turned)
                rest = (cell * 8 + turned) * KIND + units - part
                if action < rest:
                    _add(generator, group, target, action, beside, rest, both)
                else:
                    _add(generator, group, beside, rest, target, action, both)


@inline
def _nearest_goals(generator, people, goals, group):
    """List the best goals for a part of a group, the best first; return how many."""
    cell, units = generator.cells[group], generator.units[group]
    nearest = generator.nearest
    found = 0
    for goal in range(goals):
        if _enough(generator, people, goal) >= units:
            continue
        value = _value(generator, cell, goal)
        place = min(found, SPLIT_GOALS - 1)
        if found == SPLIT_GOALS and _value(generator, cell, nearest[index(place)]) >= value:
            continue
        while place > 0 and _value(generator, cell, nearest[index(place - 1)]) < value:
            nearest[index(place)] = nearest[index(place - 1)]
            place -= 1
        nearest[index(place)] = goal
        found = min(found + 1, SPLIT_GOALS)
    return found


@inline
def _enough(generator, people, goal):
    """How many units are sure to take a goal."""
    there = generator.there[index(goal)]
    return there if goal < people else (3 * there + 1) // 2


@inline
def _value(generator, cell, goal):
    """What a goal is worth to who can take it for sure, from a cell."""
    far = distance(generator, cell, generator.goals[index(goal)])
    return generator.there[index(goal)] / far


@inline
def _towards(generator, cell, target):
    """The direction of the first step from a cell to another."""
    across = generator.columns[index(target)] - generator.columns[index(cell)]
    down = generator.rows[index(target)] - generator.rows[index(cell)]
    around = 4 + int(across > 0) - int(across < 0) + 3 * (int(down > 0) - int(down < 0))
    return around - int(around > 4)


@inline
def _add(generator, group, target, action, beside, rest, gain):
    """Enter an option of a group, targets of 0 for no moves; the better gain counts, if twice."""
    options, count = generator.options, generator.counts[group]
    for each in range(count):
        if options[group, index(each), 1] == action and options[group, index(each), 3] == rest:
            generator.gains[group, index(each)] = max(gain, generator.gains[group, index(each)])
            return
    if count < MOST_OPTIONS:
        options[group, index(count), 0], options[group, index(count), 1] = target, action
        options[group, index(count), 2], options[group, index(count), 3] = beside, rest
        generator.gains[group, index(count)] = gain
        generator.counts[group] = count + 1


@inline
def _rank(generator, group):
    """Sort the options of a group by their gains, the best first."""
    ranks, gains = generator.ranks, generator.gains
    for each in range(generator.counts[group]):
        gain, place = gains[group, index(each)], each
        while place > 0 and gains[group, index(ranks[group, index(place - 1)])] < gain:
            ranks[group, index(place)] = ranks[group, index(place - 1)]
            place -= 1
        ranks[group, index(place)] = each
