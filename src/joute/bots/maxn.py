"""Max^n: looks ahead as if every player looked after himself, in games of several players.

Options: those of `paranoid`.
"""

from joute.bots import Table
from joute.bots.paranoid import SeveralBot, seat
from joute.search.several import MAX_DEPTH


def make(
    table: Table,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    depth: int = MAX_DEPTH,
    evaluation: str = "",
) -> SeveralBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    return seat("maxn", table, seconds, nodes, depth, evaluation)
