"""Filling in Tron: the champion's, against one as the winner of 2010 had it, at the same time.

The reference goes to the neighbour after which most can be filled by a quick estimate: the best
chain of the chambers that articulation points part, in each of which two colours alternate. Of
equals it takes the one with the fewest free cells around it. It looks some moves ahead for that,
deeper and deeper while there is time (a1k0n, post-mortem of the Google AI Challenge 2010).
"""

from collections.abc import Callable, Iterator
from time import thread_time
from typing import Any, NamedTuple

import numpy as np

from bench.rows import Row
from joute.bots import Seating, View
from joute.bots import make as make_bot
from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.interface import OVER, legal, mover, play, start
from joute.core.maps import find_map
from joute.core.random import below, generator
from joute.core.registry import make
from joute.games.tron.arena import CELLS, HEAD
from joute.games.tron.players.champion import Rivals
from joute.search.fill import Filler
from joute.search.graph import SLOTS, Graph, against, longest, survey

MAPS = ("duel", "columns", "torus", "tunnel", "hourglass")
POSITIONS = 200
LEAST = 12  # moves that a position must allow: in fewer there is little to decide
RANDOM_PLIES = 12  # so that games differ
MOVE_SECONDS = 0.002

Choose = Callable[[np.ndarray, int], int]
"""The direction to go from a head; uint8[cells] says what is taken."""


class Position(NamedTuple):
    """A bike that no other can meet any more."""

    graph: Graph
    taken: np.ndarray  # uint8[cells], its head among them
    head: int


@kernel
def look(graph, taken, head, depth, nodes, room, path, tried, values):
    """Writes to `values` the moves that each direction promises, `depth` moves on; -1 where closed.

    Return how many of so many `nodes` are left: none if it had to stop before it was through.
    `path` and `tried` are int64[depth + 1].
    """
    for direction in range(graph.directions):
        values[direction] = -1
    level = 0
    path[0], tried[0] = head, 0
    while level > 0 or (tried[0] < graph.directions and nodes > 0):
        cell = path[level]
        if tried[level] == graph.directions or nodes == 0:
            taken[index(cell)] = taken[index(against(graph, cell))] = 0
            level -= 1
            continue
        to = int(graph.neighbour[index(SLOTS * cell + tried[level])])
        tried[level] += 1
        if to == 0 or taken[index(to)] != 0:
            continue
        nodes -= 1
        level += 1
        taken[index(to)] = taken[index(against(graph, to))] = 1
        path[level], tried[level] = to, 0
        first = tried[0] - 1
        promised = level + longest(graph, taken, to, room)
        if level in (depth, promised):
            values[first] = max(values[first], promised)
        if level == depth or promised <= values[first]:
            tried[level] = graph.directions
    return nodes


class Winner:
    """The reference, on one graph."""

    def __init__(self, graph: Graph) -> None:
        cells = graph.partner.size
        self._graph = graph
        self._room = survey(cells)
        self._path, self._tried = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
        self._values = np.zeros(graph.directions, np.int64)
        self._look(np.ones(cells, np.uint8), 0, 1, 1)  # compiled now, when no clock runs

    def choose(self, taken: np.ndarray, head: int, seconds: float) -> int:
        """The direction that it takes after so many seconds of CPU; some direction is free."""
        begun = thread_time()
        stop, nodes, used, chosen = begun + seconds, 1000, 0, 0
        for depth in range(1, self._path.size):
            left = self._look(taken, head, depth, nodes)
            now = thread_time()
            if left == 0 and depth > 1:
                break
            chosen = max(
                range(self._graph.directions), key=lambda way: self._rank(taken, head, way)
            )
            used += nodes - left
            nodes = int(used * (stop - now) / (now - begun))
            if nodes < 1 or self._values.max() < depth:
                break
        return chosen

    def _look(self, taken: np.ndarray, head: int, depth: int, nodes: int) -> int:
        room, path, tried, values = self._room, self._path, self._tried, self._values
        return int(look(self._graph, taken, head, depth, nodes, room, path, tried, values))

    def _rank(self, taken: np.ndarray, head: int, direction: int) -> tuple[int, int]:
        """The greatest is the best."""
        to = int(self._graph.neighbour[SLOTS * head + direction])
        around = self._graph.neighbour[SLOTS * to : SLOTS * to + self._graph.directions]
        return int(self._values[direction]), -sum(1 for near in around if near and not taken[near])


def winner(graph: Graph, seconds: float) -> Choose:
    """The reference with so many seconds of CPU for each move."""
    player = Winner(graph)
    return lambda taken, head: player.choose(taken, head, seconds)


def champion(graph: Graph, seconds: float) -> Choose:
    """The filling search as the champion uses it, with so many seconds of CPU for each move."""
    filler, path = Filler(graph), list[int]()
    filler.warm(1)

    def choose(taken: np.ndarray, head: int) -> int:
        known = path if not taken[path].any() else None
        found = filler.fill(taken, head, seconds=seconds, known=known)
        path[:] = found.cells[1:]
        return found.directions[0]

    return choose


def filled(position: Position, choose: Choose) -> int:
    """The moves that are made from a position."""
    graph, taken, head = position.graph, position.taken.copy(), position.head
    moves = 0
    while True:
        row = graph.neighbour[SLOTS * head : SLOTS * head + graph.directions]
        if all(taken[to] for to in row if to):
            return moves
        head = int(row[choose(taken, head)])
        taken[[head, int(graph.partner[head]) or head]] = 1
        moves += 1


def positions(count: int) -> Iterator[Position]:
    """Those of games of one-ply territory with random openings, where two have just parted."""
    rng = generator(1)
    games = [make("tron", map=find_map("tron", name), players=2) for name in MAPS]
    graphs = [Graph(game.directions, game.neighbour, game.partner) for game in games]
    number = found = 0
    while True:
        game, graph = games[number % len(MAPS)], graphs[number % len(MAPS)]
        number += 1
        parted = _parted(game, rng)
        for head in () if parted is None else parted[HEAD : HEAD + 2]:
            taken = (parted[CELLS:] != 0).astype(np.uint8)
            if Filler(graph).bound(taken, int(head)) >= LEAST:
                yield Position(graph, taken, int(head))
                found += 1
                if found == count:
                    return


def _parted(game: Any, rng: np.ndarray) -> Any:
    """The first state of a game in which neither can come to where the other may go, or None."""
    tables = [Seating(game, player, 1, 1.0) for player in range(2)]
    bots = [make_bot("territory", {}, table) for table in tables]
    views, rivals = [View(table) for table in tables], Rivals(game, 0)
    state, known, out = start(game).tolist(), start(game), [0] * game.directions
    ply = 0
    while (player := mover(game, state)) != OVER:
        known[:] = state
        if player == 0 and rivals.nearest(known) is None:
            return known
        known[:] = views[player].of(state)
        action = out[below(rng, legal(game, state, out))]
        play(game, state, action if ply < RANDOM_PLIES else bots[player].play(known).action)
        ply += 1
    return None


def fill_row(count: int = POSITIONS, seconds: float = MOVE_SECONDS) -> Row:
    """The cells filled on average from positions that were taken from games."""
    ours, theirs = [], []
    for position in positions(count):
        ours.append(filled(position, champion(position.graph, seconds)))
        theirs.append(filled(position, winner(position.graph, seconds)))
    more = sum(mine > other for mine, other in zip(ours, theirs, strict=True))
    fewer = sum(mine < other for mine, other in zip(ours, theirs, strict=True))
    mean, other = sum(ours) / count, sum(theirs) / count
    return Row(
        f"filling of {count} positions, {1000 * seconds:g} ms/move", mean, "cells",
        f"as in 2010: {other:.1f}; more in {more}, fewer in {fewer}", mean / other,
        "more cells", mean > other,
    )  # fmt: skip


def rows() -> Iterator[Row]:
    """The row of the filling."""
    yield fill_row()
