"""Tron alone: one bike fills a room, and its moves are its score.

The rules are those of `tron`; this layout has nothing that only an arena needs. It is made for
random games: the board lies in the state so that the surroundings of the head are a few words
away, and no step of a game depends on a branch that cannot be foreseen.

Source: a workshop of an engineering school ("Tron", flat Monte Carlo in plain Python and NumPy).

State:  uint8 (of a large room uint16, uint32) [PLACES + places]: the place of the head, the moves
        made, the directions that are shut as bits (those from the game's `directions` on always;
        ALL_SHUT: it is over), the last direction of 0 to 3 that was taken (NONE before any); then
        the places: 0 free, 1 taken or a wall.
Action: a direction, as in `tron`.

A place is where a cell lies in the state. A plain floor lies there row by row, with a column of
walls between the rows and a row of them at both ends, so that the places around a head are at fixed
distances; cells of any other board lie there by number. Place 0 is a wall in both.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index, signed
from joute.core.interface import OVER, implements, inline
from joute.core.random import below
from joute.games.tron.arena import COUNT, NTH
from joute.games.tron.board import SLOTS, Board
from joute.games.tron.features import CHOOSES, OWN, OWN_TRAIL, WALLS, features_shape
from joute.games.tron.text import TronBase, TronSettings, add_text_operations, chart_of

HEAD, MADE, SHUT, COURSE = 0, 1, 2, 3  # indices in the state
PLACES = 8  # index of place 0
ALL_SHUT, NO_STAIRS = 63, 48
NONE = 7  # no course

DRAWS = 60  # a multiple of 1 to 6: a draw is fair to each free direction
PICKS = np.zeros(64 * 64, np.int8)  # PICKS[64 * shut + draw]: one of the directions not shut
for _shut in range(ALL_SHUT):
    _free = [bit for bit in range(6) if not _shut >> bit & 1]
    PICKS[64 * _shut : 64 * _shut + DRAWS] = _free * (DRAWS // len(_free))


class Solo(NamedTuple):
    """A room for one bike."""

    players: int
    directions: int  # 4, or 6 where there are stairs
    cells: int  # cell 0 included
    neighbour: np.ndarray  # int16[8 * cells]
    partner: np.ndarray  # int16[cells], the other end of a teleporter; 0 for none
    starts: np.ndarray  # int16[1]
    source: np.ndarray  # uint8, the settings as JSON
    width: int  # places from one row of a plain floor to the next; 0 for any other board
    beside: np.ndarray  # int32[8 * places], `neighbour` by places
    pair: np.ndarray  # int32[places], `partner` by places
    place: np.ndarray  # int32[cells], the place of each cell
    cell: np.ndarray  # int32[places], the cell of each place; 0 for a wall
    shape: np.ndarray  # int32[3]: floors, rows, columns
    spots: np.ndarray  # int32[cells]: the cell's place on all floors, rows from the top


def solo(settings: TronSettings) -> Solo:
    """The game for one bike with these settings."""
    base = TronBase.of(settings)
    board = base.board
    cells = len(board.places)
    width, place = 0, np.arange(cells, dtype=np.int32)
    if _is_plain(settings, board):
        width, place = _rows(board)
    places = int(place[-1]) + width + 1
    cell = np.zeros(places, np.int32)
    cell[place] = np.arange(cells)
    # The entries of a place without a cell are never looked at.
    return Solo(
        players=1,
        directions=base.directions,
        cells=cells,
        neighbour=board.neighbour,
        partner=board.partner,
        starts=np.array(base.starts, np.int16),
        source=base.source,
        width=width,
        beside=place[board.neighbour.reshape(cells, SLOTS)[cell]].ravel(),
        pair=place[board.partner[cell]],
        place=place,
        cell=cell,
        shape=base.shape,
        spots=base.spots,
    )


def _is_plain(settings: TronSettings, board: Board) -> bool:
    """Whether from each cell each direction leads to the cell beside it on one floor, if to any."""
    chart, _ = chart_of(settings)
    return settings.wrap == "none" and len(chart.floors) == 1 and not board.partner.any()


def _rows(board: Board) -> tuple[int, np.ndarray]:
    """The width of a plain floor's rows in the state, and the place of each cell."""
    x, y, _ = np.array(board.places, np.int32).T
    left, bottom = x[1:].min(), y[1:].min()
    width = int(x.max() - left) + 2
    place = width * (y - bottom + 1) + x - left + 1
    place[0] = 0
    return width, place


@implements(Solo)
def start(game: Solo) -> np.ndarray:
    places = game.cell.size
    head = int(game.place[game.starts[0]])
    state = [head, 0, 0, NONE, *[0] * (PLACES - 4), *(int(cell == 0) for cell in game.cell)]
    state[PLACES + head] = 1
    state[SHUT] = _shut_by_table(game, state, head)
    return np.array(state, np.min_scalar_type(places))


@implements(Solo)
def mover(game, state):
    return OVER if state[SHUT] == ALL_SHUT else 0


@implements(Solo)
def legal(game, state, out):
    free = ALL_SHUT - signed(state[SHUT])
    count = int(COUNT[index(free)])
    for rank in range(count):
        out[rank] = int(NTH[index(8 * free + rank)])
    return count


@implements(Solo)
def pick(game, state, out, rng):
    return int(PICKS[index(64 * signed(state[SHUT]) + below(rng, DRAWS))])


@implements(Solo)
def play(game, state, action):
    place = int(game.beside[index(SLOTS * signed(state[HEAD]) + action)])
    if state[index(PLACES + place)] != 0:
        state[SHUT] = ALL_SHUT
        return
    state[HEAD] = place
    state[MADE] += 1
    state[index(PLACES + place)] = 1
    if game.width > 0:
        state[COURSE] = action
        state[SHUT] = _shut_in_rows(game, state, place)
        return
    if action < 4:
        state[COURSE] = action
    state[index(PLACES + int(game.pair[index(place)]))] = 1  # place 0, without a pair
    state[SHUT] = _shut_by_table(game, state, place)


@inline
def _shut_in_rows(game, state, place):
    """The directions that are shut around a place of a plain floor, as bits."""
    width = game.width
    return (
        NO_STAIRS
        | _taken(state, place - 1)
        | _taken(state, place + width) << 1
        | _taken(state, place + 1) << 2
        | _taken(state, place - width) << 3
    )


@inline
def _shut_by_table(game, state, place):
    """The directions that are shut around a place of any board, as bits."""
    row = SLOTS * place
    stairs = NO_STAIRS
    if game.directions > 4:
        stairs = _beside(game, state, row + 4) << 4 | _beside(game, state, row + 5) << 5
    return (
        stairs
        | _beside(game, state, row)
        | _beside(game, state, row + 1) << 1
        | _beside(game, state, row + 2) << 2
        | _beside(game, state, row + 3) << 3
    )


@inline
def _taken(state, place):
    return signed(state[index(PLACES + place)])


@inline
def _beside(game, state, entry):
    return _taken(state, int(game.beside[index(entry)]))


@implements(Solo)
@inline
def points(game, state, player):
    return signed(state[MADE])


@implements(Solo)
def returns(game, state, out):
    out[0] = float(signed(state[MADE]))


@implements(Solo)
def fault_action(game, state, player):
    course = signed(state[COURSE])
    return course if course != NONE else int(NTH[index(8 * (ALL_SHUT - signed(state[SHUT])))])


# The facts of this layout that others need, in cells.


@inline
def head_of(game, state):
    """The cell of the head."""
    return int(game.cell[index(signed(state[HEAD]))])


@inline
def is_taken(game, state, cell):
    """Whether a cell cannot be entered; cell 0 never can."""
    return state[index(PLACES + int(game.place[index(cell)]))] != 0


@implements(Solo)
def marks(game: Solo, state: Any) -> list[int]:
    return [int(state[PLACES + place]) for place in game.place.tolist()]


@implements(Solo)
def heads(game: Solo, state: Any) -> list[int]:
    return [int(head_of(game, state))]


@implements(Solo)
def courses(game: Solo, state: Any) -> list[int]:
    course = int(state[COURSE])
    return [-1 if course == NONE else course]


@implements(Solo)
def living(game: Solo, state: Any) -> list[int]:
    return [] if state[SHUT] == ALL_SHUT else [0]


@implements(Solo)
def rounds(game: Solo, state: Any) -> int:
    return int(state[MADE])


add_text_operations(Solo)

implements(Solo, "features_shape")(features_shape)


@implements(Solo, "features")
def features(game, state, player, out):
    size = int(game.shape[0]) * int(game.shape[1]) * int(game.shape[2])
    chooses = 0.0 if state[SHUT] == ALL_SHUT else 1.0
    for spot in range(size):
        out[index(WALLS * size + spot)] = 1.0
        out[index(CHOOSES * size + spot)] = chooses
    for cell in range(1, game.cells):
        spot, place = int(game.spots[index(cell)]), int(game.place[index(cell)])
        out[index(WALLS * size + spot)] = 0.0
        out[index(OWN_TRAIL * size + spot)] = float(signed(state[index(PLACES + place)]))
    head = int(game.cell[index(signed(state[HEAD]))])
    out[index(OWN * size + int(game.spots[index(head)]))] = 1.0
