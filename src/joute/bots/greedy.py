"""Looks one ply ahead: the action after which it leads by most points; ties are drawn.

Where players choose at the same time, it looks at the end of the round, with a random choice of
each of the others. Paradise, where points say little, it plays by an evaluation of its own. Option:
`stray`, the share of its turns in which any legal action will do, for a weaker opponent (not in
Paradise).
"""

import numpy as np

from joute.bots import BuiltinError, Choice, Table, wrong_stray
from joute.core.interface import legal, pending, pick, play, points, properties
from joute.core.random import below, generator, uniform
from joute.i18n.words import Sentence


class GreedyBot:
    """See the module."""

    def __init__(self, table: Table, stray: float) -> None:
        self._game = table.game
        self._stray = stray
        self._player = table.player
        facts = properties(table.game)
        self._players = range(facts.players)
        self._simultaneous = facts.simultaneous
        self._rng = generator(table.seed)
        self._actions = [0] * facts.max_legal
        self._others = [0] * facts.max_legal

    def play(self, state: np.ndarray) -> Choice:
        """The best action by the points right after it."""
        before = state.tolist()
        count = legal(self._game, before, self._actions)
        if self._stray and uniform(self._rng) < self._stray:
            return Choice(self._actions[below(self._rng, count)], "strays")
        best: list[int] = []
        best_lead = 0
        for action in self._actions[:count]:
            after = before.copy()
            play(self._game, after, action)
            while self._simultaneous and pending(self._game, after):
                play(self._game, after, pick(self._game, after, self._others, self._rng))
            lead = self._lead(after)
            if not best or lead > best_lead:
                best, best_lead = [action], lead
            elif lead == best_lead:
                best.append(action)
        return Choice(best[below(self._rng, len(best))], f"leads by {best_lead}")

    def _lead(self, state: list[int]) -> int:
        others = [points(self._game, state, each) for each in self._players if each != self._player]
        return int(points(self._game, state, self._player)) - max(others, default=0)


def make(table: Table, *, stray: float = 0.0) -> GreedyBot:
    """The bot. Raises BuiltinError for a game where a ply ahead cannot be seen, or an option."""
    if not 0 <= stray <= 1:
        raise wrong_stray("greedy", stray)
    if properties(table.game).hidden_information:
        raise BuiltinError(Sentence("error.builtin.hidden", bot="greedy"))
    return GreedyBot(table, stray)
