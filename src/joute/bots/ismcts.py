"""Information-set tree search: simulations from states that the player thinks possible.

Plays every game, those with hidden cards above all. Options: `seconds` of CPU per action (default:
a tenth of the time it may take), or `simulations` per action, which is reproducible; `exploration`,
how much is spent on what looks worse so far (default 0.7); `observers=many`, a tree for each
player of what he sees, where by default one observes (`one`); `threads`, so many trees grown at the
same time.

Where a game has a horizon of its own, simulations end there: Love Letter's at the end of a round.
"""

from joute.bots import Table, budget, refused
from joute.bots.tree import TreeBot
from joute.core.registry import card_of
from joute.i18n.words import Sentence
from joute.search.ismcts import EXPLORATION, Ismcts
from joute.search.montecarlo import parallel

OBSERVERS = ("one", "many")


def make(
    table: Table,
    *,
    seconds: float = 0.0,
    simulations: int = 0,
    exploration: float = EXPLORATION,
    observers: str = "one",
    threads: int = 1,
) -> TreeBot:
    """The bot. Raises BuiltinError for an option out of range."""
    if simulations < 0 or seconds < 0:
        raise refused("ismcts", Sentence("error.builtin.amounts"))
    if simulations and seconds:
        raise refused("ismcts", Sentence("error.builtin.both", one="simulations", other="seconds"))
    if observers not in OBSERVERS:
        raise refused("ismcts", Sentence("error.builtin.observers", observers=observers))
    game, many = table.game, observers == "many"
    card = card_of(game)
    horizon = card.load(card.horizon)(game) if card.horizon else None
    try:
        search = parallel(
            lambda seed: Ismcts(game, seed, exploration, horizon, many=many), table.seed, threads
        )
    except ValueError as error:
        raise refused("ismcts", error) from None
    return TreeBot(table, search, simulations or None, budget(table, seconds))
