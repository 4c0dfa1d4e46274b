"""The small choices of an order of Vampires vs Werewolves: what may still be added to it.

Moves come with sources and directions ascending, so that no order is offered twice; DONE ends it.
"""

from typing import Any

from joute.core.arrays import index
from joute.core.bits import lowest
from joute.core.interface import inline, mover
from joute.core.random import below
from joute.games.vampires.state import (
    BITS,
    BORDER,
    CHOOSING,
    DONE,
    KIND,
    MOST,
    MOVER,
    MOVES,
    NEXT_DIRECTION,
    PHASE,
    SOURCE_CELL,
    STOP,
    VAMPIRES,
    Vampires,
    first_cell,
    first_plan,
    first_word,
    step,
    word_of,
)


def pending(game, state):
    return int(state[MOVES])


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
    """How many of `units` may still come to a cell in this order."""
    expected = int(state[index(first_plan(game) + target)])
    closed = (state[index(first_cell(game) + target)] >= BORDER * KIND) | (expected < 0)
    return 0 if closed else min(units, MOST - expected)


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
