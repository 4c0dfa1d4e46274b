"""Tron, the arena: bikes that leave walls behind and try to be the last one driving.

All choose a direction, then all move at once (or, with `order` turns, one after the other). Every
cell a bike has been in is a wall. A bike that drives into a wall, or has no free cell to go to, is
out; so are all that enter one cell together. The walls of bikes that are out stay, or vanish. The
last bike (or team) wins; those that go out together share their place.

The board is a graph: `neighbour` says where each direction leads from each cell, and every closed
one leads to cell 0, a wall for ever. Teleporters, stairs, floors and edges that wrap are nothing
but entries of this table.

Source: the Google AI Challenge 2010 (rules of the two-bike game), and the readings of them listed
with the recorded games of this project's specification.

The layout of the state and the moves of the bikes are in `arena`. A game of one bike is played by
`solo`.
"""

from typing import Any

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.core.random import below
from joute.games.tron import features as _features  # noqa: F401 - implements them
from joute.games.tron.arena import (
    ALIVE,
    CELLS,
    CHOICE,
    COUNT,
    COURSE,
    HEAD,
    MADE,
    MOVER,
    NONE,
    NTH,
    OPEN,
    PENDING,
    PLACE,
    ROUND,
    WALL,
    Tron,
    move_all,
    move_one,
    open_round,
    pass_turn,
)
from joute.games.tron.text import TronBase, add_text_operations, settle


def make(
    *,
    map: Any = "",
    players: Any = 2,
    rotation: Any = 0,
    order: Any = "",
    trail: Any = "",
    wrap: Any = "",
    teams: Any = (),
) -> Any:
    """Tron on a map.

    Args:
        map: the text of a map; "" is a plain room.
        players: bikes; 0 for as many as the map has starts.
        rotation: bike i starts on digit (i + rotation) mod players + 1.
        order: "simultaneous" or "turns"; "" here and below: as the map says.
        trail: "stay" or "vanish", the walls of those who are out.
        wrap: "none", "x", "y" or "xy", the edges that lead to the opposite side.
        teams: lists of bikes; () where each plays for itself.

    Raises GameError.
    """
    settings = settle(map, players, rotation, order, trail, wrap, teams)
    if settings.players == 1:
        from joute.games.tron.solo import solo

        return solo(settings)
    base = TronBase.of(settings)
    sides = settings.teams or tuple((bike,) for bike in range(settings.players))
    side_of = {bike: side for side, bikes in enumerate(sides) for bike in bikes}
    return Tron(
        players=settings.players,
        directions=base.directions,
        turns=settings.order == "turns",
        vanish=settings.trail == "vanish",
        cells=len(base.board.places),
        neighbour=base.board.neighbour,
        partner=base.board.partner,
        starts=np.array(base.starts, np.int16),
        teams=len(sides),
        team=np.array([side_of[bike] for bike in range(settings.players)], np.int16),
        source=base.source,
        shape=base.shape,
        spots=base.spots,
    )


@implements(Tron)
def start(game: Tron) -> np.ndarray:
    state = np.zeros(CELLS + game.cells, np.int16)
    state[CELLS] = WALL
    state[ALIVE] = game.players
    for bike, cell in enumerate(game.starts):
        state[HEAD + bike] = cell
        state[CHOICE + bike] = state[COURSE + bike] = NONE
        state[CELLS + cell] = 1 + bike
    plain = state.tolist()
    if game.turns:
        pass_turn(game, plain, 0)
    else:
        open_round(game, plain)
    return np.array(plain, np.int16)


@implements(Tron)
def mover(game, state):
    return int(state[MOVER])


@implements(Tron)
def pending(game, state):
    return int(state[PENDING])


@implements(Tron)
def legal(game, state, out):
    free = int(state[index(OPEN + int(state[MOVER]))])
    count = int(COUNT[index(free)])
    for rank in range(count):
        out[rank] = int(NTH[index(8 * free + rank)])
    return count


@implements(Tron)
def pick(game, state, out, rng):
    free = int(state[index(OPEN + int(state[MOVER]))])
    return int(NTH[index(8 * free + below(rng, int(COUNT[index(free)])))])


@implements(Tron)
def mask(game, state, row, out):
    free = int(state[index(OPEN + int(state[MOVER]))])
    for direction in range(game.directions):
        row[index(direction)] = free >> direction & 1 != 0


@implements(Tron)
def play(game, state, action):
    bike = int(state[MOVER])
    state[index(CHOICE + bike)] = action
    if game.turns:
        move_one(game, state, bike)
        pass_turn(game, state, bike + 1)
        return
    state[PENDING] += 1
    bike += 1
    while bike < game.players:
        if state[index(OPEN + bike)] != 0:
            state[MOVER] = bike
            return
        bike += 1
    move_all(game, state)
    open_round(game, state)


# Results, and what is hidden.


@implements(Tron)
@inline
def points(game, state, player):
    return int(state[index(MADE + player)])


@implements(Tron)
def returns(game, state, out):
    """The sides outlived less the sides that lived longer, by the number of other sides."""
    for player in range(game.players):
        lead = 0
        mine = _last_place(game, state, player)
        for other in range(game.players):
            if _first_of_side(game, other):
                theirs = _last_place(game, state, other)
                lead += (mine < theirs) - (mine > theirs)
        out[player] = lead / (game.teams - 1)


@inline
def _first_of_side(game, player):
    """Whether nobody of this player's side has a lower number: a side is counted by its first."""
    for other in range(player):
        if game.team[index(other)] == game.team[index(player)]:
            return False
    return True


@inline
def _last_place(game, state, player):
    """The place of the last survivor of a player's side; 0 if one is alive."""
    if game.teams == game.players:
        return int(state[index(PLACE + player)])
    best = int(state[index(PLACE + player)])
    for other in range(game.players):
        if game.team[index(other)] == game.team[index(player)]:
            best = min(best, int(state[index(PLACE + other)]))
    return best


@implements(Tron)
def determinize(game, state, player, rng):
    # The draws do not depend on what they replace. A choice may also be a wall, which nobody but
    # a bot that fails would choose.
    for bike in range(int(state[MOVER])):
        if bike != player and state[index(CHOICE + bike)] >= 0:
            free = int(state[index(OPEN + bike)])
            rank = below(rng, int(COUNT[index(free)]))
            state[index(CHOICE + bike)] = int(NTH[index(8 * free + rank)])


@implements(Tron)
def fault_action(game, state, player):
    course = int(state[index(COURSE + player)])
    if course >= 0:
        return course
    return int(NTH[index(8 * int(state[index(OPEN + player)]))])


# The facts of this layout that `text` needs.


@implements(Tron)
def marks(game: Tron, state: Any) -> list[int]:
    return [int(mark) for mark in state[CELLS:]]


@implements(Tron)
def heads(game: Tron, state: Any) -> list[int]:
    return [int(cell) for cell in state[HEAD : HEAD + game.players]]


@implements(Tron)
def courses(game: Tron, state: Any) -> list[int]:
    return [int(course) for course in state[COURSE : COURSE + game.players]]


@implements(Tron)
def living(game: Tron, state: Any) -> list[int]:
    return [bike for bike in range(game.players) if state[PLACE + bike] == 0]


@implements(Tron)
def rounds(game: Tron, state: Any) -> int:
    return int(state[ROUND])


def places(game: Tron, state: Any) -> list[int]:
    """Each bike's place at the end: 1 + the bikes that lived longer."""
    return [max(int(place), 1) for place in state[PLACE : PLACE + game.players]]


add_text_operations(Tron)
