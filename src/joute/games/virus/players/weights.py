"""The learned weights of Virus: of the evaluation by patterns and of the policy by windows.

`learned.npz` holds them, as `weights` and `policy`, and the command that learned them. In memory
they are one array, float32, the evaluation's first.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from joute.bots import Evaluation
from joute.games.virus.players import patterns, policy
from joute.games.virus.players.evaluation import Hand, fitted
from joute.games.virus.rules import Virus
from joute.i18n.words import Sentence

DECISIVE = 2.0  # log-odds of winning that often decide a game
SHIPPED = "learned.npz"


def evaluations(game: Any) -> dict[str, Evaluation]:
    """The evaluations of the game, by name: none of large grids, the learned one of 10 x 10."""
    if not isinstance(game, Virus):
        return {}
    known = {"hand": Evaluation(Hand), "fitted": Evaluation(fitted, DECISIVE)}
    if game.size != patterns.SIZE:
        return known
    return known | {"learned": Evaluation(learned, DECISIVE)}


def learned() -> patterns.Patterns:
    """The evaluation of the weights that are shipped."""
    return patterns.evaluation(parted(shipped_weights())[0])


def learned_policy() -> policy.WindowPolicy:
    """The policy of the weights that are shipped; for one thread."""
    return policy.policy(parted(shipped_weights())[1])


def first_weights() -> np.ndarray:
    """The weights that learning begins with: the fitted evaluation, and a policy by hand."""
    return np.concatenate([patterns.first_weights(), policy.first_weights()])


def parted(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights of the evaluation and those of the policy."""
    first, second = np.split(weights, [patterns.first_weights().size])
    return first, second


@cache
def shipped_weights() -> np.ndarray:
    """The weights that are shipped."""
    with files("joute.games.virus.players").joinpath(SHIPPED).open("rb") as file:
        return read_weights(file)


def read_weights(file: Any) -> np.ndarray:
    """Weights from an open file. Raises ValueError, KeyError or EOFError for another file."""
    with np.load(file, allow_pickle=False) as kept:
        second = kept["policy"] if "policy" in kept.files else policy.first_weights()
        found = np.concatenate([kept["weights"], second]).astype(np.float32)
    expected = first_weights().size
    if found.size != expected:
        counts = {"expected": expected, "found": found.size}
        raise ValueError(Sentence("error.virus.weights.count", **counts))
    return found
