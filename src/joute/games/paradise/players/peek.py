"""Paradise's champion with the other's hand before it: for study only, to tell how far luck goes.

The cards that are yet to be drawn are as unknown to it as to others. Wherever bots are ranked it is
refused; `joute compare` lets it play, and says that it peeks. Options: those of the champion.
"""

from joute.bots import BuiltinBot, Seating, other_game
from joute.games.paradise.players.champion import seated
from joute.games.paradise.state import Paradise

__all__ = ["PEEKS", "make"]

PEEKS = True


def make(seat: Seating, *, seconds: float = 0.0, worlds: int = -1) -> BuiltinBot:
    """The bot. Raises BuiltinError for another game, or for an option out of range."""
    if not isinstance(seat.game, Paradise):
        raise other_game("peek", "paradise", seat)
    return seated("peek", seat, seconds, worlds, peeks=True)
