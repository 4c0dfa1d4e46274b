"""A kernel that only tests use: what happens in random rounds of Love Letter, counted."""

from joute.core.arrays import copy, popcount
from joute.core.compiled import kernel
from joute.core.interface import CHANCE, OVER, draw, legal, mover, pick, play
from joute.games.love_letter.state import ALIVE, ASIDE_GONE, BONUS, PHASE, PLAYING, WINNERS

TURNS, SQUARES, SHOWDOWNS, TIES, BONUSES, ASIDES, CHOICES, MOST, COUNTED = range(9)


@kernel
def tally(game, root, count, rng, state, actions, weights, counts):
    """Play `count` random rounds from `root`; add up in `counts` (int64[COUNTED]) what happened."""
    for _ in range(count):
        copy(state, root)
        turns = 0
        player = mover(game, state)
        while player != OVER:
            if player == CHANCE:
                action = draw(game, state, actions, weights, rng)
            else:
                if state[PHASE] == PLAYING:
                    turns += 1
                    choices = legal(game, state, actions)
                    counts[CHOICES] += choices
                    counts[MOST] = max(counts[MOST], choices)
                action = pick(game, state, actions, rng)
            play(game, state, action)
            player = mover(game, state)
        counts[TURNS] += turns
        counts[SQUARES] += turns * turns
        counts[SHOWDOWNS] += popcount(state[ALIVE]) > 1
        counts[TIES] += popcount(state[WINNERS]) > 1
        counts[BONUSES] += state[BONUS] > 0
        counts[ASIDES] += state[ASIDE_GONE]
    return counts[TURNS]
