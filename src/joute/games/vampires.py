"""Vampires vs Werewolves: two species spread over a grid, by conversion and by killing.

A turn is an order of one or more moves, all applied together: so many of a group to one of the
eight cells around. Who comes to humans in at least their number converts them; who comes to enemies
in at least one and a half times their number kills them; else a battle is a matter of chance. A
species that dies out has lost; at the limit of turns the larger one wins.

Source: the tournament statement of CentraleSupelec's course on artificial intelligence, and the
behaviour of its official server where the statement leaves something open.

An order is offered as small choices: its moves one by one, sources and directions ascending so that
no order is offered twice, then DONE. What they do stands in the state at once (units leave their
source; arrivals are counted at the target) and is resolved by DONE: sure results first, then each
battle as a chance outcome, targets ascending.

State:  int16 or int32 [TARGETS + targets + 2 * cells + 2 * words]. First the player to move, the
        phase (CHOOSING, BATTLES, ENDED), turns done, vampires, werewolves, the last move's source
        and direction + 1, moves chosen, targets chosen or battles to fight, the battle being fought,
        the winner + 1. Then the targets, ascending; then the cells with a border around them, each
        kind * 256 + count; then what the order does to each cell (0 nothing, SOURCE, n > 0
        arrivals); then by player the cells of his groups as bits, 15 in a word.
Action: DONE, or (cell * 8 + direction) * 256 + count. Outcome of a battle: survivors, and WON more
        if the attack won. STOP, which only the clock plays, ends the game between two rounds.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.games.arrays import index
from joute.games.bits import lowest
from joute.games.interface import CHANCE, OVER, implements, inline
from joute.games.random import below

MOVER, PHASE, TURNS, COUNTS, SOURCE_CELL, NEXT_DIRECTION = 0, 1, 2, 3, 5, 6  # places in the state
MOVES, TARGET_COUNT, BATTLE, WINNER = 7, 8, 9, 10
TARGETS = 16  # place of the first target
CHOOSING, BATTLES, ENDED = 0, 1, 2

EMPTY, HUMANS, VAMPIRES, WEREWOLVES, BORDER = range(5)  # kinds; a player's is VAMPIRES + player
KIND = 256  # a cell is kind * KIND + count
MOST = 255  # in a cell, and arrivals in a cell
SOURCE = -1  # what the order does to a cell that units leave

DONE, STOP = 0, 1
WON = 512
BITS = 15  # groups in a word of bits


class Vampires(NamedTuple):
    """A grid with its first groups."""

    rows: int
    columns: int
    plies: int  # the limit of turns, both players' counted
    split: bool  # every count is offered; else only whole groups
    wrap_counts: bool  # joining counts wrap at 256; else they stop at 255
    most_targets: int
    most_legal: int
    cells: np.ndarray  # int16[rows * columns], row by row: kind * KIND + count
    source: np.ndarray  # uint8, the settings as JSON


@inline
def stride(game):
    """Cells in a row, the border included."""
    return game.columns + 2


@inline
def size(game):
    """Cells in all, the border included."""
    return (game.rows + 2) * (game.columns + 2)


@inline
def first_cell(game):
    """The place in the state of cell 0, a corner of the border."""
    return TARGETS + game.most_targets


@inline
def step(game, direction):
    """What a direction adds to a cell: 0 to 7, row by row from the upper left."""
    around = direction + (direction >= 4)
    return (around // 3 - 1) * (game.columns + 2) + around % 3 - 1


@inline
def _words(game):
    return (size(game) + BITS - 1) // BITS


@inline
def _flip(game, state, player, cell):
    """Enter a cell among the groups of a player, or take it out."""
    place = first_cell(game) + 2 * size(game) + player * _words(game) + cell // BITS
    state[index(place)] ^= 1 << (cell % BITS)


def cell_at(game: Vampires, x: int, y: int) -> int:
    """The cell of a column and a row, from 0."""
    return (y + 1) * (game.columns + 2) + x + 1


@implements(Vampires)
def start(game: Vampires) -> np.ndarray:
    length = first_cell(game) + 2 * size(game) + 2 * _words(game)
    state = np.zeros(length, np.int16 if length < 1 << 15 else np.int32)
    grid = state[first_cell(game) :][: size(game)].reshape(game.rows + 2, -1)
    grid[:] = BORDER * KIND
    grid[1:-1, 1:-1] = game.cells.reshape(game.rows, game.columns)
    for number, content in enumerate(game.cells.tolist()):
        player = content // KIND - VAMPIRES
        if player >= 0:
            y, x = divmod(number, game.columns)
            _flip(game, state, player, cell_at(game, x, y))
            state[COUNTS + player] += content % KIND
    return state


@implements(Vampires)
def mover(game, state):
    phase = int(state[PHASE])
    if phase == ENDED:
        return OVER
    return CHANCE if phase == BATTLES else int(state[MOVER])


@implements(Vampires)
def pending(game, state):
    return int(state[MOVES])


@implements(Vampires)
def legal(game, state, out):
    count = 0
    if state[MOVES] > 0:
        out[0] = DONE
        count = 1
    origin = first_cell(game)
    plans = origin + size(game)
    own = VAMPIRES + int(state[MOVER])
    first, lowest_direction = int(state[SOURCE_CELL]), int(state[NEXT_DIRECTION])
    for cell in range(max(first, stride(game) + 1), size(game) - stride(game) - 1):
        content = int(state[index(origin + cell)])
        if content // KIND != own or state[index(plans + cell)] > 0:
            continue
        for direction in range(lowest_direction if cell == first else 0, 8):
            most = _most(game, state, cell + step(game, direction), content % KIND)
            if not game.split and most < content % KIND:
                most = 0
            base = (cell * 8 + direction) * KIND
            for units in range(1 if game.split else most, most + 1):
                if units > 0:
                    out[count] = base + units
                    count += 1
    return count


@inline
def _most(game, state, target, units):
    """How many of `units` may still come to a cell in this order."""
    origin = first_cell(game)
    arrivals = int(state[index(origin + size(game) + target)])
    if state[index(origin + target)] >= BORDER * KIND or arrivals < 0:
        return 0
    return min(units, MOST - arrivals)


@implements(Vampires)
def pick(game, state, out, rng):
    # Pairs of a source and a direction with the running total of their counts; then one of them.
    total = int(state[MOVES] > 0)
    origin = first_cell(game)
    plans = origin + size(game)
    player = int(state[MOVER])
    groups = plans + size(game) + player * _words(game)
    first, lowest_direction = int(state[SOURCE_CELL]), int(state[NEXT_DIRECTION])
    word = first // BITS
    bits = int(state[index(groups + word)]) & (-1 << first % BITS)
    listed = 0
    while True:
        while bits == 0 and word < _words(game) - 1:
            word += 1
            bits = int(state[index(groups + word)])
        if bits == 0:
            break
        cell = word * BITS + lowest(bits)
        bits &= bits - 1
        if state[index(plans + cell)] > 0:
            continue
        units = int(state[index(origin + cell)]) % KIND
        for direction in range(8):
            most = _most(game, state, cell + step(game, direction), units)
            if not game.split:
                most = int(most == units)
            offered = (most > 0) & ((cell != first) | (direction >= lowest_direction))
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
    return pair * KIND + int(state[index(origin + pair // 8)]) % KIND


@implements(Vampires)
def play(game, state, action):
    if state[PHASE] == BATTLES:
        _fight(game, state, action)
    elif action == DONE:
        _resolve(game, state)
    elif action == STOP:
        _end(state)
    else:
        _move(game, state, action)


@inline
def _move(game, state, action):
    """Let units leave their source and be expected at their target."""
    units, direction, cell = action % KIND, action // KIND % 8, action // KIND // 8
    target = cell + step(game, direction)
    origin = first_cell(game)
    plans = origin + size(game)
    left = int(state[index(origin + cell)]) - units
    if left % KIND == 0:
        left = 0
        _flip(game, state, int(state[MOVER]), cell)
    state[index(origin + cell)] = left
    state[index(plans + cell)] = SOURCE
    arrivals = int(state[index(plans + target)])
    if arrivals == 0:
        place = int(state[TARGET_COUNT])
        while place > 0 and state[index(TARGETS + place - 1)] > target:
            state[index(TARGETS + place)] = state[index(TARGETS + place - 1)]
            place -= 1
        state[index(TARGETS + place)] = target
        state[TARGET_COUNT] += 1
    state[index(plans + target)] = arrivals + units
    state[SOURCE_CELL] = cell
    state[NEXT_DIRECTION] = direction + 1
    state[MOVES] += 1


@inline
def _resolve(game, state):
    """Apply all sure results of the order; battles stay to be fought. No move at all: a pass."""
    state[SOURCE_CELL] = state[NEXT_DIRECTION] = state[MOVES] = 0
    battles = 0
    for number in range(int(state[TARGET_COUNT])):
        target = int(state[index(TARGETS + number)])
        if not _sure(game, state, target):
            state[index(TARGETS + battles)] = target
            battles += 1
    if battles > 0:
        state[PHASE] = BATTLES
        state[TARGET_COUNT] = battles
        state[BATTLE] = 0
    else:
        _pass_turn(game, state)


@inline
def _sure(game, state, target):
    """Apply what comes to a target if that needs no battle; whether it was so."""
    player = int(state[MOVER])
    place = index(first_cell(game) + target)
    arrivals = int(state[index(first_cell(game) + size(game) + target)])
    kind, there = int(state[place]) // KIND, int(state[place]) % KIND
    own = VAMPIRES + player
    if kind == own:
        _put(game, state, target, own, _joined(game, arrivals + there))
        state[index(COUNTS + player)] += int(state[place]) % KIND - there - arrivals
    elif kind == HUMANS:
        if arrivals < there:
            return False
        _put(game, state, target, own, _joined(game, arrivals + there))
        state[index(COUNTS + player)] += int(state[place]) % KIND - arrivals
    elif kind != EMPTY:
        if 2 * arrivals < 3 * there:
            return False
        state[index(COUNTS + 1 - player)] -= there
        _put(game, state, target, own, arrivals)
    else:
        _put(game, state, target, own, arrivals)
    return True


@inline
def _joined(game, units):
    """What so many units are in one cell, which holds MOST."""
    if game.wrap_counts:
        return units & MOST
    return min(units, MOST)


@inline
def _put(game, state, cell, kind, units):
    """Give a cell to a kind, EMPTY without units; the lists of groups follow."""
    place = index(first_cell(game) + cell)
    before = int(state[place]) // KIND
    if units == 0:
        kind = EMPTY
    if before != kind:
        if before >= VAMPIRES:
            _flip(game, state, before - VAMPIRES, cell)
        if kind >= VAMPIRES:
            _flip(game, state, kind - VAMPIRES, cell)
    state[place] = kind * KIND + units if units > 0 else 0


@inline
def _pass_turn(game, state):
    """Forget the order; the other player's turn, or the end."""
    plans = first_cell(game) + size(game)
    for cell in range(size(game)):
        state[index(plans + cell)] = 0
    for number in range(game.most_targets):
        state[index(TARGETS + number)] = 0
    state[TARGET_COUNT] = state[BATTLE] = 0
    state[PHASE] = CHOOSING
    state[MOVER] = 1 - state[MOVER]
    state[TURNS] += 1
    if state[COUNTS] == 0 or state[COUNTS + 1] == 0 or state[TURNS] >= game.plies:
        _end(state)


@inline
def _end(state):
    """End the game: no vampire left is looked at first, so that both extinct is a win of 1."""
    state[PHASE] = ENDED
    vampires, werewolves = int(state[COUNTS]), int(state[COUNTS + 1])
    if vampires == 0 or werewolves > vampires:
        state[WINNER] = 2
    elif vampires > werewolves:
        state[WINNER] = 1


# Battles.


@inline
def _odds(game, state):
    """Attackers, defenders, their kind, and P of the attack winning as P * 2 * defenders."""
    target = int(state[index(TARGETS + int(state[BATTLE]))])
    content = int(state[index(first_cell(game) + target)])
    attackers = int(state[index(first_cell(game) + size(game) + target)])
    defenders = content % KIND
    chance = attackers if attackers <= defenders else 2 * attackers - defenders
    return attackers, defenders, content // KIND, chance


@inline
def _fight(game, state, outcome):
    """Apply the outcome of a battle; the next one, or the end of the turn."""
    player = int(state[MOVER])
    target = int(state[index(TARGETS + int(state[BATTLE]))])
    attackers, defenders, kind, _ = _odds(game, state)
    survivors = min(outcome % WON, MOST)
    state[index(COUNTS + player)] -= attackers
    if kind != HUMANS:
        state[index(COUNTS + 1 - player)] -= defenders
    if outcome >= WON:
        _put(game, state, target, VAMPIRES + player, survivors)
        state[index(COUNTS + player)] += survivors
    else:
        _put(game, state, target, kind, survivors)
        if kind != HUMANS:
            state[index(COUNTS + 1 - player)] += survivors
    state[BATTLE] += 1
    if state[BATTLE] == state[TARGET_COUNT]:
        _pass_turn(game, state)


@implements(Vampires)
def chances(game, state, out, weights):
    attackers, defenders, kind, chance = _odds(game, state)
    wins = chance / (2.0 * defenders)
    count = _binomial(defenders, 1.0 - wins, 0, out, weights, 0)
    units = attackers + defenders if kind == HUMANS else attackers
    return _binomial(units, wins, WON, out, weights, count)


@inline
def _binomial(units, survival, base, out, weights, count):
    """List how many of `units` survive, with the probability of that and of this side winning.

    A side wins with the probability with which its units survive. From the mode outwards, so that
    nothing underflows but what is below 1e-300 of it.
    """
    ratio = survival / (1.0 - survival)
    mode = min(units, int((units + 1) * survival))
    weights[count + mode] = 1.0
    total = weight = 1.0
    for survivors in range(mode, units):
        weight *= (units - survivors) / (survivors + 1) * ratio
        weights[count + survivors + 1] = weight
        total += weight
    weight = 1.0
    for survivors in range(mode, 0, -1):
        weight *= survivors / (units - survivors + 1) / ratio
        weights[count + survivors - 1] = weight
        total += weight
    for survivors in range(units + 1):
        out[count + survivors] = base + survivors
        weights[count + survivors] *= survival / total
    return count + units + 1


@implements(Vampires)
def draw(game, state, out, weights, rng):
    attackers, defenders, kind, chance = _odds(game, state)
    whole = 2 * defenders
    survivors = 0
    if below(rng, whole) < chance:
        for _ in range(attackers + defenders if kind == HUMANS else attackers):
            survivors += below(rng, whole) < chance
        return WON + survivors
    for _ in range(defenders):
        survivors += below(rng, whole) >= chance
    return survivors


@implements(Vampires)
@inline
def points(game, state, player):
    return int(state[index(COUNTS + player)])


@implements(Vampires)
def returns(game, state, out):
    winner = int(state[WINNER])
    out[0] = float((winner == 1) - (winner == 2))
    out[1] = -out[0]


@implements(Vampires)
def fault_action(game, state, player):
    return DONE
