"""Vampires vs Werewolves: two species spread over a grid, by conversion and by killing.

A turn is an order of one or more moves, all applied together: so many of a group to one of the
eight cells around. Units that come to humans in at least their number convert them; units that come
to enemies in at least one and a half times their number kill them; else there is a battle, decided
by chance. A species that dies out has lost; at the limit of turns the larger one wins.

Source: the tournament statement of CentraleSupelec's course on artificial intelligence, and the
behaviour of its official server where the statement leaves something open.

An order is offered as small choices: its moves one by one, sources and directions ascending so that
no order is offered twice, then DONE. Their effects stand in the state at once (units leave their
source; arrivals are counted at the target) and are resolved by DONE: sure results first, then each
battle as a chance outcome, targets ascending. Whole orders are read by `order`.
"""

import json
from typing import Any

import numpy as np

from joute.core.arrays import index, lowest
from joute.core.errors import GameError, in_range, truth
from joute.core.interface import CHANCE, OVER, implements, inline
from joute.core.random import below
from joute.games.vampires import features as _features  # noqa: F401 - implements them
from joute.games.vampires import objection as _objection  # noqa: F401 - implements it
from joute.games.vampires.battle import fight
from joute.games.vampires.map import VampiresMap, read_map, write_map
from joute.games.vampires.order import expand
from joute.games.vampires.state import (
    BATTLE,
    BATTLES,
    BITS,
    BORDER,
    CHOOSING,
    COUNTS,
    DONE,
    EMPTY,
    ENDED,
    HUMANS,
    KIND,
    MOST,
    MOVER,
    MOVES,
    NEXT_DIRECTION,
    PHASE,
    SOURCE,
    SOURCE_CELL,
    STOP,
    TARGET_COUNT,
    TARGETS,
    TURNS,
    VAMPIRES,
    WEREWOLVES,
    WINNER,
    Vampires,
    first_cell,
    first_plan,
    first_word,
    flip,
    put,
    step,
    word_of,
)
from joute.games.vampires.text import add_text_operations
from joute.i18n.words import Sentence

MOST_PLIES = 10_000

SYMMETRIC = VampiresMap(
    rows=9,
    columns=11,
    humans=(
        (2, 2, 3), (8, 6, 3), (5, 1, 5), (5, 7, 5), (0, 6, 2), (10, 2, 2), (3, 5, 4), (7, 3, 4),
        (5, 4, 9),
    ),
    vampires=(1, 4, 6),
    werewolves=(9, 4, 6),
)  # fmt: skip
"""The map of most recorded games."""


def make(
    *, map: Any = "", plies: Any = 200, split: Any = True, wrap_counts: Any = False
) -> Vampires:
    """Vampires vs Werewolves on a map.

    Args:
        map: the text of a map; "" is a symmetric one of 11 x 9.
        plies: the limit of turns, both players' counted; even.
        split: false: only whole groups move, for searches.
        wrap_counts: joining counts wrap at 256, as the official server's; else they stop at 255.

    Raises GameError.
    """
    if not isinstance(map, str):
        raise GameError(Sentence("error.map.text", game="vampires", value=map))
    if in_range("vampires", "plies", plies, 2, MOST_PLIES) % 2:
        raise GameError(Sentence("error.vampires.even", plies=plies))
    truth("vampires", "split", split)
    truth("vampires", "wrap_counts", wrap_counts)
    chart = read_map(map) if map else SYMMETRIC
    rows, columns = chart.rows, chart.columns
    cells = np.zeros((rows, columns), np.int16)
    kinds = [(HUMANS, group) for group in chart.humans]
    kinds += [(VAMPIRES, chart.vampires), (WEREWOLVES, chart.werewolves)]
    for kind, (x, y, count) in kinds:
        cells[y, x] = kind * KIND + count
    size = (rows + 2) * (columns + 2)
    chosen = {"plies": plies, "split": split, "wrap_counts": wrap_counts}
    settings = {"map": write_map(chart), **chosen}
    humans = sum(count for _, _, count in chart.humans)
    return Vampires(
        rows=rows,
        columns=columns,
        **chosen,
        stride=columns + 2,
        size=size,
        words=(size + BITS - 1) // BITS,
        most_targets=min(rows * columns, MOST),
        # A human becomes one unit at most, and no unit comes from elsewhere.
        most_units=humans + max(chart.vampires[2], chart.werewolves[2]),
        cells=cells.reshape(-1),
        source=np.frombuffer(json.dumps(settings).encode(), np.uint8).copy(),
    )


@implements(Vampires)
def mover(game, state):
    phase = int(state[PHASE])
    if phase == ENDED:
        return OVER
    return CHANCE if phase == BATTLES else int(state[MOVER])


@implements(Vampires)
def play(game, state, action):
    if state[PHASE] == BATTLES:
        fight(game, state, action)
        state[BATTLE] += 1
        if state[BATTLE] == state[TARGET_COUNT]:
            _pass_turn(game, state)
    elif action == DONE:
        _resolve(game, state)
    elif action == STOP:
        _end(state)
    else:
        _move(game, state, action)


@inline
def _move(game, state, action):
    """Lets units leave their source and be expected at their target."""
    units, direction, cell = action % KIND, action // KIND % 8, action // KIND // 8
    target = cell + step(game, direction)
    left = int(state[index(first_cell(game) + cell)]) - units
    if left % KIND == 0:
        left = EMPTY
        flip(game, state, int(state[MOVER]), cell)
    state[index(first_cell(game) + cell)] = left
    state[index(first_plan(game) + cell)] = SOURCE
    expected = int(state[index(first_plan(game) + target)])
    if expected == 0:
        place = TARGETS + int(state[TARGET_COUNT])
        while place > TARGETS and state[index(place - 1)] > target:
            state[index(place)] = state[index(place - 1)]
            place -= 1
        state[index(place)] = target
        state[TARGET_COUNT] += 1
    state[index(first_plan(game) + target)] = expected + units
    state[SOURCE_CELL] = cell
    state[NEXT_DIRECTION] = direction + 1
    state[MOVES] += 1


@inline
def _resolve(game, state):
    """Applies all sure results of the order; battles stay to be fought. No move at all: a pass."""
    state[SOURCE_CELL] = state[NEXT_DIRECTION] = state[MOVES] = 0
    battles = 0
    for number in range(int(state[TARGET_COUNT])):
        target = int(state[index(TARGETS + number)])
        state[index(TARGETS + number)] = 0
        if not _sure(game, state, target):
            state[index(TARGETS + battles)] = target
            battles += 1
    state[TARGET_COUNT] = battles
    state[PHASE] = BATTLES
    if battles == 0:
        _pass_turn(game, state)


@inline
def _sure(game, state, target):
    """Applies what comes to a target if that needs no battle; whether it was so."""
    player = int(state[MOVER])
    content = int(state[index(first_cell(game) + target)])
    coming = int(state[index(first_plan(game) + target)])
    kind, there = content // KIND, content % KIND
    if kind == VAMPIRES + player or kind == HUMANS:
        if kind == HUMANS and coming < there:
            return False
        units = coming + there
        joined = units & MOST if game.wrap_counts else min(units, MOST)
        own = coming if kind == HUMANS else units
        state[index(COUNTS + player)] += joined - own
        put(game, state, target, VAMPIRES + player, joined)
        return True
    if 2 * coming < 3 * there:
        return False
    if kind != EMPTY:
        state[index(COUNTS + 1 - player)] -= there
    put(game, state, target, VAMPIRES + player, coming)
    return True


@inline
def _pass_turn(game, state):
    """Forgets the order; the other player's turn, or the end."""
    plan = first_plan(game)
    for cell in range(game.size):
        state[index(plan + cell)] = 0
    for number in range(int(state[TARGET_COUNT])):
        state[index(TARGETS + number)] = 0
    state[TARGET_COUNT] = state[BATTLE] = 0
    state[PHASE] = CHOOSING
    state[MOVER] = 1 - state[MOVER]
    state[TURNS] += 1
    if state[COUNTS] == 0 or state[COUNTS + 1] == 0 or state[TURNS] >= game.plies:
        _end(state)


@inline
def _end(state):
    """Ends the game: no vampire left is looked at first, so that both extinct is a win of 1."""
    state[PHASE] = ENDED
    vampires, werewolves = int(state[COUNTS]), int(state[COUNTS + 1])
    if vampires == 0 or werewolves > vampires:
        state[WINNER] = 2
    elif vampires > werewolves:
        state[WINNER] = 1


@implements(Vampires)
@inline
def points(game, state, player):
    return int(state[index(COUNTS + player)])


@implements(Vampires)
def returns(game, state, out):
    winner = int(state[WINNER])
    out[0] = float((winner == 1) - (winner == 2))
    out[1] = float((winner == 2) - (winner == 1))


@implements(Vampires)
def fault_action(game, state, player):
    return DONE


@implements(Vampires)
def stop_action(game, state):
    """Not before the Vampires' turn: both have had as many turns then."""
    between = state[PHASE] == CHOOSING and state[MOVER] == 0 and state[MOVES] == 0
    return STOP if between else None


@implements(Vampires)
def pending(game, state):
    return int(state[MOVES])


@implements(Vampires)
def legal(game, state, out):
    count = 0
    if state[MOVES] > 0:
        out[0] = DONE
        count = 1
    if state[MOVES] == MOST:
        return count
    groups = first_word(game, int(state[MOVER]))
    source, lowest_direction = int(state[SOURCE_CELL]), int(state[NEXT_DIRECTION])
    for word in range(word_of(source), game.words):
        bits = int(state[index(groups + word)])
        while bits != 0:
            cell = word * BITS + lowest(bits)
            bits &= bits - 1
            if cell < source or state[index(first_plan(game) + cell)] > 0:
                continue
            units = int(state[index(first_cell(game) + cell)]) % KIND
            for direction in range(lowest_direction if cell == source else 0, 8):
                most = _most(game, state, cell + step(game, direction), units)
                base = (cell * 8 + direction) * KIND
                for number in range(1 if game.split else units, most + 1):
                    out[count] = base + number
                    count += 1
    return count


@implements(Vampires)
def accepts(game: Vampires, state: Any, action: int) -> bool:
    """Whether a choice is in `legal`, found without listing that."""
    if mover(game, state) < 0 or action in (DONE, STOP):
        return action == DONE and state[PHASE] == CHOOSING and bool(state[MOVES] > 0)
    units, direction, cell = action % KIND, action // KIND % 8, action // KIND // 8
    if not 0 < cell < game.size or state[MOVES] == MOST:
        return False
    kind, held = divmod(int(state[first_cell(game) + cell]), KIND)
    before = (cell, direction) < (state[SOURCE_CELL], state[NEXT_DIRECTION])
    if kind != VAMPIRES + state[MOVER] or before or state[first_plan(game) + cell] > 0:
        return False
    most = _most(game, state, cell + step(game, direction), held)
    return 0 < units <= most if game.split else units == held == most


@inline
def _most(game, state, target, units):
    """The number of `units` that may still come to a cell in this order."""
    expected = int(state[index(first_plan(game) + target)])
    closed = (state[index(first_cell(game) + target)] >= BORDER * KIND) | (expected < 0)
    return 0 if closed else min(units, MOST - expected)


@implements(Vampires)
def pick(game, state, out, rng):
    # Pairs of a source and a direction with the running total of their counts; then one of them.
    total = int(state[MOVES] > 0)
    groups = first_word(game, int(state[MOVER]))
    source, lowest_direction = int(state[SOURCE_CELL]), int(state[NEXT_DIRECTION])
    word = word_of(source) if state[MOVES] < MOST else game.words
    bits = 0
    if word < game.words:
        bits = int(state[index(groups + word)]) & (-1 << (source - BITS * word))
    listed = 0
    while word < game.words:
        if bits == 0:
            word += 1
            if word < game.words:
                bits = int(state[index(groups + word)])
            continue
        cell = word * BITS + lowest(bits)
        bits &= bits - 1
        if state[index(first_plan(game) + cell)] > 0:
            continue
        units = int(state[index(first_cell(game) + cell)]) % KIND
        for direction in range(8):
            most = _most(game, state, cell + step(game, direction), units)
            if not game.split:
                most = int(most == units)
            offered = (most > 0) & ((cell != source) | (direction >= lowest_direction))
            out[index(listed)] = cell * 8 + direction
            out[index(listed + 1)] = total
            listed += 2 * offered
            total += most * offered
    rank = below(rng, total)
    if state[MOVES] > 0 and rank == 0:
        return DONE
    listed -= 2
    while int(out[index(listed + 1)]) > rank:
        listed -= 2
    pair = int(out[index(listed)])
    if game.split:
        return pair * KIND + 1 + rank - int(out[index(listed + 1)])
    return pair * KIND + int(state[index(first_cell(game) + pair // 8)]) % KIND


implements(Vampires)(expand)
add_text_operations(Vampires)
