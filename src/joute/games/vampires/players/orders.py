"""Orders of Vampires vs Werewolves that a search looks at: some dozens of the many there are.

Each group has options: all of it to a cell around; where groups split, a part of it, just large
enough, towards humans or enemies, and the rest to others or nowhere; or to stay. An option is worth
the units that it may win where they go and, by the inverse distance, further on; less where a
stronger enemy stands next to it. Enemies are sought by several groups together that are strong
enough only as one.

The orders are the combinations of the groups' best options; a group has the more of them, the less
its next one is worse than its best. Where moves of a combination forbid each other, as a cell would
be both left and come to, the later groups stay.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.games.vampires.players.evaluation import distance, houses, list_groups, places
from joute.games.vampires.state import (
    BORDER,
    DONE,
    HUMANS,
    KIND,
    MOST,
    MOVER,
    Vampires,
    first_cell,
    step,
)

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
    """Lists the mover's groups and the options of each, ranked; returns how many groups."""
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
    """Lists humans and enemies; returns how many goals are humans, and how many there are."""
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
    """Writes the worth of each goal to a group, in units, if it gets there."""
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
    """Adds the options of all of a group: each cell around, and to stay."""
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
    """The worth of a cell to a group."""
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
    """Adds options in which a group sends just enough to a goal, and the rest to another or stays.

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
    """Lists the best goals for a part of a group, the best first; returns how many."""
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
    """The number of units that are sure to take a goal."""
    there = generator.there[index(goal)]
    return there if goal < people else (3 * there + 1) // 2


@inline
def _value(generator, cell, goal):
    """The worth of a goal that can be taken for sure from a cell."""
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
    """Enters an option of a group, targets of 0 for no moves; the better gain counts, if twice."""
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
    """Sorts the options of a group by their gains, the best first."""
    ranks, gains = generator.ranks, generator.gains
    for each in range(generator.counts[group]):
        gain, place = gains[group, index(each)], each
        while place > 0 and gains[group, index(ranks[group, index(place - 1)])] < gain:
            ranks[group, index(place)] = ranks[group, index(place - 1)]
            place -= 1
        ranks[group, index(place)] = each


MOST_TURNS = 64

FACTOR, PRIME = 1_000_003, (1 << 31) - 1  # of the numbers that tell orders apart


def orders(game: Vampires, most_turns: int = MOST_TURNS) -> Orders:
    """The generator for this game, of so many orders at most."""

    def ints(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    return Orders(
        most_turns=most_turns,
        most_actions=most_turns * (2 * MOST_GROUPS + 1),
        columns=places(game)[0],
        rows=places(game)[1],
        houses=houses(game),
        cells=ints(MOST_GROUPS),
        units=ints(MOST_GROUPS),
        goals=ints(MOST_GOALS),
        there=ints(MOST_GOALS),
        worths=np.zeros(MOST_GOALS),
        nearest=ints(SPLIT_GOALS),
        options=ints(MOST_GROUPS, MOST_OPTIONS, 4),
        gains=np.zeros((MOST_GROUPS, MOST_OPTIONS)),
        ranks=ints(MOST_GROUPS, MOST_OPTIONS),
        counts=ints(MOST_GROUPS),
        widths=ints(MOST_GROUPS),
        chosen=ints(MOST_GROUPS),
        keys=ints(most_turns),
        marks=ints(game.size),
    )


@implements(Orders, "turns")
def _turns(generator, game, state, out, ends):
    groups = list_options(generator, game, state)
    _widen(generator, groups)
    count = _combine(generator, groups, out, ends)
    if count == 0:
        ends[0] = _any_move(generator, game, state, out)
        count = 1
    return count


@inline
def _widen(generator, groups):
    """Says how many options of each group are combined: the combinations are few enough."""
    widths, gains, ranks = generator.widths, generator.gains, generator.ranks
    product = 1
    for group in range(groups):
        widths[group] = 1
    while True:
        widest = -1
        least = 0.0
        for group in range(groups):
            width = widths[group]
            fits = product // width * (width + 1) <= generator.most_turns
            if fits and width < generator.counts[group]:
                best, next_one = ranks[group, 0], ranks[group, index(width)]
                loss = gains[group, index(best)] - gains[group, index(next_one)]
                if widest < 0 or loss < least:
                    widest, least = group, loss
        if widest < 0:
            return
        product = product // widths[index(widest)] * (widths[index(widest)] + 1)
        widths[index(widest)] += 1


@inline
def _combine(generator, groups, out, ends):
    """Writes the orders that the combinations are, each once; returns how many."""
    chosen, widths, keys = generator.chosen, generator.widths, generator.keys
    for group in range(groups):
        chosen[group] = 0
    count = end = 0
    mended = False
    group = 0
    while group < groups:
        last, left_out, key = _take(generator, groups, out, end)
        _forget(generator, groups)
        mended = mended or left_out
        # Combinations differ; so do their orders, until one has been mended.
        known = False
        for each in range(count if mended else 0):
            known = known or keys[each] == key
        if last > end and not known:
            out[index(last)] = DONE
            end = last + 1
            ends[index(count)] = end
            keys[index(count)] = key
            count += 1
        group = 0
        while group < groups:
            chosen[group] += 1
            if chosen[group] < widths[group]:
                break
            chosen[group] = 0
            group += 1
    return count


@inline
def _take(generator, groups, out, begin):
    """Writes the moves of a combination from `begin` on, less those that those before forbid.

    Return the end, whether any is left out, and a number that tells orders apart.
    """
    end, left_out, key = begin, False, 0
    for group in range(groups):
        option = index(generator.ranks[group, index(generator.chosen[group])])
        cell = index(generator.cells[group])
        for part in (0, 2):
            target = index(generator.options[group, option, part])
            if target == 0:
                continue
            action = generator.options[group, option, part + 1]
            coming, units = generator.marks[target], action % KIND
            if generator.marks[cell] > 0 or coming < 0 or coming + units > MOST:
                left_out = True
            else:
                generator.marks[cell] = -1
                generator.marks[target] = coming + units
                out[index(end)] = action
                end += 1
                key = (key * FACTOR + action) % PRIME
    return end, left_out, key


@inline
def _forget(generator, groups):
    """Clears the marks of a combination."""
    for group in range(groups):
        option = index(generator.ranks[group, index(generator.chosen[group])])
        generator.marks[index(generator.cells[group])] = 0
        generator.marks[index(generator.options[group, option, 0])] = 0
        generator.marks[index(generator.options[group, option, 2])] = 0


@inline
def _any_move(generator, game, state, out):
    """Writes the order that the first group moves, wherever it can; returns its end."""
    cell = generator.cells[0]
    direction = 0
    while state[index(first_cell(game) + cell + step(game, direction))] >= BORDER * KIND:
        direction += 1
    out[0] = (cell * 8 + direction) * KIND + generator.units[0]
    out[1] = DONE
    return 2
