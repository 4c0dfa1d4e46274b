"""Paranoid search and max^n: look ahead in games of several players.

`paranoid` looks ahead as if all others played against it, `maxn` as if every player played for
itself. Options: `seconds` of CPU per turn (default: a tenth of the time a turn may take), or
`nodes` per turn, which is reproducible; `depth` in turns; `evaluation` by name, as those of
alpha-beta, but `lead` is that over the best of the others (default: the game's own, if it has one
for so many players).
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from joute.bots import (
    DECISIVE,
    Choice,
    Evaluation,
    Seating,
    evaluation_of,
    lead,
    outlook,
    own_evaluations,
    refused,
    seconds_of,
)
from joute.core.interface import describe, has_rule, properties, start
from joute.i18n.words import Sentence
from joute.search.evaluation import Margin
from joute.search.several import MAX_DEPTH, Several


@dataclass
class SeveralBot:
    """Plays the best action of either search; see the module."""

    seat: Seating
    search: Several
    seconds: float | None
    nodes: int | None
    depth: int
    decisive: float

    def play(self, state: np.ndarray) -> Choice:
        """The best action of the deepest look that was finished."""
        found = self.search.search(state, self.depth, self.nodes, self.seconds)
        text = describe(self.seat.game, state.tolist(), found.action)
        value = found.values[self.seat.player]
        return Choice(
            found.action,
            f"{text}: {value:+.2f} at depth {found.depth}, {found.nodes} nodes",
            outlook(value, self.decisive),
            (found.action,),
        )


def paranoid(
    seat: Seating,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    depth: int = MAX_DEPTH,
    evaluation: str = "",
) -> SeveralBot:
    """The bot `paranoid`. Raises BuiltinError for a game it cannot play or an option."""
    return _several("paranoid", seat, seconds, nodes, depth, evaluation)


def maxn(
    seat: Seating,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    depth: int = MAX_DEPTH,
    evaluation: str = "",
) -> SeveralBot:
    """The bot `maxn`. Raises BuiltinError for a game it cannot play or an option."""
    return _several("maxn", seat, seconds, nodes, depth, evaluation)


def _several(
    bot: str, seat: Seating, seconds: float, nodes: int, depth: int, evaluation: str
) -> SeveralBot:
    if seconds < 0 or nodes < 0 or not 1 <= depth <= MAX_DEPTH:
        raise refused(bot, Sentence("error.builtin.depth", most=MAX_DEPTH))
    game = seat.game
    known = {name: each for name, each in own_evaluations(game).items() if each.several}
    points = has_rule(type(game), "points")
    margin = Evaluation(partial(Margin, properties(game).players))
    known["lead"] = margin if points else lead(game)
    found = evaluation_of(bot, game, evaluation or next(iter(known)), known)
    try:
        search = Several(game, start(game), bot == "paranoid", found.make())
    except ValueError as error:
        raise refused(bot, error) from None
    time = seconds_of(seat, seconds, nodes > 0 or depth < MAX_DEPTH)
    return SeveralBot(seat, search, time, nodes or None, depth, found.decisive or DECISIVE)
