"""What a Monte Carlo tree search found, and how it is said."""

from typing import Any, NamedTuple

from joute.games.interface import describe


class Found(NamedTuple):
    """What a search found, by action."""

    actions: list[int]
    visits: list[int]
    values: list[float]  # for the player to move, in the units of returns
    simulations: int

    @property
    def best(self) -> int:
        """The action visited most; of those, the first of the highest value."""
        ranks = range(len(self.actions))
        return self.actions[max(ranks, key=lambda rank: (self.visits[rank], self.values[rank]))]


def in_words(game: Any, state: Any, found: Found) -> list[str]:
    """Each action with its value and its part of the simulations, the most visited first."""
    order = sorted(range(len(found.actions)), key=lambda rank: -found.visits[rank])
    return [
        f"{describe(game, state, found.actions[rank])} {found.values[rank]:+.2f} "
        f"({found.visits[rank] / max(found.simulations, 1):.0%})"
        for rank in order
    ]
