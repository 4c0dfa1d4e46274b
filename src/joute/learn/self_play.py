"""Games by PUCT: against itself to learn from, and between old weights and new ones.

Games of the second kind, in pairs, test whether new weights play better than old ones.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import (
    CHANCE,
    OVER,
    draw,
    mover,
    openings,
    play,
    properties,
    returns,
    start,
)
from joute.core.random import below, generator, uniform
from joute.search.montecarlo import USED, Simulation, simulation
from joute.search.puct_search import Puct, explore
from joute.search.puct_tree import (
    ACTION,
    CHILDREN,
    FIRST,
    PROVEN,
    VISITS,
    PuctTree,
    best_child,
    forget,
    keep,
    puct_tree,
)

OPENINGS = (1, 2, 3, 4, 6, 8, 10, 14, 20)  # random plies that a game begins with, each as likely
STRAYING = 0.1  # the share of later plies that are drawn by the visits of the actions
TREE_LOG2 = 17
WHOLE = 255  # all visits of a position, as its shares add up, but for rounding
SURE = 0.9999  # a mean return that counts for certain
SIMULATIONS_TESTED = 1000  # a turn: both search as many, so that the test can be played again
HYPOTHESES = Hypotheses(0, 50)
MOST_PAIRS = 200

Kind = TypeVar("Kind", bound=tuple[np.ndarray, ...])


class Positions(NamedTuple):
    """The positions of games, one after the other."""

    states: np.ndarray  # the game's dtype [positions, words]
    movers: np.ndarray  # int8[positions]
    values: np.ndarray  # float32[positions], log-odds by search, for the mover
    shares: np.ndarray  # uint8[positions, max_actions], of the visits of the mover's actions
    results: np.ndarray  # float32[positions], the return of player 0
    last: np.ndarray  # bool[positions], the last of its game


def joined(parts: list[Kind]) -> Kind:
    """The positions of all parts."""
    columns: Any = zip(*parts, strict=True)
    return type(parts[0])(*(np.concatenate(column) for column in columns))


class Player(NamedTuple):
    """The parts of a search of self-play."""

    evaluation: Any
    policy: Any
    exploration: float  # in spans of returns
    scale: float = 1.0


class _Arrays(NamedTuple):
    work: Simulation
    tree: PuctTree
    spare: PuctTree


@kernel
def play_on(game, player, highest, state, simulations, straying, rng, arrays, notes):
    """Plays a game on to its end, with so many simulations a ply; how many plies are noted.

    `state` and `rng` advance. `notes` has room for every ply.
    """
    work, tree, spare, noted = arrays.work, arrays.tree, arrays.spare, 0
    forget(work, tree)
    to_move = mover(game, state)
    while to_move != OVER:
        explore(
            game, player.evaluation, player.policy, state, player.exploration, player.scale,
            highest, simulations, work, tree,
        )  # fmt: skip
        chosen = best_child(0, highest, tree)
        here, first = tree.places[0], tree.places[0, FIRST]
        total = 0
        for child in range(first, first + here[CHILDREN]):
            total += tree.places[index(child), VISITS]
        wins = tree.places[index(chosen), PROVEN] and tree.values[index(chosen)] >= highest
        copy(notes.states[index(noted)], state)
        notes.movers[index(noted)] = to_move
        value = min(max(tree.values[index(chosen)] / highest, -SURE), SURE)
        notes.values[index(noted)] = math.log((1.0 + value) / (1.0 - value))
        notes.shares[index(noted)] = 0
        drawn = below(rng, max(total, 1)) if uniform(rng) < straying and not wins else -1
        for child in range(first, first + here[CHILDREN]):
            action, visits = index(tree.places[index(child), ACTION]), 0
            if wins:
                visits = total if child == chosen else 0
            else:
                visits = tree.places[index(child), VISITS]
            notes.shares[index(noted), action] = int(WHOLE * visits / max(total, 1) + 0.5)
            if 0 <= drawn < visits:
                chosen = child
            drawn -= visits
        noted += 1
        play(game, state, int(tree.places[index(chosen), ACTION]))
        used = keep(tree, chosen, spare)
        tree, spare = spare, tree
        work.control[USED] = used
        to_move = mover(game, state)
    return noted


def self_play(game: Any, player: Player, seed: int, games: int, simulations: int) -> Positions:
    """The positions of games of PUCT against itself, with so many simulations a ply.

    The same arguments give the same games. A game begins with some random plies, which are no
    positions of it, and some later plies are drawn by the visits of the actions.
    """
    rng = generator(seed)
    arrays = _Arrays(simulation(game), puct_tree(TREE_LOG2), puct_tree(TREE_LOG2))
    facts = properties(game)
    span = facts.highest_return - facts.lowest_return
    player = player._replace(exploration=player.exploration * span)
    return joined([_play(game, player, rng, simulations, arrays) for _ in range(games)])


def _play(
    game: Any, player: Player, rng: np.ndarray, simulations: int, arrays: _Arrays
) -> Positions:
    opening = OPENINGS[below(rng, len(OPENINGS))]
    facts, begun = properties(game), _opened(game, rng, opening)
    state = np.array(begun, start(game).dtype)
    notes = Positions(
        np.zeros((facts.max_plies, state.size), state.dtype),
        np.zeros(facts.max_plies, np.int8),
        np.zeros(facts.max_plies, np.float32),
        np.zeros((facts.max_plies, facts.max_actions), np.uint8),
        np.zeros(facts.max_plies, np.float32),
        np.zeros(facts.max_plies, np.bool_),
    )
    noted = play_on(
        game, player, facts.highest_return, state, simulations, STRAYING, rng, arrays, notes
    )
    final = [0.0, 0.0]
    returns(game, state, final)
    notes.results[:] = final[0]
    notes.last[noted - 1 : noted] = True
    return Positions(*(column[:noted] for column in notes))


def _opened(game: Any, rng: np.ndarray, plies: int) -> list[int]:
    """A state after so many random plies, or fewer where the game is over before."""
    state = begun(game, rng)
    for _ in range(plies):
        if mover(game, state) == OVER:
            break
        actions = openings(game, state)
        play(game, state, actions[below(rng, len(actions))])
    return state


def begun(game: Any, rng: np.ndarray) -> list[int]:
    """A state in which a player is to choose, after what chance does before."""
    state: list[int] = start(game).tolist()
    facts = properties(game)
    out, weights = [0] * facts.max_outcomes, [0.0] * facts.max_outcomes
    while mover(game, state) == CHANCE:
        play(game, state, draw(game, state, out, weights, rng))
    return state


class Promotion(NamedTuple):
    """The result of a test of new weights against old ones."""

    better: bool  # shown to be; no, if it was not decided
    pairs: int
    score: float  # the mean of a game, 0..1, of the new weights


def promoted(game: Any, new: Callable[[], Puct], old: Callable[[], Puct], seed: int) -> Promotion:
    """Whether the searches that `new` makes are shown to be better than those of `old`.

    Reproducible by the seed.
    """
    rng = generator(seed)
    test = SequentialTest(HYPOTHESES)
    points = 0.0
    fewest, most = properties(game).opening_plies
    searches = [new(), old()]
    while not test.decision and test.pairs < MOST_PAIRS:
        opened = _opened(game, rng, fewest + below(rng, most - fewest + 1))
        pair = sum(_score(game, opened.copy(), searches, side) for side in (0, 1))
        points += pair
        test.add([pair])
    return Promotion(test.decision == H1, test.pairs, points / (2 * test.pairs))


def _score(game: Any, state: list[int], searches: list[Puct], side: int) -> float:
    """The score of the first search in a game as `side`: 0, 1/2 or 1."""
    for search in searches:
        search.forget()
    while mover(game, state) != OVER:
        search = searches[mover(game, state) != side]
        found = search.search(state, SIMULATIONS_TESTED)
        play(game, state, found.action)
    final = [0.0, 0.0]
    returns(game, state, final)
    return (1 + final[side]) / 2
