"""Territory in Tron: the cells that each bike reaches first, and how many of them it can fill.

A cell belongs to the bike that is nearest to it; where several are equally near, to nobody. The
cells of a bike fall apart into chambers, joined at cells through which every way leads
(articulation points). A bike can go from chamber to chamber but not back, so it fills the best
chain of chambers, and in each at most what its two colours let a path take: one more of the colour
it enters on than of the other. A chamber that has a front, cells beside those of others, is taken
by who is there in time: a bike makes straight for it, and what it could fill before is not counted.

Sources: the winner of the Google AI Challenge 2010 (a1k0n, post-mortem of 2010), with the weights
of its regression over 11,691 games, 55 per cell and 194 per end of an edge, in thousandths, of the
chain alone. Of two bikes the difference counts beside the root of the sum, which says better how
games between this evaluation and that program ended. Articulation points: Hopcroft and Tarjan,
"Efficient algorithms for graph manipulation" (1973), in one depth-first pass; the chain is found
on the way back, when a chamber is complete.

A pair of teleporters is one cell here, with the neighbours of both ends: it can be used once, and
then both ends are walls.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from joute.bots import Evaluation
from joute.core.arrays import index
from joute.core.interface import OVER, implements, inline, mover, operation, points
from joute.core.interface import returns as game_returns
from joute.games.tron.arena import CELLS, HEAD, PLACE, ROUND, Tron
from joute.games.tron.board import SLOTS
from joute.games.tron.players.parted import OWNER, Regions, bound_both, regions
from joute.games.tron.solo import Solo, head_of, is_taken
from joute.games.tron.text import MOST_BIKES

DECISIVE = 2.0  # log-odds that often decide a game
PER_CELL, PER_END = 0.055, 0.194
LEAD = 3.3  # log-odds of two bikes, of a lead as large as the root of the sum
LEAD_OF_MORE = 0.25  # log-odds of more bikes, of a lead of 1
SEPARATED = 10.0  # per cell that can be filled, once two bikes cannot meet: a cell more has won
WON = 1e6  # beyond every value of a state that is not over

CLOSED = -1  # the label of a cell that is no longer free; its owner is nobody


class Territory(NamedTuple):
    """The evaluation, for `territory`'s game: the board as it looks at it, and room to work in."""

    bipartite: bool  # whether neighbours are always of different colours
    node: np.ndarray  # int16[cells], the cell itself; for the second end of a pair the first
    begin: np.ndarray  # int32[cells], where a cell's neighbours begin in `near`
    near: np.ndarray  # int16, the neighbours of each cell, each list ended by a 0
    unit: np.ndarray  # int64[cells], what a cell counts: ZERO or ONE, by its colour
    # From here on, what is written:
    label: np.ndarray  # int32[cells], CLOSED, 0 (free, not reached), STEP * distance + owner
    queue: np.ndarray  # int16[cells], the cells reached, the nearest first
    order: np.ndarray  # int16[cells], when the depth-first pass came to a cell; 0: not yet
    low: np.ndarray  # int16[cells], the earliest such order next to a cell's subtree
    parent: np.ndarray  # int16[cells], in the depth-first tree; 0: the head
    resume: np.ndarray  # int32[cells], the place in `near` to go on from
    size: np.ndarray  # int64[cells], of the part of a subtree in the cell's own chamber
    chain: np.ndarray  # int64[cells], the best chain of chambers below this one, without a front
    ahead: np.ndarray  # int64[cells], the best with one, and the way from the head to it
    results: np.ndarray  # float64[players]
    # Set by a search, about its root:
    standing: np.ndarray  # int16[8 - players], heads of bikes that are no part of it; 0 for none
    draw: np.ndarray  # float64[1], what it is worth to the first of two that both go out together
    # For a search alone:
    close: int  # cells: two bikes that have parted and are so close are bounded anew; 0: none are
    regions: Regions


def territory(game: Any, draw: float = 0.0, close: int = 0) -> Territory:
    """The evaluation for a game of Tron, with arrays of its own: one per thread."""
    cells = int(game.cells)
    node = np.arange(cells, dtype=np.int16)
    second = (game.partner > 0) & (game.partner < node)
    node[second] = game.partner[second]
    near = _neighbours(game, node)
    colour = _colours(near)
    bipartite = all(colour[cell] != colour[to] for cell in range(cells) for to in near[cell])
    begin, flat = np.zeros(cells, np.int32), list[int]()
    for cell in range(cells):
        begin[cell] = len(flat)
        flat += [*near[cell], 0]
    ones = np.array([colour[each] for each in node], bool)
    return Territory(
        bipartite=bipartite,
        node=node,
        begin=begin,
        near=np.array(flat, np.int16),
        unit=np.where(ones, ONE, ZERO),
        label=np.zeros(cells, np.int32),
        queue=np.zeros(cells, np.int16),
        order=np.zeros(cells, np.int16),
        low=np.zeros(cells, np.int16),
        parent=np.zeros(cells, np.int16),
        resume=np.zeros(cells, np.int32),
        size=np.zeros(cells, np.int64),
        chain=np.zeros(cells, np.int64),
        ahead=np.zeros(cells, np.int64),
        results=np.zeros(game.players),
        standing=np.zeros(MOST_BIKES - game.players, np.int16),
        draw=np.full(1, draw),
        close=close,
        regions=regions(game) if close else regions(game, 0),
    )


def evaluations(game: Any) -> dict[str, Evaluation]:
    """The evaluations of the game, by name: none of a bike alone."""
    if not isinstance(game, Tron):
        return {}
    return {"territory": Evaluation(lambda: territory(game), DECISIVE, several=True)}


def _neighbours(game: Any, node: np.ndarray) -> list[list[int]]:
    """The neighbours of each cell, in the order of the directions; a pair's are its first end's."""
    near: list[list[int]] = [[] for _ in range(game.cells)]
    for cell in range(1, game.cells):
        mine = near[int(node[cell])]
        for direction in range(game.directions):
            to = int(node[game.neighbour[SLOTS * cell + direction]])
            if to and to != node[cell] and to not in mine:
                mine.append(to)
    return near


def _colours(near: list[list[int]]) -> list[int]:
    """0 or 1 for each cell, in turn along every way where that is possible."""
    colour = [-1] * len(near)
    for first in range(len(near)):
        if colour[first] < 0:
            colour[first] = 0
            found = [first]
            for cell in found:
                for to in near[cell]:
                    if colour[to] < 0:
                        colour[to] = 1 - colour[cell]
                        found.append(to)
    return colour


@implements(Territory, "evaluate")
def _territory(evaluation, game, state, player):
    """Log-odds for `player` of two; of more, the lead of its side over the best other.

    One bike alone: the moves it has made, and those it can still make by this reckoning.
    """
    return weigh(game, evaluation, state, player)


@operation
def weigh(game, territory, state, player):
    """`evaluate`, by the layout of the game."""
    raise NotImplementedError(f"{type(game).__name__} has no territory")


@implements(Solo, "weigh")
def _alone(game, territory, state, player):
    for cell in range(game.cells):
        territory.label[cell] = CLOSED if is_taken(game, state, cell) else 0
        territory.order[cell] = 0
    head = head_of(game, state)
    _spread(territory, _reach(territory, game, head, 1, 0))
    fill, _ = fill_own(territory, game, head, 1)
    return float(points(game, state, player) + fill)


@implements(Tron, "weigh")
def _arena(game, territory, state, player):
    side = int(game.team[index(player)])
    if mover(game, state) == OVER or not _lives(game, state, side):
        return _result(territory, game, state, player)
    met = _divide(territory, game, state)
    sums = territory.results
    sums[:] = 0.0
    for bike in range(game.players):
        if state[index(PLACE + bike)] == 0:
            fill, ends = fill_own(territory, game, int(state[index(HEAD + bike)]), bike + 1)
            value = SEPARATED * fill
            if met or game.players > 2:
                value = PER_CELL * fill + PER_END * ends
            sums[index(int(game.team[index(bike)]))] += value
    if not met and game.players == 2 and territory.close > 0:
        bound_both(territory, game, state, sums, SEPARATED)
    best = -WON
    for other in range(game.teams):
        if other != side and sums[index(other)] > best:
            best = sums[index(other)]
    lead = sums[index(side)] - best
    if game.players > 2:
        return LEAD_OF_MORE * lead
    return LEAD * lead / math.sqrt(sums[index(side)] + best + 1.0) if met else lead


@inline
def _lives(game, state, side):
    """Whether a bike of a side is not out."""
    for bike in range(game.players):
        if game.team[index(bike)] == side and state[index(PLACE + bike)] == 0:
            return True
    return False


@inline
def _result(territory, game, state, player):
    """The value of a game that is over, or over for this player's side only.

    Among more than two, a bike that is out is below all that are not, whatever its place: else a
    bot would rather die second than go on.
    """
    game_returns(game, state, territory.results)
    value = territory.results[index(player)]
    if game.players > 2 and not _lives(game, state, int(game.team[index(player)])):
        value -= 2.0
    if value == 0.0 and game.players == 2:
        return territory.draw[0] if player == 0 else -territory.draw[0]
    return (WON - float(state[ROUND])) * value


# Whose the cells are.


@inline
def _divide(territory, game, state):
    """Gives each cell to the bike nearest to it; returns whether two bikes can reach one cell."""
    _clear(territory, state, CELLS)
    reached = 0
    for bike in range(game.players):
        if state[index(PLACE + bike)] == 0:
            head = int(state[index(HEAD + bike)])
            reached = _reach(territory, game, head, bike + 1, reached)
    met = False
    for each in range(territory.standing.size):
        head = int(territory.standing[each])
        if head != 0:
            reached = _reach(territory, game, head, game.players + each + 1, reached)
            met = True
    for each in range(reached):
        met |= territory.label[index(int(territory.queue[each]))] & OWNER == NOBODY
    return _spread(territory, reached) or met


@inline
def _clear(territory, state, first):
    """Nothing is reached yet; the cells of the state begin at `first`."""
    label, order = territory.label, territory.order
    for cell in range(label.size):
        label[cell] = CLOSED if state[first + cell] != 0 else 0
        order[cell] = 0


@inline
def _reach(territory, game, head, owner, reached):
    """Puts the cells next to a head into the queue, with `reached` in it; returns how many are in.

    Not by `near`: who stands on one end of a pair has not the neighbours of both.
    """
    label, queue = territory.label, territory.queue
    mine = STEP + owner
    for direction in range(game.directions):
        cell = int(territory.node[index(int(game.neighbour[index(SLOTS * head + direction)]))])
        found = label[index(cell)]
        if found == 0:
            label[index(cell)] = mine
            queue[index(reached)] = cell
            reached += 1
        elif found > 0 and found != mine:
            label[index(cell)] = STEP + NOBODY
    return reached


@inline
def _spread(territory, reached):
    """Goes on from the cells in the queue, breadth first; returns whether two bikes have met."""
    label, queue, near = territory.label, territory.queue, territory.near
    met = False
    done = 0
    while done < reached:
        cell = int(queue[index(done)])
        done += 1
        next_label = label[index(cell)] + STEP
        at = int(territory.begin[index(cell)])
        to = int(near[index(at)])
        while to != 0:
            found = label[index(to)]
            if found == 0:
                label[index(to)] = next_label
                queue[index(reached)] = to
                reached += 1
            elif found > 0 and (found ^ next_label) & OWNER:
                met = True
                if (found ^ next_label) < STEP:  # as far away
                    label[index(to)] = next_label | NOBODY
            at += 1
            to = int(near[index(at)])
    return met


NOBODY = 15  # the owner in a label, else a bike's number + 1
STEP = 16  # what a step further adds to a label

# Numbers of several parts. The size of a chamber: ends of edges, cells of each colour, and a bit
# for a front. A chain: ends of edges, and the moves through it.
ZERO, ONE = 1 << 20, 1 << 36  # a cell of colour 0, of colour 1
ENDS, COLOUR = ZERO - 1, (1 << 16) - 1  # masks
FRONT = 1 << 52
MOVE = 1 << 20  # a move through a chain


@inline
def fill_own(territory, game, head, owner):
    """The moves of a bike through its best chain of chambers, and the ends of edges at it."""
    seen = 1  # the head
    best = 0
    for direction in range(game.directions):
        first = index(
            int(territory.node[index(int(game.neighbour[index(SLOTS * head + direction)]))])
        )
        mine = territory.label[first] & OWNER == owner
        if mine and territory.order[first] == 0:
            seen = _explore(territory, int(first), owner, seen)
            chain = int(territory.chain[first]) + _most(territory, int(territory.size[first]), head)
            best = max(best, chain, int(territory.ahead[first]))
    return best // MOVE, best & ENDS


@inline
def _explore(territory, first, owner, seen):
    """Goes through a bike's cells from `first`, depth first; `seen` is how many it knows already.

    Returns how many it knows then. `size`, `chain` and `ahead` of `first` are then those of the
    chamber that is entered with it.
    """
    near, label, order = territory.near, territory.label, territory.order
    cell = first
    above = 0
    lowest, chain, ahead, size, at = 0, 0, 0, 0, 0
    entering = True
    while True:
        if entering:
            entering = False
            seen += 1
            order[index(cell)] = seen
            territory.parent[index(cell)] = above
            # A cell next to the head is joined to the first of all.
            lowest = 1 if label[index(cell)] < 2 * STEP else seen
            chain, ahead, size = 0, 0, int(territory.unit[index(cell)])
            at = int(territory.begin[index(cell)])
        to = int(near[index(at)])
        at += 1
        if to != 0:
            found = label[index(to)]
            if found & OWNER == owner:
                size += 1
                when = int(order[index(to)])
                if when == 0:
                    territory.low[index(cell)] = lowest
                    territory.size[index(cell)] = size
                    territory.chain[index(cell)], territory.ahead[index(cell)] = chain, ahead
                    territory.resume[index(cell)] = at
                    above, cell = cell, to
                    entering = True
                elif when < lowest:
                    lowest = when
            elif found > 0:
                size = (size + 1) | FRONT
            continue
        above = int(territory.parent[index(cell)])
        if above == 0:
            territory.size[index(cell)] = size
            territory.chain[index(cell)], territory.ahead[index(cell)] = chain, ahead
            return seen
        if lowest >= order[index(above)]:  # a chamber, entered from the cell above
            chain += _most(territory, size, above)
            way = label[index(above)] // STEP * MOVE
            if size >= FRONT or ahead > way + chain:
                chain, ahead = 0, max(ahead, way + chain)
            else:
                ahead = 0
            size = 0
        cell = above
        lowest = min(lowest, int(territory.low[index(cell)]))
        chain = max(chain, int(territory.chain[index(cell)]))
        ahead = max(ahead, int(territory.ahead[index(cell)]))
        other = int(territory.size[index(cell)])
        size = (size + (other & (FRONT - 1))) | (other & FRONT)
        at = int(territory.resume[index(cell)])


@inline
def _most(territory, size, entrance):
    """The longest path that two colours allow in a chamber, the entrance left out; as a chain."""
    zeros, ones, ends = size // ZERO & COLOUR, size // ONE & COLOUR, size & ENDS
    if not territory.bipartite:
        return (zeros + ones) * MOVE + ends
    same, other = (ones, zeros) if territory.unit[index(entrance)] == ONE else (zeros, ones)
    return min(2 * same + 1, 2 * other) * MOVE + ends
