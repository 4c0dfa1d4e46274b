"""Looks ahead over whole turns, averaging over what chance decides.

In Vampires vs Werewolves a turn is an order of some dozens that make sense, in other games an
action. Options: `seconds` of CPU per turn (default: a tenth of the time a turn may take), or
`nodes` per turn, which is reproducible; `depth` in turns; `thin`, how many outcomes of a battle are
looked at, 0 for all; `evaluation` by name (`lead`; for Vampires `reach`, its default, `material`,
and `race`, the champion's).

On the server of a tournament the clock on the wall counts, so most of a turn by that one is the
limit too.
"""

import numpy as np

from joute.bots import Choice, Table, budget, no_evaluation, outlook, refused
from joute.core.interface import describe, play, start
from joute.games.vampires.players import evaluation as vampires_evaluation
from joute.games.vampires.players import race as vampires_race
from joute.games.vampires.players.orders import orders
from joute.games.vampires.state import Vampires
from joute.i18n.words import Sentence
from joute.search.evaluation import Lead
from joute.search.expectimax import MAX_DEPTH, Expectimax

WALL_SHARE = 0.7  # of a turn's time, by the clock on the wall
THIN = 6
DECISIVE = {"race": 1.0}  # a value that often decides a game
DECISIVE_LEAD = 10.0  # the same of the others, which count units or points


class ExpectimaxBot:
    """See the module."""

    def __init__(
        self,
        table: Table,
        search: Expectimax,
        seconds: float | None,
        nodes: int,
        depth: int,
        decisive: float = DECISIVE_LEAD,
    ) -> None:
        self._game = table.game
        self._decisive = decisive
        self._search = search
        self._seconds = seconds
        self._wall_seconds = WALL_SHARE * table.move_seconds
        self._nodes = nodes or None
        self._depth = depth

    def play(self, state: np.ndarray) -> Choice:
        """The best turn of the deepest look that was finished."""
        found = self._search.search(
            state, self._depth, self._nodes, self._seconds, self._wall_seconds
        )
        texts = []
        after = state.tolist()
        for action in found.turn:
            texts.append(describe(self._game, after, action))
            play(self._game, after, action)
        return Choice(
            found.turn if len(found.turn) > 1 else found.turn[0],
            f"{'; '.join(texts)}: {found.value:+.2f} at depth {found.depth}, {found.nodes} nodes",
            outlook(found.value, self._decisive),
            tuple(found.turn),
        )


def make(
    table: Table,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    depth: int = MAX_DEPTH,
    thin: int = THIN,
    evaluation: str = "",
) -> ExpectimaxBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    if seconds < 0 or nodes < 0 or thin < 0 or not 1 <= depth <= MAX_DEPTH:
        raise refused("expectimax", Sentence("error.builtin.thin", most=MAX_DEPTH))
    game = table.game
    evaluations = {
        **vampires_evaluation.evaluations(game),
        **vampires_race.evaluations(game),
        "lead": Lead,
    }
    if evaluation and evaluation not in evaluations:
        raise no_evaluation("expectimax", game, evaluation, evaluations)
    evaluation = evaluation or next(iter(evaluations))
    lister = orders(game) if isinstance(game, Vampires) else None
    try:
        search = Expectimax(game, start(game), lister, evaluations[evaluation](), thin)
    except ValueError as error:
        raise refused("expectimax", error) from None
    search.search(start(game), nodes=1)  # compiled now, when no clock runs
    limited = nodes > 0 or depth < MAX_DEPTH
    time = budget(table, seconds) if seconds or not limited else None
    decisive = DECISIVE.get(evaluation, DECISIVE_LEAD)
    return ExpectimaxBot(table, search, time, nodes, depth, decisive)
