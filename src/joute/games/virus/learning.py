"""What is learned of Virus: the weights of patterns, by games of alpha-beta."""

from typing import Any

import numpy as np

from joute.games.virus.players import patterns as virus_patterns
from joute.learn.fit import FittedWeights, LinearEvaluation, fit
from joute.learn.self_play import Positions, Promotion, promoted, self_play
from joute.learn.training import Trainer


def trainer(game: Any) -> Trainer:
    """How the weights of the patterns are learned."""
    evaluation = virus_patterns.evaluation

    def play(weights: np.ndarray, seed: int, count: int, depth: int) -> Positions:
        return self_play(game, evaluation(weights), seed, count, depth)

    def fitted(positions: Positions, weights: np.ndarray, seed: int) -> FittedWeights:
        total = LinearEvaluation(game, virus_patterns.form(), virus_patterns.MOST_TERMS)
        return fit(total, positions, virus_patterns.first_weights(), seed)

    def better(new: np.ndarray, old: np.ndarray, seed: int) -> Promotion:
        return promoted(game, evaluation(new), evaluation(old), seed)

    return Trainer(
        game,
        "virus",
        virus_patterns.first_weights,
        virus_patterns.shipped_weights,
        virus_patterns.load,
        virus_patterns.save,
        Positions,
        play,
        fitted,
        better,
    )
