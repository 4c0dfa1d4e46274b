"""`utbm` with the true hands before it, as its authors' program had them: for study only.

Wherever bots are ranked it is refused; `joute compare` lets it play, and says that it peeks.
"""

from joute.bots import BuiltinBot, Seating
from joute.games.love_letter.players.utbm import DEPTH, TUNED, seated

__all__ = ["PEEKS", "TUNED", "make"]

PEEKS = True


def make(seat: Seating, *, depth: int = DEPTH) -> BuiltinBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    return seated("utbm-peek", seat, depth)
