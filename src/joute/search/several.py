"""Paranoid search and max^n: looking ahead where there are more than two players.

Each player has a value of its own at every state. In **max^n** (Luckhardt and Irani, "An
algorithmic solution of N-person games", 1986) each takes the action after which its own is highest.
In **paranoid** search (Sturtevant and Korf, "On pruning techniques for multi-player games", 2000)
all others are taken to play against the player to move at the root, whatever it costs them: a game
of two, in which alpha-beta prunes.

The values found are those at the end of the expected line, d turns on. Paranoid: the player to move
can reach at least its value, whatever the others do. Max^n: it gets this if all look as deep and
judge alike, and where another's values tie, if that one takes the first; it bounds nothing.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.errors import SearchError
from joute.core.interface import (
    OVER,
    inline,
    legal,
    legal_actions,
    mover,
    pending,
    play,
    promise,
    properties,
)
from joute.i18n.words import Sentence
from joute.search.batches import ENTERING, INFINITY, LEVEL, NODES, DepthSearch, NodePacer
from joute.search.evaluation import Margin, evaluate
from joute.search.refusals import check_chance, check_open
from joute.search.transpositions import take_next

MAX_DEPTH = 64  # turns; a line of more plies is cut off there
PROMISE = 40  # bits of history below a promise in an action's score

ROOT, PARANOID, FIRST = 3, 4, 5  # places in SeveralStack.control


class SeveralStack(NamedTuple):
    """The search's stack, a row a level; one per thread."""

    control: np.ndarray  # int64[6]: level, is it just entered, nodes so far, the player to move at
    # the root, is it paranoid, the root's action to be tried first
    states: np.ndarray  # the game's dtype [levels + 1, words]
    actions: np.ndarray  # int32[levels, max_legal]
    scores: np.ndarray  # int64[levels, max_legal], the order: the highest is next
    counts: np.ndarray  # int64[levels], actions not tried yet
    players: np.ndarray  # int64[levels], who chooses
    depths: np.ndarray  # int64[levels], turns left
    alphas: np.ndarray  # float64[levels], for the root's player
    betas: np.ndarray  # float64[levels]
    values: np.ndarray  # float64[levels + 1, players], after the best action so far
    best: np.ndarray  # int32[levels], that action
    tried: np.ndarray  # int32[levels], the action that leads to the next level
    whole: np.ndarray  # int64[levels + 1], 1 while no line below was cut off by the depth
    history: np.ndarray  # int64[players, max_actions], cut-offs by player and action


def _several_stack(game: Any, state: np.ndarray) -> SeveralStack:
    facts = properties(game)
    columns = [
        np.zeros(6, np.int64),
        np.zeros((MAX_DEPTH + 1, state.size), state.dtype),
        np.zeros((MAX_DEPTH, facts.max_legal), np.int32),
        np.zeros((MAX_DEPTH, facts.max_legal), np.int64),
        *np.zeros((3, MAX_DEPTH), np.int64),
        *np.zeros((2, MAX_DEPTH)),
        np.zeros((MAX_DEPTH + 1, facts.players)),
        *np.zeros((2, MAX_DEPTH), np.int32),
        np.zeros(MAX_DEPTH + 1, np.int64),
        np.zeros((facts.players, facts.max_actions), np.int64),
    ]
    return SeveralStack._make(columns)


class SeveralResult(NamedTuple):
    """The result of a search."""

    action: int
    values: list[float]  # of each player; with paranoid the others' are those of all against one
    depth: int  # turns, of the last depth that was finished
    nodes: int
    whole: bool  # no line was cut off by the depth


@kernel
def advance(game, evaluation, work, budget):
    """Goes on with the search in `work` until it ends, which is returned, or has visited `budget`.

    The root's values and action then stand at level 0; an unfinished search holds there the best of
    those that were finished.
    """
    level, entering, nodes = work.control[LEVEL], work.control[ENTERING], work.control[NODES]
    while True:
        here = index(level)
        if entering:
            if nodes >= budget:
                break
            nodes += 1
            entering = 0
            _order(game, work, here)
        if work.counts[here] == 0 or work.alphas[here] >= work.betas[here]:
            if level == 0:
                work.control[LEVEL], work.control[ENTERING], work.control[NODES] = 0, 0, nodes
                return True
            level -= 1
        else:
            if nodes >= budget:
                break
            state = work.states[index(level + 1)]
            work.tried[here] = take_next(work, here)
            copy(state, work.states[here])
            play(game, state, work.tried[here])
            player = mover(game, state)
            depth = work.depths[here] - (pending(game, state) == 0)
            if player >= 0 and depth > 0 and level + 1 < MAX_DEPTH:
                level += 1
                entering = 1
                below = index(level)
                work.players[below], work.depths[below] = player, depth
                work.alphas[below], work.betas[below] = work.alphas[here], work.betas[here]
                continue
            nodes += 1
            work.whole[index(level + 1)] = int(player == OVER)
            _judge(game, evaluation, work, index(level + 1))
        _take(work, level)
    work.control[LEVEL], work.control[ENTERING], work.control[NODES] = level, entering, nodes
    return False


@inline
def _order(game, work, here):
    """Lists the actions of a level and scores them: the root's best of last time, then the rest."""
    state, actions = work.states[here], work.actions[here]
    history = work.history[index(work.players[here])]
    count = legal(game, state, actions)
    for each in range(count):
        action = actions[each]
        score = history[index(action)] + (promise(game, state, action) << PROMISE)
        first = here == 0 and action == work.control[FIRST]
        work.scores[here, each] = 1 << 60 if first else score
    work.counts[here] = count
    work.best[here] = -1
    work.whole[here] = 1
    work.values[here, index(work.players[here])] = -INFINITY


@inline
def _judge(game, evaluation, work, here):
    """Writes the values of a state that is looked at no further."""
    root, values = work.control[ROOT], work.values[here]
    asked = 1 if work.control[PARANOID] else values.size
    for each in range(asked):
        player = index(root if work.control[PARANOID] else each)
        values[player] = evaluate(evaluation, game, work.states[here], int(player))
    if work.control[PARANOID]:
        for player in range(values.size):
            if player != root:
                values[player] = -values[index(root)]


@inline
def _take(work, level):
    """Lets a level know the values that its tried action leads to, which stand at the one below."""
    here, below = index(level), index(level + 1)
    player = index(work.players[here])
    work.whole[here] &= work.whole[below]
    if work.values[below, player] <= work.values[here, player]:
        return
    copy(work.values[here], work.values[below])
    work.best[here] = work.tried[here]
    if not work.control[PARANOID]:
        return
    value = work.values[here, index(work.control[ROOT])]
    if player == work.control[ROOT]:
        work.alphas[here] = max(work.alphas[here], value)
    else:
        work.betas[here] = min(work.betas[here], value)
    if work.alphas[here] >= work.betas[here]:
        work.history[player, index(work.tried[here])] += work.depths[here] * work.depths[here]


class Several(DepthSearch):
    """A search of one of both kinds. Raises SearchError for a game it cannot play."""

    def __init__(
        self, game: Any, state: np.ndarray, paranoid: bool = True, evaluation: Any = None
    ) -> None:
        facts, name = properties(game), "paranoid search" if paranoid else "max^n"
        check_open(name, facts)
        check_chance(name, game)
        if facts.players < 2:
            raise SearchError(Sentence("error.search.alone", search=name, game=facts.name))
        self._game = game
        self._evaluation = Margin(facts.players) if evaluation is None else evaluation
        self._work = _several_stack(game, state)
        self._work.control[PARANOID] = paranoid
        self._pace = NodePacer(time.thread_time)
        self._work.control[ENTERING] = 1
        advance(game, self._evaluation, self._work, 0)  # compiled now, when no clock runs

    def search(
        self,
        state: np.ndarray,
        depth: int = MAX_DEPTH,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> SeveralResult:
        """Looks deeper and deeper until `depth`, `nodes` or CPU `seconds` run out.

        Reproducible unless `seconds` is given. The state must be a player's to move.
        """
        work = self._work
        stop = None if seconds is None else time.thread_time() + seconds
        budget = 2**62 if nodes is None else max(nodes, 2)
        first = legal_actions(self._game, state.tolist())[0]
        found = SeveralResult(first, [0.0] * work.history.shape[0], 0, 0, False)
        work.history[:] >>= 3  # counts of the last turn matter less
        work.control[NODES], work.control[FIRST] = 0, -1
        work.control[ROOT] = mover(self._game, state)
        for reached in range(1, depth + 1):
            ended = self._iterate(state, reached, budget, stop)
            if work.best[0] >= 0:
                whole = ended and bool(work.whole[0])
                best, values = int(work.best[0]), work.values[0].tolist()
                found = SeveralResult(best, values, reached - (not ended), 0, whole)
            if not ended or found.whole:
                break
            work.control[FIRST] = found.action
        return found._replace(nodes=int(work.control[NODES]))

    def _advance(self, nodes: int) -> bool:
        return bool(advance(self._game, self._evaluation, self._work, nodes))
