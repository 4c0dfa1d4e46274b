"""UCT and PUCT: Monte Carlo tree search for games where everything is seen.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006). Each simulation goes down the
tree by the action of the highest upper confidence bound for whoever is to move there, draws chance,
gives the first new state a place in the tree, judges it (by a game played to its end at random, or
by an evaluation), and adds the returns of each player to every action on its way. Players are any
number and each wants the most for itself: Sturtevant, "An analysis of UCT in multi-player games"
(2008).

The bound of an action is, with N visits of its state and n of its own, mean + c sqrt(ln N / n); an
action without a visit comes first. With PUCT (Rosin, "Multi-armed bandits with episode context",
2011, in the form of Silver and others, "Mastering the game of Go without human knowledge", 2017)
it is mean + c P sqrt(N) / (1 + n), where P is the action's part of the weights of a policy, by
default of the game's `promise`s.

The value of an action is the mean of its player's returns in the simulations that took it: with
ever more of them it goes to that of perfect play. After finitely many it proves nothing.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.errors import SearchError
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    draw,
    inline,
    legal,
    mover,
    play,
    properties,
    start,
)
from joute.core.interface import returns as game_returns
from joute.core.random import below, generator
from joute.i18n.words import Sentence
from joute.search.evaluation import Playout, evaluate_leaf
from joute.search.montecarlo import (
    INSIDE,
    LENGTH,
    SIMULATIONS,
    USED,
    ActionStatistics,
    Root,
    TreeSearch,
    simulation,
)
from joute.search.policy import Promises, choose, normalise, prefer
from joute.search.refusals import check_evaluation, check_open

EXPLORATION = 0.5  # of the span of returns, for UCT
PRIOR_EXPLORATION = 0.75  # for PUCT
TREE_LOG2 = 20  # places of a tree
INFINITY = float("inf")

ACTION, VISITS, FIRST, CHILDREN = 0, 1, 2, 3  # columns of UctTree.places


class UctTree(NamedTuple):
    """A place for each action or outcome that is known; those of one state stand together.

    Place 0 stands for the root. Of a player's actions those that were tried come first.
    """

    places: np.ndarray  # int32[size, 4]: the action, its visits, where those after it begin, how
    # many they are (0 while they are unknown)
    sums: np.ndarray  # float64[size], of its player's returns; of an outcome 0
    priors: np.ndarray  # float32[size], its part of the promises of its state, with PUCT


def uct_tree(size_log2: int) -> UctTree:
    """An empty tree of 2^size_log2 places of 28 bytes."""
    size = 1 << size_log2
    # Filled, not only asked for: memory first touched in a search costs much of its first 0.1 s.
    return UctTree(
        np.full((size, 4), 0, np.int32), np.full(size, 0.0), np.full(size, 0.0, np.float32)
    )


@inline
def expand(game, policy, place, player, informed, work, tree):
    """Gives all that can follow a state places of their own; returns whether there was room."""
    state, actions, first = work.state, work.actions, work.control[USED]
    if player == CHANCE:
        count = chances(game, state, actions, work.weights)
    else:
        count = legal(game, state, actions)
    if first + count > tree.places.shape[0]:
        return 0
    for each in range(count):
        at, action = index(first + each), int(actions[index(each)])
        new = tree.places[at]
        new[ACTION], new[VISITS], new[CHILDREN] = action, 0, 0
        tree.sums[at] = 0.0
    if informed and player != CHANCE:
        prefer(policy, game, state, actions, count, work.weights)
        total = normalise(work.weights, count)
        for each in range(count):
            tree.priors[index(first + each)] = work.weights[index(each)] / total
    here = tree.places[index(place)]
    here[FIRST], here[CHILDREN] = first, count
    work.control[USED] = first + count
    return 1


@inline
def place_of(place, action, tree):
    """The place of an outcome that can follow a place; they stand there in ascending order."""
    places = tree.places
    low = places[index(place), FIRST]
    high = low + places[index(place), CHILDREN] - 1
    while low < high:
        middle = (low + high) >> 1
        if places[index(middle), ACTION] < action:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def simulate(game, evaluation, policy, root, exploration, scale, informed, count, rng, work, tree):
    """Adds `count` simulations from `root` to the tree.

    `exploration` is in the units of returns; `informed`: PUCT instead of UCT. `rng` (uint64[2])
    advances. Where the tree has no room left, simulations go on as if it ended there.
    """
    state, control, places = work.state, work.control, tree.places
    for _ in range(count):
        control[SIMULATIONS] += 1
        control[LENGTH], control[INSIDE] = 0, 1
        place, judged = 0, False
        copy(state, root)
        player = mover(game, state)
        while player != OVER and not judged:
            if control[INSIDE] and places[index(place), CHILDREN] == 0:
                control[INSIDE] = expand(game, policy, place, player, informed, work, tree)
                if not control[INSIDE] and player >= 0:
                    judged = evaluate_leaf(evaluation, game, state, scale, work.returns)
                    if judged:
                        break
            if player == CHANCE:
                action = draw(game, state, work.actions, work.weights, rng)
                if control[INSIDE]:
                    place = place_of(place, action, tree)
            elif control[INSIDE]:
                place = select(place, exploration, informed, rng, tree)
                action = int(places[index(place), ACTION])
            else:
                action = choose(policy, game, state, work.actions, work.weights, rng)
            play(game, state, action)
            if control[INSIDE]:
                length = control[LENGTH]
                work.path[index(length)], work.players[index(length)] = place, player
                control[LENGTH] = length + 1
            player = mover(game, state)
            if player >= 0 and (not control[INSIDE] or places[index(place), VISITS] == 0):
                control[INSIDE] = 0  # a new state: it is judged now, and grows when met again
                judged = evaluate_leaf(evaluation, game, state, scale, work.returns)
        if not judged:
            game_returns(game, state, work.returns)
        places[0, VISITS] += 1  # back up
        for step in range(control[LENGTH]):
            at = index(work.path[index(step)])
            places[at, VISITS] += 1
            if work.players[index(step)] >= 0:
                tree.sums[at] += work.returns[index(work.players[index(step)])]


@inline
def select(place, exploration, informed, rng, tree):
    """The place of the action of the highest bound; with UCT any of those not tried yet."""
    places, sums = tree.places, tree.sums
    here = places[index(place)]
    first, count, tried = here[FIRST], here[CHILDREN], here[VISITS] - 1
    best, chosen = -INFINITY, first
    if informed:
        spread = exploration * math.sqrt(float(here[VISITS]))
        for at in range(first, first + count):
            visits = float(places[index(at), VISITS])
            mean = sums[index(at)] / max(visits, 1.0)
            prior = float(tree.priors[index(at)])  # plain Python would go on in float32
            bound = mean + spread * prior / (1.0 + visits)
            if bound > best:
                chosen, best = at, bound
        return chosen
    if tried < count:
        chosen = first + tried
        other = chosen + below(rng, count - tried)
        action = places[index(chosen), ACTION]
        places[index(chosen), ACTION] = places[index(other), ACTION]
        places[index(other), ACTION] = action
        return chosen
    spread = exploration * math.sqrt(math.log(float(here[VISITS])))
    for at in range(first, first + count):
        visits = float(places[index(at), VISITS])
        bound = sums[index(at)] / visits + spread / math.sqrt(visits)
        if bound > best:
            chosen, best = at, bound
    return chosen


class Uct(TreeSearch):
    """The search.

    With an `evaluation` a new state is judged by it, `scale` being the value that is worth half a
    win; else by a random game. `informed` takes PUCT's bound. A `policy` gives its priors, in place
    of the game's promises, and the actions of the random games. With `peeks` it takes games with
    hidden cards too, as if they were open to everybody. Raises SearchError for a game it cannot
    play, an exploration below 0, a scale that is not above 0, or a tree that is too small or too
    large.
    """

    _name = "UCT"

    def __init__(
        self,
        game: Any,
        seed: int = 0,
        exploration: float | None = None,
        evaluation: Any = None,
        scale: float = 1.0,
        informed: bool = False,
        tree_log2: int = TREE_LOG2,
        policy: Any = None,
        peeks: bool = False,
    ) -> None:
        facts = properties(game)
        if not peeks:
            check_open("UCT", facts)
        check_evaluation(evaluation, facts, scale)
        usual = PRIOR_EXPLORATION if informed else EXPLORATION
        exploration = usual if exploration is None else exploration
        if not 0 <= exploration < INFINITY:
            raise SearchError(Sentence("error.search.exploration", exploration=exploration))
        if not 10 <= tree_log2 <= 28 or facts.max_legal >= 1 << tree_log2:
            raise SearchError(Sentence("error.search.tree", game=facts.name, log2=tree_log2))
        self._game = game
        self._exploration = exploration * (facts.highest_return - facts.lowest_return)
        self._evaluation = Playout() if evaluation is None else evaluation
        self._policy = Promises() if policy is None else policy
        self._scale = scale
        self._informed = informed
        self._rng = generator(seed)
        self._work = simulation(game)
        self._tree = uct_tree(tree_log2)
        self._add(start(game), 0, 0)  # compiled now, when no clock runs

    @property
    def places(self) -> int:
        """The number of places in the tree of the last search."""
        return int(self._work.control[USED])

    def below(self, place: int) -> list[tuple[int, int, int, float]]:
        """The places after one that were visited: place, action, visits, value.

        Place 0 is the root of the last search. Values are for whoever chose; 0 of outcomes.
        """
        first, count = self._tree.places[place, FIRST], self._tree.places[place, CHILDREN]
        return [
            (at, int(self._tree.places[at, ACTION]), visits, float(self._tree.sums[at]) / visits)
            for at in range(first, first + count)
            if (visits := int(self._tree.places[at, VISITS]))
        ]

    def _empty(self) -> None:
        self._work.control[:] = 0
        self._work.control[USED] = 1
        self._tree.places[0] = (0, 1, 0, 0)

    def _add(self, state: np.ndarray, player: int, count: int) -> None:
        simulate(
            self._game, self._evaluation, self._policy, state, self._exploration, self._scale,
            self._informed, count, self._rng, self._work, self._tree,
        )  # fmt: skip

    def _statistics(self, root: Root) -> ActionStatistics:
        first, count = self._tree.places[0, FIRST], self._tree.places[0, CHILDREN]
        places = self._tree.places[first : first + count]
        ranks = {int(action): rank for rank, action in enumerate(places[:, ACTION])}
        visits, values = [], []
        for action in root.actions:
            rank = ranks.get(action)
            seen = 0 if rank is None else int(places[rank, VISITS])
            total = 0.0 if rank is None else float(self._tree.sums[first + rank])
            visits.append(seen)
            values.append(total / max(seen, 1))
        return ActionStatistics(root.actions, visits, values, int(self._work.control[SIMULATIONS]))
