"""Expectimax: the value of a state by looking ahead over whole turns, where chance has a say.

Alpha-beta between the players' turns; what chance decides is averaged over, each outcome with its
probability. Michie, "Game-playing and game-learning automata" (1966), and Ballard, "The *-minimax
search procedure for trees containing chance nodes" (1983), without his bounds: below a chance node
the window is full.

Values are for the player to move at the state they belong to. `search` looks at the root with a
full window. If the generator lists every turn and nothing is thinned, the value it returns is
exactly that of depth d: the player to move can reach, on average, a state d turns on with at least
this evaluation whatever the other does, and the other can keep him to it. If the generator lists
some turns, that holds for the game in which both may play those only, which bounds the game's own
value on neither side. If outcomes are thinned it is an estimate of that.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from joute.games.arrays import copy, index
from joute.games.compiled import kernel
from joute.games.interface import (
    CHANCE,
    OVER,
    chances,
    inline,
    mover,
    pending,
    play,
    properties,
)
from joute.search.alphabeta import decided, recall, remember
from joute.search.evaluation import Lead, evaluate
from joute.search.table import Table, table
from joute.search.turns import singles, turns

MAX_DEPTH = 64  # turns
LEVELS = 96  # turns and outcomes of chance in a line; it is cut off there
INFINITY = float("inf")

FIRST_SLICE = 50  # nodes before the first look at the clock
SLICE_SECONDS = 0.004  # between two looks, as far as the last one tells

LEVEL, ENTERING, NODES = 0, 1, 2  # places in Work.control


class Work(NamedTuple):
    """The search's stack, a row a level; one per thread. A level is a turn, or chance's."""

    control: np.ndarray  # int64[3]: level, is it just entered, nodes so far
    states: np.ndarray  # the game's dtype [levels, words]
    actions: np.ndarray  # int32[levels, most_actions], of turns one after the other; or outcomes
    ends: np.ndarray  # int32[levels, most_turns], where each ends
    weights: np.ndarray  # float64[levels, max_outcomes], the outcomes' probabilities
    chance: np.ndarray  # int64[levels], 1 where chance decides
    counts: np.ndarray  # int64[levels], turns or outcomes
    tries: np.ndarray  # int64[levels], how many of them were taken so far
    hints: np.ndarray  # int64[levels], the one to be taken first
    tried: np.ndarray  # int64[levels], the one that leads to the next level
    players: np.ndarray  # int64[levels], whose values these are
    depths: np.ndarray  # int64[levels], turns left
    alphas: np.ndarray  # float64[levels]
    floors: np.ndarray  # float64[levels], alpha when the level was entered
    betas: np.ndarray  # float64[levels]
    values: np.ndarray  # float64[levels], the best so far, or the sum of chance
    best: np.ndarray  # int32[levels], the best turn
    whole: np.ndarray  # int64[levels], 1 while no line below was cut off by the depth
    keys: np.ndarray  # int64[levels], hashes


class Result(NamedTuple):
    """What a search found."""

    turn: list[int]  # its actions
    value: float  # for the player to move
    depth: int  # turns, of the last depth that was finished
    nodes: int
    whole: bool  # no line was cut off by the depth: looking deeper finds the same


def work(game: Any, state: np.ndarray, generator: Any) -> Work:
    """A stack for states like `state` and the turns of `generator`."""
    outcomes = properties(game).max_outcomes

    def ints(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int64)

    return Work(
        control=ints(3),
        states=np.zeros((LEVELS, state.size), state.dtype),
        actions=np.zeros((LEVELS, max(generator.most_actions, outcomes)), np.int32),
        ends=np.zeros((LEVELS, max(generator.most_turns, outcomes)), np.int32),
        weights=np.zeros((LEVELS, max(outcomes, 1))),
        chance=ints(LEVELS),
        counts=ints(LEVELS),
        tries=ints(LEVELS),
        hints=ints(LEVELS),
        tried=ints(LEVELS),
        players=ints(LEVELS),
        depths=ints(LEVELS),
        alphas=np.zeros(LEVELS),
        floors=np.zeros(LEVELS),
        betas=np.zeros(LEVELS),
        values=np.zeros(LEVELS),
        best=np.zeros(LEVELS, np.int32),
        whole=ints(LEVELS),
        keys=ints(LEVELS),
    )


@kernel
def advance(game, generator, evaluation, work, table, keep, budget):
    """Go on with the search in `work` until it ends or has visited `budget` nodes in all.

    Return whether it ended; then the root's value, turn and whether its lines are whole stand at
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
                _toss(game, work, keep, here)
            else:
                done = recall(game, work, table, level) or decided(game, evaluation, work, level)
                if not done:
                    _list(game, generator, work, table, here)
        else:
            done = work.tries[here] == work.counts[here] or work.values[here] >= work.betas[here]
            if done and not chance:
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
            whole = int(player == OVER)
            if player < 0:  # it is worth to its last mover what it is worth
                player = work.players[here]
            value = evaluate(evaluation, game, state, player)
        _take(work, index(level), player, value, whole)
    work.control[LEVEL], work.control[ENTERING], work.control[NODES] = level, entering, nodes
    return False


@inline
def _enter(work, level, player, depth):
    """Give a level its player, depth and window; those of level 0 are the caller's of `advance`."""
    here, above = index(level), index(level - 1)
    work.depths[here] = depth
    work.chance[here] = int(player == CHANCE)
    if player == CHANCE:
        player = work.players[above]
    work.players[here] = player
    if work.chance[here] + work.chance[above] > 0:
        work.alphas[here], work.betas[here] = -INFINITY, INFINITY
    elif player == work.players[above]:
        work.alphas[here], work.betas[here] = work.alphas[above], work.betas[above]
    else:
        work.alphas[here], work.betas[here] = -work.betas[above], -work.alphas[above]


@inline
def _list(game, generator, work, table, here):
    """List the turns of a level, the best of last time to be tried first."""
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
def _toss(game, work, keep, here):
    """List the outcomes of chance at a level."""
    outcomes, ends, weights = work.actions[here], work.ends[here], work.weights[here]
    count = thin(outcomes, weights, chances(game, work.states[here], outcomes, weights), keep)
    for each in range(count):
        ends[each] = each + 1
    work.counts[here] = count
    work.hints[here] = 0
    work.tries[here] = 0
    work.values[here] = 0.0
    work.whole[here] = 1


@inline
def thin(outcomes, weights, count, keep):
    """Keep as many outcomes at most, and none of weight 0; return how many are left, in order.

    They are the quantiles (i + 1/2) / keep of the distribution in the order listed, each as likely
    as there are quantiles that fall on it. 0, or no fewer than there are: all are kept.
    """
    below = 0.0
    left = quantiles = 0
    for each in range(count):
        below += weights[each]
        weight = weights[each]
        if 0 < keep < count:
            before = quantiles
            while quantiles < keep and (quantiles + 0.5) / keep <= below:
                quantiles += 1
            weight = (quantiles - before) / keep
        if weight > 0.0:
            outcomes[left], weights[left] = outcomes[each], weight
            left += 1
    return left


@inline
def _next(work, here):
    """Choose what a level tries next; return where its actions begin and end.

    The hint comes first, then the others in the order listed.
    """
    tries, hint = work.tries[here], work.hints[here]
    chosen = hint if tries == 0 else tries - (tries <= hint)
    work.tries[here] = tries + 1
    work.tried[here] = chosen
    begin = work.ends[here, index(chosen - 1)] if chosen > 0 else 0
    return begin, work.ends[here, index(chosen)]


@inline
def _take(work, here, player, value, whole):
    """Let a level know the value, for `player`, of what it has tried."""
    if player != work.players[here]:
        value = -value
    work.whole[here] &= whole
    if work.chance[here] == 1:
        work.values[here] += work.weights[here, index(work.tried[here])] * value
    elif value > work.values[here]:
        work.values[here] = value
        work.best[here] = work.tried[here]
        work.alphas[here] = max(value, work.alphas[here])


class Expectimax:
    """A search with its memory: what it learns for one state serves the next of the same game.

    `generator` lists the turns (default: every legal action is one), `evaluation` is of the leaves
    (default: the lead in points). `thin`: of more outcomes of chance than so many, as many
    quantiles are averaged over, each as likely as the other; 0: all outcomes, exactly.
    Raises ValueError for a game it cannot play, or a negative number.
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
        if facts.players != 2 or not facts.zero_sum:
            raise ValueError(f"expectimax plays zero-sum games for two, {facts.name} is not one")
        if facts.hidden_information or facts.simultaneous:
            raise ValueError(f"expectimax needs to see everything, {facts.name} hides something")
        if thin < 0:
            raise ValueError(f"thin must be 0 or the number of outcomes to keep, got {thin}")
        self._game = game
        self._generator = singles(game) if generator is None else generator
        self._evaluation = Lead() if evaluation is None else evaluation
        self._thin = thin
        self._work = work(game, state, self._generator)
        self._table: Table = table(table_log2)
        self._slice = FIRST_SLICE

    def search(
        self,
        state: np.ndarray,
        depth: int = MAX_DEPTH,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> Result:
        """Look deeper and deeper until `depth`, `nodes` or `seconds` by the clock run out.

        Reproducible unless `seconds` is given, which is overrun by SLICE_SECONDS at most where a
        node takes as long as the one before it. The state must be a player's at the begin of a
        turn. Before anything else is compared, the generator's first turn is the best.
        """
        stop = INFINITY if seconds is None else time.perf_counter() + seconds
        self._work.control[NODES] = 0
        budget = 2**62 if nodes is None else max(nodes, 1)
        found: Result | None = None
        for reached in range(1, depth + 1):
            ended = self._iterate(state, reached, budget, stop)
            if found is None or self._work.best[0] >= 0:
                found = self._result(reached if ended else reached - 1, ended)
            if not ended or found.whole or time.perf_counter() >= stop:
                break
        if found is None:
            raise ValueError(f"a search looks at least one turn ahead, not {depth}")
        return found._replace(nodes=int(self._work.control[NODES]))

    def _iterate(self, state: np.ndarray, depth: int, budget: int, stop: float) -> bool:
        """Search to one depth; whether it ended before the budget and the clock did."""
        work = self._work
        work.states[0] = state
        work.depths[0] = depth
        work.players[0] = mover(self._game, state)
        work.alphas[0], work.betas[0] = -INFINITY, INFINITY
        work.best[0] = -1
        work.control[LEVEL], work.control[ENTERING] = 0, 1
        while True:
            before, begun = int(work.control[NODES]), time.perf_counter()
            pause = budget if stop == INFINITY else min(budget, before + self._slice)
            if advance(
                self._game, self._generator, self._evaluation, work, self._table, self._thin, pause
            ):
                return True
            now = time.perf_counter()
            if work.control[NODES] >= budget or now >= stop:
                return False
            self._slice = _slice(pause - before, now - begun, stop - now)

    def _result(self, depth: int, ended: bool) -> Result:
        work = self._work
        chosen = int(work.best[0])
        value = float(work.values[0]) if chosen >= 0 else 0.0
        chosen = max(chosen, 0)
        begin = int(work.ends[0, chosen - 1]) if chosen else 0
        return Result(
            turn=work.actions[0, begin : work.ends[0, chosen]].tolist(),
            value=value,
            depth=depth,
            nodes=0,
            whole=ended and bool(work.whole[0]),
        )


def _slice(nodes: int, taken: float, left: float) -> int:
    """How many nodes to visit before the next look at the clock, when `nodes` took so long."""
    wanted = nodes * min(SLICE_SECONDS, left) / max(taken, 1e-6)
    return max(1, min(int(wanted), 4 * nodes))
