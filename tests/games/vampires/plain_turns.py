"""Expectimax and the evaluations of Vampires a second time, plainly."""

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    mover,
    observe,
    pending,
    play,
    properties,
    returns,
)
from joute.search.branching import turns

WON = 1000.0


def listed(generator, game, state):
    """The turns of a generator, as lists of actions."""
    out, ends = [0] * generator.most_actions, [0] * generator.most_turns
    count = turns(generator, game, state, out, ends)
    begins = [0, *ends[: count - 1]]
    return [out[begin:end] for begin, end in zip(begins, ends[:count], strict=True)]


def outcomes(game, state, keep=0):
    """The outcomes of chance and their probabilities: all of them, or about so many quantiles.

    Outcomes that do not follow each other are thinned apart.
    """
    most = properties(game).max_outcomes
    out, weights = [0] * most, [0.0] * most
    count = chances(game, state, out, weights)
    found = list(zip(out[:count], weights[:count], strict=True))
    if not 0 < keep < count:
        return found
    runs = {}
    for place, (outcome, weight) in enumerate(found):
        runs.setdefault(outcome - place, []).append((outcome, weight))
    return [each for run in runs.values() for each in quantiles(run, keep)]


def quantiles(run, keep):
    total = sum(weight for _, weight in run)
    parts = max(round(keep * total), 1)
    drawn = []
    for number in range(parts):
        below = 0.0
        for outcome, weight in run:
            below += weight
            if below >= total * (number + 0.5) / parts:
                drawn.append((outcome, total / parts))
                break
    return drawn


def after(game, state, actions):
    state = list(state)
    for action in actions:
        play(game, state, action)
    return state


def expectimax(game, state, depth, generator, evaluation, player, keep=0):
    """The value of a state for a player."""
    to_move = mover(game, state)
    if to_move == CHANCE:
        return sum(
            weight
            * expectimax(
                game, after(game, state, [outcome]), depth, generator, evaluation, player, keep
            )
            for outcome, weight in outcomes(game, state, keep)
        )
    if to_move == OVER or depth == 0:
        return evaluation(game, state, player)
    best = max if to_move == player else min
    return best(values(game, state, depth, generator, evaluation, player, keep))


def values(game, state, depth, generator, evaluation, player, keep=0):
    """The value of each turn for a player, in the order listed."""
    found = []
    for turn in listed(generator, game, state):
        then = after(game, state, turn)
        left = depth - (pending(game, then) == 0)
        found.append(expectimax(game, then, left, generator, evaluation, player, keep))
    return found


def material(game, state, player):
    """The lead in units; beyond all else at the end."""
    counts = observe(game, state, player)["counts"]
    lead = counts[player] - counts[1 - player]
    if mover(game, state) != OVER:
        return lead
    won = [0.0, 0.0]
    returns(game, state, won)
    return lead + WON * won[player]


def reach(game, state, player, human, threat):
    """The lead, the humans that can be converted and the enemies that can be killed."""
    value = material(game, state, player)
    if mover(game, state) == OVER:
        return value
    cells = observe(game, state, player)["cells"]
    groups = [[(x, y, c[1 + side]) for x, y, *c in cells if c[1 + side]] for side in (0, 1)]
    own, theirs = groups[player], groups[1 - player]

    def far(one, other):
        return max(abs(one[0] - other[0]), abs(one[1] - other[1]), 1)

    for x, y, humans, *_ in cells:
        for sign, side in ((1, own), (-1, theirs)):
            near = [far(group, (x, y)) for group in side if group[2] >= humans]
            if humans and near:
                value += sign * human * humans / min(near)
    for one in own:
        for other in theirs:
            if one[2] >= 1.5 * other[2]:
                value += threat * other[2] / far(one, other)
            if other[2] >= 1.5 * one[2]:
                value -= threat * one[2] / far(one, other)
    return value
