"""Searches a second time, plainly: what the quick ones are compared with."""

from joute.core.interface import OVER, legal, mover, play, points, properties

WON = 1000.0  # added to the lead at the end by evaluations that are no leads


def lead(game, state, player):
    """The lead in points."""
    return float(points(game, state, player) - points(game, state, 1 - player))


def final(game, state, player):
    """At the end: beyond all else for the winner, and more for a higher lead."""
    found = lead(game, state, player)
    return found + WON * ((found > 0) - (found < 0))


def actions_of(game, state):
    out = [0] * properties(game).max_legal
    return out[: legal(game, state, out)]


def after(game, state, action):
    state = list(state)
    play(game, state, action)
    return state


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
