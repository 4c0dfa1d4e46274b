"""Expectimax: looks ahead over whole turns, averaging over the outcomes of chance.

A turn is one of those that the game lists as making sense, else an action. Options: `seconds` of
CPU per turn (default: a tenth of the time a turn may take), or `nodes` per turn, which is
reproducible; `depth` in turns; `thin`, how many outcomes of chance are looked at, 0 for all;
`evaluation` by name (`lead`, or one of the game's own, the first of which is the default where the
game lists its turns).

On the server of a tournament the clock on the wall counts, so most of a turn by that one is the
limit too.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from joute.bots import (
    Choice,
    Evaluation,
    Seating,
    evaluation_of,
    outlook,
    own_evaluations,
    refused,
    seconds_of,
)
from joute.core.interface import describe, legal_actions, pending, play, start
from joute.core.registry import card_of
from joute.i18n.words import Sentence
from joute.search.evaluation import usual as usual_evaluation
from joute.search.expectimax_search import MAX_DEPTH, Expectimax, ExpectimaxResult

WALL_SHARE = 0.7  # of a turn's time, by the clock on the wall
THIN = 6
DECISIVE = 10.0  # units or points, a lead of which often decides a game


@dataclass
class ExpectimaxBot:
    """Plays the best turn of expectimax; see the module."""

    seat: Seating
    search: Expectimax
    seconds: float | None
    nodes: int
    depth: int
    decisive: float
    told: Callable[[ExpectimaxResult], float] = lambda found: found.value  # what it expects

    def play(self, state: np.ndarray) -> Choice:
        """The best turn of the deepest look that was finished; the end of one that has begun."""
        if self.search.whole_turns and pending(self.seat.game, state):
            return self._ending(state)
        wall_seconds = WALL_SHARE * self.seat.move_seconds
        found = self.search.search(
            state, self.depth, self.nodes or None, self.seconds, wall_seconds
        )
        value = self.told(found)
        texts = []
        after = state.tolist()
        for action in found.turn:
            texts.append(describe(self.seat.game, after, action))
            play(self.seat.game, after, action)
        return Choice(
            found.turn if len(found.turn) > 1 else found.turn[0],
            f"{'; '.join(texts)}: {value:+.2f} at depth {found.depth}, {found.nodes} nodes",
            outlook(value, self.decisive),
            tuple(found.turn),
        )

    def _ending(self, state: np.ndarray) -> Choice:
        """The first action that ends the turn, else the first: a search begins with a turn."""
        game, legal = self.seat.game, legal_actions(self.seat.game, state.tolist())
        for action in legal:
            after = state.tolist()
            play(game, after, action)
            if not pending(game, after):
                return Choice(action)
        return Choice(legal[0])


def expectimax(
    seat: Seating,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    depth: int = MAX_DEPTH,
    thin: int = THIN,
    evaluation: str = "",
) -> ExpectimaxBot:
    """The bot `expectimax`. Raises BuiltinError for a game it cannot play or an option."""
    if seconds < 0 or nodes < 0 or thin < 0 or not 1 <= depth <= MAX_DEPTH:
        raise refused("expectimax", Sentence("error.builtin.thin", most=MAX_DEPTH))
    game = seat.game
    card = card_of(game)
    known = {**own_evaluations(game), "lead": Evaluation(lambda: usual_evaluation(game))}
    usual = next(iter(known)) if card.turns else "lead"
    found = evaluation_of("expectimax", game, evaluation or usual, known)
    lister = card.load(card.turns)(game) if card.turns else None
    try:
        search = Expectimax(game, start(game), lister, found.make(), thin)
    except ValueError as error:
        raise refused("expectimax", error) from None
    search.search(start(game), nodes=1)  # compiled now, when no clock runs
    time = seconds_of(seat, seconds, nodes > 0 or depth < MAX_DEPTH)
    return ExpectimaxBot(seat, search, time, nodes, depth, found.decisive or DECISIVE)
