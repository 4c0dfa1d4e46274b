"""The measurements of `bench search`: every search on every game, UCT against C and OpenSpiel."""

from collections.abc import Callable, Iterator
from statistics import median
from time import thread_time
from typing import Any, NamedTuple

import numpy as np

from bench import uct
from bench.ismcts import states
from bench.rows import Row
from joute.bots import own_evaluations
from joute.core.interface import mover, pending
from joute.core.registry import make
from joute.games.vampires.players.orders import orders
from joute.games.vampires.state import Vampires
from joute.search.alphabeta_search import AlphaBeta
from joute.search.expectimax_search import Expectimax
from joute.search.flat_search import FlatMonteCarlo
from joute.search.ismcts_search import Ismcts
from joute.search.several import Several
from joute.search.uct_search import Uct

SECONDS = 0.1  # of CPU for each search
ROUNDS = 3
STATES = 4


class Measured(NamedTuple):
    """A search, made for a game; what it does a second."""

    name: str
    unit: str
    make: Callable[[Any, np.ndarray], Any]
    work: Callable[[Any], int]  # of what a search found


def evaluation(game: Any) -> Any:
    """The strongest evaluation that every search of a game takes; None: the lead in points."""
    known = own_evaluations(game)
    for name in ("fitted", "territory", "reach"):
        if name in known:
            return known[name].make()
    return None


def _expectimax(game: Any, state: np.ndarray) -> Expectimax:
    lister = orders(game) if isinstance(game, Vampires) else None
    return Expectimax(game, state, lister, evaluation(game))


SEARCHES = (
    Measured(
        "flat", "games/s", lambda game, state: FlatMonteCarlo(game, 1),
        lambda found: found.simulations * len(found.actions),
    ),
    Measured(
        "uct", "simulations/s", lambda game, state: Uct(game, 1), lambda found: found.simulations
    ),
    Measured(
        "puct", "simulations/s",
        lambda game, state: Uct(game, 1, evaluation=evaluation(game), informed=True),
        lambda found: found.simulations,
    ),
    Measured(
        "ismcts", "simulations/s", lambda game, state: Ismcts(game, 1),
        lambda found: found.simulations,
    ),
    Measured(
        "alphabeta", "nodes/s", lambda game, state: AlphaBeta(game, state, evaluation(game)),
        lambda found: found.nodes,
    ),
    Measured("expectimax", "nodes/s", _expectimax, lambda found: found.nodes),
    Measured(
        "paranoid", "nodes/s", lambda game, state: Several(game, state, True, evaluation(game)),
        lambda found: found.nodes,
    ),
    Measured(
        "maxn", "nodes/s", lambda game, state: Several(game, state, False, evaluation(game)),
        lambda found: found.nodes,
    ),
)  # fmt: skip


def games() -> dict[str, Any]:
    """The games by what rows call them."""
    found = {name: make(name) for name in ("virus", "tron")}
    found["tron in turns"] = make("tron", order="turns")
    found |= {name: make(name) for name in ("vampires", "love-letter", "paradise")}
    found |= {which.file.replace("_", "-"): uct.example(which) for which in uct.EXAMPLE_GAMES}
    return found


def search_row(
    measured: Measured, name: str, game: Any, seconds: float = SECONDS, rounds: int = ROUNDS
) -> Row:
    """The speed of a search from states of random games; the reason, if it refuses the game."""
    roots = [state for state in states(game, 3 * STATES) if _begins(game, state)][:STATES]
    heading = f"{measured.name}, {name}"
    try:
        search = measured.make(game, roots[0])
    except ValueError as error:
        return Row(heading, None, measured.unit, f"refused: {error}")
    search.search(roots[0], seconds=0.001)
    rates = []
    for _ in range(rounds):
        began = thread_time()
        done = sum(measured.work(search.search(root, seconds=seconds)) for root in roots)
        rates.append(done / (thread_time() - began))
    return Row(heading, median(rates), measured.unit, f"{len(roots)} states, {seconds:g} s each")


def _begins(game: Any, state: np.ndarray) -> bool:
    """Whether a turn begins there, as searches of whole turns want it."""
    return int(mover(game, state)) >= 0 and pending(game, state) == 0


def rows() -> Iterator[Row]:
    """Measures, one after the other: minutes, most of them for compiling the first time."""
    yield from uct.rows()
    for measured in SEARCHES:
        for name, game in games().items():
            yield search_row(measured, name, game)
