"""Learns the weights of the patterns of Virus, by games of alpha-beta."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, mover
from joute.files import drafted
from joute.games.virus.players.evaluation import features
from joute.games.virus.players.patterns import (
    FEATURES,
    PER_PHASE,
    SIZE,
    band_of,
    cells_of,
    classes,
    evaluation,
    first_weights,
    read_weights,
    shipped_weights,
)
from joute.i18n.words import Sentence
from joute.learn.fit import FittedWeights, LinearEvaluation, fit
from joute.learn.self_play import Positions, Promotion, promoted, self_play
from joute.learn.training import Trainer

MOST_TERMS = FEATURES + (SIZE - 2) ** 2


class PatternTerms(NamedTuple):
    """The patterns as terms of a sum, for learning."""

    classes: np.ndarray  # int32[KINDS, PATTERNS], the place of a pattern among a phase's patterns
    patterns: int  # of a phase


def form() -> PatternTerms:
    """The terms."""
    return PatternTerms(*classes())


def trainer(game: Any) -> Trainer:
    """The parts of the training."""

    def play(weights: np.ndarray, seed: int, count: int, depth: int) -> Positions:
        return self_play(game, evaluation(weights), seed, count, depth)

    def fitted(positions: Positions, weights: np.ndarray, seed: int) -> FittedWeights:
        total = LinearEvaluation(game, form(), MOST_TERMS)
        return fit(total, positions, first_weights(), seed)

    def better(new: np.ndarray, old: np.ndarray, seed: int) -> Promotion:
        return promoted(game, evaluation(new), evaluation(old), seed)

    return Trainer(
        game,
        "virus",
        first_weights,
        shipped_weights,
        load,
        save,
        Positions,
        play,
        fitted,
        better,
    )


def load(path: Path) -> np.ndarray:
    """Weights from a file. Raises ValueError for a file of other weights, OSError for none."""
    with path.open("rb") as file:
        try:
            return read_weights(file)
        except (ValueError, KeyError, EOFError) as error:
            raise ValueError(Sentence("error.virus.weights", path=path, reason=error)) from None


def save(weights: np.ndarray, path: Path, command: str) -> None:
    """Writes weights, rounded to 11 bits, with the command that learned them."""
    with drafted(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, weights=weights.astype(np.float16), learned=np.array(command))


@implements(PatternTerms, "terms")
def _terms(form, game, state, places, amounts):
    to_move = mover(game, state)
    found = features(game, state, to_move)
    first = (found[7] // PER_PHASE) * (FEATURES + form.patterns)
    for feature in range(FEATURES - 1):
        places[feature], amounts[feature] = first + feature, found[feature]
    places[FEATURES - 1], amounts[FEATURES - 1] = first + FEATURES - 1, 1.0
    own_place, other_place = 2 * to_move, 2 - 2 * to_move
    count = FEATURES
    for row in range(2, SIZE):
        for column in range(SIZE - 2):
            pattern, digit = 0, 1
            for cell_row in range(row - 2, row + 1):
                mine = (
                    cells_of(int(state[own_place]), int(state[own_place + 1]), cell_row) >> column
                )
                theirs = (
                    cells_of(int(state[other_place]), int(state[other_place + 1]), cell_row)
                    >> column
                )
                for place in range(3):
                    pattern += digit * (((mine >> place) & 1) + 2 * ((theirs >> place) & 1))
                    digit *= 3
            kind = band_of(row) + (column > 0) + (column == SIZE - 3)
            places[count] = first + FEATURES + form.classes[index(kind), index(pattern)]
            amounts[count] = 1.0
            count += 1
    return count
