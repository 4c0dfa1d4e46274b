"""Expectimax: the value of a state by looking ahead over whole turns, where chance has a say.

Alpha-beta between the players' turns; outcomes of chance are averaged over, each with its
probability. Michie, "Game-playing and game-learning automata" (1966), and Ballard, "The *-minimax
search procedure for trees containing chance nodes" (1983).

Values are for the player to move at the state they belong to. `search` looks at the root with a
full window. If the generator lists every turn and nothing is thinned, the value it returns is
exactly that of depth d: the player to move can reach, on average, a state d turns on with at least
this evaluation whatever the other does, and the other can hold it to no more. If the generator
lists some turns, that holds for the game in which both may play those only, which bounds the game's
own value on neither side. If outcomes are thinned it is an estimate of that.

A level of the search is a turn of a player, or chance's. Of every outcome at a level of chance
bounds are kept. An outcome can only matter to the level within a window: the others' bounds say
which (Ballard's Star1). Where the level has a window, all outcomes are *probed* first: of the
player's turns that follow one only the first is looked at, which bounds the outcome's value for
that player from below, and often shows the level to be out of its window (Star2).
"""

import time
from collections.abc import Callable
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
    mover,
    pending,
    play,
    properties,
)
from joute.i18n.words import Sentence
from joute.search.batches import ENTERING, INFINITY, LEVEL, NODES, DepthSearch, NodePacer, countdown
from joute.search.branching import singles, thin, turns
from joute.search.evaluation import bounds, evaluate, usual
from joute.search.refusals import check_duel
from joute.search.transpositions import (
    Transpositions,
    decided,
    recall,
    remember,
    transpositions,
)

LEVELS = 96  # turns and outcomes of chance in a line; it is cut off there
MAX_DEPTH = 64  # turns


class ExpectimaxResult(NamedTuple):
    """The result of a search."""

    turn: list[int]  # its actions
    value: float  # for the player to move
    depth: int  # turns, of the last depth that was finished
    nodes: int
    whole: bool  # no line was cut off by the depth: looking deeper finds the same


class TurnStack(NamedTuple):
    """The search's stack, a row a level; one per thread. A level is a turn, or chance's."""

    control: np.ndarray  # int64[3]: level, is it just entered, nodes so far
    states: np.ndarray  # the game's dtype [levels + 1, words]; the last is of leaves
    actions: np.ndarray  # int32[levels, most_actions], of turns one after the other; or outcomes
    ends: np.ndarray  # int32[levels, most_turns], where each ends
    weights: np.ndarray  # float64[levels, max_outcomes], the outcomes' probabilities
    lows: np.ndarray  # float64[levels, max_outcomes], bounds of their values; equal where known
    highs: np.ndarray  # float64[levels, max_outcomes]
    chance: np.ndarray  # int64[levels], 1 where chance decides
    probing: np.ndarray  # int64[levels], 1 where the outcomes are being probed, and at the level
    # below, of whose turns only the first is looked at
    counts: np.ndarray  # int64[levels], turns or outcomes
    tries: np.ndarray  # int64[levels], how many of them were taken so far
    hints: np.ndarray  # int64[levels], the one to be taken first
    tried: np.ndarray  # int64[levels], the one that leads to the next level
    players: np.ndarray  # int64[levels], whose values these are
    depths: np.ndarray  # int64[levels], turns left
    whole: np.ndarray  # int64[levels], 1 while no line below was cut off by the depth
    keys: np.ndarray  # int64[levels], hashes
    alphas: np.ndarray  # float64[levels]
    floors: np.ndarray  # float64[levels], alpha when the level was entered
    betas: np.ndarray  # float64[levels]
    values: np.ndarray  # float64[levels], the best so far, or the mean of chance
    best: np.ndarray  # int32[levels], the best turn


def _turn_stack(game: Any, state: np.ndarray, generator: Any) -> TurnStack:
    """A stack for states like `state` and the turns of `generator`."""
    outcomes = properties(game).max_outcomes
    columns = [
        np.zeros(3, np.int64),
        np.zeros((LEVELS + 1, state.size), state.dtype),
        np.zeros((LEVELS, max(generator.most_actions, outcomes)), np.int32),
        np.zeros((LEVELS, max(generator.most_turns, outcomes)), np.int32),
        *np.zeros((3, LEVELS, max(outcomes, 1))),
        *np.zeros((10, LEVELS), np.int64),
        *np.zeros((4, LEVELS)),
        np.zeros(LEVELS, np.int32),
    ]
    return TurnStack._make(columns)


@kernel
def advance(game, generator, evaluation, work, table, keep, budget):
    """Goes on with the search in `work` until it ends or has visited `budget` nodes in all.

    Returns whether it ended; then the root's value, turn and whether its lines are whole stand at
    level 0. An unfinished search holds there the best of the root's turns that were finished.
    Of more than `keep` outcomes of chance so many quantiles are looked at; 0: all outcomes are.
    The stack is explicit, so that a search can stop anywhere and go on. Leaves take no level of it.
    """
    level, entering, nodes = work.control[LEVEL], work.control[ENTERING], work.control[NODES]
    while True:
        here = index(level)
        chance = work.chance[here] == 1
        if entering:
            if nodes >= budget:
                break
            nodes += 1
            entering = 0
            done = False
            if chance:
                _toss(game, evaluation, work, keep, here)
            else:
                done = recall(work, table, level) or decided(game, evaluation, work, level)
                if done:
                    work.probing[here] = 0
                else:
                    _list(game, generator, work, table, here)
        elif chance:
            done = _settled(work, here)
        else:
            done = work.tries[here] == work.counts[here] or work.values[here] >= work.betas[here]
            if done:
                work.probing[here] = 0
            elif work.probing[here] and work.values[here] > work.floors[here]:
                done = True
                work.betas[here] = work.values[here]  # so that it is remembered as a bound
            if done:
                remember(work, table, here)
        if done:
            if level == 0:
                work.control[LEVEL], work.control[ENTERING], work.control[NODES] = 0, 0, nodes
                return True
            player, value, whole = work.players[here], work.values[here], work.whole[here]
            probed = not chance and work.probing[here] == 1
            level -= 1
        else:
            if nodes >= budget:
                break
            state = work.states[index(level + 1)]
            copy(state, work.states[here])
            begin, end = _next(work, here)
            for place in range(begin, end):
                play(game, state, int(work.actions[here, index(place)]))
            player = mover(game, state)
            depth = work.depths[here]
            if not chance and pending(game, state) == 0:
                depth -= 1
            if player != OVER and (player == CHANCE or depth > 0) and level + 1 < LEVELS:
                level += 1
                entering = 1
                _enter(work, level, player, depth)
                continue
            nodes += 1
            probed = False
            whole = int(player == OVER)
            if player < 0:  # evaluated for its last mover
                player = work.players[here]
            value = evaluate(evaluation, game, state, player)
        _take(work, index(level), player, value, whole, probed)
    work.control[LEVEL], work.control[ENTERING], work.control[NODES] = level, entering, nodes
    return False


@inline
def _enter(work, level, player, depth):
    """Gives a level its player, depth and window; the caller of `advance` sets those of level 0."""
    here, above = index(level), index(level - 1)
    alpha, beta = work.alphas[above], work.betas[above]
    work.probing[here] = 0
    if work.chance[above] == 1:
        alpha, beta = _window(work, above)
        work.probing[here] = work.probing[above]
    work.depths[here] = depth
    work.chance[here] = int(player == CHANCE)
    if player == CHANCE:
        player = work.players[above]
    work.players[here] = player
    if player == work.players[above]:
        work.alphas[here], work.betas[here] = alpha, beta
    else:
        work.alphas[here], work.betas[here] = -beta, -alpha


@inline
def _window(work, here):
    """The window in which the tried outcome's value matters, by the others' bounds."""
    tried = work.tried[here]
    low = high = 0.0
    for each in range(work.counts[here]):
        if each != tried:
            low += work.weights[here, index(each)] * work.lows[here, index(each)]
            high += work.weights[here, index(each)] * work.highs[here, index(each)]
    weight = work.weights[here, index(tried)]
    return (work.alphas[here] - high) / weight, (work.betas[here] - low) / weight


@inline
def _settled(work, here):
    """Whether a level of chance is out of its window, or all outcomes are known; then its value.

    If not, the next outcome to be tried is one that is not known.
    """
    lows, highs = work.lows[here], work.highs[here]
    low = high = 0.0
    for each in range(work.counts[here]):
        low += work.weights[here, each] * lows[each]
        high += work.weights[here, each] * highs[each]
    if high <= work.alphas[here] or low == high:
        work.values[here] = high
        return True
    if low >= work.betas[here]:
        work.values[here] = low
        return True
    if work.probing[here] and work.tries[here] == work.counts[here]:
        work.probing[here], work.tries[here] = 0, 0
    while work.tries[here] < work.counts[here]:
        each = index(work.tries[here])
        if lows[each] < highs[each]:
            return False
        work.tries[here] += 1
    work.values[here] = low
    return True


@inline
def _list(game, generator, work, table, here):
    """Lists the turns of a level, the best of last time to be tried first."""
    work.counts[here] = turns(
        generator, game, work.states[here], work.actions[here], work.ends[here]
    )
    place = index(work.keys[here] & (table.keys.size - 1))
    known = table.keys[place] == work.keys[here] and table.actions[place] >= 0
    work.hints[here] = table.actions[place] if known else 0
    work.tries[here] = 0
    work.values[here] = -INFINITY
    work.floors[here] = work.alphas[here]
    work.best[here] = -1
    work.whole[here] = 1


@inline
def _toss(game, evaluation, work, keep, here):
    """Lists the outcomes of chance at a level, with bounds of the values of all that follows."""
    state, outcomes, weights = work.states[here], work.actions[here], work.weights[here]
    count = thin(outcomes, weights, chances(game, state, outcomes, weights), keep)
    lowest, highest = bounds(evaluation, game, state, work.players[here])
    for each in range(count):
        work.ends[here, each] = each + 1
        work.lows[here, each], work.highs[here, each] = lowest, highest
    work.counts[here] = count
    work.hints[here] = 0
    work.tries[here] = 0
    work.whole[here] = 1
    bounded = work.alphas[here] > -INFINITY or work.betas[here] < INFINITY
    work.probing[here] = int(bounded and work.depths[here] > 0)


@inline
def _next(work, here):
    """Chooses the next try of a level; returns where its actions begin and end.

    The hint comes first, then the others in the order listed.
    """
    tries, hint = work.tries[here], work.hints[here]
    chosen = hint if tries == 0 else tries - (tries <= hint)
    work.tries[here] = tries + 1
    work.tried[here] = chosen
    begin = work.ends[here, index(chosen - 1)] if chosen > 0 else 0
    return begin, work.ends[here, index(chosen)]


@inline
def _take(work, here, player, value, whole, probed):
    """Lets a level know the value, for `player`, of the turn or outcome it has tried.

    If it was probed, that is only a value that `player` can be sure of.
    """
    own = player == work.players[here]
    if not own:
        value = -value
    work.whole[here] &= whole
    tried = index(work.tried[here])
    if work.chance[here] == 1:
        if own or not probed:
            work.lows[here, tried] = value
        if not own or not probed:
            work.highs[here, tried] = value
    elif value > work.values[here]:
        work.values[here] = value
        work.best[here] = work.tried[here]
        work.alphas[here] = max(value, work.alphas[here])


class Expectimax(DepthSearch):
    """A search with its memory: its findings about one state serve the next of the same game.

    `generator` lists the turns (default: every legal action is one), `evaluation` is of the leaves
    (default: the lead in points). `thin`: of more outcomes of chance than so many, as many
    quantiles are averaged over, each as likely as the other; 0: all outcomes, exactly.
    Raises SearchError for a game it cannot play, or a negative number.
    """

    def __init__(
        self,
        game: Any,
        state: np.ndarray,
        generator: Any = None,
        evaluation: Any = None,
        thin: int = 0,
        table_log2: int = 16,
    ) -> None:
        facts = properties(game)
        check_duel("expectimax", facts)
        if thin < 0:
            raise SearchError(Sentence("error.search.thin", thin=thin))
        self._game = game
        self.whole_turns = generator is not None
        """Whether turns are listed as a whole, so that no search begins within one."""
        self._generator = singles(game) if generator is None else generator
        self._evaluation = usual(game) if evaluation is None else evaluation
        self._thin = thin
        self._work = _turn_stack(game, state, self._generator)
        self._table: Transpositions = transpositions(table_log2)
        self._clock: Callable[[], float] = time.thread_time
        self._pace = NodePacer(self._now)

    def search(
        self,
        state: np.ndarray,
        depth: int = MAX_DEPTH,
        nodes: int | None = None,
        seconds: float | None = None,
        wall_seconds: float = INFINITY,
    ) -> ExpectimaxResult:
        """Looks deeper and deeper until `depth`, `nodes`, CPU `seconds` or `wall_seconds` run out.

        The latter count only beside `seconds`; the first to run out is overrun by a few
        milliseconds. Reproducible unless `seconds` is given. The state must be a player's at the
        begin of a turn. Before anything else is compared, the generator's first turn is the best.
        """
        stop = None
        if seconds is not None:
            self._clock, stop = countdown(seconds, wall_seconds), 0.0
        self._work.control[NODES] = 0
        budget = 2**62 if nodes is None else max(nodes, 1)
        found: ExpectimaxResult | None = None
        for reached in range(1, depth + 1):
            ended = self._iterate(state, reached, budget, stop)
            if found is None or self._work.best[0] >= 0:
                found = self._result(reached if ended else reached - 1, ended)
            if not ended or found.whole or (stop is not None and self._clock() >= stop):
                break
        if found is None:
            raise SearchError(Sentence("error.search.depth", depth=depth))
        return found._replace(nodes=int(self._work.control[NODES]))

    def forget(self) -> None:
        """Empties the table: for a generator that lists other turns of a state than before."""
        self._table.keys[:] = 0

    def _now(self) -> float:
        return self._clock()

    def _advance(self, nodes: int) -> bool:
        return bool(
            advance(
                self._game, self._generator, self._evaluation, self._work, self._table, self._thin,
                nodes,
            )
        )  # fmt: skip

    def _result(self, depth: int, ended: bool) -> ExpectimaxResult:
        work = self._work
        chosen = int(work.best[0])
        value = float(work.values[0]) if chosen >= 0 else 0.0
        chosen = max(chosen, 0)
        begin = int(work.ends[0, chosen - 1]) if chosen else 0
        return ExpectimaxResult(
            turn=work.actions[0, begin : work.ends[0, chosen]].tolist(),
            value=value,
            depth=depth,
            nodes=0,
            whole=ended and bool(work.whole[0]),
        )
