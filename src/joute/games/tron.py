"""Tron, the arena: bikes that leave walls behind and try to be the last one driving.

All choose a direction, then all move at once (or, with `order` turns, one after the other). Every
cell a bike has been in is a wall. Who drives into a wall, or has no free cell to go to, is out; so
are all who enter one cell together. The walls of the dead stay, or vanish. The last bike (or team)
wins; those who go out together share their place.

The board is a graph: `neighbour` says where each direction leads from each cell, and every closed
one leads to cell 0, a wall for ever. Teleporters, stairs, floors and edges that wrap are nothing
but entries of this table.

Source: the Google AI Challenge 2010 (rules of the two-bike game), and the readings of them listed
with the recorded games of this project's specification.

State:  int16[CELLS + cells]: who chooses, rounds done, bikes alive, choices in, then by bike (eight
        places each) the head's cell, the direction chosen in this round (-1: none), the free
        directions as bits, the last direction of 0 to 3 that was taken (-1: none), the moves made,
        the place at the end (0 while alive), the cell it goes to; then the cells: 0 free, 1 + p the
        trail of bike p, CRASHED where several went out, WALL.
Action: a direction: 0 left, 1 up, 2 right, 3 down, 4 upstairs, 5 downstairs.

A game of one bike is played by `tron_solo`.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.games.arrays import index
from joute.games.interface import OVER, implements, inline
from joute.games.random import below
from joute.games.tron_text import CRASHED, Settings, TronBase, serve, settle

MOVER, ROUND, ALIVE, PENDING = 0, 1, 2, 3  # places in the state
HEAD, CHOICE, OPEN, COURSE, MADE, PLACE = 8, 16, 24, 32, 40, 48  # of bike 0; bike p's is p further
GOAL = 56  # of bike 0: the cell it moves to, while a round is being resolved
CELLS = 64  # place of cell 0
WALL = 255
NONE = -1  # no choice, no course

SLOTS = 8  # entries of `neighbour` per cell
COUNT = np.array([word.bit_count() for word in range(64)], np.int8)
NTH = np.zeros(512, np.int8)  # NTH[8 * word + rank]: the bit of `word` with `rank` set bits below
for _word in range(64):
    for _rank, _bit in enumerate(bit for bit in range(6) if _word >> bit & 1):
        NTH[8 * _word + _rank] = _bit


class Tron(NamedTuple):
    """An arena of two to eight bikes."""

    players: int
    directions: int  # 4, or 6 where there are stairs
    turns: bool
    vanish: bool
    cells: int  # cell 0 included
    neighbour: np.ndarray  # int16[8 * cells]
    partner: np.ndarray  # int16[cells], the other end of a teleporter; 0 for none
    starts: np.ndarray  # int16[players]
    teams: int  # as many as there are players where each plays for himself
    team: np.ndarray  # int16[players], 0..teams - 1
    source: np.ndarray  # uint8, the settings as JSON


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
        teams: lists of bikes; () where each plays for himself.

    Raises GameError.
    """
    settings = settle(map, players, rotation, order, trail, wrap, teams)
    if settings.players == 1:
        from joute.games.tron_solo import solo

        return solo(settings)
    return _arena(settings)


def _arena(settings: Settings) -> Tron:
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
        _pass_turn(game, plain, 0)
    else:
        _open_round(game, plain)
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
def play(game, state, action):
    bike = int(state[MOVER])
    state[index(CHOICE + bike)] = action
    if game.turns:
        _move_one(game, state, bike)
        _pass_turn(game, state, bike + 1)
        return
    state[PENDING] += 1
    bike += 1
    while bike < game.players:
        if state[index(OPEN + bike)] != 0:
            state[MOVER] = bike
            return
        bike += 1
    _move_all(game, state)
    _open_round(game, state)


@inline
def _open_directions(game, state, bike):
    """The directions that lead from a bike to a free cell, as bits."""
    row = SLOTS * int(state[index(HEAD + bike)])
    free = 0
    # The compiler unrolls a loop of a known length: a tenth of a playout's time.
    for direction in range(4):
        free |= _is_free(game, state, row + direction) << direction
    for direction in range(4, game.directions):
        free |= _is_free(game, state, row + direction) << direction
    return free


@inline
def _is_free(game, state, place):
    """1 if the cell at a place of `neighbour` is free, else 0."""
    return int(state[index(CELLS + int(game.neighbour[index(place)]))] == 0)


@inline
def _decided(game, state):
    """Whether all bikes that are left are of one side."""
    if game.teams == game.players:
        return state[ALIVE] <= 1
    side = NONE
    for bike in range(game.players):
        if state[index(PLACE + bike)] == 0:
            if side >= 0 and int(game.team[index(bike)]) != side:
                return False
            side = int(game.team[index(bike)])
    return True


# All at once.


@inline
def _open_round(game, state):
    """Begin a round: note who can go where, so that no choice shows in another's directions.

    Who cannot move goes out with the round, unasked; so rounds are played until somebody can.
    """
    while True:
        if _decided(game, state):
            state[MOVER] = OVER
            return
        first = NONE
        for back in range(game.players):
            bike = game.players - 1 - back
            free = 0
            if state[index(PLACE + bike)] == 0:
                free = _open_directions(game, state, bike)
                if free != 0:
                    first = bike
            state[index(OPEN + bike)] = free
        if first >= 0:
            state[MOVER] = first
            return
        _move_all(game, state)


@inline
def _move_all(game, state):
    """Move everybody as they chose, then take out those who crashed."""
    for bike in range(game.players):
        state[index(GOAL + bike)] = _goal(game, state, bike)
    crashed = 0
    for bike in range(game.players):
        if state[index(PLACE + bike)] == 0:
            crashed |= int(_crashes(game, state, bike)) << bike
    for bike in range(game.players):
        if state[index(GOAL + bike)] != 0:
            _enter(game, state, bike, crashed >> bike & 1)
        state[index(CHOICE + bike)] = NONE
    state[ROUND] += 1
    state[PENDING] = 0
    if crashed != 0:
        _take_out(game, state, crashed)


@inline
def _goal(game, state, bike):
    """The free cell that a bike has chosen; 0 if it chose a wall, or nothing."""
    choice = int(state[index(CHOICE + bike)])
    if choice < 0:
        return 0
    cell = int(game.neighbour[index(SLOTS * int(state[index(HEAD + bike)]) + choice)])
    return cell if state[index(CELLS + cell)] == 0 else 0


@inline
def _crashes(game, state, bike):
    """Whether a bike has no goal, or another enters its goal, or the other end of its pair."""
    goal = int(state[index(GOAL + bike)])
    if goal == 0:
        return True
    other_end = int(game.partner[index(goal)])
    for other in range(game.players):
        entered = int(state[index(GOAL + other)])
        if other != bike and entered != 0 and entered in (goal, other_end):
            return True
    return False


@inline
def _enter(game, state, bike, crashed):
    """Let a bike take its goal; several that meet there leave a CRASHED cell."""
    goal = int(state[index(GOAL + bike)])
    mark = CRASHED if crashed else 1 + bike
    state[index(CELLS + goal)] = mark
    other_end = int(game.partner[index(goal)])
    if other_end != 0:
        state[index(CELLS + other_end)] = mark
    if not crashed:
        choice = int(state[index(CHOICE + bike)])
        state[index(HEAD + bike)] = goal
        state[index(MADE + bike)] += 1
        if choice < 4:
            state[index(COURSE + bike)] = choice


@inline
def _take_out(game, state, crashed):
    """Give the bikes of `crashed` (bits) their place; with `vanish`, free their cells."""
    state[ALIVE] -= COUNT[index(crashed & 15)] + COUNT[index(crashed >> 4)]
    for bike in range(game.players):
        if crashed >> bike & 1:
            state[index(PLACE + bike)] = state[ALIVE] + 1
            state[index(OPEN + bike)] = 0
    if game.vanish:
        for cell in range(1, game.cells):
            mark = int(state[index(CELLS + cell)])
            if mark == CRASHED or (mark > 0 and crashed >> (mark - 1) & 1):
                state[index(CELLS + cell)] = 0


# One after the other.


@inline
def _move_one(game, state, bike):
    """Move the bike whose turn it is."""
    goal = _goal(game, state, bike)
    state[index(GOAL + bike)] = goal
    if goal == 0:
        _take_out(game, state, 1 << bike)
    else:
        _enter(game, state, bike, 0)
    state[index(CHOICE + bike)] = NONE


@inline
def _pass_turn(game, state, bike):
    """Give the turn to the next bike that can move; those before it that cannot go out."""
    while True:
        if _decided(game, state):
            state[ROUND] += bike > 0
            state[MOVER] = OVER
            return
        if bike == game.players:
            bike = 0
            state[ROUND] += 1
        if state[index(PLACE + bike)] == 0:
            free = _open_directions(game, state, bike)
            if free != 0:
                state[index(OPEN + bike)] = free
                state[MOVER] = bike
                return
            _take_out(game, state, 1 << bike)
        bike += 1


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
                his = _last_place(game, state, other)
                lead += (mine < his) - (mine > his)
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


# What `tron_text` needs to know of this layout.


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


serve(Tron)
