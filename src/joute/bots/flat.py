"""Flat Monte Carlo: plays the action after which random games end best for it.

Plays every game; what the player does not know is drawn anew in every random game. Options:
`simulations`, random games after each action, which is reproducible, or `seconds` of CPU per action
(default: a tenth of the time it may take). `montecarlo` is its name in the Tron workshop; for Tron
alone there are two other forms, slower and equal in distribution, `montecarlo-python` and
`montecarlo-numpy`.
"""

import numpy as np

from joute.bots import Choice, Table, budget, centred, refused
from joute.bots.explain import Option
from joute.i18n.words import Sentence
from joute.search.flat import FlatMonteCarlo

SHOWN = 5  # actions in a message


class FlatBot:
    """See the module."""

    def __init__(self, seat: Table, simulations: int | None, seconds: float) -> None:
        self._game = seat.game
        self._search = FlatMonteCarlo(seat.game, seat.seed)
        self._simulations = simulations
        self._seconds = seconds

    def play(self, state: np.ndarray) -> Choice:
        """The action of the highest mean."""
        found = self._search.search(state, self._simulations, self._seconds)
        means = found.in_words(self._game, state.tolist())[:SHOWN]
        return Choice(
            found.best,
            f"means of {found.simulations} games: {', '.join(means)}",
            centred(self._game, max(found.values)),
            (found.best,),
        )

    def explain(self, state: np.ndarray) -> list[Option]:
        """Every action, the best first."""
        found = self._search.search(state, self._simulations, self._seconds)
        pairs = sorted(zip(found.actions, found.values, strict=True), key=lambda pair: -pair[1])
        return [
            Option((action,), centred(self._game, value), found.simulations)
            for action, value in pairs
        ]


def make(seat: Table, *, simulations: int = 0, seconds: float = 0.0) -> FlatBot:
    """The bot. Raises BuiltinError for an option out of range."""
    if simulations < 0 or seconds < 0:
        raise refused("flat", Sentence("error.builtin.amounts"))
    if simulations and seconds:
        raise refused("flat", Sentence("error.builtin.both", one="simulations", other="seconds"))
    return FlatBot(seat, simulations or None, budget(seat, seconds))
