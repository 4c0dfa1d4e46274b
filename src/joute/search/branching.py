"""The branches that a search looks at where there are too many: turns of several actions, outcomes.

A generator of turns is a NamedTuple that implements `turns`, as a game implements its operations.
It carries the arrays it works in, so it belongs to one thread, and says how much it writes:
`most_turns` and `most_actions` of all its turns together. It belongs to the bots that use it; here
is the one that serves every game.
"""

from typing import Any, NamedTuple

from joute.core.interface import implements, inline, legal, operation, properties


@operation
def turns(generator, game, state, out, ends):
    """Writes turns of the mover to `out`, one after the other; returns how many, at least one.

    Turn i is the actions from `ends[i - 1]` (0 for the first) to before `ends[i]`; it is legal, and
    differs from the others. The most promising come first. The mover must be a player at the begin
    of a turn. `out` is int[most_actions], `ends` int[most_turns].
    """
    raise NotImplementedError(f"{type(generator).__name__} does not implement turns")


class Singles(NamedTuple):
    """The generator of every game: every legal action is a turn."""

    most_turns: int
    most_actions: int


def singles(game: Any) -> Singles:
    """The generator of single actions for this game."""
    most = properties(game).max_legal
    return Singles(most, most)


@implements(Singles, "turns")
def _singles(generator, game, state, out, ends):
    count = legal(game, state, out)
    for each in range(count):
        ends[each] = each + 1
    return count


@inline
def thin(outcomes, weights, count, keep):
    """Keeps about as many outcomes, and none of weight 0; returns how many are left, in order.

    They are quantiles of the distribution in the order listed, each as likely as those it stands
    for. A jump in the numbers parts unlike outcomes, as a battle won from one lost: each run of
    consecutive outcomes keeps its weight, and of the quantiles its part, but one at least.
    0, or no fewer than there are: all are kept.
    """
    left = begin = 0
    while begin < count:
        end, total = begin, 0.0
        while end < count and (end == begin or outcomes[end] == outcomes[end - 1] + 1):
            total += weights[end]
            end += 1
        wanted = max(int(keep * total + 0.5), 1)
        below = 0.0
        quantiles = 0
        for each in range(begin, end):
            below += weights[each]
            weight = weights[each]
            if 0 < keep < count:
                before = quantiles
                while quantiles < wanted and (quantiles + 0.5) / wanted * total <= below:
                    quantiles += 1
                weight = (quantiles - before) / wanted * total
            if weight > 0.0:
                outcomes[left], weights[left] = outcomes[each], weight
                left += 1
        begin = end
    return left
