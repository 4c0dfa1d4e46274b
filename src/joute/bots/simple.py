"""Bots that look ahead by a ply at most: `random` and `greedy`.

`random` decides everything at random: each possibility is as likely as the others. Where an action
is several decisions (a card, whom it is for, a guess), they are drawn one after the other. With
`by=action` each legal action is as likely as the others instead.

`greedy` plays the action after which it leads by most points; ties are drawn. Where players choose
at the same time, it looks at the end of the round, with a random choice of each of the others.
Paradise, where points say little, it plays by an evaluation of its own. Option: `stray`, the share
of its turns in which any legal action will do, for a weaker opponent (not in Paradise).
"""

import numpy as np

from joute.bots import BuiltinError, Choice, Seating, refused, wrong_stray
from joute.core.interface import decisions, legal_actions, pending, pick, play, points, properties
from joute.core.random import below, generator, uniform
from joute.i18n.words import Sentence

INTERPRETED = True  # no kernel is used
DECISION, ACTION = WAYS = ("decision", "action")


class RandomBot:
    """Draws its actions; see the module."""

    def __init__(self, seat: Seating, by: str) -> None:
        self._game = seat.game
        self._rng = generator(seat.seed)
        self._by = by

    def play(self, state: np.ndarray) -> Choice:
        """A random legal action."""
        known = state.tolist()
        actions = legal_actions(self._game, known)
        if self._by == DECISION:
            for step in range(len(decisions(self._game, known, actions[0])) - 1):
                actions = self._decided(known, actions, step)
        return Choice(actions[below(self._rng, len(actions))])

    def _decided(self, state: list[int], actions: list[int], step: int) -> list[int]:
        """The actions of which a decision is the one that is drawn now."""
        taken = [decisions(self._game, state, action)[step] for action in actions]
        options = sorted(set(taken))
        drawn = options[below(self._rng, len(options))]
        return [action for action, each in zip(actions, taken, strict=True) if each == drawn]


def random(seat: Seating, *, by: str = DECISION) -> RandomBot:
    """The bot `random`. `by`: "decision" or "action", which are drawn one by one."""
    if by not in WAYS:
        wrong = Sentence("error.one_of", name="by", known=", ".join(WAYS), value=by)
        raise refused("random", wrong)
    return RandomBot(seat, by)


class GreedyBot:
    """Plays the action after which it leads by most points; see the module."""

    def __init__(self, seat: Seating, stray: float) -> None:
        self._game = seat.game
        self._stray = stray
        self._player = seat.player
        facts = properties(seat.game)
        self._players = range(facts.players)
        self._simultaneous = facts.simultaneous
        self._rng = generator(seat.seed)
        self._scratch = [0] * facts.max_legal

    def play(self, state: np.ndarray) -> Choice:
        """The best action by the points right after it."""
        before = state.tolist()
        actions = legal_actions(self._game, before)
        if self._stray and uniform(self._rng) < self._stray:
            return Choice(actions[below(self._rng, len(actions))], "strays")
        leads = [self._lead(before.copy(), action) for action in actions]
        most = max(leads)
        best = [action for action, lead in zip(actions, leads, strict=True) if lead == most]
        return Choice(best[below(self._rng, len(best))], f"leads by {most}")

    def _lead(self, state: list[int], action: int) -> int:
        """The lead after an action, or after its round, which is played on `state`."""
        play(self._game, state, action)
        while self._simultaneous and pending(self._game, state):
            play(self._game, state, pick(self._game, state, self._scratch, self._rng))
        others = [points(self._game, state, each) for each in self._players if each != self._player]
        return int(points(self._game, state, self._player)) - max(others, default=0)


def greedy(seat: Seating, *, stray: float = 0.0) -> GreedyBot:
    """The bot `greedy`. Raises BuiltinError for a game that hides something, or an option."""
    if not 0 <= stray <= 1:
        raise wrong_stray("greedy", stray)
    if properties(seat.game).hidden_information:
        raise BuiltinError(Sentence("error.builtin.hidden", bot="greedy"))
    return GreedyBot(seat, stray)
