"""Alpha-beta: the value of a state by looking ahead, for two players who see everything.

Knuth and Moore, "An analysis of alpha-beta pruning" (1975), in its fail-soft form, with iterative
deepening, a transposition table, two killer actions a level and the history heuristic for order.

Values are for the player to move at the state they belong to. `search` looks at the root with a
full window, so the value it returns is exactly the one that minimax of that depth would return: the
player to move can reach a state d plies on with at least this evaluation whatever the other does,
and the other can keep him to it. If `solved`, no line was cut off by the depth, and this is the
value of the game itself.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from joute.games.arrays import copy, index
from joute.games.compiled import kernel
from joute.games.interface import OVER, inline, legal, mover, pending, play, promise, properties
from joute.search.evaluation import Lead, bounds, evaluate
from joute.search.table import AT_LEAST, AT_MOST, EXACT, Table, hashed, table

MAX_DEPTH = 96  # plies; a deeper line is cut off there
SLICE = 20_000  # nodes between looks at the clock: a few milliseconds
INFINITY = float("inf")

PROMISE = 40  # bits of history below a promise in an action's score
LEVEL, ENTERING, NODES, SOLVING = 0, 1, 2, 3  # places in Work.control


class Work(NamedTuple):
    """The search's stack, a row a level, and what it learns on the way; one per thread."""

    control: np.ndarray  # int64[4]: level, is it just entered, nodes so far, no killers
    states: np.ndarray  # the game's dtype [levels, words]
    actions: np.ndarray  # int32[levels, max_legal]
    scores: np.ndarray  # int64[levels, max_legal], the order: the highest is next
    counts: np.ndarray  # int64[levels], actions not tried yet
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


class Result(NamedTuple):
    """What a search found."""

    action: int
    value: float  # for the player to move
    depth: int  # plies, of the last depth that was finished
    nodes: int
    solved: bool  # no line was cut off by the depth
    line: list[int]  # the expected actions, as far as the table remembers them


def work(game: Any, state: np.ndarray) -> Work:
    """A stack for states like `state`."""
    facts = properties(game)
    levels = MAX_DEPTH + 1

    def ints(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    return Work(
        control=ints(4),
        states=np.zeros((levels, state.size), state.dtype),
        actions=np.zeros((levels, facts.max_legal), np.int32),
        scores=ints(levels, facts.max_legal),
        counts=ints(levels),
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
            work.tried[here] = _next(work, here)
            copy(state, work.states[here])
            play(game, state, work.tried[here])
            player = mover(game, state)
            depth = work.depths[here] - (pending(game, state) == 0)
            over = player == OVER
            if not over and depth > 0 and level + 1 < MAX_DEPTH:
                level += 1
                entering = 1
                _enter(work, level, player, depth)
                continue
            nodes += 1
            whole = int(over)
            if over:  # it is worth to its last mover what it is worth
                player = work.players[here]
            value = evaluate(evaluation, game, state, player)
        _take(work, index(level), player, value, whole)
    work.control[LEVEL], work.control[ENTERING], work.control[NODES] = level, entering, nodes
    return False


@inline
def _enter(work, level, player, depth):
    """Give a level its player, depth and window; those of level 0 are the caller's of `advance`."""
    here, above = index(level), index(level - 1)
    work.players[here] = player
    work.depths[here] = depth
    if player == work.players[above]:
        work.alphas[here], work.betas[here] = work.alphas[above], work.betas[above]
    else:
        work.alphas[here], work.betas[here] = -work.betas[above], -work.alphas[above]


@inline
def recall(game, work, table, level):
    """Whether the table knows the value of a level's state well enough; then it is the level's."""
    here = index(level)
    key = hashed(work.states[here], work.states.shape[1])
    work.keys[here] = key
    place = index(key & (table.keys.size - 1))
    if level == 0 or table.keys[place] != key:
        return False
    facts, value = table.facts[place], table.values[place]
    bound, whole = facts & 3, (facts >> 2) & 1
    if not whole and facts >> 3 < work.depths[here]:
        return False
    work.values[here] = value
    work.whole[here] = whole
    return (
        bound == EXACT
        or (bound == AT_LEAST and value >= work.betas[here])
        or (bound == AT_MOST and value <= work.alphas[here])
    )


@inline
def decided(game, evaluation, work, level):
    """Whether all that can follow is outside a level's window; then its bound is the level's."""
    here = index(level)
    lowest, highest = bounds(evaluation, game, work.states[here], work.players[here])
    work.values[here] = highest if highest <= work.alphas[here] else lowest
    work.whole[here] = 1
    return level > 0 and (highest <= work.alphas[here] or lowest >= work.betas[here])


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
    work.values[here] = -INFINITY
    work.floors[here] = work.alphas[here]
    work.best[here] = -1
    work.whole[here] = 1


@inline
def _next(work, here):
    """Take the action of the highest score off a level's list; the last one takes its place."""
    actions, scores = work.actions[here], work.scores[here]
    last = work.counts[here] - 1
    chosen, highest = 0, scores[0]
    for each in range(1, last + 1):
        if scores[each] > highest:
            chosen, highest = each, scores[each]
    action = actions[index(chosen)]
    actions[index(chosen)], scores[index(chosen)] = actions[index(last)], scores[index(last)]
    work.counts[here] = last
    return action


@inline
def _take(work, here, player, value, whole):
    """Let a level know the value, for `player`, of the action it has tried."""
    if player != work.players[here]:
        value = -value
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


@inline
def remember(work, table, here):
    """Put what a finished level has found into the table."""
    value = work.values[here]
    bound = EXACT
    if value >= work.betas[here]:
        bound = AT_LEAST
    elif value <= work.floors[here]:
        bound = AT_MOST
    place = index(work.keys[here] & (table.keys.size - 1))
    table.keys[place] = work.keys[here]
    table.values[place] = value
    table.facts[place] = 8 * work.depths[here] + 4 * work.whole[here] + bound
    table.actions[place] = work.best[here]


class AlphaBeta:
    """A search with its memory: what it learns for one state serves the next of the same game.

    Raises ValueError for a game it cannot play.
    """

    def __init__(
        self, game: Any, state: np.ndarray, evaluation: Any = None, table_log2: int = 18
    ) -> None:
        facts = properties(game)
        if facts.players != 2 or not facts.zero_sum:
            raise ValueError(f"alpha-beta plays zero-sum games for two, {facts.name} is not one")
        if facts.hidden_information or facts.simultaneous:
            raise ValueError(f"alpha-beta needs to see everything, {facts.name} hides something")
        self._game = game
        self._evaluation = Lead() if evaluation is None else evaluation
        self._work = work(game, state)
        self._table: Table = table(table_log2)

    def search(
        self,
        state: np.ndarray,
        depth: int = MAX_DEPTH,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> Result:
        """Look deeper and deeper until `depth`, `nodes` or CPU `seconds` run out.

        Reproducible unless `seconds` is given. The state must be a player's to move.
        """
        stop = INFINITY if seconds is None else time.thread_time() + seconds
        self._work.history[:] >>= 3  # what was learned in the last turn counts less
        self._work.killers[:] = -1
        self._work.control[NODES], self._work.control[SOLVING] = 0, 0
        budget = 2**62 if nodes is None else max(nodes, 2)
        found = self._result(state, 0)
        for reached in range(1, depth + 1):
            ended = self._iterate(state, reached, budget, stop)
            if self._work.best[0] >= 0:
                found = self._result(state, reached if ended else reached - 1)
            if not ended or found.solved:
                break
        return found

    def solve(self, state: np.ndarray) -> int:
        """The exact value of a state, of an evaluation whose values are whole numbers.

        By null windows that close in on it: Plaat and others, "Best-first fixed-depth minimax
        algorithms" (1996), MTD(f). Takes as long as it takes; `FinalLead` is made for it.
        Raises ValueError if a line does not end within MAX_DEPTH plies.
        """
        # Lines go to the end of the game, where siblings have little in common: killers mislead.
        self._work.control[NODES], self._work.control[SOLVING] = 0, 1
        self._work.killers[:], self._work.history[:] = -1, 0
        lowest, highest = -INFINITY, INFINITY
        value = float(evaluate(self._evaluation, self._game, state, mover(self._game, state)))
        while lowest < highest:
            beta = value + 1 if value == lowest else value
            self._iterate(state, MAX_DEPTH, 2**62, INFINITY, (beta - 1, beta))
            value = float(self._work.values[0])
            if not self._work.whole[0]:
                raise ValueError(f"a line of more than {MAX_DEPTH} plies cannot be solved")
            lowest, highest = (lowest, value) if value < beta else (value, highest)
        return int(value)

    def _iterate(
        self,
        state: np.ndarray,
        depth: int,
        budget: int,
        stop: float,
        window: tuple[float, float] = (-INFINITY, INFINITY),
    ) -> bool:
        """Search to one depth; whether it ended before the budget and the clock did."""
        work = self._work
        work.states[0] = state
        work.depths[0] = depth
        work.players[0] = mover(self._game, state)
        work.alphas[0], work.betas[0] = window
        work.best[0] = -1
        work.control[LEVEL], work.control[ENTERING] = 0, 1
        while True:
            pause = budget if stop == INFINITY else min(budget, int(work.control[NODES]) + SLICE)
            if advance(self._game, self._evaluation, work, self._table, pause):
                return True
            if work.control[NODES] >= budget or time.thread_time() >= stop:
                return False

    def _result(self, state: np.ndarray, depth: int) -> Result:
        work = self._work
        if depth == 0 and work.best[0] < 0:
            actions = [0] * properties(self._game).max_legal
            legal(self._game, state.tolist(), actions)
            return Result(actions[0], 0.0, 0, 0, False, [])
        solved = bool(work.whole[0]) and depth == work.depths[0]
        return Result(
            action=int(work.best[0]),
            value=float(work.values[0]),
            depth=depth,
            nodes=int(work.control[NODES]),
            solved=solved,
            line=self._line(state, int(work.best[0]), depth),
        )

    def _line(self, state: np.ndarray, action: int, depth: int) -> list[int]:
        """The expected actions: the best one, then those that the table holds."""
        line = [action]
        after: list[int] = state.tolist()
        play(self._game, after, action)
        while len(line) < depth and mover(self._game, after) != OVER:
            key = hashed(after, len(after))
            place = key & (self._table.keys.size - 1)
            if self._table.keys[place] != key or self._table.actions[place] < 0:
                break
            line.append(int(self._table.actions[place]))
            play(self._game, after, line[-1])
        return line
