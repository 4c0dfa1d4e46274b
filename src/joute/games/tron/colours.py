"""How far one bike can go at most: the colours of the cells, as on a draughts board, alternate."""

from joute.games.tron.board import WIDTH, Board

DIRECTIONS = 6


def two_colour_bound(board: Board, start: int) -> int | None:
    """No bike that begins on the cell `start` makes more moves, alone.

    None where the cells that it can reach have no two colours that alternate along every move (an
    odd way round a wrapped edge, say): there this argument says nothing.
    """
    colour = _colours(board, start)
    if colour is None:
        return None
    # The bike stands on one end of a pair only, so two ends of one colour are one cell.
    ends = {cell for cell in colour if colour[cell] == colour.get(int(board.partner[cell]))}
    count = [0, 0]  # of cells that can be stood on, of the start's colour and of the other
    for cell, own in colour.items():
        count[own] += cell not in ends or cell < int(board.partner[cell])
    return _moves(*count)


def _moves(same: int, other: int) -> int:
    """The longest alternating path that begins on the first colour, in moves."""
    return 2 * other if same > other else 2 * same - 1


def _colours(board: Board, start: int) -> dict[int, int] | None:
    """The colour of each cell that can be reached, 0 for the start; None if there are no two."""
    colour = {start: 0}
    reached = [start]
    for cell in reached:
        for entry in board.neighbour[WIDTH * cell : WIDTH * cell + DIRECTIONS]:
            near = int(entry)
            if near and near not in colour:
                colour[near] = 1 - colour[cell]
                reached.append(near)
            elif near and colour[near] == colour[cell]:
                return None
    return colour
