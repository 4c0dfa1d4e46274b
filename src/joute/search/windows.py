"""A level of a search with windows: what is known of it before it is looked at, and its order.

The searches' stacks have arrays of the same names, which is all that is used of them here.
"""

from joute.core.arrays import index
from joute.core.interface import inline
from joute.search.evaluation import bounds
from joute.search.table import AT_LEAST, AT_MOST, EXACT, hashed


@inline
def recall(game, work, table, level):
    """Whether the table knows the value of a level's state well enough; then it is the level's."""
    here = index(level)
    key = hashed(work.states[here], work.states.shape[1])
    work.keys[here] = key
    place = index(key & (table.keys.size - 1))
    if level == 0 or table.keys[place] != key:
        return False
    facts, value = table.facts[place], table.values[place]
    bound, whole = facts & 3, (facts >> 2) & 1
    if not whole and facts >> 3 < work.depths[here]:
        return False
    work.values[here] = value
    work.whole[here] = whole
    return (
        bound == EXACT
        or (bound == AT_LEAST and value >= work.betas[here])
        or (bound == AT_MOST and value <= work.alphas[here])
    )


@inline
def decided(game, evaluation, work, level):
    """Whether all that can follow is outside a level's window; then its bound is the level's."""
    here = index(level)
    lowest, highest = bounds(evaluation, game, work.states[here], work.players[here])
    work.values[here] = highest if highest <= work.alphas[here] else lowest
    work.whole[here] = 1
    return level > 0 and (highest <= work.alphas[here] or lowest >= work.betas[here])


@inline
def remember(work, table, here):
    """Put what a finished level has found into the table."""
    value = work.values[here]
    bound = EXACT
    if value >= work.betas[here]:
        bound = AT_LEAST
    elif value <= work.floors[here]:
        bound = AT_MOST
    place = index(work.keys[here] & (table.keys.size - 1))
    table.keys[place] = work.keys[here]
    table.values[place] = value
    table.facts[place] = 8 * work.depths[here] + 4 * work.whole[here] + bound
    table.actions[place] = work.best[here]


@inline
def take_next(work, here):
    """Take the action of the highest score off a level's list; the last one takes its place."""
    actions, scores = work.actions[here], work.scores[here]
    last = work.counts[here] - 1
    chosen, highest = 0, scores[0]
    for each in range(1, last + 1):
        if scores[each] > highest:
            chosen, highest = each, scores[each]
    action = actions[index(chosen)]
    actions[index(chosen)], scores[index(chosen)] = actions[index(last)], scores[index(last)]
    work.counts[here] = last
    return action
