"""The best answer to players whose ways are known, exactly: expectimax over information sets.

Where it is known how likely each of the others plays what, and how likely each state is that the
player thinks possible, what is left of a game is a decision problem of one player under partial
information: his later choices can depend on what he will have seen by then, not on the state. Its
solution is a plan for every information set (Kaelbling, Littman and Cassandra, "Planning and acting
in partially observable stochastic domains", 1998), found here from the last decisions back: a
*sweep* walks through all that can follow from all states, weighs the actions of the decisions of
one *layer* (his first, second ... of the way), and takes the best at those of later layers, which
the sweeps before it have weighed.

The value of an action is the player's mean return if he plays as well as can be from there on
against the others as they are known: it is exact, and no plan of his has a higher one. It bounds
nothing against players who play otherwise.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
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
from joute.search.found import Found
from joute.search.ismcts import End, stops
from joute.search.ismcts_tree import ROOT, SUM, Tree, follow, grow, place_of, room, tree
from joute.search.simulation import question

LEVELS = 64  # plies that a walk goes deep at most
TREE_LOG2 = 16  # places, one for each action of an information set
INFINITY = float("inf")
NOWHERE = -1  # the place of an edge where there is none
NODES, DEEPEST, EDGES = 0, 1, 2  # places in Work.control


class Work(NamedTuple):
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
    layers: np.ndarray  # int64[levels], his decisions before
    histories: np.ndarray  # int64[levels], what he has seen
    places: np.ndarray  # int64[levels], the edge of his decision of the layer
    likely: np.ndarray  # float64[levels], how likely it is that he gets there if he wants to


def work(game: Any) -> Work:
    """A stack for this game."""
    facts, state = properties(game), start(game)
    most = max(facts.max_legal, facts.max_outcomes, 1)
    counts, tries, decides, layers, histories, places = np.zeros((6, LEVELS), np.int64)
    return Work(
        control=np.zeros(3, np.int64),
        total=np.zeros(1),
        returns=np.zeros(facts.players),
        states=np.zeros((LEVELS, state.size), state.dtype),
        actions=np.zeros((LEVELS, most), np.int32),
        weights=np.zeros((LEVELS, most)),
        counts=counts,
        tries=tries,
        decides=decides,
        layers=layers,
        histories=histories,
        places=places,
        likely=np.zeros(LEVELS),
    )


@operation
def world(horizon, game, state, observer, number, out):
    """Write the state of this number that `observer` thinks possible; return how likely it is.

    In any unit; 0 if it cannot be, below 0 if there are no more. A horizon may keep to itself what
    else it takes to be so in that world. Default: everything is seen.
    """
    if number > 0:
        return -1.0
    copy(out, state)
    return 1.0


@operation
def answers(horizon, game, state, observer, actions, count, weights):
    """Whether it is known how the player to move chooses; then write how likely each action is.

    Default: the observer's choices are searched, all that another may do is as likely.
    """
    for each in range(count):
        weights[index(each)] = 1.0 / count
    return mover(game, state) != observer


@kernel
def sweep(game, horizon, root, observer, layer, budget, work, tree):
    """Walk from `root`, where `observer` is to move; whether it ended within budget and tree.

    The tree receives at the edges of this layer of his decisions the sums, by how likely each is,
    of his returns. `work.control` says how many nodes were visited, in all layers so far, and which
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
    """List what may happen at a level: all of it, but at decisions of later layers the best."""
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
    """Where the edge of this key is, made if there is none; NOWHERE if the tree is full."""
    place = place_of(tree, key)
    if tree.keys[index(place)] == 0:
        if work.control[EDGES] == room(tree):
            return NOWHERE
        work.control[EDGES] += 1
        grow(tree, place, key, 0)
    return place


class BestAnswer:
    """The search, with its room to work in: one per thread.

    `horizon` says who the others are, what may be so, and where what is searched ends (default:
    random players, all is seen, the end of the game). Raises ValueError for a game in which all
    choose at once, and without a horizon for one that hides something.
    """

    def __init__(self, game: Any, horizon: Any = None, tree_log2: int = TREE_LOG2) -> None:
        facts = properties(game)
        if facts.simultaneous:
            raise ValueError(f"a best answer is for one who moves alone, not in {facts.name}")
        if horizon is None and facts.hidden_information:
            raise ValueError(f"a best answer needs to know what {facts.name} hides")
        self._game = game
        self._horizon = End() if horizon is None else horizon
        self._work = work(game)
        self._tree: Tree = tree(tree_log2)
        self._sweep(start(game), 0, 0, 0)  # compiled now, when no clock runs

    @property
    def nodes(self) -> int:
        """How many the last search has visited."""
        return int(self._work.control[NODES])

    def search(self, state: Any, budget: int) -> Found | None:
        """The exact value of each legal action; None where that takes more nodes, or too much room.

        The first sweep only counts: half of the budget is lost at most. Raises ValueError if no
        player is to move.
        """
        _, player, actions = question("a best answer", self._game, state, None)
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
        return Found(actions, [0] * len(actions), values, 0, exact=True)

    def _sweep(self, root: np.ndarray, player: int, layer: int, budget: int) -> bool:
        ended: bool = sweep(
            self._game, self._horizon, root, player, layer, budget, self._work, self._tree
        )
        return ended
