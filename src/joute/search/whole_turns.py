"""Whole turns: every position that a player can reach before its turn is over, and the best end.

Positions that are equal are one, whatever order of actions led there; those of the highest value
are looked at first, so that a search that is cut off has followed the best-looking line to its end.
Chance within the turn counts by its mean, each outcome with the best that follows it.

Values are for the player whose turn it is. If nothing was cut off, the value found is exactly what
the player can reach on average by this turn, as the evaluation sees the position after it; the
other's answer is not looked at. If positions were left out, the player can reach at least that.
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
    pending,
    play,
    properties,
)
from joute.i18n.words import Sentence
from joute.search.evaluation import evaluate
from joute.search.transpositions import hashed

STEPS_A_POSITION = 32  # that there is room for, on average; few positions have half as many
END = -1  # where a step leads to that is not followed: the turn is over, or there is no room

POSITIONS, STEPS, WAITING, CUT = range(4)  # places in TurnGraph.control


class TurnGraph(NamedTuple):
    """The positions of a turn and the steps between them; one per thread."""

    control: np.ndarray  # int64[4]: positions, steps, positions waiting, are any left out
    states: np.ndarray  # the game's dtype [positions + 1, words]; the last row is to play in
    values: np.ndarray  # float64[positions]
    begins: np.ndarray  # int64[positions], its first step
    ends: np.ndarray  # int64[positions], behind its last step; 0 where none was looked at
    best: np.ndarray  # int64[positions], its best step
    origins: np.ndarray  # int64[positions, 2]: from where, and by which action, it was first found
    queue: np.ndarray  # int64[positions], a heap of those that wait, the highest value on top
    keys: np.ndarray  # int64[2^k], hashes of the positions; 0 where there is none
    places: np.ndarray  # int64[2^k], where they are
    choices: np.ndarray  # int32, a position's actions or outcomes
    weights: np.ndarray  # float64, the probabilities of outcomes
    actions: np.ndarray  # int32[steps]
    targets: np.ndarray  # int32[steps], the position it leads to, or END
    worths: np.ndarray  # float64[steps], of the position it leads to when it was first seen
    chance: np.ndarray  # float64[steps], how likely the outcome is; 0 for an action


class BestTurn(NamedTuple):
    """The result of a search."""

    actions: list[int]  # the best ones, up to the end of the turn, to chance, or to a cut
    value: float  # for the player whose turn it is
    positions: int
    whole: bool  # none was left out


def turn_graph(game: Any, state: np.ndarray, positions: int) -> TurnGraph:
    """Arrays for so many positions like `state`."""
    facts = properties(game)
    table = 1 << (2 * positions).bit_length()
    steps = STEPS_A_POSITION * positions + facts.max_legal + facts.max_outcomes

    def ints(count: int) -> np.ndarray:
        return np.zeros(count, np.int64)

    return TurnGraph(
        control=ints(4),
        states=np.zeros((positions + 1, state.size), state.dtype),
        values=np.zeros(positions),
        begins=ints(positions),
        ends=ints(positions),
        best=ints(positions),
        origins=np.zeros((positions, 2), np.int64),
        queue=ints(positions),
        keys=ints(table),
        places=ints(table),
        choices=np.zeros(max(facts.max_legal, facts.max_outcomes), np.int32),
        weights=np.zeros(max(facts.max_legal, facts.max_outcomes)),
        actions=np.zeros(steps, np.int32),
        targets=np.zeros(steps, np.int32),
        worths=np.zeros(steps),
        chance=np.zeros(steps),
    )


@kernel
def explore(game, evaluation, work):
    """Looks at the turn of the player to move at `work.states[0]`; leaves values and best steps.

    The states of positions stay, too, so that callers can follow the best steps.
    """
    look(game, evaluation, work)


@inline
def look(game, evaluation, work):
    """Does as `explore`, for kernels."""
    player = mover(game, work.states[0])
    control, states = work.control, work.states
    control[POSITIONS] = control[STEPS] = control[WAITING] = control[CUT] = 0
    work.keys[:] = 0
    _add(work, hashed(states[0], states.shape[1]), 0.0, END, END)
    room = work.actions.size - work.choices.size
    while control[WAITING] > 0 and control[STEPS] <= room:
        here = index(_first(work))
        tossed = mover(game, states[here]) == CHANCE
        if tossed:
            count = chances(game, states[here], work.choices, work.weights)
        else:
            count = legal(game, states[here], work.choices)
        work.begins[here] = control[STEPS]
        for each in range(count):
            state = states[index(control[POSITIONS])]
            copy(state, states[here])
            play(game, state, int(work.choices[each]))
            target, key = END, 0
            if mover(game, state) != OVER and pending(game, state) > 0:
                key = hashed(state, states.shape[1])
                target = _known(work, key)
            worth = 0.0
            if target == END:  # else it was valued when it was first seen
                worth = float(evaluate(evaluation, game, state, player))
            if target == END and key != 0:
                target = _add(work, key, worth, int(here), int(work.choices[each]))
            step = index(control[STEPS])
            work.actions[step], work.targets[step] = work.choices[each], target
            work.worths[step] = worth
            work.chance[step] = work.weights[each] if tossed else 0.0
            control[STEPS] += 1
        work.ends[here] = control[STEPS]
    control[CUT] |= int(control[WAITING] > 0)
    while _settle(work):
        pass


@inline
def _place(work, key):
    """The place of a hash in the table, or the free place where it would be."""
    place = index(key & (work.keys.size - 1))
    while work.keys[place] != 0 and work.keys[place] != key:
        place = index((place + 1) & (work.keys.size - 1))
    return place


@inline
def _known(work, key):
    """The number of the position of this hash; END if there is none."""
    place = _place(work, key)
    return int(work.places[place]) if work.keys[place] == key else END


@inline
def _add(work, key, worth, origin, action):
    """The number of a new position, which waits to be looked at; END if there is no room for it.

    It takes the row it was played in.
    """
    number = int(work.control[POSITIONS])
    if number == work.values.size:
        work.control[CUT] = 1
        return END
    place = _place(work, key)
    work.keys[place], work.places[place] = key, number
    work.values[index(number)] = worth
    work.ends[index(number)] = 0
    work.origins[index(number), 0], work.origins[index(number), 1] = origin, action
    work.control[POSITIONS] = number + 1
    _wait(work, number)
    return number


@inline
def _wait(work, number):
    """Puts a position into the queue."""
    queue, values = work.queue, work.values
    place = int(work.control[WAITING])
    work.control[WAITING] = place + 1
    while place > 0 and values[index(queue[index((place - 1) >> 1)])] < values[index(number)]:
        queue[index(place)] = queue[index((place - 1) >> 1)]
        place = (place - 1) >> 1
    queue[index(place)] = number


@inline
def _first(work):
    """Takes the position of the highest value out of the queue."""
    queue, values = work.queue, work.values
    found = int(queue[0])
    left = int(work.control[WAITING]) - 1
    work.control[WAITING] = left
    moved = int(queue[index(left)])
    place = 0
    while 2 * place + 1 < left:
        child = 2 * place + 1
        if child + 1 < left and (
            values[index(queue[index(child + 1)])] > values[index(queue[index(child)])]
        ):
            child += 1
        if values[index(queue[index(child)])] <= values[index(moved)]:
            break
        queue[index(place)] = queue[index(child)]
        place = child
    queue[index(place)] = moved
    return found


@inline
def _settle(work):
    """Gives positions the values of their best steps, or of chance's mean; whether any changed.

    Mostly a position is found before those that it leads to, so backwards few rounds suffice.
    """
    changed = False
    for number in range(work.control[POSITIONS] - 1, -1, -1):
        here = index(number)
        begin, end = work.begins[here], work.ends[here]
        if end == 0:
            continue
        best, value, mean, tossed = begin, -np.inf, 0.0, False
        for each in range(begin, end):
            step = index(each)
            target = work.targets[step]
            worth = work.worths[step] if target == END else work.values[index(target)]
            tossed |= work.chance[step] > 0.0
            mean += work.chance[step] * worth
            if worth > value:
                best, value = each, worth
        if tossed:
            value = mean
        changed |= value != work.values[here]
        work.values[here], work.best[here] = value, best
    return changed


@inline
def best_plies(game, work, state):
    """Plays the best steps on `state`, after `look` at it, up to the turn's end or to chance."""
    place = 0
    while True:
        step = index(work.best[index(place)])
        target = int(work.targets[step])
        if target == END or work.ends[index(target)] == 0:
            copy(state, work.states[index(place)])
            play(game, state, int(work.actions[step]))
            break
        place = target
        if mover(game, work.states[index(place)]) == CHANCE:
            copy(state, work.states[index(place)])
            break


class WholeTurns:
    """The search with the arrays it works in. Raises SearchError for fewer than one position."""

    def __init__(self, game: Any, state: np.ndarray, evaluation: Any, positions: int) -> None:
        if positions < 1:
            raise SearchError(Sentence("error.search.positions", positions=positions))
        self._game = game
        self._evaluation = evaluation
        self._work = turn_graph(game, state, positions)

    def search(self, state: np.ndarray) -> BestTurn:
        """The best turn from a state in which it is a player's turn; the first of equals."""
        work = self._work
        work.states[0] = state
        explore(self._game, self._evaluation, work)
        actions: list[int] = []
        place = 0
        while place != END and work.ends[place] and mover(self._game, work.states[place]) != CHANCE:
            step = work.best[place]
            actions.append(int(work.actions[step]))
            place = int(work.targets[step])
        return BestTurn(
            actions, float(work.values[0]), int(work.control[POSITIONS]), not work.control[CUT]
        )
