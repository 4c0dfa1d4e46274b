"""Flat Monte Carlo: the mean result of random games after each action, and no tree.

Abramson, "Expected-outcome: a general model of static evaluation" (1990); it was the beginning of
Monte Carlo tree search, and the algorithm of the Tron workshop.

The value of an action is the mover's mean return when everybody, he included, plays at random from
there on. It proves nothing about good play: more games make this mean more exact, not the players
better. Where the mover cannot know the state (hidden cards, choices of the same round), the games
are spread over several states that may be the true one; the value is then a mean over these too.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from joute.games.interface import (
    describe,
    determinize,
    legal,
    mover,
    pending,
    play,
    properties,
    start,
)
from joute.games.random import generator
from joute.search.lanes import lanes, work

WORLDS = 32  # states that a given number of games is spread over, where the true one is unknown
FIRST_BATCH = 8  # games per action between looks at the clock, to begin with
SLICE_SECONDS = 0.005  # between looks at the clock, about


class Weighed(NamedTuple):
    """What flat Monte Carlo found."""

    actions: list[int]
    values: list[float]  # of each action, for the mover
    simulations: int  # random games after each action

    @property
    def best(self) -> int:
        """The first of the actions of the highest value."""
        return self.actions[self.values.index(max(self.values))]


class FlatMonteCarlo:
    """The search, with its generator and its room to work in: one per thread."""

    def __init__(self, game: Any, seed: int = 0) -> None:
        facts = properties(game)
        self._game = game
        self._hidden = facts.hidden_information
        self._simultaneous = facts.simultaneous
        self._max_legal = facts.max_legal
        self._dtype = start(game).dtype
        self._rng = generator(seed)
        self._work = work(game)

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> Weighed:
        """Weigh each legal action by so many random games, or as many as CPU `seconds` allow.

        Reproducible unless `seconds` is given. Raises ValueError if no player is to move, or for
        no simulations.
        """
        if simulations is not None and simulations < 1:
            raise ValueError(f"flat Monte Carlo needs simulations, got {simulations}")
        begun = time.thread_time()
        known = [int(word) for word in state]
        player = int(mover(self._game, known))
        if player < 0:
            raise ValueError("flat Monte Carlo weighs actions of a player, and none is to move")
        actions = [0] * self._max_legal
        actions = actions[: legal(self._game, known, actions)]
        totals = np.zeros(len(actions))
        played = 0
        uncertain = self._hidden or (self._simultaneous and pending(self._game, known) > 0)
        worlds = WORLDS if uncertain else 1
        for batch in _batches(simulations, worlds, begun, seconds):
            world = known
            if uncertain:
                world = known.copy()
                determinize(self._game, world, player, self._rng)
            totals += self._weigh(world, player, actions, batch)
            played += batch
        return Weighed(actions, (totals / played).tolist(), played)

    def _weigh(self, state: list[int], player: int, actions: list[int], count: int) -> list[float]:
        """The sum of the mover's returns over `count` random games after each action."""
        sums = []
        for action in actions:
            after = state.copy()
            play(self._game, after, action)
            root = np.array(after, self._dtype)
            lanes(self._game, root, count, self._rng, self._work)
            sums.append(float(self._work.total[player]))
        return sums


def _batches(
    simulations: int | None, worlds: int, begun: float, seconds: float | None
) -> Iterator[int]:
    """How many games per action to play in turn; each batch is of one possible state."""
    if simulations is not None:
        size = -(-simulations // worlds)
        for done in range(0, simulations, size):
            yield min(size, simulations - done)
        return
    size = FIRST_BATCH
    now, stop = begun, begun + (seconds or 0.0)
    while True:
        yield size
        before, now = now, time.thread_time()
        if now >= stop:
            return
        if now - before < SLICE_SECONDS / 2:
            size *= 2


def in_words(game: Any, state: Any, found: Weighed) -> list[str]:
    """Each action with its value, the best first."""
    order = sorted(range(len(found.actions)), key=lambda rank: -found.values[rank])
    return [
        f"{describe(game, state, found.actions[rank])} {found.values[rank]:.2f}" for rank in order
    ]
