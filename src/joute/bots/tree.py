"""What the bots that play by a tree of simulations have in common."""

import numpy as np

from joute.bots import Choice, Table, centred
from joute.bots.explain import Option
from joute.search.montecarlo import Search

SHOWN = 3  # actions in a message


class TreeBot:
    """Plays the action that most simulations took."""

    def __init__(
        self, table: Table, search: Search, simulations: int | None, seconds: float
    ) -> None:
        self._game = table.game
        self._search = search
        self._simulations = simulations
        self._seconds = seconds

    def play(self, state: np.ndarray) -> Choice:
        """The action, with the values of the first few."""
        found = self._search.search(state, self._simulations, self._seconds)
        if len(found.actions) == 1:
            return Choice(found.best, "no other choice")
        words = found.in_words(self._game, state.tolist())[:SHOWN]
        value = found.values[found.actions.index(found.best)]
        how = "exactly" if found.exact else f"{found.simulations} simulations"
        said = f"{how}: {', '.join(words)}"
        return Choice(found.best, said, centred(self._game, value), (found.best,))

    def explain(self, state: np.ndarray) -> list[Option]:
        """Every action, the most visited first."""
        found = self._search.search(state, self._simulations, self._seconds)
        options = []
        for rank in found.order:
            known = found.exact or found.visits[rank] > 0
            value = centred(self._game, found.values[rank]) if known else None
            visits = None if found.exact else found.visits[rank]
            options.append(Option((found.actions[rank],), value, visits))
        return options
