"""UCT: plays what a tree of simulations likes best, in games where everything is seen.

Options: `seconds` of CPU per action (default: a tenth of the time it may take), or `simulations`
per action, which is reproducible; `exploration`, how much is spent on what looks worse so far;
`evaluation`, by which new states are judged instead of by random games (as those of alpha-beta);
`scale`, the value of it that is worth half a win; `bound=puct` to prefer what the game promises;
`threads`, so many trees grown at the same time.
"""

from joute.bots import Table, budget, refused
from joute.bots.alphabeta import evaluations
from joute.bots.evaluations import evaluation_of
from joute.bots.tree import TreeBot
from joute.i18n.words import AnyOf, Sentence
from joute.search.montecarlo import parallel
from joute.search.uct import Uct

BOUNDS = ("uct", "puct")


def make(
    table: Table,
    *,
    seconds: float = 0.0,
    simulations: int = 0,
    exploration: float = -1.0,
    evaluation: str = "",
    scale: float = 1.0,
    bound: str = "uct",
    threads: int = 1,
) -> TreeBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    if simulations < 0 or seconds < 0:
        raise refused("uct", Sentence("error.builtin.amounts"))
    if simulations and seconds:
        raise refused("uct", Sentence("error.builtin.both", one="simulations", other="seconds"))
    if bound not in BOUNDS:
        raise refused("uct", Sentence("error.builtin.bound", known=AnyOf(BOUNDS), bound=bound))
    judge = None
    if evaluation:
        judge = evaluation_of("uct", table.game, evaluation, evaluations(table.game)).make()
    try:
        search = parallel(
            lambda seed: Uct(
                table.game, seed, None if exploration == -1.0 else exploration, judge, scale,
                bound == "puct",
            ),
            table.seed, threads,
        )  # fmt: skip
    except ValueError as error:
        raise refused("uct", error) from None
    return TreeBot(table, search, simulations or None, budget(table, seconds))
