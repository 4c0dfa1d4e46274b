"""Orders of Vampires vs Werewolves that a search looks at: some dozens of the many there are.

The orders are the combinations of the groups' best options; a group has the more of them, the less
its next one is worse than its best. Where moves of a combination forbid each other, as a cell would
be both left and come to, the later groups stay.
"""

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.games.vampires.players.evaluation import houses, places
from joute.games.vampires.players.options import (
    MOST_GOALS,
    MOST_GROUPS,
    MOST_OPTIONS,
    SPLIT_GOALS,
    Orders,
    list_options,
)
from joute.games.vampires.state import BORDER, DONE, KIND, MOST, Vampires, first_cell, step

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
    """Say how many options of each group are combined: the combinations are few enough."""
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
    """Write the orders that the combinations are, each once; return how many."""
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
    """Write the moves of a combination from `begin` on, less those that those before forbid.

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
    """Clear the marks of a combination."""
    for group in range(groups):
        option = index(generator.ranks[group, index(generator.chosen[group])])
        generator.marks[index(generator.cells[group])] = 0
        generator.marks[index(generator.options[group, option, 0])] = 0
        generator.marks[index(generator.options[group, option, 2])] = 0


@inline
def _any_move(generator, game, state, out):
    """Write the order that the first group moves, wherever it can; return its end."""
    cell = generator.cells[0]
    direction = 0
    while state[index(first_cell(game) + cell + step(game, direction))] >= BORDER * KIND:
        direction += 1
    out[0] = (cell * 8 + direction) * KIND + generator.units[0]
    out[1] = DONE
    return 2
