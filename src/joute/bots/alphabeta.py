"""Alpha-beta with the lead in points, or an evaluation of the game's own, at the leaves.

Options: `seconds` of CPU per turn (default: a tenth of the time a turn may take), or `nodes` per
turn, which is reproducible; `depth` in plies; `evaluation` by name (`lead`, or one of the game's
own); `reduce=1` to look less deep at actions that come late in the order, which gives up exact
values for more depth.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from joute.bots import (
    DECISIVE,
    Choice,
    Seating,
    evaluation_of,
    outlook,
    refused,
    seconds_of,
    usual_evaluations,
)
from joute.bots.explain import Option, SearchNode, ranked
from joute.core.interface import OVER, describe, legal_actions, mover, play, start
from joute.i18n.words import Sentence
from joute.search.alphabeta_search import MAX_DEPTH, NO_REDUCTION, AlphaBeta, Reduction
from joute.search.evaluation import evaluate


@dataclass
class AlphaBetaBot:
    """Plays the best action of alpha-beta; see the module."""

    seat: Seating
    search: AlphaBeta
    evaluation: Any
    seconds: float | None
    nodes: int | None
    depth: int
    decisive: float

    def play(self, state: np.ndarray, seconds: float | None = None) -> Choice:
        """The best action of the deepest look that was finished, in a time of one's own or this."""
        found = self.search.search(state, self.depth, self.nodes, seconds or self.seconds)
        text = describe(self.seat.game, state.tolist(), found.action)
        return Choice(
            found.action,
            f"{text}: {found.value:+.2f} at depth {found.depth}, {found.nodes} nodes"
            + (", solved" if found.solved else ""),
            self._outlook(found.value, found.solved),
            tuple(found.line or [found.action]),
        )

    def explain(self, state: np.ndarray) -> list[Option]:
        """Every action, the chosen one first; the others take as long again as the choice did.

        Each is looked at on its own, and as deep as the chosen one if it can be in its part of that
        time: else it may seem better than that, which its depth explains.
        """
        found = self.search.search(state, self.depth, self.nodes, self.seconds)
        value = self._outlook(found.value, found.solved)
        best = Option(tuple(found.line or [found.action]), value, None, found.depth)
        others = []
        actions = legal_actions(self.seat.game, state.tolist())
        for action in actions:
            if action != found.action:
                after = state.copy()
                play(self.seat.game, after, action)
                others.append(self._weighed(after, action, found.depth, len(actions) - 1))
        return [best, *sorted(others, key=lambda each: -(each.value or 0.0))]

    def tree(self, state: np.ndarray, plies: int) -> SearchNode:
        """The first plies: each position is looked at anew, as deep as the plies left allow.

        All positions of a ply share the time, or the nodes, of one choice.
        """
        found = self.search.search(state, self.depth, self.nodes, self.seconds)
        return SearchNode(
            (), state.tolist(), None, None, *self._grown(state, plies, found.depth - 1, 1)
        )

    def _grown(
        self, state: np.ndarray, plies: int, depth: int, among: int
    ) -> tuple[int, tuple[SearchNode, ...]]:
        """The number of a state's actions, and each with what is below it."""
        game, player = self.seat.game, int(mover(self.seat.game, state))
        actions = legal_actions(game, state.tolist()) if player >= 0 else []
        if not plies:
            return len(actions), ()
        nodes = []
        for action in actions:
            reached = state.copy()
            play(game, reached, action)
            value = self._value(reached, player, depth, among * len(actions))
            below = self._grown(reached, plies - 1, max(depth - 1, 1), among * len(actions))
            nodes.append(SearchNode((action,), reached.tolist(), value, None, *below))
        return len(nodes), ranked(nodes)

    def _value(self, state: np.ndarray, player: int, depth: int, among: int) -> float:
        """The value of a state for a player, by the part of a choice that one of so many takes."""
        to_move = int(mover(self.seat.game, state))
        if to_move < 0:
            value = float(evaluate(self.evaluation, self.seat.game, state, player))
            return self._outlook(value, to_move == OVER)
        nodes = self.nodes and max(self.nodes // among, 2)
        seconds = self.seconds and self.seconds / among
        found = self.search.search(state, max(depth, 1), nodes, seconds)
        return self._outlook(found.value if to_move == player else -found.value, found.solved)

    def _weighed(self, after: np.ndarray, action: int, depth: int, count: int) -> Option:
        """An action that leads to the state `after`, by a part of a choice's time."""
        me, player = self.seat.player, int(mover(self.seat.game, after))
        if player < 0:
            return Option((action,), self._value(after, me, depth, count), None, 1)
        nodes = self.nodes and max(self.nodes // count, 2)
        seconds = self.seconds and self.seconds / count
        found = self.search.search(after, max(depth - 1, 1), nodes, seconds)
        value = self._outlook(found.value if player == me else -found.value, found.solved)
        return Option((action, *found.line), value, None, found.depth + 1)

    def _outlook(self, value: float, solved: bool) -> float:
        return float(np.sign(value)) if solved else outlook(value, self.decisive)


def suits(_name: str, game: Any) -> bool:
    """Whether the search takes a game, as `joute.bots.suits` asks."""
    try:
        AlphaBeta.check(game)
    except ValueError:
        return False
    return True


def alphabeta(
    seat: Seating,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    depth: int = MAX_DEPTH,
    evaluation: str = "lead",
    reduce: int = 0,
) -> AlphaBetaBot:
    """The bot `alphabeta`. Raises BuiltinError for a game it cannot play or an option."""
    if seconds < 0 or nodes < 0 or not 1 <= depth <= MAX_DEPTH:
        raise refused("alphabeta", Sentence("error.builtin.depth", most=MAX_DEPTH))
    if reduce not in (0, 1):
        raise refused("alphabeta", Sentence("error.builtin.reduce", reduce=reduce))
    game = seat.game
    found = evaluation_of("alphabeta", game, evaluation, usual_evaluations(game))
    judge = found.make()
    try:
        reduction = Reduction() if reduce else NO_REDUCTION
        search = AlphaBeta(game, start(game), judge, reduce=reduction)
    except ValueError as error:
        raise refused("alphabeta", error) from None
    time = seconds_of(seat, seconds, nodes > 0 or depth < MAX_DEPTH)
    return AlphaBetaBot(seat, search, judge, time, nodes or None, depth, found.decisive or DECISIVE)
