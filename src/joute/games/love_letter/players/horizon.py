"""Where simulations of a game of several rounds end: with the round that is being played."""

from typing import Any, NamedTuple

from joute.core.arrays import index
from joute.core.interface import implements
from joute.games.love_letter.state import PHASE, STARTING, TOKENS, LoveLetter


class Round(NamedTuple):
    """The horizon at the end of a round: what each player gained of tokens on the others there.

    A token is worth half as much as the game.
    """


@implements(Round, "stops")
def _round_over(horizon: Any, game: Any, root: Any, state: Any, out: Any) -> bool:
    if state[PHASE] != STARTING:
        return False
    total = 0.0
    for player in range(game.players):
        place = index(TOKENS + player)
        out[player] = float(state[place]) - float(root[place])
        total += out[player]
    others = game.players - 1
    for player in range(game.players):
        out[player] = (out[player] - (total - out[player]) / others) / 2.0
    return True


def horizon(game: LoveLetter) -> Round | None:
    """The end of the round, in a game of several."""
    return Round() if game.tokens > 1 else None
