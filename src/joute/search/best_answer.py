"""The best answer to players of known policies, exactly: expectimax over information sets.

Where it is known how likely the others are to play each action, and how likely each state is that
the player thinks possible, the rest of a game is a decision problem of one player under partial
information: its later choices can depend on all that it will have seen by then, not on the state.
The solution is a plan for every information set (Kaelbling, Littman and Cassandra, "Planning and
acting in partially observable stochastic domains", 1998), found here from the last decisions back:
a *sweep* walks through all that can follow from all states, weighs the actions of the decisions of
one *layer* (the player's first, second ... on the way), and takes the best at those of later
layers, which the sweeps before it have weighed.

The value of an action is the player's mean return if it plays as well as can be from there on
against the others as they are known: it is exact, and no plan has a higher one. It bounds nothing
against players who play otherwise.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.errors import SearchError
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    inline,
    legal,
    mover,
    operation,
    play,
    properties,
    seen,
    start,
)
from joute.core.interface import returns as game_returns
from joute.i18n.words import Sentence
from joute.search.ismcts_search import (
    ROOT,
    SUM,
    End,
    InformationTree,
    add_edge,
    follow,
    information_tree,
    place_of,
    room,
    stops,
)
from joute.search.montecarlo import ActionStatistics, root_of

LEVELS = 64  # plies that a walk goes deep at most
TREE_LOG2 = 16  # places, one for each action of an information set
INFINITY = float("inf")
NOWHERE = -1  # the place of an edge where there is none
NODES, DEEPEST, EDGES = 0, 1, 2  # places in DecisionStack.control


class DecisionStack(NamedTuple):
    """The walk's stack, a row a ply; one per thread."""

    control: np.ndarray  # int64[3]: nodes, the deepest layer met, edges of the tree
    total: np.ndarray  # float64[1], how likely all states are together
    returns: np.ndarray  # float64[players]
    states: np.ndarray  # the game's dtype [levels, words]
    actions: np.ndarray  # int32[levels, max_legal or max_outcomes, the larger]
    weights: np.ndarray  # float64, as `actions`: how likely each is, 1 where the player decides
    counts: np.ndarray  # int64[levels], actions
    tries: np.ndarray  # int64[levels], how many of them were taken so far
    decides: np.ndarray  # int64[levels], 1 where the player decides
    layers: np.ndarray  # int64[levels], the player's decisions before
    histories: np.ndarray  # int64[levels], hashes of all that the player has seen
    places: np.ndarray  # int64[levels], the edge of its decision of the layer
    likely: np.ndarray  # float64[levels], how likely the player is to get there if it wants to


def _decision_stack(game: Any) -> DecisionStack:
    """A stack for this game."""
    facts, state = properties(game), start(game)
    most = max(facts.max_legal, facts.max_outcomes, 1)
    columns = [
        np.zeros(3, np.int64),
        np.zeros(1),
        np.zeros(facts.players),
        np.zeros((LEVELS, state.size), state.dtype),
        np.zeros((LEVELS, most), np.int32),
        np.zeros((LEVELS, most)),
        *np.zeros((6, LEVELS), np.int64),
        np.zeros(LEVELS),
    ]
    return DecisionStack._make(columns)


@operation
def world(horizon, game, state, observer, number, out):
    """Writes the state of this number that `observer` thinks possible; returns how likely it is.

    In any unit; 0 if it cannot be, below 0 if there are no more. A horizon may remember
    more of that world. Default: everything is seen.
    """
    if number > 0:
        return -1.0
    copy(out, state)
    return 1.0


@operation
def answers(horizon, game, state, observer, actions, count, weights):
    """Whether the policy of the player to move is known; then it writes how likely each action is.

    Default: the observer's choices are searched, all that another may do is as likely.
    """
    for each in range(count):
        weights[index(each)] = 1.0 / count
    return mover(game, state) != observer


@kernel
def sweep(game, horizon, root, observer, layer, budget, work, tree):
    """Walks from `root`, where `observer` is to move; whether it ended within budget and tree.

    The tree receives, at the edges of this layer of its decisions, the sums of its returns, by how
    likely each is. `work.control` says how many nodes were visited, in all layers so far, and which
    layer was the deepest; `work.total[0]` how likely all states are together.
    """
    control = work.control
    control[DEEPEST] = 0
    work.total[0] = 0.0
    number = 0
    while True:
        likelihood = world(horizon, game, root, observer, number, work.states[0])
        number += 1
        control[NODES] += 1
        if likelihood < 0.0:
            return True
        if control[NODES] > budget:
            return False
        if likelihood == 0.0:
            continue
        work.total[0] += likelihood
        work.likely[0], work.histories[0], work.places[0] = likelihood, ROOT, NOWHERE
        work.layers[0] = 0
        level, entering = 0, True
        while level >= 0:
            here = index(level)
            if entering:
                entering = False
                _list(game, horizon, observer, layer, work, tree, here)
            if work.tries[here] == work.counts[here]:
                level -= 1
                continue
            control[NODES] += 1
            if control[NODES] > budget or level + 1 == LEVELS:
                return False
            each = index(work.tries[here])
            work.tries[here] += 1
            state, action = work.states[index(level + 1)], int(work.actions[here, each])
            copy(state, work.states[here])
            decided = work.decides[here] == 1
            place, history = int(work.places[here]), int(work.histories[here])
            if decided and work.layers[here] == layer:
                place = _edge(work, tree, follow(follow(history, observer), action))
                if place == NOWHERE:
                    return False
            sight = seen(game, state, observer, action)
            if sight >= 0:
                history = follow(history, sight)
            likely = work.likely[here] * work.weights[here, each]
            play(game, state, action)
            player = mover(game, state)
            if player == OVER:
                game_returns(game, state, work.returns)
            elif not stops(horizon, game, root, state, work.returns):
                level += 1
                below = index(level)
                work.layers[below] = work.layers[here] + int(decided)
                work.histories[below], work.places[below] = history, place
                work.likely[below] = likely
                entering = True
                continue
            if place != NOWHERE:
                tree.edges[index(place)][SUM] += likely * work.returns[index(observer)]


@inline
def _list(game, horizon, observer, layer, work, tree, here):
    """Lists all that may happen at a level, but at decisions of later layers the best alone."""
    state, actions, weights = work.states[here], work.actions[here], work.weights[here]
    work.tries[here] = work.decides[here] = 0
    if mover(game, state) == CHANCE:
        work.counts[here] = chances(game, state, actions, weights)
        return
    count = legal(game, state, actions)
    work.counts[here] = count
    if answers(horizon, game, state, observer, actions, count, weights):
        return
    known = follow(int(work.histories[here]), observer)
    work.decides[here] = 1
    work.control[DEEPEST] = max(work.control[DEEPEST], work.layers[here])
    if work.layers[here] > layer:
        best, most = 0, -INFINITY
        for each in range(count):
            place = place_of(tree, follow(known, int(actions[index(each)])))
            value = tree.edges[index(place)][SUM]
            if tree.keys[index(place)] != 0 and value > most:
                best, most = each, value
        actions[0] = actions[index(best)]
        count = 1
    for each in range(count):
        weights[index(each)] = 1.0
    work.counts[here] = count


@inline
def _edge(work, tree, key):
    """The place of the edge of this key, made if there is none; NOWHERE if the tree is full."""
    place = place_of(tree, key)
    if tree.keys[index(place)] == 0:
        if work.control[EDGES] == room(tree):
            return NOWHERE
        work.control[EDGES] += 1
        add_edge(tree, place, key, 0)
    return place


class BestAnswer:
    """The search, with the arrays it works in: one per thread.

    `horizon` gives the policies of the others, the possible states, and the end of the search
    (default: random players, all is seen, the end of the game). Raises SearchError for a game in
    which all choose at once, and without a horizon for one that hides something.
    """

    def __init__(self, game: Any, horizon: Any = None, tree_log2: int = TREE_LOG2) -> None:
        facts = properties(game)
        if facts.simultaneous:
            raise SearchError(
                Sentence("error.search.simultaneous", search="best answer", game=facts.name)
            )
        if horizon is None and facts.hidden_information:
            raise SearchError(
                Sentence("error.search.hidden", search="best answer", game=facts.name)
            )
        self._game = game
        self._horizon = End() if horizon is None else horizon
        self._work = _decision_stack(game)
        self._tree: InformationTree = information_tree(tree_log2)
        self._sweep(start(game), 0, 0, 0)  # compiled now, when no clock runs

    @property
    def nodes(self) -> int:
        """The number that the last search visited."""
        return int(self._work.control[NODES])

    def search(self, state: Any, budget: int) -> ActionStatistics | None:
        """The exact value of each legal action; None where that takes more nodes, or too much room.

        The first sweep only counts: half of the budget is lost at most. Raises SearchError if no
        player is to move.
        """
        _, player, actions = root_of("a best answer", self._game, state, None)
        root = np.array(state, self._work.states.dtype)
        control = self._work.control
        control[:] = 0
        self._tree.keys.fill(0)
        if not self._sweep(root, player, LEVELS, budget // 2):
            return None
        for layer in reversed(range(int(control[DEEPEST]) + 1)):
            if not self._sweep(root, player, layer, budget):
                return None
        if self._work.total[0] <= 0.0:
            return None
        values = []
        for action in actions:
            place = place_of(self._tree, follow(follow(ROOT, player), action))
            values.append(float(self._tree.edges[place][SUM] / self._work.total[0]))
        return ActionStatistics(actions, [0] * len(actions), values, 0, exact=True)

    def _sweep(self, root: np.ndarray, player: int, layer: int, budget: int) -> bool:
        ended: bool = sweep(
            self._game, self._horizon, root, player, layer, budget, self._work, self._tree
        )
        return ended
