"""A bound on the moves of any path through the free cells of a graph, block by block.

A path never comes back to a cell, so the blocks (parts without a cut cell) that it visits form a
chain in the tree of blocks and cut cells, as in `graph.longest`. In each block it takes at most two
of the steps at a cell, one in and one out; one where it enters the block, one where it leaves it
for another, and one at each end of a pair, as it comes to one end and goes on from the other. The
bound is the best chain of the steps that can be chosen so.

How many can be is a matter of matching: Kuhn, "The Hungarian method for the assignment problem"
(1955), in its unweighted form. It takes steps as directed, from cells that are left to cells that
are entered, so that a board need not have two colours; each step is then chosen up to twice, and
half of the choices is a bound. Where a block has two colours, the ends of a path say besides
whether its moves are odd.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.search.graph import SLOTS, against, helper, longest, lower_end

NOTHING = -1  # in Steps: no cell, no step


class Steps(NamedTuple):
    """The arrays of `most_moves`, int32[cells] each but for the first two."""

    chosen: np.ndarray  # uint8[SLOTS * cells], steps that are chosen, by the cell they leave
    stamp: np.ndarray  # int32[1], the number of the search for one step more
    block: np.ndarray  # the first cell found of the block in which a cell was found
    found: np.ndarray  # the cells in the order in which they were found
    after: np.ndarray  # the next cell of a block, 0 after the last
    beyond: np.ndarray  # the most moves from a cell into the blocks behind it
    leaves: np.ndarray  # how many more steps may leave a cell
    enters: np.ndarray  # how many more steps may enter it
    entered: np.ndarray  # the number of the last search that came to it by a step
    left: np.ndarray  # the number of the last search that looked at the steps that leave it
    step: np.ndarray  # the step by which a search entered a cell
    back: np.ndarray  # the chosen step that a search gives up to go on from a cell; NOTHING: none
    queue: np.ndarray  # cells to go on from


def steps(cells: int) -> Steps:
    """Arrays for graphs of that many cells."""
    columns = [np.zeros(cells, np.int32) for _ in Steps._fields[2:]]
    return Steps(np.zeros(SLOTS * cells, np.uint8), np.zeros(1, np.int32), *columns)


@kernel
def steps_bound(graph, taken, head, survey, work):
    """As `most_moves`, for callers outside of kernels."""
    return most_moves(graph, taken, head, survey, work)


@helper
def most_moves(graph, taken, head, survey, work):
    """No path from `head` through cells that are not `taken` has more moves.

    `taken` (uint8[cells]) holds the head, and of each pair both ends or none. Afterwards
    `survey.order` is as after `longest`.
    """
    bound = longest(graph, taken, head, survey)
    count = _part(taken, survey, work)
    for back in range(count):
        first = int(work.found[index(count - 1 - back)])
        if work.block[index(first)] == first:
            above = index(int(survey.parent[index(first)]))
            moves = _best_way(graph, taken, head, first, survey, work)
            work.beyond[above] = max(work.beyond[above], moves)
    return min(bound, int(work.beyond[index(head)]))


@helper
def _part(taken, survey, work):
    """Lists the cells found, and those of each block; returns how many there are but the head."""
    count = 0
    for cell in range(taken.size):
        work.beyond[cell] = work.after[cell] = 0
        work.block[cell] = NOTHING
        work.entered[cell] = work.left[cell] = 0
        order = int(survey.order[cell])
        if order > 1:
            work.found[index(order - 2)] = cell
            count += 1
    work.stamp[0] = 0
    for place in range(count):
        cell = int(work.found[index(place)])
        above = int(survey.parent[index(cell)])
        first = cell
        if survey.low[index(cell)] < survey.order[index(above)]:
            first = int(work.block[index(above)])
            work.after[index(cell)] = work.after[index(first)]
            work.after[index(first)] = cell
        work.block[index(cell)] = first
    return count


@helper
def _node(graph, taken, head, cell):
    """The cell that stands for a free cell or the head in the survey; 0 for any other."""
    if cell == head:
        return head
    return 0 if cell == 0 or taken[index(cell)] else lower_end(graph, cell)


@helper
def _beside(graph, taken, head, first, survey, work, cell, direction):
    """The cell that a direction enters if the step is one of the block that begins with `first`.

    0 if it is not; of a pair the end that is entered.
    """
    to = against(graph, int(graph.neighbour[index(SLOTS * cell + direction)]))
    node = _node(graph, taken, head, to)
    if node == 0 or node == _node(graph, taken, head, cell):
        return 0
    inside = work.block[index(node)] == first or node == survey.parent[index(first)]
    return to if inside else 0


@helper
def _best_way(graph, taken, head, first, survey, work):
    """The most moves into the block that begins with `first`, and on from it."""
    if work.after[index(first)] == 0:
        return 1 + int(work.beyond[index(first)])
    above = int(survey.parent[index(first)])
    chosen = _choose(graph, taken, head, first, survey, work)
    most = chosen
    best = chosen // 2
    odd = 0  # whether the block has no two colours
    cell = first
    while cell != 0:
        odd |= int(survey.odd[index(cell)])
        cell = int(work.after[index(cell)])
    cell = first
    while cell != 0:
        beyond = int(work.beyond[index(cell)])
        if beyond > 0 and most // 2 + beyond > best:
            if graph.partner[index(cell)] == 0:
                chosen += _spare(graph, taken, head, first, survey, work, cell)
                while chosen < most and _augment(graph, taken, head, first, survey, work):
                    chosen += 1
            moves = chosen // 2
            if odd == 0:
                moves -= (moves ^ survey.depth[index(cell)] ^ survey.depth[index(above)]) & 1
            best = max(best, moves + beyond)
            if graph.partner[index(cell)] == 0:
                work.leaves[index(cell)] += 1
                work.enters[index(cell)] += 1
                while chosen < most and _augment(graph, taken, head, first, survey, work):
                    chosen += 1
        cell = int(work.after[index(cell)])
    return best


@helper
def _end(graph, head, cell, number):
    """The places of a cell of the survey, number 0 and 1; 0 where there is none."""
    if number == 0:
        return cell
    return 0 if cell == head else int(graph.partner[index(cell)])


@helper
def _choose(graph, taken, head, first, survey, work):
    """Chooses as many steps of a block as can be, and returns their number."""
    above = int(survey.parent[index(first)])
    chosen = 0
    for stage in range(2):  # clear the block, then choose steps as they come
        cell = above
        while cell != 0:
            for number in range(2):
                end = _end(graph, head, cell, number)
                if end == 0:
                    continue
                if stage == 0:
                    room = 1 if cell == above or graph.partner[index(end)] != 0 else 2
                    work.leaves[index(end)] = work.enters[index(end)] = room
                for direction in range(graph.directions):
                    entry = index(SLOTS * end + direction)
                    if stage == 0:
                        work.chosen[entry] = 0
                    elif work.leaves[index(end)] > 0:
                        to = _beside(graph, taken, head, first, survey, work, end, direction)
                        if to != 0 and work.enters[index(to)] > 0:
                            work.chosen[entry] = 1
                            work.leaves[index(end)] -= 1
                            work.enters[index(to)] -= 1
                            chosen += 1
            cell = first if cell == above else int(work.after[index(cell)])
    while _augment(graph, taken, head, first, survey, work):
        chosen += 1
    return chosen


@helper
def _step(graph, cell, target):
    """The place in `chosen` of the step from a cell to the one beside it that it enters."""
    entry = SLOTS * cell
    while against(graph, int(graph.neighbour[index(entry)])) != target:
        entry += 1
    return entry


@helper
def _spare(graph, taken, head, first, survey, work, cell):
    """Lets one step less leave and enter a cell; returns minus the number of steps given up."""
    change = 0
    work.leaves[index(cell)] -= 1
    work.enters[index(cell)] -= 1
    for direction in range(graph.directions):
        to = _beside(graph, taken, head, first, survey, work, cell, direction)
        if to == 0:
            continue
        out = SLOTS * cell + direction
        if work.leaves[index(cell)] < 0 and work.chosen[index(out)]:
            work.chosen[index(out)] = 0
            work.leaves[index(cell)] += 1
            work.enters[index(to)] += 1
            change -= 1
        into = _step(graph, to, cell)
        if work.enters[index(cell)] < 0 and work.chosen[index(into)]:
            work.chosen[index(into)] = 0
            work.enters[index(cell)] += 1
            work.leaves[index(to)] += 1
            change -= 1
    return change


@helper
def _augment(graph, taken, head, first, survey, work):
    """Chooses one step more in a block if it can, and gives up others for it where it must."""
    work.stamp[0] += 1
    stamp = int(work.stamp[0])
    done = found = 0
    above = int(survey.parent[index(first)])
    cell = above
    while cell != 0:
        for number in range(2):
            end = _end(graph, head, cell, number)
            if end != 0 and work.leaves[index(end)] > 0:
                work.left[index(end)] = stamp
                work.back[index(end)] = NOTHING
                work.queue[index(found)] = end
                found += 1
        cell = first if cell == above else int(work.after[index(cell)])
    while done < found:
        cell = int(work.queue[index(done)])
        done += 1
        for direction in range(graph.directions):
            entry = SLOTS * cell + direction
            if work.chosen[index(entry)]:
                continue
            to = _beside(graph, taken, head, first, survey, work, cell, direction)
            if to == 0 or work.entered[index(to)] == stamp:
                continue
            work.entered[index(to)] = stamp
            work.step[index(to)] = entry
            if work.enters[index(to)] > 0:
                _change(graph, to, work)
                return True
            for way in range(graph.directions):
                other = _beside(graph, taken, head, first, survey, work, to, way)
                if other == 0 or work.left[index(other)] == stamp:
                    continue
                given_up = _step(graph, other, to)
                if work.chosen[index(given_up)]:
                    work.left[index(other)] = stamp
                    work.back[index(other)] = given_up
                    work.queue[index(found)] = other
                    found += 1
    return False


@helper
def _change(graph, last, work):
    """Chooses the steps by which a search came to `last`, and gives up those that stood for it."""
    work.enters[index(last)] -= 1
    to = last
    while True:
        entry = int(work.step[index(to)])
        work.chosen[index(entry)] = 1
        cell = entry // SLOTS
        given_up = int(work.back[index(cell)])
        if given_up == NOTHING:
            work.leaves[index(cell)] -= 1
            return
        work.chosen[index(given_up)] = 0
        to = against(graph, int(graph.neighbour[index(given_up)]))
