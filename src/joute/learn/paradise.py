"""Learns the value of Paradise: `python -m joute.learn.paradise --seed S --out FILE`.

In a round the current weights play games against themselves by whole turns, new weights are fitted
to how the games ended, and take their place if they win a sequential test. The first round plays by
the frozen linear evaluation. The same options give the same weights.

The fit is logistic regression by a small network, with the steps of Kingma and Ba, "Adam: a method
for stochastic optimization" (2015), which get smaller along a cosine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from joute.bots.paradise_evaluation import Linear
from joute.bots.paradise_value import FEATURES, HIDDEN, MOST_TERMS, features, value
from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
from joute.games import make
from joute.games.compiled import kernel
from joute.learn.turn_games import Games, games

POSITIONS = 200  # of a turn, in self-play
STRAYING = 0.05
BATCH = 4096  # positions a step
EPOCHS = 6
RATE, LAST_RATE = 2e-3, 1e-5
KEPT, SQUARES_KEPT, TINY = 0.9, 0.999, 1e-8  # Adam's
DECAY = 1e-6
KEPT_ASIDE = 20  # one position in so many is for judging the fit
HYPOTHESES = Hypotheses(0, 20)
MOST_PAIRS = 5000
PAIRS = 100  # at once


class Weights(NamedTuple):
    """Of the network."""

    inner: np.ndarray  # float32[FEATURES, HIDDEN]
    outer: np.ndarray  # float32[HIDDEN]


@kernel
def spread(game, states, players, rows, out, places, amounts):
    """Write the features of some positions to the rows of `out` (float32[rows, FEATURES])."""
    out[:] = 0.0
    for row in range(rows.size):
        number = rows[row]
        for term in range(features(states[number], players[number], places, amounts)):
            out[row, places[term]] += amounts[term]


class Fit:
    """Weights on their way, with the moments of their gradients."""

    def __init__(self, game: Any, played: Games, seed: int) -> None:
        self._game = game
        self._played = played
        self._won = (played.results > 0).astype(np.float32)
        self._rng = np.random.default_rng(seed)
        self._terms = np.zeros(MOST_TERMS, np.int64), np.zeros(MOST_TERMS, np.float32)
        inner = 0.1 * self._rng.standard_normal((FEATURES, HIDDEN)).astype(np.float32)
        inner[:, 0] = 0
        self.weights = Weights(inner, self._rng.standard_normal(HIDDEN).astype(np.float32))
        self._means = [np.zeros_like(each) for each in self.weights]
        self._squares = [np.zeros_like(each) for each in self.weights]
        self._steps = 0

    def run(self) -> float:
        """Fit; the mean cross-entropy of what is kept aside."""
        count = self._won.size
        learned, aside = (
            np.arange(count - count // KEPT_ASIDE),
            np.arange(count)[-count // KEPT_ASIDE :],
        )
        total = EPOCHS * max(learned.size // BATCH, 1)
        for _ in range(EPOCHS):
            for rows in _batches(self._rng.permutation(learned)):
                share = (1 + np.cos(np.pi * self._steps / total)) / 2
                self._step(rows, max(RATE * share, LAST_RATE))
        return float(np.mean([self._loss(rows) for rows in _batches(aside)]))

    def _forward(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The features of positions, their hidden units, their chances to be won."""
        inputs = np.empty((rows.size, FEATURES), np.float32)
        spread(self._game, self._played.states, self._played.players, rows, inputs, *self._terms)
        units = inputs @ self.weights.inner
        logits = units[:, 0] + np.maximum(units[:, 1:], 0) @ self.weights.outer[1:]
        return inputs, units, 1 / (1 + np.exp(-logits))

    def _step(self, rows: np.ndarray, rate: float) -> None:
        inputs, units, chances = self._forward(rows)
        errors = (chances - self._won[rows]) / rows.size
        outer = np.maximum(units, 0).T @ errors
        outer[0] = 0
        back = np.outer(errors, self.weights.outer) * (units > 0)
        back[:, 0] = errors
        self._steps += 1
        inner = inputs.T @ back + DECAY * self.weights.inner
        for place, gradient in enumerate((inner, outer)):
            self._means[place] += (1 - KEPT) * (gradient - self._means[place])
            self._squares[place] += (1 - SQUARES_KEPT) * (gradient**2 - self._squares[place])
            mean = self._means[place] / (1 - KEPT**self._steps)
            square = self._squares[place] / (1 - SQUARES_KEPT**self._steps)
            self.weights[place][:] -= rate * mean / (np.sqrt(square) + TINY)

    def _loss(self, rows: np.ndarray) -> float:
        chances, won = self._forward(rows)[2], self._won[rows]
        found = won * np.log(chances + TINY) + (1 - won) * np.log(1 - chances + TINY)
        return -float(np.mean(found))


def _batches(rows: np.ndarray) -> Sequence[np.ndarray]:
    return np.array_split(rows, max(rows.size // BATCH, 1))


def promoted(game: Any, new: Any, old: Any, seed: int) -> bool:
    """Whether one evaluation is shown to play better than another."""
    test = SequentialTest(HYPOTHESES)
    while not test.decision and test.pairs < MOST_PAIRS:
        # Games are independent; two of them with seats exchanged count as a pair.
        for each in range(PAIRS):
            place = seed + PAIRS * test.pairs + each
            test.add([1 + games(game, (new, old), place, 2, POSITIONS).score])
    return test.decision == H1


def learn(rounds: int, count: int, seed: int) -> Weights | None:
    """The weights after so many rounds of so many games; None if none won its test."""
    game, best = make("paradise"), None
    playing: Any = Linear()
    parts: list[Games] = []
    for number in range(1, rounds + 1):
        begun = time.monotonic()
        pair = (playing, playing)
        parts.append(games(game, pair, seed + number, count, POSITIONS, STRAYING))
        # Games of the frozen evaluation teach the first weights only.
        taught = parts[1:] or parts
        states, players, results = (
            np.concatenate([getattr(part, name) for part in taught]) for name in Games._fields[:3]
        )
        fit = Fit(game, Games(states, players, results, 0.0), seed + number)
        loss = fit.run()
        new = value(*fit.weights)
        better = promoted(game, new, playing, seed + 1000 * number)
        if better:
            best, playing = fit.weights, new
        print(
            f"round {number}: {players.size} positions, cross-entropy {loss:.4f}, "
            f"{'promoted' if better else 'not better'}, {time.monotonic() - begun:.0f} s",
            flush=True,
        )
    return best


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--games", type=int, default=40_000, help="a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("paradise-learned.npz"))
    asked = parser.parse_args()
    found = learn(asked.rounds, asked.games, asked.seed)
    if found is None:
        parser.exit(1, "no weights won their test\n")
    command = (
        f"python -m joute.learn.paradise --rounds {asked.rounds} --games {asked.games} "
        f"--seed {asked.seed}"
    )
    np.savez_compressed(asked.out, weights=found.inner, outer=found.outer, command=command)


if __name__ == "__main__":
    main()
