"""What a Monte Carlo tree search found, and how it is said."""

from typing import Any, NamedTuple

from joute.core.interface import describe


class Found(NamedTuple):
    """What a search found, by action."""

    actions: list[int]
    visits: list[int]
    values: list[float]  # for the player to move, in the units of returns
    simulations: int
    exact: bool = False  # the values are no means of simulations, but proven

    @property
    def best(self) -> int:
        """The action visited most; of those, the first of the highest value."""
        return self.actions[self.order[0]]

    @property
    def order(self) -> list[int]:
        """The ranks of the actions, the best first."""
        ranks = range(len(self.actions))
        return sorted(ranks, key=lambda rank: (-self.visits[rank], -self.values[rank]))


def in_words(game: Any, state: Any, found: Found) -> list[str]:
    """Each action with its value and its part of the simulations, the most visited first."""
    words = []
    for rank in found.order:
        part = "" if found.exact else f" ({found.visits[rank] / max(found.simulations, 1):.0%})"
        action = describe(game, state, found.actions[rank])
        words.append(f"{action} {found.values[rank]:+.2f}{part}")
    return words
