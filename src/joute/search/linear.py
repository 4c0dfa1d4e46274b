"""Evaluations that are a sum of weights, so that weights can be learned from positions.

A form says which weights a state's value takes, and how much of each; it is a NamedTuple that
implements `terms`. An evaluation for play may hold the same weights in a layout that is faster to
read.
"""

from joute.core.interface import operation


@operation
def terms(form, game, state, places, amounts):
    """Write the terms of a state's value for its mover; return how many there are.

    The value, in log-odds of winning, is the sum of weights[place] * amount. `places` is int32 and
    `amounts` float32, both [of the most terms a state may have]. A player must be to move.
    """
    raise NotImplementedError(f"{type(form).__name__} does not implement terms")
