"""What is learned, by game: a module of a bot that holds the weights of an evaluation."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from joute.games import make
from joute.learn.errors import LearningError

SUBJECTS = {"virus": "joute.bots.virus_patterns"}
"""By the game's name, a module with the functions of `Subject`. Adding one is its line here."""


class Subject(NamedTuple):
    """The weights of a game's evaluation and what is made of them."""

    game: Any
    name: str
    first_weights: Callable[[], np.ndarray]  # float32[weights], where learning begins
    shipped_weights: Callable[[], np.ndarray]
    evaluation: Callable[[np.ndarray], Any]  # for play
    form: Callable[[], Any]  # the terms of the sum, see `search.linear`
    most_terms: int
    load: Callable[[Path], np.ndarray]
    save: Callable[[np.ndarray, Path, str], None]  # with the command that learned them


def subject(name: str) -> Subject:
    """What there is to learn for a game. Raises GameError or LearningError."""
    game = make(name)
    if name not in SUBJECTS:
        known = ", ".join(SUBJECTS)
        raise LearningError(f"{name} has no evaluation that can be learned (there are: {known})")
    module = import_module(SUBJECTS[name])
    return Subject(
        game,
        name,
        module.first_weights,
        module.shipped_weights,
        module.evaluation,
        module.form,
        module.MOST_TERMS,
        module.load,
        module.save,
    )
