"""Whole turns, weighed by the turns that follow: the other's best, one's own, in drawn worlds.

Every position that a player can reach before its turn is over is looked at (`whole_turns`); its
ends are the positions in which the turn is over, or chance decides. The most promising ends by the
evaluation, one of each worth, are then played on for a few turns, each player taking the turn that
is best by the evaluation as it sees it, in worlds where all that the searching player does not know
is drawn. The budget is spent in equal shares, after each of which half of the ends are dropped
(Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013), so most
worlds are spent on those hard to tell apart; all ends meet the same worlds.

The value of an end is the mean over its worlds, for the player whose turn it is, against an
opponent who looks one turn ahead by the same evaluation.
"""

import time
from math import inf
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.errors import SearchError
from joute.core.interface import CHANCE, OVER, determinize, draw, mover, pending, play, start
from joute.core.random import bits, generator
from joute.i18n.words import Sentence
from joute.search.evaluation import evaluate
from joute.search.whole_turns import (
    END,
    POSITIONS,
    TurnGraph,
    best_plies,
    explore,
    look,
    turn_graph,
)

MOST_ENDS = 16  # that are played on


class WeighedTurn(NamedTuple):
    """The result of a search."""

    actions: list[int]  # the best ones, up to the end of the turn or to chance
    value: float  # for the player whose turn it is, in the units of the evaluation
    positions: int
    ends: int  # that were played on
    worlds: int  # in which the last ends were


@kernel
def best_ends(game, work, froms, actions, worths):
    """Writes the best ends, the highest worth first: the position before, the action; how many.

    After `explore`. The arrays are int64, int64, float64 [most]; an end that leads to chance has
    the value found for it, and no position behind it is an end. Of ends of the same worth the
    first counts: mostly the same cards were played in another order.
    """
    count = 0
    behind = work.queue  # free by now; a position comes after the one that it was found from
    for number in range(work.control[POSITIONS]):
        here = index(number)
        origin = work.origins[here, 0]
        behind[here] = int(mover(game, work.states[here]) == CHANCE) | (
            behind[index(origin)] if origin != END else 0
        )
        if behind[here]:
            continue
        for each in range(work.begins[here], work.ends[here]):
            step = index(each)
            target = work.targets[step]
            worth = work.worths[step]
            if target != END:
                if mover(game, work.states[index(target)]) != CHANCE:
                    continue
                worth = work.values[index(target)]
            place = count
            while place > 0 and worths[index(place - 1)] < worth:
                place -= 1
            if place == worths.size or (place > 0 and worths[index(place - 1)] == worth):
                continue
            count = min(count + 1, worths.size)
            for later in range(count - 1, place, -1):
                froms[index(later)] = froms[index(later - 1)]
                actions[index(later)] = actions[index(later - 1)]
                worths[index(later)] = worths[index(later - 1)]
            froms[index(place)], actions[index(place)] = number, work.actions[step]
            worths[index(place)] = worth
    return count


@kernel
def played_on(game, evaluation, work, state, before, action, player, turns, peeks, rng):
    """The value for `player` after `turns` more turns from an end, in a world that is drawn.

    If it `peeks`, what is hidden from it is as it is in `before`; chance is drawn all the same.
    The end is where `action` leads from the state `before`. `state` is scratch. If the turn goes on
    there, after chance or where no more was looked at, it is finished first.
    """
    copy(state, before)
    left = -1  # until the world is drawn
    while True:
        play(game, state, action)
        if left < 0:
            left = turns + int(mover(game, state) != OVER and pending(game, state) > 0)
            if not peeks:
                determinize(game, state, player, rng)
        while left > 0 and mover(game, state) >= 0:
            copy(work.states[0], state)
            look(game, evaluation, work)
            best_plies(game, work, state)
            left -= int(mover(game, state) == OVER or pending(game, state) == 0)
        if left == 0 or mover(game, state) == OVER:
            break
        action = draw(game, state, work.choices, work.weights, rng)
    return float(evaluate(evaluation, game, state, player))


class Replies:
    """The search with the arrays it works in: one per thread.

    `positions` of the turn that is searched, `reply_positions` of each that follows; `turns` that
    follow. `prior` is how many worlds the evaluation of an end counts for. `won` is the value of a
    game that is won. If it `peeks`, what is hidden from the player is not drawn but taken from the
    state: for study. Raises SearchError for no positions.
    """

    def __init__(
        self,
        game: Any,
        evaluation: Any,
        positions: int,
        reply_positions: int,
        turns: int,
        seed: int,
        prior: float = 0.0,
        won: float = 1.0,
        peeks: bool = False,
    ) -> None:
        if min(positions, reply_positions) < 1:
            raise SearchError(
                Sentence("error.search.positions", positions=min(positions, reply_positions))
            )
        fresh = start(game)
        self._game = game
        self._evaluation = evaluation
        self._turns = turns
        self._rng = generator(seed)
        self._prior = prior
        self._won = won
        self._peeks = peeks
        self._work: TurnGraph = turn_graph(game, fresh, positions)
        self._reply: TurnGraph = turn_graph(game, fresh, reply_positions)
        self._state = fresh
        self._froms = np.zeros(MOST_ENDS, np.int64)
        self._actions = np.zeros(MOST_ENDS, np.int64)
        self._worths = np.zeros(MOST_ENDS)

    def search(
        self, state: np.ndarray, worlds: int | None = None, seconds: float | None = None
    ) -> WeighedTurn:
        """The best turn from a state in which it is a player's turn.

        Ends are played on for so many CPU `seconds`, exploration included, or in so many `worlds`
        on average, which is reproducible; without either, in none. Parts of the state that
        the player does not know make no difference.
        """
        begun = time.thread_time()
        player, turn = int(mover(self._game, state)), self._work
        turn.states[0] = state
        explore(self._game, self._evaluation, turn)
        count = best_ends(self._game, turn, self._froms, self._actions, self._worths)
        values, done = self._worths[:count].copy(), 0
        if count > 1 and values[0] < self._won:
            if worlds is not None:
                values, done = self._play_on(player, values, worlds, inf)
            elif seconds is not None:
                values, done = self._play_on(player, values, inf, begun + seconds)
        best = int(values.argmax())
        return WeighedTurn(
            self._path(best), float(values[best]), int(turn.control[POSITIONS]), count, done
        )

    def _play_on(
        self, player: int, worths: np.ndarray, worlds: float, stop: float
    ) -> tuple[np.ndarray, int]:
        """The values of ends, -inf of those that were dropped; in how many worlds the last were.

        Up to the time `stop`, and in at most so many `worlds` for an end on average.
        """
        order = np.arange(worths.size)
        sums, done = self._prior * worths, 0
        rounds = (worths.size - 1).bit_length()  # after each, half of the ends are dropped
        begun = time.thread_time()
        for number in range(1, rounds + 1):
            until = begun + (stop - begun) * number / rounds if stop < inf else inf
            most = done + worlds * worths.size / (rounds * order.size)
            while done < most:
                found = self._world(player, order, until)
                if found is None:
                    break
                sums[order] += found
                done += 1
            order = order[np.argsort(-sums[order], kind="stable")][: (order.size + 1) // 2]
        if done == 0:
            return worths, 0
        values = np.full(worths.size, -np.inf)
        values[order] = sums[order] / (done + self._prior)
        return values, done

    def _world(self, player: int, order: np.ndarray, stop: float) -> list[float] | None:
        """The value of each of some ends in one world; None if the time is over before."""
        world, found = self.world(), []
        for place in order:
            if time.thread_time() >= stop:
                return None
            before, action = self._work.states[self._froms[place]], int(self._actions[place])
            found.append(
                played_on(
                    self._game, self._evaluation, self._reply, self._state, before, action, player,
                    self._turns, self._peeks, world.copy(),
                )
            )  # fmt: skip
        return found

    def world(self) -> np.ndarray:
        """The generator of the next world: one of its own, for neighbouring draws go together."""
        return generator(int(bits(self._rng)))

    def _path(self, place: int) -> list[int]:
        """The actions that lead to an end."""
        actions, at = [int(self._actions[place])], int(self._froms[place])
        while at != 0:
            at, action = (int(each) for each in self._work.origins[at])
            actions.append(action)
        return actions[::-1]
