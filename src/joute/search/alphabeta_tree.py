"""The kernel of alpha-beta: its stack, a row a level, and the steps that go down and up in it.

What it finds is said in `alphabeta`. Of a level's actions the first is looked at with the level's
window and the others by a *scout*, which only asks whether they are better than the best so far: a
window as narrow as can be (principal variation search: Marsland and Campbell, "Parallel search of
strongly ordered game trees", 1982). If the search is to reduce, scouts of late actions look less
deep (late-move reductions). Where a scout says yes, the action is looked at again, as the first.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import OVER, inline, legal, mover, pending, play, promise, properties
from joute.search.evaluation import evaluate
from joute.search.windows import decided, recall, remember, take_next

MAX_DEPTH = 96  # plies; a deeper line is cut off there
INFINITY = float("inf")
SCOUT = 2.0**-20  # a scout's window; however wide, what it is told to be no better is not

PROMISE = 40  # bits of history below a promise in an action's score
LATE = 4  # actions of a level before those whose scouts look less deep
LEAST_DEPTH = 2  # plies left where they do

LEVEL, ENTERING, NODES, SOLVING, REDUCING = 0, 1, 2, 3, 4  # places in Work.control
PLAIN, NARROW, REDUCED, AGAIN = 0, 1, 2, 3  # how the action that was tried is looked at


class Work(NamedTuple):
    """The search's stack, a row a level, and what it learns on the way; one per thread."""

    control: np.ndarray  # int64[5]: level, is it just entered, nodes so far, is the whole game
    # being solved, do scouts of late actions look less deep
    states: np.ndarray  # the game's dtype [levels, words]
    actions: np.ndarray  # int32[levels, max_legal]
    scores: np.ndarray  # int64[levels, max_legal], the order: the highest is next
    counts: np.ndarray  # int64[levels], actions not tried yet
    tries: np.ndarray  # int64[levels], actions tried so far, or being tried
    scouts: np.ndarray  # int64[levels], how the one that leads to the next level is looked at
    players: np.ndarray  # int64[levels], whose values these are
    depths: np.ndarray  # int64[levels], plies left
    alphas: np.ndarray  # float64[levels]
    floors: np.ndarray  # float64[levels], alpha when the level was entered
    betas: np.ndarray  # float64[levels]
    values: np.ndarray  # float64[levels], the best so far
    best: np.ndarray  # int32[levels], its action
    tried: np.ndarray  # int32[levels], the action that leads to the next level
    whole: np.ndarray  # int64[levels], 1 while no line below was cut off by the depth
    keys: np.ndarray  # int64[levels], hashes
    killers: np.ndarray  # int32[levels, 2], actions that lately refuted a sibling
    history: np.ndarray  # int64[2, max_actions], refutations by player and action


def work(game: Any, state: np.ndarray) -> Work:
    """A stack for states like `state`."""
    facts = properties(game)
    levels = MAX_DEPTH + 1

    def ints(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    return Work(
        control=ints(5),
        states=np.zeros((levels, state.size), state.dtype),
        actions=np.zeros((levels, facts.max_legal), np.int32),
        scores=ints(levels, facts.max_legal),
        counts=ints(levels),
        tries=ints(levels),
        scouts=ints(levels),
        players=ints(levels),
        depths=ints(levels),
        alphas=np.zeros(levels),
        floors=np.zeros(levels),
        betas=np.zeros(levels),
        values=np.zeros(levels),
        best=np.zeros(levels, np.int32),
        tried=np.zeros(levels, np.int32),
        whole=ints(levels),
        keys=ints(levels),
        killers=np.full((levels, 2), -1, np.int32),
        history=ints(2, facts.max_actions),
    )


@kernel
def advance(game, evaluation, work, table, budget):
    """Go on with the search in `work` until it ends or has visited `budget` nodes in all.

    Return whether it ended; then the root's value, action and whether its lines are whole stand at
    level 0. An unfinished search holds there the best of the root's actions that were finished.
    The stack is explicit, so that a search can stop anywhere and go on. Leaves take no level of it.
    """
    level, entering, nodes = work.control[LEVEL], work.control[ENTERING], work.control[NODES]
    while True:
        here = index(level)
        if entering:
            if nodes >= budget:
                break
            nodes += 1
            entering = 0
            done = recall(game, work, table, level) or decided(game, evaluation, work, level)
            if not done:
                _order(game, work, table, here)
        else:
            done = work.counts[here] == 0 or work.values[here] >= work.betas[here]
            done = done and work.scouts[here] != AGAIN
            if done:
                remember(work, table, here)
        if done:
            if level == 0:
                work.control[LEVEL], work.control[ENTERING], work.control[NODES] = 0, 0, nodes
                return True
            player, value, whole = work.players[here], work.values[here], work.whole[here]
            level -= 1
        else:
            if nodes >= budget:
                break
            state = work.states[index(level + 1)]
            if work.scouts[here] != AGAIN:
                work.tried[here] = take_next(work, here)
                work.tries[here] += 1
            copy(state, work.states[here])
            play(game, state, work.tried[here])
            player = mover(game, state)
            depth = work.depths[here] - (pending(game, state) == 0)
            if player >= 0 and depth > 0 and level + 1 < MAX_DEPTH:
                level += 1
                entering = 1
                _enter(work, level, player, depth)
                continue
            nodes += 1
            whole = int(player == OVER)
            if player < 0:  # it is worth to its last mover what it is worth
                player = work.players[here]
            value = evaluate(evaluation, game, state, player)
        _take(work, index(level), player, value, whole)
    work.control[LEVEL], work.control[ENTERING], work.control[NODES] = level, entering, nodes
    return False


@inline
def _enter(work, level, player, depth):
    """Give a level its player, depth and window; those of level 0 are the caller's of `advance`.

    Nothing is scouted where the whole game is solved: windows are as narrow there from the start.
    """
    here, above = index(level), index(level - 1)
    alpha, beta = work.alphas[above], work.betas[above]
    how = PLAIN
    if work.scouts[above] != AGAIN and work.tries[above] > 1 and not work.control[SOLVING]:
        if beta > alpha + SCOUT:
            beta = alpha + SCOUT
            how = NARROW
        if work.control[REDUCING] and work.tries[above] > LATE and depth >= LEAST_DEPTH:
            depth -= 1 + (work.tries[above] > 3 * LATE)
            how = REDUCED
    work.scouts[above] = how
    work.players[here] = player
    work.depths[here] = depth
    if player == work.players[above]:
        work.alphas[here], work.betas[here] = alpha, beta
    else:
        work.alphas[here], work.betas[here] = -beta, -alpha


@inline
def _order(game, work, table, here):
    """List the actions of a level and score them: the best of last time, killers, then the rest."""
    state, player = work.states[here], work.players[here]
    actions, scores = work.actions[here], work.scores[here]
    place = index(work.keys[here] & (table.keys.size - 1))
    hinted = table.actions[place] if table.keys[place] == work.keys[here] else -1
    first, second = work.killers[here, 0], work.killers[here, 1]
    history = work.history[index(player)]
    count = legal(game, state, actions)
    for each in range(count):
        action = actions[each]
        score = history[index(action)] + (promise(game, state, action) << PROMISE)
        if action == hinted:
            score = 1 << 60
        elif action == first:
            score = 1 << 59
        elif action == second:
            score = 1 << 58
        scores[each] = score
    work.counts[here] = count
    work.tries[here] = 0
    work.scouts[here] = PLAIN
    work.values[here] = -INFINITY
    work.floors[here] = work.alphas[here]
    work.best[here] = -1
    work.whole[here] = 1


@inline
def _take(work, here, player, value, whole):
    """Let a level know the value, for `player`, of the action it has tried.

    Where a scout found it to be better than the best so far, it is to be looked at again.
    """
    if player != work.players[here]:
        value = -value
    how = work.scouts[here]
    work.scouts[here] = PLAIN
    if value > work.alphas[here] and (
        how == REDUCED or (how == NARROW and value < work.betas[here])
    ):
        work.scouts[here] = AGAIN
        return
    work.whole[here] &= whole
    if value > work.values[here]:
        action = work.tried[here]
        work.values[here] = value
        work.best[here] = action
        work.alphas[here] = max(value, work.alphas[here])
        if value >= work.betas[here] and not work.control[SOLVING]:
            if work.killers[here, 0] != action:
                work.killers[here, 1] = work.killers[here, 0]
                work.killers[here, 0] = action
            depth = work.depths[here]
            work.history[index(work.players[here]), index(action)] += depth * depth
