"""The game that attacks are told they play: the least that a first message can be about.

Apart from what hosts them, because the interface of games takes long to import.
"""

from typing import NamedTuple

from joute.core.interface import Properties, implements


class Target(NamedTuple):
    """A game of two that nobody ever plays on: attacks answer 0, and are not refereed."""


@implements(Target)
def properties(game: Target) -> Properties:
    """As the interface has it."""
    return Properties(
        name="redteam",
        players=2,
        simultaneous=False,
        chance=False,
        hidden_information=False,
        zero_sum=True,
        max_actions=1,
        max_legal=1,
        max_outcomes=0,
        max_plies=1,
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
    )
