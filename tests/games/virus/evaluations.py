"""The evaluations of Virus a second time, plainly, by the words of the specification."""

from pathlib import Path

from games.virus.oracle import Oracle
from search.plain import final

import joute.games.virus.players.evaluation as reference
from joute.core.interface import OVER, mover, observe

WEIGHTS = [
    [float(word) for word in line.split()]
    for line in (Path(reference.__file__).parent / "fitted.txt").read_text().splitlines()
]


def board_of(game, state):
    """The board of a state of Virus, for the oracle's questions."""
    seen = observe(game, state, 0)
    board = Oracle(seen["size"], True, 0)
    board.grid = [[None if cell == "." else int(cell) for cell in row] for row in seen["grid"]]
    return board


def features(board, player):
    """Section 3 of the specification, for the side to move, by its words."""
    other = 1 - player
    reach = {side: set(board.places(side)) for side in (0, 1)}
    own = board.cells(player)
    theirs = board.cells(other)

    def turnable(stones, by):
        return sum(any(near in reach[by] for near in board.neighbours(cell)) for cell in stones)

    def safe(stones):
        around = [[board.grid[r][c] for r, c in board.neighbours(cell)] for cell in stones]
        return sum(None not in cells for cells in around)

    return {
        "stones": len(own) - len(theirs),
        "own turnable": turnable(own, other),
        "other's turnable": turnable(theirs, player),
        "safe": safe(own) - safe(theirs),
        "only own": len(reach[player] - reach[other]),
        "only the other": len(reach[other] - reach[player]),
        "both": len(reach[player] & reach[other]),
        "one": 1,
        "own": len(reach[player]),
        "other": len(reach[other]),
        "empty": len(board.cells(None)),
    }


def hand(game, state, player):
    """The evaluation by hand, in stones: the specification's divided by 50."""
    if mover(game, state) == OVER:
        return final(game, state, player)
    found = features(board_of(game, state), mover(game, state))
    value = (
        50 * found["stones"]
        - 17.5 * (found["own turnable"] - found["other's turnable"])
        + 15 * found["safe"]
        + 2 * (found["own"] - found["other"])
    )
    return value / 50 if mover(game, state) == player else -value / 50


def fitted(game, state, player):
    """The fitted evaluation, in log-odds."""
    if mover(game, state) == OVER:
        return final(game, state, player)
    found = features(board_of(game, state), mover(game, state))
    names = [
        "stones",
        "own turnable",
        "other's turnable",
        "safe",
        "only own",
        "only the other",
        "both",
        "one",
    ]
    row = WEIGHTS[found["empty"] // 9]
    value = sum(weight * found[name] for weight, name in zip(row, names, strict=True))
    return value if mover(game, state) == player else -value
