"""What is learned, by game: a module that says how, from its games to the weights of its bot."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from joute.core.registry import card_of, cards, make
from joute.i18n.words import Sentence
from joute.learn.errors import LearningError


class Subject(NamedTuple):
    """The weights of a game's evaluation, and how they are learned. Weights are float32[any]."""

    game: Any
    name: str
    first_weights: Callable[[], np.ndarray]  # where learning begins
    shipped_weights: Callable[[], np.ndarray]
    load: Callable[[Path], np.ndarray]
    save: Callable[[np.ndarray, Path, str], None]  # with the command that learned them
    positions: Callable[..., Any]  # the NamedTuple of arrays that games give
    play: Callable[[np.ndarray, int, int, int], Any]  # by weights, seed, games, depth: positions
    fit: Callable[[Any, np.ndarray, int], Any]  # to positions, after weights, by a seed: a Fit
    promoted: Callable[[np.ndarray, np.ndarray, int], Any]  # new, old weights, seed: a Verdict


def subject(name: str) -> Subject:
    """What there is to learn for a game. Raises GameError or LearningError."""
    game = make(name)
    own = card_of(game)
    if not own.learning:
        known = ", ".join(each.name for each in cards() if each.learning)
        raise LearningError(Sentence("error.learn.nothing", game=name, known=known))
    taught: Subject = own.load(own.learning)(game)
    return taught
