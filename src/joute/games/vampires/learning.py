"""Learns the weights of the evaluation of Vampires vs Werewolves by games of expectimax.

Each game is on a map of its own, drawn at random. Beside some turns of a game another order is
looked at, any of those that a search lists, and searched after, since a search meets many such
states.

A small network is fitted to the features of the states: logistic regression by gradient descent,
with steps that get smaller along a cosine. The target of a state of a game is a mixture of the
result and of the values that the search found later in it, as in Sutton, "Learning to predict by
the methods of temporal differences" (1988); that of a state beside it is the value of its search.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
from joute.core.arrays import copy
from joute.core.compiled import kernel
from joute.core.interface import CHANCE, OVER, draw, mover, play, properties, returns, start
from joute.core.random import generator
from joute.core.weights import save_weights
from joute.games.vampires.players.orders import orders
from joute.games.vampires.players.war import (
    ALL,
    ALL_LATE,
    BATTLE,
    BORDER,
    DISTANT,
    FEATURES,
    GROUPS,
    HIDDEN,
    LARGEST,
    LARGEST_NOW,
    LEARNED,
    NEAR,
    NEXT,
    SIDE,
    SIDES,
    SURE_ALL,
    SURE_LARGEST,
    load,
    measure,
    split,
    war,
)
from joute.games.vampires.state import MOVER, Vampires
from joute.games.vampires.training_maps import drawn_game
from joute.learn.adam import Adam, rates
from joute.learn.fit import FittedWeights, cross_entropy
from joute.learn.self_play import Promotion, joined
from joute.learn.training import Trainer
from joute.search.branching import turns
from joute.search.expectimax_search import Expectimax

THIN = 6
TABLE = 13  # log2 of the states that a search remembers
OPENINGS = (0, 0, 1, 2, 4)  # random orders that a game begins with, each as likely
STRAYING = 0.1  # the share of later orders that are random
BESIDE = 0.5  # the share of turns beside which another order is looked at

# Where learning begins: a sum of some features, whose weights were fitted to games once.
FIRST_LEADS = {
    ALL: 3.0, ALL_LATE: 7.5, LARGEST: -1.4, LARGEST_NOW: 0.4, SURE_ALL: -0.2, SURE_LARGEST: 0.7,
}  # fmt: skip
FIRST_OWN = {NEXT: 5.0, NEAR: -0.2, DISTANT: -0.6, BATTLE: 0.6, BORDER: 0.6, GROUPS: -0.5}
FIRST_OTHERS = {NEXT: 1.8, NEAR: 0.3, DISTANT: 0.7, BORDER: -0.6, GROUPS: 0.5}

ROUNDS = 2  # whose games are fitted to
LAMBDA = 0.5  # how much more the later counts than the value found at a state
BATCH = 4096  # states a step
EPOCHS, MOST_STEPS = 60, 6000
RATE, LAST_RATE = 3e-3, 1e-5
DECAY = 1e-5
SPREAD = 0.1  # of a feature, that each has at least when the first weights are drawn
KEPT_ASIDE = 10  # one game in so many is for judging the fit
SIZE = FEATURES * HIDDEN + HIDDEN  # weights

TESTED_NODES = 1000  # a turn: both search as many, so that the test can be played again
# Most games are decided by the map and by who begins, so that little is seen of small differences.
HYPOTHESES = Hypotheses(-15, 15)
MOST_PAIRS = 1000


class Lessons(NamedTuple):
    """The states of games, one after the other, with the chance to win that each is taught."""

    features: np.ndarray  # float32[states, FEATURES]
    chances: np.ndarray  # float32[states], of the player to move
    last: np.ndarray  # bool[states], the last of its game


def trainer(game: Any) -> Trainer:
    """The parts of the training. Maps are drawn, so the game is of no account."""
    return Trainer(
        game,
        "vampires",
        first_weights,
        lambda: load(LEARNED),
        load,
        save_weights,
        Lessons,
        self_play,
        fit,
        promoted,
        ROUNDS,
    )


@kernel
def list_orders(game, orders, state, out, ends):
    """Writes the orders that a search looks at, as `turns` does; returns how many."""
    return turns(orders, game, state, out, ends)


@kernel
def write_features(game, evaluation, states, out):
    """Writes the features of states: float32[states, FEATURES]."""
    for each in range(states.shape[0]):
        measure(evaluation, game, states[each])
        copy(out[each], evaluation.features)


def first_weights() -> np.ndarray:
    """The weights with which learning begins: float32[SIZE]."""
    weights = np.zeros(SIZE, np.float32)
    inner, _ = split(weights)
    for first, known in ((0, FIRST_LEADS), (SIDES, FIRST_OWN), (SIDES + SIDE, FIRST_OTHERS)):
        for feature, weight in known.items():
            inner[first + feature, 0] = weight
    return weights


class _Player:
    """A search by some weights in a game."""

    def __init__(self, game: Vampires, weights: np.ndarray, nodes: int) -> None:
        self._game = game
        self._nodes = nodes
        self._orders = orders(game)
        self._search = Expectimax(game, start(game), self._orders, war(game, weights), THIN, TABLE)
        self._out = np.zeros(self._orders.most_actions, np.int32)
        self._ends = np.zeros(self._orders.most_turns, np.int32)

    def best(self, state: np.ndarray) -> tuple[list[int], float]:
        """The best order, and its value from -1 to 1."""
        found = self._search.search(state, nodes=self._nodes)
        return found.turn, min(max(found.value, -1.0), 1.0)

    def any(self, state: np.ndarray, rng: np.random.Generator) -> list[int]:
        """An order of those that the search looks at, each as likely."""
        count = list_orders(self._game, self._orders, state, self._out, self._ends)
        chosen = int(rng.integers(count))
        begin = self._ends[chosen - 1] if chosen else 0
        order: list[int] = self._out[begin : self._ends[chosen]].tolist()
        return order


class _Course:
    """A game as it is played, with the states that are learned from."""

    def __init__(self, game: Vampires, seed: int) -> None:
        most = properties(game).max_outcomes
        self._game = game
        self._out, self._weights = np.zeros(most, np.int32), np.zeros(most)
        self._rng = generator(seed)
        self.state = start(game)

    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(mover(self._game, self.state) == OVER)

    def result(self) -> float:
        """The result for player 0."""
        final = np.zeros(2)
        returns(self._game, self.state, final)
        return float(final[0])

    def play(self, order: list[int]) -> None:
        """Plays an order and the battles that follow it."""
        self.state = self.after(order)

    def after(self, order: list[int]) -> np.ndarray:
        """The state after an order and its battles."""
        game, state = self._game, self.state.copy()
        for action in order:
            play(game, state, action)
        while mover(game, state) == CHANCE:
            play(game, state, draw(game, state, self._out, self._weights, self._rng))
        return state


def self_play(weights: np.ndarray, seed: int, count: int, nodes: int) -> Lessons:
    """The states of games that the weights play, with so many nodes a turn.

    The same arguments give the same games.
    """
    rng = np.random.default_rng(seed)
    return joined([lesson for _ in range(count) for lesson in _play(weights, rng, nodes)])


def _play(weights: np.ndarray, rng: np.random.Generator, nodes: int) -> list[Lessons]:
    """The states of a game, and those beside it."""
    game = drawn_game(rng)
    course = _Course(game, int(rng.integers(1 << 62)))
    player = _Player(game, weights, nodes)
    opening = int(rng.choice(OPENINGS))
    states, values, chosen, beside, found = [], [], [], [], []
    while not course.is_over():
        order, value = player.best(course.state)
        states.append(course.state)
        values.append(value)
        if rng.random() < BESIDE:
            other = course.after(player.any(course.state, rng))
            if mover(game, other) != OVER:
                beside.append(other)
                found.append(player.best(other)[1])
        strays = len(states) <= opening or rng.random() < STRAYING
        chosen.append(not strays)
        course.play(player.any(course.state, rng) if strays else order)
    movers = np.array([state[MOVER] for state in states])
    chances = taught(np.array(values), movers, np.array(chosen), course.result())
    lessons = [_lessons(game, states, chances)]
    if beside:
        lessons.append(_lessons(game, beside, (1 + np.array(found)) / 2))
    return lessons


def _lessons(game: Vampires, states: list[np.ndarray], chances: np.ndarray) -> Lessons:
    """The features of some states, the last of which is the last of its game."""
    features = np.zeros((len(states), FEATURES), np.float32)
    write_features(game, war(game, np.zeros(SIZE, np.float32)), np.array(states), features)
    last = np.zeros(len(states), np.bool_)
    last[-1] = True
    return Lessons(features, chances.astype(np.float32), last)


def taught(values: np.ndarray, movers: np.ndarray, chosen: np.ndarray, result: float) -> np.ndarray:
    """The chances of the movers that the states of a game are taught.

    Backwards: LAMBDA of what the next state is taught, for the same player, and the rest of the
    value found here; that value alone, where the order was not `chosen` by the search. `result` is
    of player 0.
    """
    chances = np.zeros(values.size)
    chance = (1 + result) / 2  # of player 0
    for each in range(values.size - 1, -1, -1):
        sign = 1 - 2 * movers[each]
        share = LAMBDA if chosen[each] else 0.0
        chance = (1 - share) * (1 + sign * values[each]) / 2 + share * chance
        chances[each] = chance if sign == 1 else 1 - chance
    return chances


def promoted(new: np.ndarray, old: np.ndarray, seed: int) -> Promotion:
    """Whether the weights `new` are shown to play better than `old`. Reproducible by the seed.

    A pair of games is on a map drawn at random, with sides exchanged.
    """
    rng = np.random.default_rng(seed)
    test = SequentialTest(HYPOTHESES)
    points = 0.0
    while not test.decision and test.pairs < MOST_PAIRS:
        game = drawn_game(rng)
        pair = sum(_score(game, new, old, side, int(rng.integers(1 << 62))) for side in (0, 1))
        points += pair
        test.add([pair])
    return Promotion(test.decision == H1, test.pairs, points / (2 * test.pairs))


def _score(game: Vampires, new: np.ndarray, old: np.ndarray, side: int, seed: int) -> float:
    """The score of the new weights in a game as `side`: 0, 1/2 or 1."""
    course = _Course(game, seed)
    players = [_Player(game, weights, TESTED_NODES) for weights in (new, old)]
    while not course.is_over():
        course.play(players[int(course.state[MOVER]) != side].best(course.state)[0])
    return (1 + (1 - 2 * side) * course.result()) / 2


# The network.


def beginning(features: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Random weights to begin with: float32[SIZE], for features as they are spread."""
    weights = np.zeros(SIZE, np.float32)
    inner, outer = split(weights)
    drawn = rng.standard_normal((FEATURES, HIDDEN - 1))
    inner[:, 1:] = 0.1 * drawn / (features.std(0) + SPREAD)[:, None]
    outer[:] = rng.standard_normal(HIDDEN) / 2
    return weights


def logits(weights: np.ndarray, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The log-odds of some states, and what the units make of their features."""
    inner, outer = split(weights)
    units = features @ inner
    return units[:, 0] + np.maximum(units[:, 1:], 0) @ outer[1:], units


def gradient(weights: np.ndarray, features: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """The gradient of the mean cross-entropy of some states, and of the weights' decay."""
    inner, outer = split(weights)
    found, units = logits(weights, features)
    errors = ((1 / (1 + np.exp(-found)) - chances) / chances.size).astype(np.float32)
    whole = np.zeros_like(weights)
    into, out = split(whole)
    out[1:] = errors @ np.maximum(units[:, 1:], 0)
    back = (units > 0) * (errors[:, None] * outer)
    back[:, 0] = errors
    into[:] = features.T @ back + DECAY * inner
    return whole


def fit(played: Lessons, weights: np.ndarray, seed: int) -> FittedWeights:
    """Weights that foretell the chances of states, from random ones on."""
    rng = np.random.default_rng(seed)
    game_of = np.cumsum(played.last) - played.last
    aside = np.flatnonzero(game_of % KEPT_ASIDE == 0)
    learned = np.flatnonzero(game_of % KEPT_ASIDE)
    descent = Adam(beginning(played.features, rng))
    steps = min(MOST_STEPS, EPOCHS * learned.size // BATCH + 1)
    for rate in rates(steps, RATE, LAST_RATE):
        rows = learned[rng.integers(0, learned.size, BATCH)]
        into = gradient(descent.weights, played.features[rows], played.chances[rows])
        descent.step(into, rate)
    found = 1 / (1 + np.exp(-logits(descent.weights, played.features[aside])[0]))
    loss = cross_entropy(found, played.chances[aside])
    return FittedWeights(descent.weights, learned.size, loss)
