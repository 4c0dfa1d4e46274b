"""Bots that play by random games: flat Monte Carlo, UCT, and information-set tree search.

`flat` plays the action after which random games end best for it. It plays every game; everything
that the player does not know is drawn anew in every random game. `montecarlo` is its name in the
Tron workshop; for Tron alone there are two other forms, slower and equal in distribution,
`montecarlo-python` and `montecarlo-numpy`.

`uct` plays the action most visited by a tree of simulations, in games where everything is seen.
Options: `exploration`, how much is spent on actions that look worse so far; `evaluation`, which
values new states instead of random games (as those of alpha-beta); `scale`, the value of it that is
worth half a win; `bound=puct` to prefer the actions of the highest promise.

`ismcts` does so by simulations from states that the player thinks possible. It plays every game,
those with hidden cards above all. Options: `exploration` (default 0.7); `observers=many`, a tree
for each player of what it sees, where by default one observes (`one`). Where a game has a horizon
of its own, simulations end there: Love Letter's at the end of a round.

Options of all: `seconds` of CPU per action (default: a tenth of the time it may take), or
`simulations`, which is reproducible: per action of `uct` and `ismcts`, after each action of `flat`.
`threads` of `uct` and `ismcts`: so many trees grown at the same time.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from joute.bots import (
    Choice,
    Seating,
    budget,
    centred,
    evaluation_of,
    refused,
    usual_evaluations,
)
from joute.bots.explain import Option, SearchNode, after, ranked
from joute.core.interface import CHANCE, mover, properties
from joute.core.registry import card_of
from joute.i18n.words import AnyOf, Sentence
from joute.search.flat_search import FlatMonteCarlo
from joute.search.ismcts_search import EXPLORATION, Ismcts
from joute.search.montecarlo import Search, parallel
from joute.search.uct_search import Uct

SHOWN_MEANS, SHOWN_VISITS = 5, 3  # actions in a message
BOUNDS = ("uct", "puct")
OBSERVERS = ("one", "many")


def check_amounts(bot: str, simulations: int, seconds: float) -> None:
    """Raises BuiltinError for amounts of a search that cannot be."""
    if simulations < 0 or seconds < 0:
        raise refused(bot, Sentence("error.builtin.amounts"))
    if simulations and seconds:
        raise refused(bot, Sentence("error.builtin.both", one="simulations", other="seconds"))


def amounts(
    seat: Seating, simulations: int, seconds: float
) -> tuple[int, None] | tuple[None, float]:
    """The simulations of a turn, whatever time they take, or else its CPU seconds."""
    return (simulations, None) if simulations else (None, budget(seat, seconds))


@dataclass
class FlatBot:
    """Plays the action of the highest mean of random games."""

    seat: Seating
    search: FlatMonteCarlo
    simulations: int | None
    seconds: float | None

    def play(self, state: np.ndarray) -> Choice:
        """The action, with the means of the first few."""
        found = self.search.search(state, self.simulations, self.seconds)
        means = ", ".join(found.in_words(self.seat.game, state.tolist())[:SHOWN_MEANS])
        said = f"means of {found.simulations} games: {means}"
        return Choice(found.best, said, centred(self.seat.game, max(found.values)), (found.best,))

    def explain(self, state: np.ndarray) -> list[Option]:
        """Every action, the best first."""
        found = self.search.search(state, self.simulations, self.seconds)
        return [
            Option((action,), centred(self.seat.game, value), found.simulations)
            for action, value in ((found.actions[at], found.values[at]) for at in found.order)
        ]


def suits(name: str, game: Any) -> bool:
    """Whether a search takes a game, as `joute.bots.suits` asks."""
    facts = properties(game)
    return name != "uct" or not (facts.hidden_information or facts.simultaneous)


def flat(seat: Seating, *, simulations: int = 0, seconds: float = 0.0) -> FlatBot:
    """The bot `flat`. Raises BuiltinError for an option out of range."""
    check_amounts("flat", simulations, seconds)
    search = FlatMonteCarlo(seat.game, seat.seed)
    return FlatBot(seat, search, *amounts(seat, simulations, seconds))


@dataclass
class TreeBot:
    """Plays the action that most simulations took."""

    seat: Seating
    search: Search
    simulations: int | None
    seconds: float | None

    def play(self, state: np.ndarray) -> Choice:
        """The action, with the values of the first few."""
        found = self.search.search(state, self.simulations, self.seconds)
        if len(found.actions) == 1:
            return Choice(found.best, "no other choice")
        words = ", ".join(found.in_words(self.seat.game, state.tolist())[:SHOWN_VISITS])
        value = found.values[found.actions.index(found.best)]
        how = "exactly" if found.exact else f"{found.simulations} simulations"
        visits = None if found.exact else dict(zip(found.actions, found.visits, strict=True))
        expected = centred(self.seat.game, value)
        return Choice(found.best, f"{how}: {words}", expected, (found.best,), visits)

    def explain(self, state: np.ndarray) -> list[Option]:
        """Every action, the most visited first."""
        found = self.search.search(state, self.simulations, self.seconds)
        options = []
        for rank in found.order:
            known = found.exact or found.visits[rank] > 0
            value = centred(self.seat.game, found.values[rank]) if known else None
            visits = None if found.exact else found.visits[rank]
            options.append(Option((found.actions[rank],), value, visits))
        return options

    def tree(self, state: np.ndarray, plies: int) -> SearchNode | None:
        """The first plies of the tree; None for a search that keeps none to walk."""
        below: Places | None = getattr(self.search, "below", None)
        if below is None:
            return None
        done = self.search.search(state, self.simulations, self.seconds).simulations
        return walked(self.seat.game, below, state.tolist(), done, plies)


class Places(Protocol):
    """The places of a tree after one of them; see `Uct.below`."""

    def __call__(self, place: int) -> list[tuple[int, int, int, float]]: ...


def walked(game: Any, below: Places, state: list[int], visits: int, plies: int) -> SearchNode:
    """The first plies of a tree of simulations, from its root."""

    def grown(place: int, state: list[int], left: int) -> tuple[int, tuple[SearchNode, ...]]:
        found = below(place)
        if not left:
            return len(found), ()
        chance = mover(game, state) == CHANCE
        nodes = []
        for at, action, seen, value in found:
            reached = after(game, state, (action,))
            own = None if chance else centred(game, value)
            nodes.append(SearchNode((action,), reached, own, seen, *grown(at, reached, left - 1)))
        return len(found), ranked(nodes)

    return SearchNode((), state, None, visits, *grown(0, state, plies))


def uct(
    seat: Seating,
    *,
    seconds: float = 0.0,
    simulations: int = 0,
    exploration: float = -1.0,
    evaluation: str = "",
    scale: float = 1.0,
    bound: str = "uct",
    threads: int = 1,
) -> TreeBot:
    """The bot `uct`. Raises BuiltinError for a game it cannot play or an option out of range."""
    check_amounts("uct", simulations, seconds)
    if bound not in BOUNDS:
        raise refused("uct", Sentence("error.builtin.bound", known=AnyOf(BOUNDS), bound=bound))
    judge = None
    if evaluation:
        judge = evaluation_of("uct", seat.game, evaluation, usual_evaluations(seat.game)).make()
    informed, explored = bound == "puct", None if exploration == -1.0 else exploration
    try:
        search = parallel(
            lambda seed: Uct(seat.game, seed, explored, judge, scale, informed), seat.seed, threads
        )
    except ValueError as error:
        raise refused("uct", error) from None
    return TreeBot(seat, search, *amounts(seat, simulations, seconds))


def ismcts(
    seat: Seating,
    *,
    seconds: float = 0.0,
    simulations: int = 0,
    exploration: float = EXPLORATION,
    observers: str = "one",
    threads: int = 1,
) -> TreeBot:
    """The bot `ismcts`. Raises BuiltinError for an option out of range."""
    check_amounts("ismcts", simulations, seconds)
    if observers not in OBSERVERS:
        raise refused("ismcts", Sentence("error.builtin.observers", observers=observers))
    game, many, card = seat.game, observers == "many", card_of(seat.game)
    horizon = card.load(card.horizon)(game) if card.horizon else None
    try:
        search = parallel(
            lambda seed: Ismcts(game, seed, exploration, horizon, many=many), seat.seed, threads
        )
    except ValueError as error:
        raise refused("ismcts", error) from None
    return TreeBot(seat, search, *amounts(seat, simulations, seconds))
