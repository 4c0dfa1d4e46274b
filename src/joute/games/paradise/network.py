"""A small network fitted to positions between turns: logistic regression by gradient descent.

The steps are those of Kingma and Ba, "Adam: a method for stochastic optimization" (2015), and get
smaller along a cosine. A position is seen by both players; what it is taught is a mixture of how
its game ended and of what the weights before say of the positions that came later, as in Sutton,
"Learning to predict by the methods of temporal differences" (1988).
"""

from typing import Any

import numpy as np

from joute.core.compiled import kernel
from joute.games.paradise.players.value import FEATURES, HIDDEN, MOST_TERMS, features
from joute.learn.fit import FittedWeights
from joute.learn.turn_games import TurnPositions

BATCH = 4096  # rows a step; a row is a position as a player sees it
MOST_STEPS, EPOCHS = 1200, 5
RATE, LAST_RATE = 1.5e-3, 1e-5
KEPT, SQUARES_KEPT, TINY = 0.9, 0.999, 1e-8  # Adam's
DECAY = 1e-6
LAMBDA = 0.8  # how much more the later counts than what the weights say
KEPT_ASIDE = 20  # one game in so many is for judging the fit
SIZE = FEATURES * HIDDEN + HIDDEN  # weights


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


@kernel
def spread(game, states, rows, out, places, amounts):
    """Write the features of some rows to `out` (float32[rows, FEATURES]).

    Row 2 * position + player is the position as the player sees it.
    """
    out[:] = 0.0
    for place in range(rows.size):
        row = rows[place]
        for term in range(features(states[row >> 1], row & 1, places, amounts)):
            out[place, places[term]] += amounts[term]


@kernel
def look_back(game, chances, last, share):
    """Mix, backwards through each game, what rows are taught with what is said of the next.

    `chances` float32[2, rows]: what is said, and what is taught, at first the results.
    """
    for row in range(chances.shape[1] - 3, -1, -1):
        if not last[row >> 1]:
            later = row + 2
            chances[1, row] = (1 - share) * chances[0, later] + share * chances[1, later]


class Descent:
    """Weights on their way, with the moments of their gradients."""

    def __init__(self, game: Any, states: np.ndarray, weights: np.ndarray) -> None:
        self.weights = weights.astype(np.float32)
        self._game = game
        self._states = states
        self._terms = np.zeros(MOST_TERMS, np.int64), np.zeros(MOST_TERMS, np.float32)
        self._inputs = np.zeros((BATCH, FEATURES), np.float32)
        self._mean, self._square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self._steps = 0

    def chances(self, rows: np.ndarray) -> np.ndarray:
        """The chances that the weights give to rows: float32[rows]."""
        parts = np.array_split(rows, -(-rows.size // BATCH))
        return np.concatenate([self._forward(part)[2] for part in parts])

    def step(self, rows: np.ndarray, wanted: np.ndarray, rate: float) -> None:
        """A step towards what some rows, BATCH at most, are taught."""
        inputs, units, chances = self._forward(rows)
        errors = (chances - wanted) / rows.size
        inner, outer = split(self.weights)
        gradient = np.empty_like(self.weights)
        into, out = split(gradient)
        back = np.outer(errors, outer) * (units > 0)
        back[:, 0] = errors
        into[:] = inputs.T @ back + DECAY * inner
        out[:] = np.maximum(units, 0).T @ errors
        out[0] = 0
        self._steps += 1
        self._mean += (1 - KEPT) * (gradient - self._mean)
        self._square += (1 - SQUARES_KEPT) * (gradient**2 - self._square)
        mean = self._mean / (1 - KEPT**self._steps)
        square = self._square / (1 - SQUARES_KEPT**self._steps)
        self.weights -= (rate * mean / (np.sqrt(square) + TINY)).astype(np.float32)

    def _forward(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The features of rows, their units, their chances to be won."""
        inputs = self._inputs[: rows.size]
        spread(self._game, self._states, rows, inputs, *self._terms)
        inner, outer = split(self.weights)
        units = inputs @ inner
        logits = units[:, 0] + np.maximum(units[:, 1:], 0) @ outer[1:]
        return inputs, units, 1 / (1 + np.exp(-logits))


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
    for step in range(steps):
        rows = learned[rng.integers(0, learned.size, BATCH)]
        share = (1 + np.cos(np.pi * step / steps)) / 2
        descent.step(rows, taught[1, rows], max(RATE * share, LAST_RATE))
    found, won = descent.chances(aside), results[aside]
    loss = won * np.log(found + TINY) + (1 - won) * np.log(1 - found + TINY)
    return FittedWeights(descent.weights, learned.size, -float(np.mean(loss)))
