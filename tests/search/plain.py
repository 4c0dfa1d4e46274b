"""Searches and evaluations a second time, plainly: what the quick ones are compared with."""

from pathlib import Path

from games.virus.oracle import Oracle

import joute.games.virus.players.evaluation as reference
from joute.core.interface import OVER, legal, mover, observe, play, points, properties

WEIGHTS = [
    [float(word) for word in line.split()]
    for line in (Path(reference.__file__).parent / "fitted.txt").read_text().splitlines()
]
WON = 1000.0  # added to the lead at the end by evaluations that are no leads


def lead(game, state, player):
    """The lead in points."""
    return float(points(game, state, player) - points(game, state, 1 - player))


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
        "their turnable": turnable(theirs, player),
        "safe": safe(own) - safe(theirs),
        "only I": len(reach[player] - reach[other]),
        "only they": len(reach[other] - reach[player]),
        "both": len(reach[player] & reach[other]),
        "one": 1,
        "I": len(reach[player]),
        "they": len(reach[other]),
        "empty": len(board.cells(None)),
    }


def hand(game, state, player):
    """The evaluation by hand, in stones: the specification's divided by 50."""
    if mover(game, state) == OVER:
        return final(game, state, player)
    found = features(board_of(game, state), mover(game, state))
    value = (
        50 * found["stones"]
        - 17.5 * (found["own turnable"] - found["their turnable"])
        + 15 * found["safe"]
        + 2 * (found["I"] - found["they"])
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
        "their turnable",
        "safe",
        "only I",
        "only they",
        "both",
        "one",
    ]
    row = WEIGHTS[found["empty"] // 9]
    value = sum(weight * found[name] for weight, name in zip(row, names, strict=True))
    return value if mover(game, state) == player else -value


def final(game, state, player):
    """At the end: beyond all else for the winner, and more for a higher lead."""
    found = lead(game, state, player)
    return found + WON * ((found > 0) - (found < 0))


def actions_of(game, state):
    out = [0] * properties(game).max_legal
    return out[: legal(game, state, out)]


def minimax(game, state, depth, evaluation, player=None):
    """The value for the mover (or, when the game is over, for `player`) and the actions' values."""
    player = mover(game, state) if mover(game, state) != OVER else player
    if depth == 0 or mover(game, state) == OVER:
        return evaluation(game, state, player), {}
    values = {}
    for action in actions_of(game, state):
        after = state.copy()
        play(game, after, action)
        value, _ = minimax(game, after, depth - 1, evaluation, player)
        same = mover(game, after) in (player, OVER)
        values[action] = value if same else -value
    return max(values.values()), values
