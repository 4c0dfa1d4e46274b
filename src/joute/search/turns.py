"""Which turns a search looks at, where a turn is several actions and there are too many of them.

A generator is a NamedTuple that implements `turns`, as a game implements its operations. It carries
the arrays it works in, so it belongs to one thread, and says how much it writes: `most_turns` and
`most_actions` of all its turns together. It belongs to the bots that use it; this file has the one
that serves every game.
"""

from typing import Any, NamedTuple

from joute.core.interface import implements, legal, operation, properties


@operation
def turns(generator, game, state, out, ends):
    """Write turns of the mover to `out`, one after the other; return how many, at least one.

    Turn i is the actions from `ends[i - 1]` (0 for the first) to before `ends[i]`; it is legal, and
    differs from the others. Those that look best come first. The mover must be a player at the
    begin of a turn. `out` is int[most_actions], `ends` int[most_turns].
    """
    raise NotImplementedError(f"{type(generator).__name__} does not implement turns")


class Singles(NamedTuple):
    """Every legal action, each on its own: the right one where a turn is one action."""

    most_turns: int
    most_actions: int


def singles(game: Any) -> Singles:
    """The generator for this game."""
    most = properties(game).max_legal
    return Singles(most, most)


@implements(Singles, "turns")
def _singles(generator, game, state, out, ends):
    count = legal(game, state, out)
    for each in range(count):
        ends[each] = each + 1
    return count
