"""Information-set Monte Carlo tree search: for games where players do not see everything.

Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search" (2012), with one observer,
the player to move at the root, or with many. Each simulation starts from a state that the observer
thinks possible, and goes down a tree of what it sees: two states that it cannot tell apart are one
place in it, an opponent's hidden choices are one branch. Where everything is seen, it is plain UCT.
With many observers every player goes down a tree of what it sees itself since the root, all at the
same time; so it cannot choose by what is hidden from it, and may choose by what it alone has seen.

Each player takes the action of the highest upper confidence bound for itself, of those that the
state allows; that an action is seldom tried counts only where it was available. Chance is drawn.
Where all choose at once, nobody sees the others' choices before the round is over: then it is
decoupled UCT. The first new action ends the way through the tree; the rest is played at random.

The tree has no nodes and no pointers. An observer's *history* is a hash of all that it has seen
since the root, and an *edge* is a history, a player to move and what the observer sees of its
action: one place of an open-addressed table. Two edges of one hash are taken for each other, which
among 2^20 of them happens with probability 2^-23, and is accepted.

The value of an action is the observer's mean return in the simulations that took it. It is the
value of the game against opponents who play as well as the tree knows for all players, but for two
things, which make it neither a bound nor an equilibrium: an opponent's choices come to suit the
hand that the observer holds, as if it knew that hand (with many observers: as if it knew how likely
it is), and the observer's belief about hidden cards is that of `determinize`, which concludes
nothing from how others played.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import int64, uint64

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.compiling import shared_overload
from joute.core.errors import SearchError
from joute.core.interface import (
    CHANCE,
    OVER,
    determinize,
    draw,
    inline,
    legal,
    mover,
    operation,
    pending,
    play,
    properties,
    seen,
    start,
)
from joute.core.interface import returns as game_returns
from joute.core.random import INLINE, below, generator
from joute.i18n.words import Sentence
from joute.search.evaluation import Playout, evaluate_leaf
from joute.search.montecarlo import (
    INSIDE,
    LENGTH,
    SIMULATIONS,
    ActionStatistics,
    Root,
    TreeSearch,
    simulation,
)
from joute.search.montecarlo import USED as EDGES
from joute.search.policy import Promises, choose
from joute.search.refusals import check_evaluation

EXPLORATION = 0.7  # of the span of returns: the authors' constant, hardly better or worse elsewhere
TREE_LOG2 = 19  # places: as many as 0.3 s of a quick game fill
INFINITY = float("inf")

SUM, VISITS, AVAILABLE, LAST = 0, 1, 2, 3  # columns of InformationTree.edges
# The history of an observer who has seen nothing since the root. Any number will do from which
# `follow` does not lead back to it, as it does from 1 by sights of 1.
ROOT = 0x3C6EF372FE94F82B
_MASK = (1 << 64) - 1
_FACTOR = 0x9E3779B97F4A7C15  # 2^64 / golden ratio


class InformationTree(NamedTuple):
    """Edges by hash; see the module. Both arrays have 2^k places."""

    keys: np.ndarray  # int64, the whole hash; 0 where there is no edge
    edges: np.ndarray  # float64[4]: sum of the returns of its player, visits, simulations in which
    # the action was available, the last of them


def information_tree(size_log2: int) -> InformationTree:
    """An empty tree of 2^size_log2 places of 40 bytes."""
    size = 1 << size_log2
    # Filled, not only asked for: memory first touched in a search costs half of its first 0.1 s.
    return InformationTree(np.full(size, 0, np.int64), np.full((size, 4), 0.0))


def follow(history: int, sight: int) -> int:
    """The history after `sight` (an int from 0), in 1..2^63 - 1."""
    found = ((history ^ sight) * _FACTOR) & _MASK
    return ((found ^ (found >> 32)) >> 1) | 1


@shared_overload(follow, INLINE)
def _compiled_follow(history, sight):
    def compiled(history, sight):
        found = uint64(int64(history) ^ int64(sight)) * uint64(_FACTOR)
        return int64((found ^ (found >> uint64(32))) >> uint64(1)) | 1

    return compiled


@inline
def place_of(tree: Any, key: int) -> int:
    """The place of the edge of this key, or the free place where it would be."""
    keys = tree.keys
    last = keys.size - 1
    place = (key >> 1) & last  # the lowest bit of a key is always 1
    while keys[index(place)] != key and keys[index(place)] != 0:
        place = (place + 1) & last
    return place


@inline
def room(tree: Any) -> int:
    """The edges that a tree takes before it stops growing: a fuller table is slow to look into."""
    return tree.keys.size * 3 // 4


@inline
def add_edge(tree: Any, place: int, key: int, simulation: int) -> None:
    """Makes an edge at a free place, for an action that is available in this simulation."""
    tree.keys[index(place)] = key
    edge = tree.edges[index(place)]
    edge[SUM] = edge[VISITS] = 0.0
    edge[AVAILABLE], edge[LAST] = 1.0, simulation


@operation
def stops(horizon, game, root, state, out):
    """Whether a simulation ends in a state, before the game does; then `out` holds the values.

    `out` is float[players], in the units of the game's returns. `state` is not over, and follows
    `root`. A horizon is a NamedTuple that implements this, as a game its operations.
    """
    return False


@operation
def imagine(horizon, game, state, observer, rng):
    """Replaces, in place, all that `observer` does not know by a draw from its beliefs."""
    determinize(game, state, observer, rng)


@operation
def answer(horizon, game, state, observer, inside, rng):
    """The action of the player to move where the search does not decide it; -1 where it does.

    `inside`: whether the simulation is still in the tree.
    """
    return -1


class End(NamedTuple):
    """The horizon that every game has: its end; all players are searched for."""


@kernel
def simulate(
    game, horizon, evaluation, policy, root, observer, many, rounds, exploration, scale, count, rng,
    work, tree, histories,
):  # fmt: skip
    """Adds `count` simulations from `root`, where `observer` is to move, to the tree.

    `exploration` is in the units of returns. `many`: whether each player has a tree of its own.
    `rounds`: whether all choose at once, so that nobody sees the others' choices before the round
    is over. `rng` (uint64[2]) advances. `histories`: int64[2, players], by player what it has seen,
    and what of it was known when the round began.
    """
    state, control = work.state, work.control
    first, last = (0, histories.shape[1]) if many else (observer, observer + 1)
    for _ in range(count):
        control[SIMULATIONS] += 1
        control[LENGTH], control[INSIDE] = 0, 1
        histories[:] = ROOT
        copy(state, root)
        imagine(horizon, game, state, observer, rng)
        player, judged = mover(game, state), False
        while player != OVER and not judged and not stops(horizon, game, root, state, work.returns):
            if player == CHANCE:
                action = draw(game, state, work.actions, work.weights, rng)
            else:
                action = answer(horizon, game, state, observer, control[INSIDE], rng)
                if action < 0 and control[INSIDE]:
                    watcher = player if many else observer
                    known = int(histories[1, index(watcher)])
                    action = select(game, watcher, player, known, exploration, rng, work, tree)
                elif action < 0:
                    action = choose(policy, game, state, work.actions, work.weights, rng)
            if control[INSIDE]:
                for watcher in range(first, last):
                    sight = seen(game, state, watcher, action)
                    if sight >= 0:
                        place = index(watcher)
                        histories[0, place] = follow(int(histories[0, place]), sight)
            play(game, state, action)
            player = mover(game, state)
            if not rounds or pending(game, state) == 0:
                for watcher in range(first, last):
                    histories[1, index(watcher)] = histories[0, index(watcher)]
                if player >= 0 and not control[INSIDE]:
                    judged = evaluate_leaf(evaluation, game, state, scale, work.returns)
        if player == OVER:
            game_returns(game, state, work.returns)
        for step in range(control[LENGTH]):  # back up
            edge = tree.edges[index(work.path[index(step)])]
            edge[SUM] += work.returns[index(work.players[index(step)])]
            edge[VISITS] += 1.0


@inline
def select(game, observer, player, known, exploration, rng, work, tree):
    """The action that a player takes in the tree; notes the edge, and whether it is a new one.

    Where the tree has stopped growing, an action without an edge is taken if none has one.
    """
    state, actions, control = work.state, work.actions, work.control
    count = legal(game, state, actions)
    chosen = int(actions[0])
    if count == 1:
        return chosen
    here = follow(known, player)
    growing = control[EDGES] < room(tree)
    place, fresh, untried, ties, best = -1, 0, 0, 0, -INFINITY
    for each in range(count):
        action = int(actions[index(each)])
        # The observer cannot see a card before it is played, nor where in a hand it was.
        sight = action if player == observer else seen(game, state, observer, action)
        key = follow(here, sight)
        at = place_of(tree, key)
        if tree.keys[index(at)] == 0:
            untried += 1
            if (growing or best == -INFINITY) and below(rng, untried) == 0:
                chosen, place, fresh = action, at, key
            continue
        edge = tree.edges[index(at)]
        if edge[LAST] != control[SIMULATIONS]:  # several hidden choices are one edge
            edge[LAST] = control[SIMULATIONS]
            edge[AVAILABLE] += 1.0
        if growing and untried > 0:
            continue
        visits = edge[VISITS]
        bound = edge[SUM] / visits + exploration * math.sqrt(math.log(edge[AVAILABLE]) / visits)
        if bound > best:
            chosen, place, ties, best = action, at, 1, bound
        elif at == place:
            ties += 1
            if below(rng, ties) == 0:
                chosen = action
    if untried > 0 and (growing or best == -INFINITY):
        control[INSIDE] = 0
        if growing:
            control[EDGES] += 1
            add_edge(tree, place, fresh, control[SIMULATIONS])
    if tree.keys[index(place)] != 0:
        length = control[LENGTH]
        work.path[index(length)], work.players[index(length)] = place, player
        control[LENGTH] = length + 1
    return chosen


class Ismcts(TreeSearch):
    """The search.

    `horizon` says where simulations end (default: with the game). `many`: whether every player
    observes, not only the one to move at the root. `evaluation`, `scale` and `policy`: as of UCT,
    but the policy is of the random games alone. Raises SearchError for an exploration below 0, a
    tree that is too small or too large, or an evaluation as UCT does.
    """

    _name = "information-set search"

    def __init__(
        self,
        game: Any,
        seed: int = 0,
        exploration: float = EXPLORATION,
        horizon: Any = None,
        tree_log2: int = TREE_LOG2,
        many: bool = False,
        evaluation: Any = None,
        scale: float = 1.0,
        policy: Any = None,
    ) -> None:
        if not 0 <= exploration < INFINITY:
            raise SearchError(Sentence("error.search.exploration", exploration=exploration))
        if not 1 <= tree_log2 <= 30:
            raise SearchError(
                Sentence("error.range", name="tree_log2", lowest=1, highest=30, value=tree_log2)
            )
        facts = properties(game)
        check_evaluation(evaluation, facts, scale)
        self._game = game
        self._rounds = facts.simultaneous
        self._exploration = exploration * (facts.highest_return - facts.lowest_return)
        self._horizon = End() if horizon is None else horizon
        self._evaluation = Playout() if evaluation is None else evaluation
        self._policy = Promises() if policy is None else policy
        self._scale = scale
        self._rng = generator(seed)
        self._work = simulation(game)
        self._tree: InformationTree = information_tree(tree_log2)
        self._many = many
        self._histories = np.zeros((2, facts.players), np.int64)
        self._add(start(game), 0, 0)  # compiled now, when no clock runs

    @property
    def edges(self) -> int:
        """The number of edges in the tree of the last search."""
        return int(self._work.control[EDGES])

    def _empty(self) -> None:
        if self._work.control[EDGES]:
            self._tree.keys.fill(0)
        self._work.control[:] = 0

    def _add(self, state: np.ndarray, player: int, count: int) -> None:
        simulate(
            self._game, self._horizon, self._evaluation, self._policy, state, player, self._many,
            self._rounds, self._exploration, self._scale, count, self._rng, self._work, self._tree,
            self._histories,
        )  # fmt: skip

    def _statistics(self, root: Root) -> ActionStatistics:
        visits, values = [], []
        for action in root.actions:
            place = place_of(self._tree, follow(follow(ROOT, root.player), action))
            edge = self._tree.edges[place] * (self._tree.keys[place] != 0)
            visits.append(int(edge[VISITS]))
            values.append(float(edge[SUM] / max(edge[VISITS], 1.0)))
        return ActionStatistics(root.actions, visits, values, int(self._work.control[SIMULATIONS]))
