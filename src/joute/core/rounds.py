"""The laws of rounds, in which players choose at once: `pending` is 0 between them alone."""

from typing import Any

from joute.core.interface import mover, pending, properties
from joute.i18n.words import Sentence


class Round:
    """The players that have chosen in the round that a play is in, by its `pending`."""

    def __init__(self) -> None:
        self._chosen: list[int] = []

    def fault(self, game: Any, state: list[int]) -> Sentence | None:
        """The law that the next state of a play breaks, if any."""
        if not properties(game).simultaneous:
            return None
        player, found = int(mover(game, state)), pending(game, state)
        if found == 0:
            self._chosen.clear()
        if player < 0 or player in self._chosen[-1:]:  # a player may choose in several actions
            return None
        if player in self._chosen:
            return Sentence("error.law.pending.again", player=player, found=found)
        self._chosen.append(player)
        return None


def shown(game: Any, state: list[int]) -> bool:
    """Whether all players see the whole of a state, as the game says itself.

    What is hidden in a game without hidden information is the choices of an unfinished round.
    """
    facts = properties(game)
    return not facts.hidden_information and facts.simultaneous and pending(game, state) == 0
