"""Learns the weights of the patterns of Virus, those of its policy too, by games of PUCT."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, mover
from joute.files import drafted
from joute.games.virus.players import policy
from joute.games.virus.players.evaluation import features
from joute.games.virus.players.patterns import (
    FEATURES,
    PER_PHASE,
    SIZE,
    band_of,
    cells_of,
    classes,
    evaluation,
)
from joute.games.virus.players.weights import (
    first_weights,
    parted,
    read_weights,
    shipped_weights,
)
from joute.i18n.words import Sentence
from joute.learn.fit import FittedWeights, LinearEvaluation, LinearPolicy, fit, fit_policy
from joute.learn.self_play import Player, Positions, Promotion, promoted, self_play
from joute.learn.training import Trainer
from joute.search.puct_search import Puct

EXPLORATION = 0.4  # of self-play, in spans of returns
ROUNDS = 2  # whose games are fitted to
MOST_TERMS = FEATURES + (SIZE - 2) ** 2


class PatternTerms(NamedTuple):
    """The patterns as terms of a sum, for learning."""

    classes: np.ndarray  # int32[KINDS, PATTERNS], the place of a pattern among a phase's patterns
    patterns: int  # of a phase


def form() -> PatternTerms:
    """The terms."""
    return PatternTerms(*classes())


class PolicyParts(NamedTuple):
    """The parts of actions' weights, for learning."""

    classes: np.ndarray  # int32[KINDS * PATTERNS * CELLS], the place among a phase's patterns
    patterns: int  # of a phase
    rows: np.ndarray  # as those of the policy


def policy_form() -> PolicyParts:
    """The parts; they belong to one thread."""
    places, count = policy.classes()
    return PolicyParts(places.ravel(), count, np.zeros((policy.ACROSS, policy.ACROSS), np.int32))


def player(weights: np.ndarray) -> Player:
    """The parts of a search by these weights; for one thread."""
    first, second = parted(weights)
    return Player(evaluation(first), policy.policy(second), EXPLORATION)


def trainer(game: Any) -> Trainer:
    """The parts of the training."""

    def play(weights: np.ndarray, seed: int, count: int, simulations: int) -> Positions:
        return self_play(game, player(weights), seed, count, simulations)

    def fitted(positions: Positions, weights: np.ndarray, seed: int) -> FittedWeights:
        first, second = parted(first_weights())
        total = LinearEvaluation(game, form(), MOST_TERMS)
        liked = LinearPolicy(game, policy_form(), policy.CELLS)
        with ThreadPoolExecutor(2) as pool:
            values = pool.submit(fit, total, positions, first, seed)
            wishes = pool.submit(fit_policy, liked, positions, second, seed)
        both = np.concatenate([values.result().weights, wishes.result().weights])
        return values.result()._replace(weights=both)

    def search(weights: np.ndarray) -> Puct:
        return Puct(game, *player(weights)[:3])

    def better(new: np.ndarray, old: np.ndarray, seed: int) -> Promotion:
        return promoted(game, lambda: search(new), lambda: search(old), seed)

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
        ROUNDS,
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
    with drafted(path, durable=True) as draft, draft.open("wb") as file:
        first, second = parted(weights.astype(np.float16))
        np.savez_compressed(file, weights=first, policy=second, learned=np.array(command))


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


@implements(PolicyParts, "parts")
def _parts(form, game, state, actions, count, places):
    policy.write_rows(state, form.rows)
    first = policy.phase_of(state) * (policy.PASS_WEIGHTS + form.patterns)
    for each in range(count):
        action = int(actions[each])
        places[each] = -1
        if action == SIZE * SIZE:
            places[each, 0] = first + policy.passing_of(game, state)
            continue
        row, column = action // SIZE + policy.EDGE, action % SIZE + policy.EDGE
        for cell in range(policy.CELLS):
            window = form.rows[row - cell // 3, column - cell % 3]
            if window > 0:
                place = form.classes[index((window - 1) * policy.CELLS + cell)]
                places[each, cell] = first + policy.PASS_WEIGHTS + place
