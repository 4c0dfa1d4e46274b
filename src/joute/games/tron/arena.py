"""The arena of two to eight bikes: the layout of its state, and how the bikes move in it.

State:  int16[CELLS + cells]: who chooses, rounds done, bikes alive, choices in, then by bike (eight
        places each) the head's cell, the direction chosen in this round (-1: none), the free
        directions as bits, the last direction of 0 to 3 that was taken (-1: none), the moves made,
        the place at the end (0 while alive), the cell it goes to; then the cells: 0 free, 1 + p the
        trail of bike p, CRASHED where several went out, WALL.
Action: a direction: 0 left, 1 up, 2 right, 3 down, 4 upstairs, 5 downstairs.

The bikes move all at once, or one after the other. A round notes all free directions before anybody
chooses, so that no choice shows in what is open to another.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import OVER, inline
from joute.games.tron.board import SLOTS
from joute.games.tron.text import CRASHED

MOVER, ROUND, ALIVE, PENDING = 0, 1, 2, 3  # places in the state
HEAD, CHOICE, OPEN, COURSE, MADE, PLACE = 8, 16, 24, 32, 40, 48  # of bike 0; bike p's is p further
GOAL = 56  # of bike 0: the cell it moves to, while a round is being resolved
CELLS = 64  # place of cell 0
WALL = 255
NONE = -1  # no choice, no course

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
    teams: int  # as many as there are players where each plays for itself
    team: np.ndarray  # int16[players], 0..teams - 1
    source: np.ndarray  # uint8, the settings as JSON
    shape: np.ndarray  # int32[3]: floors, rows, columns
    spots: np.ndarray  # int32[cells]: the cell's place on all floors, rows from the top


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
def open_round(game, state):
    """Begins a round: notes who can go where, so that no choice shows in another's directions.

    A bike that cannot move goes out with the round, unasked; so rounds are played until one can.
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
        move_all(game, state)


@inline
def move_all(game, state):
    """Moves everybody as they chose, then takes out those who crashed."""
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
    """Lets a bike take its goal; several that meet there leave a CRASHED cell."""
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
    """Gives the bikes of `crashed` (bits) their place; with `vanish`, frees their cells."""
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
def move_one(game, state, bike):
    """Moves the bike whose turn it is."""
    goal = _goal(game, state, bike)
    state[index(GOAL + bike)] = goal
    if goal == 0:
        _take_out(game, state, 1 << bike)
    else:
        _enter(game, state, bike, 0)
    state[index(CHOICE + bike)] = NONE


@inline
def pass_turn(game, state, bike):
    """Gives the turn to the next bike that can move; those before it that cannot go out."""
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
