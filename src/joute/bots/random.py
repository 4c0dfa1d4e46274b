"""Decides everything at random: each possibility is as likely as the others.

Where an action is several decisions (a card, whom it is for, what is guessed), they are drawn one
after the other. With `by=action` each legal action is as likely as the others instead.
"""

import numpy as np

from joute.bots import Choice, Table, refused
from joute.core.interface import decisions, legal, properties
from joute.core.random import below, generator
from joute.i18n.words import Sentence

DECISION, ACTION = WAYS = ("decision", "action")


class RandomBot:
    """See the module."""

    def __init__(self, table: Table, by: str) -> None:
        self._game = table.game
        self._rng = generator(table.seed)
        self._by = by
        self._actions = [0] * properties(table.game).max_legal

    def play(self, state: np.ndarray) -> Choice:
        """A random legal action."""
        known = state.tolist()
        actions = self._actions[: legal(self._game, known, self._actions)]
        step = 0
        if self._by == DECISION:
            while step < len(decisions(self._game, known, actions[0])) - 1:
                actions = self._decided(known, actions, step)
                step += 1
        return Choice(actions[below(self._rng, len(actions))])

    def _decided(self, state: list[int], actions: list[int], step: int) -> list[int]:
        """The actions of which a decision is the one that is drawn now."""
        taken = [decisions(self._game, state, action)[step] for action in actions]
        options = sorted(set(taken))
        drawn = options[below(self._rng, len(options))]
        return [action for action, each in zip(actions, taken, strict=True) if each == drawn]


def make(table: Table, *, by: str = DECISION) -> RandomBot:
    """`by`: what is drawn, "decision" or "action"."""
    if by not in WAYS:
        raise refused(
            "random", Sentence("error.one_of", name="by", known=", ".join(WAYS), value=by)
        )
    return RandomBot(table, by)
