"""One game of a batch in plain Python, as the documentation of batches describes it."""

import numpy as np

from joute.core.features import features_of
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    draw,
    legal_actions,
    mover,
    play,
    properties,
    returns,
    start,
)
from joute.core.random import generator


class PlainGame:
    """Game `number` of a batch of this seed, played in plain Python."""

    def __init__(self, rules, seed, number, restart=False):
        self.rules, self.restart = rules, restart
        self.facts = properties(rules)
        self._rng = generator(int(generator(seed)[0]) + number)
        self.rewards = [0.0] * self.facts.players
        self.begin()
        self.over = False

    def begin(self):
        self.state = start(self.rules).tolist()
        self._settle()

    @property
    def player(self):
        return mover(self.rules, self.state)

    @property
    def legal(self):
        return [] if self.player == OVER else legal_actions(self.rules, self.state)

    @property
    def features(self):
        if self.player != OVER:
            return features_of(self.rules, self.state, self.player)
        return features_of(self.rules, start(self.rules), 0) * np.float32(0)

    def step(self, action):
        self.rewards = [0.0] * self.facts.players
        self.over = self.player == OVER
        if self.over:
            return
        play(self.rules, self.state, action)
        self._settle()
        self.over = self.player == OVER
        if self.over:
            returns(self.rules, self.state, self.rewards)
            if self.restart:
                self.begin()

    def _settle(self):
        room = self.facts.max_outcomes + 1
        while mover(self.rules, self.state) == CHANCE:
            outcome = draw(self.rules, self.state, [0] * room, [0.0] * room, self._rng)
            play(self.rules, self.state, outcome)


def exact(rules, state):
    """The expected returns where everybody plays at random, as a list."""
    facts = properties(rules)
    player = mover(rules, state)
    values = [0.0] * facts.players
    if player == OVER:
        returns(rules, state, values)
        return values
    if player == CHANCE:
        choices, weights = [0] * facts.max_outcomes, [0.0] * facts.max_outcomes
        count = chances(rules, state, choices, weights)
    else:
        choices = legal_actions(rules, state)
        count, weights = len(choices), [1 / len(choices)] * len(choices)
    for choice, weight in zip(choices[:count], weights[:count], strict=True):
        after = state.copy()
        play(rules, after, choice)
        for each, value in enumerate(exact(rules, after)):
            values[each] += weight * value
    return values
