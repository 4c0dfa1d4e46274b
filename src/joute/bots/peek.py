"""UCT that sees what is hidden from it: for study only, to tell how far luck goes.

Every hand is open to it, and it takes it that all hands are open to everybody; the cards that are
yet to be drawn are as unknown to it as to others. Wherever bots are ranked it is refused;
`joute compare` lets it play, and says that it peeks. Options: `seconds` of CPU an action (default:
a tenth of the time that it may take), or `simulations`.
"""

from joute.bots import Seating, refused
from joute.bots.montecarlo import TreeBot, amounts, check_amounts
from joute.search.uct_search import Uct

__all__ = ["PEEKS", "make"]

PEEKS = True


def make(seat: Seating, *, seconds: float = 0.0, simulations: int = 0) -> TreeBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    check_amounts("peek", simulations, seconds)
    try:
        search = Uct(seat.game, seat.seed, peeks=True)
    except ValueError as error:
        raise refused("peek", error) from None
    return TreeBot(seat, search, *amounts(seat, simulations, seconds))
