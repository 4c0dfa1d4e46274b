"""Alpha-beta: the value of a state by looking ahead, for two players who see everything.

Knuth and Moore, "An analysis of alpha-beta pruning" (1975), in its fail-soft form, with iterative
deepening, a transposition table, two killer actions a level and the history heuristic for order.
Of a level's actions the first is looked at with the level's window and the others by a *scout*,
which only asks whether they are better than the best so far: a window as narrow as can be
(principal variation search: Marsland and Campbell, "Parallel search of strongly ordered game
trees", 1982). With a `Reduction`, scouts of late actions look less deep (late-move reductions).
Where a scout says yes, the action is looked at again, as the first.

Values are for the player to move at the state they belong to. `search` looks at the root with a
full window, so the value it returns is exactly the one that minimax of that depth would return: the
player to move can reach a state d plies on with at least this evaluation whatever the other does,
and the other can hold it to no more. If `solved`, no line was cut off by the depth, and this is the
value of the game itself. With a `Reduction`, the value is an estimate of all that, for a depth that
it reaches sooner; `solved` values are exact all the same.

`Solver` finds the exact end of a game, if it can be found in the time there is, by null windows
that close in on the value: Plaat and others, "Best-first fixed-depth minimax algorithms" (1996),
MTD(f). The first windows ask whether the game is won, and else whether it is drawn, which takes a
fraction of the time.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
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
from joute.search.batches import ENTERING, INFINITY, LEVEL, NODES, DepthSearch, NodePacer
from joute.search.evaluation import FinalLead, evaluate, usual
from joute.search.refusals import check_chance, check_duel
from joute.search.transpositions import (
    Transpositions,
    decided,
    hashed,
    recall,
    remember,
    take_next,
    transpositions,
)

MAX_DEPTH = 96  # plies; a deeper line is cut off there
SCOUT = 2.0**-20  # the width of a scout's window; whatever it is, no action is wrongly passed over

PROMISE = 40  # bits of history below a promise in an action's score
WON, DRAWN = 1.0, 0.0  # the least leads that are

SOLVING, LATE, LEAST, ROOT = 3, 4, 5, 6  # places in SearchStack.control
PLAIN, NARROW, REDUCED, AGAIN = 0, 1, 2, 3  # how the action that was tried is looked at


class Reduction(NamedTuple):
    """The scouts that look a ply less deep; two plies, those of actions three times as late."""

    late: int = 4  # actions of a level before those whose scouts do
    least: int = 2  # plies left where they do
    root: bool = True  # whether those of the root's actions do, too


NO_REDUCTION = Reduction(late=2**60)


class AlphaBetaResult(NamedTuple):
    """The result of a search."""

    action: int
    value: float  # for the player to move
    depth: int  # plies, of the last depth that was finished
    nodes: int
    solved: bool  # no line was cut off by the depth
    line: list[int]  # the expected actions, as far as the table remembers them


class SearchStack(NamedTuple):
    """The search's stack, a row a level, and its memory on the way; one per thread."""

    control: np.ndarray  # int64[7]: level, is it just entered, nodes so far, is the whole game
    # being solved, and the fields of a Reduction
    states: np.ndarray  # the game's dtype [levels, words]
    actions: np.ndarray  # int32[levels, max_legal]
    scores: np.ndarray  # int64[levels, max_legal], the order: the highest is next
    counts: np.ndarray  # int64[levels], actions not tried yet
    tries: np.ndarray  # int64[levels], actions tried so far, or being tried
    scouts: np.ndarray  # int64[levels], how the one that leads to the next level is looked at
    players: np.ndarray  # int64[levels], whose values these are
    depths: np.ndarray  # int64[levels], plies left
    whole: np.ndarray  # int64[levels], 1 while no line below was cut off by the depth
    keys: np.ndarray  # int64[levels], hashes
    alphas: np.ndarray  # float64[levels]
    floors: np.ndarray  # float64[levels], alpha when the level was entered
    betas: np.ndarray  # float64[levels]
    values: np.ndarray  # float64[levels], the best so far
    best: np.ndarray  # int32[levels], its action
    tried: np.ndarray  # int32[levels], the action that leads to the next level
    killers: np.ndarray  # int32[levels, 2], actions that lately refuted a sibling
    history: np.ndarray  # int64[2, max_actions], refutations by player and action


def search_stack(game: Any, state: np.ndarray, reduce: Reduction = NO_REDUCTION) -> SearchStack:
    """A stack for states like `state`."""
    facts = properties(game)
    levels = MAX_DEPTH + 1
    columns = [
        np.array([0, 0, 0, 0, *reduce]),
        np.zeros((levels, state.size), state.dtype),
        np.zeros((levels, facts.max_legal), np.int32),
        np.zeros((levels, facts.max_legal), np.int64),
        *np.zeros((7, levels), np.int64),
        *np.zeros((4, levels)),
        *np.zeros((2, levels), np.int32),
        np.full((levels, 2), -1, np.int32),
        np.zeros((2, facts.max_actions), np.int64),
    ]
    return SearchStack._make(columns)


@kernel
def advance(game, evaluation, work, table, budget):
    """Goes on with the search in `work` until it ends or has visited `budget` nodes in all.

    Returns whether it ended; then the root's value, action and whether its lines are whole stand at
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
            done = recall(work, table, level) or decided(game, evaluation, work, level)
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
            if player < 0:  # evaluated for its last mover
                player = work.players[here]
            value = evaluate(evaluation, game, state, player)
        _take(work, index(level), player, value, whole)
    work.control[LEVEL], work.control[ENTERING], work.control[NODES] = level, entering, nodes
    return False


@inline
def _enter(work, level, player, depth):
    """Gives a level its player, depth and window; those of level 0 are the caller's of `advance`.

    Nothing is scouted where the whole game is solved: windows are as narrow there from the start.
    """
    here, above = index(level), index(level - 1)
    alpha, beta = work.alphas[above], work.betas[above]
    how = PLAIN
    if work.scouts[above] != AGAIN and work.tries[above] > 1 and not work.control[SOLVING]:
        if beta > alpha + SCOUT:
            beta = alpha + SCOUT
            how = NARROW
        late = work.control[LATE]
        if (
            work.tries[above] > late
            and depth >= work.control[LEAST]
            and level > 1 - work.control[ROOT]
        ):
            depth -= 1 + (work.tries[above] > 3 * late)
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
    """Lists the actions of a level and scores them: the best of last time, killers, the rest."""
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
    """Lets a level know the value, for `player`, of the action it has tried.

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


class AlphaBeta(DepthSearch):
    """A search with its memory: its findings about one state serve the next of the same game.

    `reduce`: which late actions to look at less deep; none by default. Raises SearchError for a
    game it cannot play.
    """

    @staticmethod
    def check(game: Any) -> None:
        """Raises SearchError for a game it cannot play; compiles nothing."""
        check_duel("alpha-beta", properties(game))
        check_chance("alpha-beta", game)

    def __init__(
        self,
        game: Any,
        state: np.ndarray,
        evaluation: Any = None,
        table_log2: int = 18,
        reduce: Reduction = NO_REDUCTION,
    ) -> None:
        self.check(game)
        self._game = game
        self._evaluation = usual(game) if evaluation is None else evaluation
        self._work = search_stack(game, state, reduce)
        self._table: Transpositions = transpositions(table_log2)
        self._pace = NodePacer(time.thread_time)
        self._work.control[ENTERING] = 1
        advance(game, self._evaluation, self._work, self._table, 0)  # compiled, when no clock runs

    def search(
        self,
        state: np.ndarray,
        depth: int = MAX_DEPTH,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> AlphaBetaResult:
        """Looks deeper and deeper until `depth`, `nodes` or CPU `seconds` run out.

        Reproducible unless `seconds` is given. The state must be a player's to move.
        """
        stop = None if seconds is None else time.thread_time() + seconds
        self._work.history[:] >>= 3  # counts of the last turn matter less
        self._work.killers[:] = -1
        self._work.control[NODES], self._work.control[SOLVING] = 0, 0
        budget = 2**62 if nodes is None else max(nodes, 2)
        # If no action is looked at in time, the best at the root is still that of another turn.
        found = AlphaBetaResult(legal_actions(self._game, state.tolist())[0], 0.0, 0, 0, False, [])
        for reached in range(1, depth + 1):
            ended = self._iterate(state, reached, budget, stop)
            if self._work.best[0] >= 0:
                found = self._result(reached if ended else reached - 1)
            if not ended or found.solved:
                break
        return found._replace(line=self._line(state, found.action, found.depth))

    def _advance(self, nodes: int) -> bool:
        return bool(advance(self._game, self._evaluation, self._work, self._table, nodes))

    def _result(self, depth: int) -> AlphaBetaResult:
        work = self._work
        solved = bool(work.whole[0]) and depth == work.depths[0]
        nodes = int(work.control[NODES])
        return AlphaBetaResult(int(work.best[0]), float(work.values[0]), depth, nodes, solved, [])

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


class Solver(AlphaBeta):
    """Solves states of a game by the lead in points at its end. Raises SearchError as AlphaBeta."""

    def __init__(self, game: Any, state: np.ndarray, table_log2: int = 18) -> None:
        super().__init__(game, state, FinalLead(), table_log2)

    def settle(
        self, state: np.ndarray, seconds: float | None = None, nodes: int = 2**62
    ) -> AlphaBetaResult | None:
        """The best action and the exact lead; None if `nodes` or CPU `seconds` do not suffice.

        If they suffice to prove a win, but not by how much, the result is not `solved`: its action
        leads to this lead or a higher one. Also None if a line does not end within MAX_DEPTH plies.
        The table keeps all that is found, so the next state of the same game takes less.
        """
        stop = None if seconds is None else time.thread_time() + seconds
        work = self._work
        # Lines go to the end of the game, where siblings have little in common: killers mislead.
        work.control[NODES], work.control[SOLVING] = 0, 1
        work.killers[:], work.history[:] = -1, 0
        lowest, highest, action = -INFINITY, INFINITY, -1
        guess = float(evaluate(self._evaluation, self._game, state, mover(self._game, state)))
        while lowest < highest:
            if lowest < WON <= highest:
                beta = WON
            elif lowest < DRAWN <= highest:
                beta = DRAWN
            else:
                beta = min(max(guess, lowest + 1), highest)
            ended = self._iterate(state, MAX_DEPTH, nodes, stop, (beta - 1, beta))
            if not ended or not work.whole[0]:
                break
            value = float(work.values[0])
            if value < beta:
                highest = value
            else:
                lowest, action = value, int(work.best[0])
            if beta not in (WON, DRAWN):
                guess = value
        if lowest < highest and lowest < WON:
            return None
        line = self._line(state, action, MAX_DEPTH)
        solved = lowest == highest
        return AlphaBetaResult(action, lowest, len(line), int(work.control[NODES]), solved, line)
