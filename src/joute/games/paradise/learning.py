"""Learns the value of a position of Paradise between two turns.

Turns are searched whole. In half of the games both players waver between the turns that the current
weights think good; in a quarter one does, against the best turns of the weights, in another against
those of the frozen evaluation. Without weights yet, the frozen evaluation plays against itself.

A small network is fitted to the positions: logistic regression by gradient descent, with steps
that get smaller along a cosine. A position is seen by both players; its target is a mixture of how
its game ended and of what the weights before say of the positions that came later, as in Sutton,
"Learning to predict by the methods of temporal differences" (1988).
"""

from typing import Any, NamedTuple

import numpy as np

from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
from joute.core.compiled import kernel
from joute.core.random import generator
from joute.core.weights import save_weights
from joute.games.paradise.players.simple import Linear
from joute.games.paradise.players.value import (
    FEATURES,
    HIDDEN,
    LEARNED,
    MOST_TERMS,
    features,
    load,
    value,
)
from joute.learn.adam import Adam, rates
from joute.learn.fit import FittedWeights, cross_entropy
from joute.learn.self_play import Promotion, joined
from joute.learn.training import Trainer
from joute.learn.turn_games import NoisyEvaluation, TurnPositions, games

ROUNDS = 2  # whose games are fitted to
POSITIONS = 100  # of a turn
STRAYING = 0.05, 0.02  # the share of turns that are random: of the first games, of later ones
TEMPERATURE = 0.2
HYPOTHESES = Hypotheses(0, 10)
MOST_PAIRS = 5000

BATCH = 4096  # rows a step; a row is a position as a player sees it
MOST_STEPS, EPOCHS = 30_000, 40
RATE, LAST_RATE = 6e-3, 1e-5
DECAY = 1e-6
LAMBDA = 0.8  # how much more the later counts than what the weights say
KEPT_ASIDE = 20  # one game in so many is for judging the fit
SIZE = FEATURES * HIDDEN + HIDDEN  # weights


def trainer(game: Any) -> Trainer:
    """The parts of the training."""

    def play(weights: np.ndarray, seed: int, count: int, depth: int) -> TurnPositions:
        return self_play(game, weights, seed, count)

    def fitted(played: TurnPositions, weights: np.ndarray, seed: int) -> FittedWeights:
        return fit(game, played, weights, seed)

    def better(new: np.ndarray, old: np.ndarray, seed: int) -> Promotion:
        return promoted(game, evaluation(new), evaluation(old), seed)

    return Trainer(
        game,
        "paradise",
        lambda: np.zeros(0, np.float32),
        lambda: load(LEARNED),
        load,
        save_weights,
        TurnPositions,
        play,
        fitted,
        better,
        ROUNDS,
    )


def evaluation(weights: np.ndarray) -> Any:
    """The evaluation of these weights; the frozen one if there are none."""
    return value(*split(weights)) if weights.size else Linear()


def self_play(game: Any, weights: np.ndarray, seed: int, count: int) -> TurnPositions:
    """The positions of games that the weights play. The same arguments give the same games."""
    if not weights.size:
        return games(game, (Linear(), Linear()), seed, count, POSITIONS, STRAYING[0])[0]

    def wavering(temperature: float) -> NoisyEvaluation:
        return NoisyEvaluation(evaluation(weights), generator(seed), temperature)

    quarter = count // 4
    others = (wavering(TEMPERATURE), wavering(0.0), Linear())
    parts = []
    for number, some in enumerate((count - 2 * quarter, quarter, quarter)):
        pair = wavering(TEMPERATURE), others[number]
        parts.append(games(game, pair, seed + number, some, POSITIONS, STRAYING[1])[0])
    return joined(parts)


def promoted(game: Any, new: Any, old: Any, seed: int) -> Promotion:
    """Whether the evaluation `new` is shown to play better than `old`. Reproducible by the seed."""
    test = SequentialTest(HYPOTHESES)
    points = 0.0
    while not test.decision and test.pairs < MOST_PAIRS:
        # Games are independent; two of them with seats exchanged count as a pair.
        pair = 1 + games(game, (new, old), seed + test.pairs, 2, POSITIONS)[1]
        points += pair
        test.add([pair])
    return Promotion(test.decision == H1, test.pairs, points / (2 * test.pairs))


# The network.


def split(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Views of the weights into the units, float32[FEATURES, HIDDEN], and out of them."""
    return weights[:-HIDDEN].reshape(FEATURES, HIDDEN), weights[-HIDDEN:]


def beginning(rng: np.random.Generator) -> np.ndarray:
    """Random weights to begin with: float32[SIZE]."""
    weights = np.zeros(SIZE, np.float32)
    inner, outer = split(weights)
    inner[:, 1:] = 0.1 * rng.standard_normal((FEATURES, HIDDEN - 1))
    outer[:] = rng.standard_normal(HIDDEN) / 2
    return weights


class RowTerms(NamedTuple):
    """The features of some rows, and what the units make of them.

    Row 2 * position + player is the position as the player sees it.
    """

    counts: np.ndarray  # int64[BATCH], features that are not 0
    places: np.ndarray  # int64[BATCH, MOST_TERMS]
    amounts: np.ndarray  # float32[BATCH, MOST_TERMS]
    units: np.ndarray  # float32[BATCH, HIDDEN]
    logits: np.ndarray  # float32[BATCH]


@kernel
def foresee(game, states, rows, inner, outer, terms):
    """Writes the features, units and logits of some rows."""
    for row in range(rows.size):
        here, units = rows[row], terms.units[row]
        places, amounts = terms.places[row], terms.amounts[row]
        count = features(states[here >> 1], here & 1, places, amounts)
        terms.counts[row] = count
        units[:] = 0.0
        for term in range(count):
            weights, amount = inner[places[term]], amounts[term]
            for unit in range(units.size):
                units[unit] += amount * weights[unit]
        logit = units[0]
        for unit in range(1, units.size):
            logit += max(units[unit], 0.0) * outer[unit]
        terms.logits[row] = logit


@kernel
def trace_back(game, terms, errors, outer, into, out):
    """Adds the gradients of the weights into the units, and out of them, to `into` and `out`.

    After `foresee`; `errors` are the derivatives of the loss by the logits. The units are lost.
    """
    for row in range(errors.size):
        units, error = terms.units[row], errors[row]
        units[0] = error
        for unit in range(1, units.size):
            if units[unit] > 0.0:
                out[unit] += error * units[unit]
                units[unit] = error * outer[unit]
            else:
                units[unit] = 0.0
        for term in range(terms.counts[row]):
            gradient, amount = into[terms.places[row, term]], terms.amounts[row, term]
            for unit in range(units.size):
                gradient[unit] += amount * units[unit]


@kernel
def look_back(game, chances, last, share):
    """Mixes, backwards through each game, the targets of rows with the chances of the next.

    `chances` float32[2, rows]: the chances, and the targets, at first the results.
    """
    for row in range(chances.shape[1] - 3, -1, -1):
        if not last[row >> 1]:
            later = row + 2
            chances[1, row] = (1 - share) * chances[0, later] + share * chances[1, later]


class Descent:
    """Weights on their way."""

    def __init__(self, game: Any, states: np.ndarray, weights: np.ndarray) -> None:
        self._adam = Adam(weights)
        self._game = game
        self._states = states
        self._terms = RowTerms(
            np.zeros(BATCH, np.int64),
            np.zeros((BATCH, MOST_TERMS), np.int64),
            np.zeros((BATCH, MOST_TERMS), np.float32),
            np.zeros((BATCH, HIDDEN), np.float32),
            np.zeros(BATCH, np.float32),
        )

    @property
    def weights(self) -> np.ndarray:
        """The weights as they are now."""
        return self._adam.weights

    def chances(self, rows: np.ndarray) -> np.ndarray:
        """The chances that the weights give to rows: float32[rows]."""
        parts = np.array_split(rows, -(-rows.size // BATCH))
        return np.concatenate([self._foresee(part) for part in parts])

    def step(self, rows: np.ndarray, wanted: np.ndarray, rate: float) -> None:
        """Makes a step towards the targets of some rows, BATCH at most."""
        errors = ((self._foresee(rows) - wanted) / rows.size).astype(np.float32)
        gradient = np.zeros_like(self.weights)
        inner, outer = split(self.weights)
        into, out = split(gradient)
        trace_back(self._game, self._terms, errors, outer, into, out)
        into += DECAY * inner
        self._adam.step(gradient, rate)

    def _foresee(self, rows: np.ndarray) -> np.ndarray:
        """The chances of rows to be won."""
        inner, outer = split(self.weights)
        foresee(self._game, self._states, rows, inner, outer, self._terms)
        return 1 / (1 + np.exp(-self._terms.logits[: rows.size]))


def fit(game: Any, played: TurnPositions, weights: np.ndarray, seed: int) -> FittedWeights:
    """Weights that foretell how games end, from `weights` on; from random ones if it is empty."""
    rng = np.random.default_rng(seed)
    descent = Descent(game, played.states, weights if weights.size else beginning(rng))
    game_of = np.repeat(np.cumsum(played.last) - played.last, 2)
    aside = np.flatnonzero(game_of % KEPT_ASIDE == 0)
    learned = np.flatnonzero(game_of % KEPT_ASIDE)
    results = np.stack([played.results > 0, played.results < 0], 1).ravel().astype(np.float32)
    taught = np.stack([results, results])
    if weights.size:
        taught[0] = descent.chances(np.arange(results.size))
        look_back(game, taught, played.last, LAMBDA)
    steps = min(MOST_STEPS, EPOCHS * learned.size // BATCH + 1)
    for rate in rates(steps, RATE, LAST_RATE):
        rows = learned[rng.integers(0, learned.size, BATCH)]
        descent.step(rows, taught[1, rows], rate)
    loss = cross_entropy(descent.chances(aside), results[aside])
    return FittedWeights(descent.weights, learned.size, loss)
