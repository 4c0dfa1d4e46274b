"""Flat Monte Carlo: the mean result of random games after each action, and no tree.

Abramson, "Expected-outcome: a general model of static evaluation" (1990); the origin of Monte Carlo
tree search, and the algorithm of the Tron workshop.

The value of an action is the mover's mean return when everybody, the mover included, plays at
random from there on. It proves nothing about good play: more games make this mean more exact, not
the players better. Where the mover cannot know the state (hidden cards, choices of the same round),
every game starts from another state that may be the true one, the same for all actions, so that
they are compared in equal luck; the value is then a mean over these states too.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import (
    CHANCE,
    OVER,
    describe,
    determinize,
    draw,
    mover,
    pending,
    play,
    properties,
    start,
)
from joute.core.interface import returns as game_returns
from joute.core.random import generator
from joute.search.batches import batches, first_batch
from joute.search.evaluation import Playout, evaluate_leaf
from joute.search.montecarlo import root_of
from joute.search.playouts import lanes, playout_work
from joute.search.policy import Promises, choose
from joute.search.refusals import check_evaluation

FIRST_BATCH = 8  # games per action before the first look at the clock


class ActionMeans(NamedTuple):
    """The result of flat Monte Carlo."""

    actions: list[int]
    values: list[float]  # of each action, for the mover
    simulations: int  # random games after each action

    @property
    def order(self) -> list[int]:
        """The ranks of the actions, the best first; of equal ones the first."""
        return sorted(range(len(self.actions)), key=lambda rank: -self.values[rank])

    @property
    def best(self) -> int:
        """The first of the actions of the highest value."""
        return self.actions[self.order[0]]

    def in_words(self, game: Any, state: Any) -> list[str]:
        """Each action with its value, the best first."""
        return [
            f"{describe(game, state, self.actions[rank])} {self.values[rank]:.2f}"
            for rank in self.order
        ]


@kernel
def weigh(game, evaluation, policy, root, world, actions, totals, scale, count, rng, work):
    """Plays `count` random games after each action (int32[n]), from states that may be true.

    `totals` (float64[n]) are raised by the returns of the player to move at `root`. `world` (as
    `root`) and `work` are written to; `rng` (uint64[2]) advances.
    """
    state = work.states[0]
    observer = mover(game, root)
    for _ in range(count):
        copy(world, root)
        determinize(game, world, observer, rng)
        for rank in range(actions.size):
            copy(state, world)
            action, judged = int(actions[index(rank)]), False
            while not judged:
                play(game, state, action)
                player = mover(game, state)
                if player == OVER:
                    game_returns(game, state, work.returns)
                    break
                if player == CHANCE:
                    action = draw(game, state, work.actions, work.weights, rng)
                    continue
                if pending(game, state) == 0:
                    judged = evaluate_leaf(evaluation, game, state, scale, work.returns)
                if not judged:
                    action = choose(policy, game, state, work.actions, work.weights, rng)
            totals[index(rank)] += work.returns[index(observer)]


class FlatMonteCarlo:
    """The search, with its generator and the arrays it works in: one per thread.

    With an `evaluation` the state after the turn or round of an action is judged by it, what is
    left of that drawn at random, `scale` being the value that is worth half a win; with a `policy`,
    the random games are drawn from it. Raises SearchError for an evaluation of a game that is no
    duel.
    """

    def __init__(
        self,
        game: Any,
        seed: int = 0,
        evaluation: Any = None,
        scale: float = 1.0,
        policy: Any = None,
    ) -> None:
        facts = properties(game)
        check_evaluation(evaluation, facts, scale)
        self._guided = evaluation is not None or policy is not None
        self._evaluation = Playout() if evaluation is None else evaluation
        self._policy = Promises() if policy is None else policy
        self._scale = scale
        self._game = game
        self._hidden = facts.hidden_information
        self._simultaneous = facts.simultaneous
        self._dtype = start(game).dtype
        self._rng = generator(seed)
        self._work = playout_work(game)
        self._world = start(game)
        self._compile()

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> ActionMeans:
        """Weighs each legal action by so many random games, or as many as CPU `seconds` allow.

        With both, it ends with the first of the two. Reproducible unless `seconds` is given, which
        are not overrun where games take as long as those before; FIRST_BATCH are played at least,
        one with an evaluation or a policy in Python. Raises SearchError if no player is to move, or
        for no simulations.
        """
        begun = time.thread_time()
        known, _, actions = root_of("flat Monte Carlo", self._game, state, simulations)
        totals = np.zeros(len(actions))
        played = 0
        uncertain = self._hidden or (self._simultaneous and pending(self._game, known) > 0)
        weigh_batch = self._weigh_worlds if uncertain or self._guided else self._weigh
        first = first_batch(FIRST_BATCH, self._evaluation, self._policy)
        for batch in batches(simulations, begun, seconds, first):
            weigh_batch(known, actions, totals, batch)
            played += batch
        return ActionMeans(actions, (totals / played).tolist(), played)

    def _compile(self) -> None:
        """Compiles all that a search may call, before a clock runs."""
        root = start(self._game)
        if not self._hidden:
            lanes(self._game, root, 0, self._rng, self._work)
        if self._hidden or self._simultaneous or self._guided:
            self._weigh_worlds(root.tolist(), [0], np.zeros(1), 0)

    def _weigh(self, state: list[int], actions: list[int], totals: np.ndarray, count: int) -> None:
        """Adds the mover's returns of `count` random games after each action."""
        player = int(mover(self._game, state))
        for rank, action in enumerate(actions):
            after = state.copy()
            play(self._game, after, action)
            root = np.array(after, self._dtype)
            lanes(self._game, root, count, self._rng, self._work)
            totals[rank] += self._work.total[player]

    def _weigh_worlds(
        self, state: list[int], actions: list[int], totals: np.ndarray, count: int
    ) -> None:
        """Does the same where the state may be another."""
        root = np.array(state, self._dtype)
        weigh(
            self._game, self._evaluation, self._policy, root, self._world,
            np.array(actions, np.int32), totals, self._scale, count, self._rng, self._work,
        )  # fmt: skip
