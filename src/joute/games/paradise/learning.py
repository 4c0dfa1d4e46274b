"""What is learned of Paradise: the value of a position between two turns.

Turns are searched whole. In half of the games both players waver between the turns that the current
weights think good; in a quarter one does, against the best turns of the weights, in another against
those of the frozen evaluation. Without weights yet, the frozen evaluation plays against itself.
"""

from typing import Any

import numpy as np

from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
from joute.core.random import generator
from joute.games.paradise.network import fit, split
from joute.games.paradise.players import value as paradise_value
from joute.games.paradise.players.evaluation import Linear
from joute.learn.fit import FittedWeights
from joute.learn.self_play import Promotion, joined
from joute.learn.training import Trainer
from joute.learn.turn_games import NoisyEvaluation, TurnPositions, games

POSITIONS = 100  # of a turn
STRAYING = 0.05, 0.02  # the share of turns that are random: of the first games, of later ones
TEMPERATURE = 0.2
HYPOTHESES = Hypotheses(0, 20)
MOST_PAIRS = 1500


def trainer(game: Any) -> Trainer:
    """How the value of positions is learned."""

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
        lambda: paradise_value.load(paradise_value.LEARNED),
        paradise_value.load,
        paradise_value.save,
        TurnPositions,
        play,
        fitted,
        better,
    )


def evaluation(weights: np.ndarray) -> Any:
    """The evaluation of these weights; the frozen one if there are none."""
    return paradise_value.value(*split(weights)) if weights.size else Linear()


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
