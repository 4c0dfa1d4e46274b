"""PUCT: tree search by a policy and an evaluation, for two players who see everything.

Rosin, "Multi-armed bandits with episode context" (2011), in the form of Silver and others,
"Mastering the game of Go without human knowledge" (2017). Each simulation goes down the tree by the
action of the highest mean + c P sqrt(N) / (1 + n), with N visits of its state, n of its own and its
part P of the weights of the policy. The first new state is judged by the evaluation, which counts
for every action on the way. An action without a visit has the mean of its siblings' visits.

A state that is over has a value for certain, and so has a state with an action that wins, or whose
actions all have such values: Winands, Bjoernsson and Saito, "Monte-Carlo tree search solver"
(2008). Such a value is proven; every other is a mean, which proves nothing.

A state's most promising actions have places in the tree first, its others when those are visited.
The tree is kept from turn to turn: the part below the state that the game has come to.
"""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.errors import SearchError
from joute.core.interface import OVER, inline, legal, mover, play, properties, start
from joute.core.interface import returns as game_returns
from joute.i18n.words import Sentence
from joute.search.batches import batches, first_batch
from joute.search.evaluation import evaluate_leaf
from joute.search.montecarlo import (
    FIRST_BATCH,
    LENGTH,
    SIMULATIONS,
    USED,
    Root,
    Simulation,
    root_of,
    simulation,
)
from joute.search.policy import normalise, prefer
from joute.search.puct_tree import (
    ACTION,
    CHILDREN,
    FIRST,
    LEGAL,
    PROVEN,
    VISITS,
    best_child,
    forget,
    keep_level_by_level,
    puct_tree,
)
from joute.search.refusals import check_chance, check_duel, check_evaluation

EXPLORATION = 1.0  # of the span of returns
TREE_LOG2 = 20  # places of a tree
FEW, MORE = 8, 4  # actions of a state that have places first; how many times as many have next


class PuctResult(NamedTuple):
    """The result of a search."""

    action: int
    value: float  # for the player to move, in the units of returns
    proven: bool  # the value is that of perfect play
    visits: dict[int, int]  # by action, of all simulations that are remembered
    values: dict[int, float]  # by action, of those that were visited
    simulations: int  # of this search
    line: list[int]  # the expected actions, the best first


@inline
def widen(game, policy, place, work, tree):
    """Gives a state's best actions places, or more of its actions, where there is room."""
    state, actions, weights, here = (
        work.state,
        work.actions,
        work.weights,
        tree.places[index(place)],
    )
    count = legal(game, state, actions)
    known, before, first = here[CHILDREN], here[FIRST], work.control[USED]
    width = min(max(FEW, MORE * known), count)
    if first + width <= tree.places.shape[0]:
        prefer(policy, game, state, actions, count, weights)
        total = normalise(weights, count)
        for each in range(width):
            best = each
            for other in range(each + 1, count):
                if weights[index(other)] > weights[index(best)]:
                    best = other
            action, weight = int(actions[index(best)]), weights[index(best)]
            actions[index(best)] = actions[index(each)]
            weights[index(best)] = weights[index(each)]
            at = index(first + each)
            tree.priors[at] = weight / total
            if each < known:
                copy(tree.places[at], tree.places[index(before + each)])
                tree.values[at] = tree.values[index(before + each)]
            else:
                tree.places[at] = 0
                tree.places[at, ACTION] = action
                tree.values[at] = 0.0
        here[FIRST], here[CHILDREN], here[LEGAL] = first, width, count
        work.control[USED] = first + width


@inline
def crowded(here, places):
    """Whether all of a state's actions that have places are visited, and others have none."""
    known = here[CHILDREN]
    if known == 0:
        return here[VISITS] > 0
    return known < here[LEGAL] and places[index(here[FIRST] + known - 1), VISITS] > 0


@inline
def select(here, exploration, tree):
    """The place of the action of the highest bound; what is proven needs no exploration."""
    first = here[FIRST]
    spread = exploration * math.sqrt(float(here[VISITS]))
    best, chosen, total, seen = -math.inf, first, 0.0, 0.0
    for at in range(first, first + here[CHILDREN]):
        each = tree.places[index(at)]
        visits, value = float(each[VISITS]), tree.values[index(at)]
        if visits == 0.0:
            value = total / max(seen, 1.0)
        total += visits * value
        seen += visits
        bound = value
        if each[PROVEN] == 0:
            bound += spread * float(tree.priors[index(at)]) / (1.0 + visits)
        if bound > best:
            chosen, best = at, bound
        if visits == 0.0:  # those after it have lower priors
            break
    return chosen


@inline
def proven(here, value, highest, tree):
    """Whether a state's value is known, one of its actions having a proven one."""
    if value >= highest:
        return True
    if here[CHILDREN] < here[LEGAL]:
        return False
    for at in range(here[FIRST], here[FIRST] + here[CHILDREN]):
        if tree.places[index(at), PROVEN] == 0:
            return False
    return True


@inline
def back_up(highest, news, work, tree):
    """Counts the returns of a simulation on its way, and proves what follows from `news`.

    `news`: whether the last place has just been proven.
    """
    places, returns = tree.places, work.returns
    for step in range(work.control[LENGTH] - 1, -1, -1):
        at, player = index(work.path[index(step)]), index(work.players[index(step)])
        places[at, VISITS] += 1
        if news:
            places[at, PROVEN] = 1
            tree.values[at] = returns[player]
        elif places[at, PROVEN] == 0:
            tree.values[at] += (returns[player] - tree.values[at]) / places[at, VISITS]
        above = places[index(work.path[index(step - 1)] if step else 0)]
        if news:
            news = proven(above, returns[player], highest, tree)
            if news:
                best = -math.inf
                for child in range(above[FIRST], above[FIRST] + above[CHILDREN]):
                    if places[index(child), PROVEN]:
                        best = max(best, tree.values[index(child)])
                returns[player] = best
                returns[1 - player] = -best
    places[0, VISITS] += 1
    if news:
        places[0, PROVEN] = 1


@inline
def explore(game, evaluation, policy, root, exploration, scale, highest, count, work, tree):
    """Adds `count` simulations from `root` to the tree, or fewer if that proves its value.

    `exploration` is in the units of returns, `highest` the return of a win. Where the tree has no
    room left, its last states are judged again and again.
    """
    state, control, places = work.state, work.control, tree.places
    while count > 0 and places[0, PROVEN] == 0:
        count -= 1
        control[SIMULATIONS] += 1
        copy(state, root)
        place = length = 0
        news = False
        while True:
            here, player = places[index(place)], mover(game, state)
            if here[PROVEN]:
                chooser = index(work.players[index(length - 1)])
                work.returns[chooser] = tree.values[index(place)]
                work.returns[1 - chooser] = -work.returns[chooser]
                break
            if player == OVER:
                game_returns(game, state, work.returns)
                news = True
                break
            if crowded(here, places):
                widen(game, policy, place, work, tree)
            if here[CHILDREN] == 0:
                evaluate_leaf(evaluation, game, state, scale, work.returns)
                break
            place = select(here, exploration, tree)
            work.path[index(length)], work.players[index(length)] = place, player
            length += 1
            play(game, state, int(places[index(place), ACTION]))
        control[LENGTH] = length
        back_up(highest, news, work, tree)


simulate = kernel(explore)


class Puct:
    """The search, with its tree; one per thread.

    New states are judged by `evaluation`, `scale` being the value that is worth half a win, and
    actions by `policy`. Raises SearchError for a game it cannot play, an exploration below 0, a
    scale that is not above 0, or a tree that is too small or too large.
    """

    def __init__(
        self,
        game: Any,
        evaluation: Any,
        policy: Any,
        exploration: float = EXPLORATION,
        scale: float = 1.0,
        tree_log2: int = TREE_LOG2,
    ) -> None:
        facts = properties(game)
        check_duel("PUCT", facts)
        check_chance("PUCT", game)
        check_evaluation(evaluation, facts, scale)
        if not 0 <= exploration < math.inf:
            raise SearchError(Sentence("error.search.exploration", exploration=exploration))
        if not 10 <= tree_log2 <= 28 or facts.max_legal >= 1 << tree_log2:
            raise SearchError(Sentence("error.search.tree", game=facts.name, log2=tree_log2))
        self._game = game
        self._parts = evaluation, policy
        self._exploration = exploration * (facts.highest_return - facts.lowest_return)
        self._scale = scale
        self._highest = facts.highest_return
        self._work: Simulation = simulation(game)
        self._tree, self._spare = puct_tree(tree_log2), puct_tree(tree_log2)
        self._root: list[int] = []
        self.forget()
        self._add(start(game), 0)  # compiled now, when no clock runs

    @property
    def places(self) -> int:
        """The number of places in the tree."""
        return int(self._work.control[USED])

    def below(self, place: int) -> list[tuple[int, int, int, float]]:
        """The places after one that were visited: place, action, visits, value for whoever chose.

        Place 0 is the root of the last search.
        """
        places = self._tree.places
        return [
            (at, int(places[at, ACTION]), visits, float(self._tree.values[at]))
            for at in self._children(place)
            if (visits := int(places[at, VISITS]))
        ]

    def forget(self) -> None:
        """Forgets all that was found, as before another game."""
        forget(self._work, self._tree)
        self._root = []

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> PuctResult:
        """Weighs the legal actions by so many simulations, or as many as CPU `seconds` allow.

        With both, it ends with the first of the two. It stops before when its choice cannot change
        any more, or is proven. The same searches one after the other have the same results unless
        `seconds` is given. Raises SearchError if no player is to move, or for no simulations.
        """
        begun = time.thread_time()
        root = root_of("PUCT", self._game, state, simulations)
        self._go_to(root)
        words = np.array(state, self._work.state.dtype)
        if len(root.actions) > 1:
            first = first_batch(FIRST_BATCH, *self._parts)
            for count in batches(simulations, begun, seconds, first):
                self._add(words, count)
                if self._decided(begun, seconds):
                    break
        return self._result(root)

    def _add(self, state: np.ndarray, count: int) -> None:
        simulate(
            self._game, *self._parts, state, self._exploration, self._scale, self._highest, count,
            self._work, self._tree,
        )  # fmt: skip

    def _go_to(self, root: Root) -> None:
        """Makes a state the root; the tree keeps what it knows of it."""
        place = self._place_of(root.state)
        if place:
            used = keep_level_by_level(self._tree, place, self._spare)
            self._tree, self._spare = self._spare, self._tree
            self._work.control[USED] = used
        elif root.state != self._root:
            forget(self._work, self._tree)
        self._root = root.state
        self._work.control[SIMULATIONS] = 0

    def _place_of(self, wanted: list[int]) -> int:
        """The place of a state two actions after the root, the best first; 0 if there is none."""
        if not self._root or not self._children(0):
            return 0
        best = self._best()
        after = self._root.copy()
        play(self._game, after, int(self._tree.places[best, ACTION]))
        for place in self._children(best):
            reached = after.copy()
            play(self._game, reached, int(self._tree.places[place, ACTION]))
            if reached == wanted:
                return place
        return 0

    def _children(self, place: int) -> range:
        first, count = self._tree.places[place, FIRST], self._tree.places[place, CHILDREN]
        return range(first, first + count)

    def _best(self, place: int = 0) -> int:
        return int(best_child(place, self._highest, self._tree))

    def _decided(self, begun: float, seconds: float | None) -> bool:
        """Whether no more simulations are needed: the time left is too short to change the choice.

        It is left to `batches` to stop where the simulations are counted.
        """
        if self._tree.places[0, PROVEN]:
            return True
        if seconds is None:
            return False
        used = time.thread_time() - begun
        left = (seconds - used) * int(self._work.control[SIMULATIONS]) / max(used, 1e-6)
        visits = np.sort(self._tree.places[list(self._children(0)), VISITS])
        return bool(visits.size > 1 and visits[-1] - visits[-2] > left)

    def _result(self, root: Root) -> PuctResult:
        places, done = self._tree.places, int(self._work.control[SIMULATIONS])
        if not self._children(0):  # forced, or never visited
            return PuctResult(root.actions[0], 0.0, False, {}, {}, done, root.actions[:1])
        visits, values = dict.fromkeys(root.actions, 0), {}
        for child in self._children(0):
            action, seen = int(places[child, ACTION]), int(places[child, VISITS])
            visits[action] = seen
            if seen:
                values[action] = float(self._tree.values[child])
        best = self._best()
        line, place = [int(places[best, ACTION])], best
        while self._children(place) and places[place, VISITS] > 1:
            place = self._best(place)
            line.append(int(places[place, ACTION]))
        value = float(self._tree.values[best])
        return PuctResult(line[0], value, bool(places[0, PROVEN]), visits, values, done, line)
