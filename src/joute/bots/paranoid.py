"""Paranoid search: looks ahead as if all others played against it, in games of several players.

Options: `seconds` of CPU per turn (default: a tenth of the time a turn may take), or `nodes` per
turn, which is reproducible; `depth` in turns; `evaluation` by name, as those of alpha-beta, but
`lead` is that over the best of the others (default: the game's own, if it has one for so many
players). `maxn` has the same ones, and takes every player to play for himself.
"""

from functools import partial

import numpy as np

from joute.bots import Choice, Table, budget, outlook, refused
from joute.bots.alphabeta import DECISIVE
from joute.bots.evaluations import Evaluation, evaluation_of, own
from joute.core.interface import describe, has_rule, properties, start
from joute.i18n.words import Sentence
from joute.search.evaluation import Margin, usual
from joute.search.several import MAX_DEPTH, Several


class SeveralBot:
    """See the module."""

    def __init__(
        self,
        table: Table,
        search: Several,
        seconds: float | None,
        nodes: int,
        depth: int,
        decisive: float,
    ) -> None:
        self._game = table.game
        self._player = table.player
        self._search = search
        self._seconds = seconds
        self._nodes = nodes or None
        self._depth = depth
        self._decisive = decisive

    def play(self, state: np.ndarray) -> Choice:
        """The best action of the deepest look that was finished."""
        found = self._search.search(state, self._depth, self._nodes, self._seconds)
        text = describe(self._game, state.tolist(), found.action)
        value = found.values[self._player]
        return Choice(
            found.action,
            f"{text}: {value:+.2f} at depth {found.depth}, {found.nodes} nodes",
            outlook(value, self._decisive),
            (found.action,),
        )


def make(
    table: Table,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    depth: int = MAX_DEPTH,
    evaluation: str = "",
) -> SeveralBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    return seat("paranoid", table, seconds, nodes, depth, evaluation)


def seat(
    bot: str, table: Table, seconds: float, nodes: int, depth: int, evaluation: str
) -> SeveralBot:
    """The bot of this name, which is that of its search. Raises BuiltinError as `make`."""
    if seconds < 0 or nodes < 0 or not 1 <= depth <= MAX_DEPTH:
        raise refused(bot, Sentence("error.builtin.depth", most=MAX_DEPTH))
    game = table.game
    known = {name: each for name, each in own(game).items() if each.several}
    points = has_rule(type(game), "points")
    margin = Evaluation(partial(Margin, properties(game).players))
    known["lead"] = margin if points else Evaluation(lambda: usual(game))
    found = evaluation_of(bot, game, evaluation or next(iter(known)), known)
    try:
        search = Several(game, start(game), bot == "paranoid", found.make())
    except ValueError as error:
        raise refused(bot, error) from None
    limited = nodes > 0 or depth < MAX_DEPTH
    time = budget(table, seconds) if seconds or not limited else None
    return SeveralBot(table, search, time, nodes, depth, found.decisive or DECISIVE)
