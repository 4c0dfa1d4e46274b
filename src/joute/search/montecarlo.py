"""Parts of every Monte Carlo tree search: its root, its simulations, its threads, its result.

Several searches of one state, each in a thread of its own, are root-parallel: Chaslot, Winands and
van den Herik, "Parallel Monte-Carlo tree search" (2008). Every thread has a tree and a generator of
its own and knows nothing of the others; in the end their visits and returns are summed. Kernels
release Python's lock, so that as many run as there are cores. The result depends on the seed, the
threads and the simulations alone. Two threads of so many simulations find less than one of twice as
many, whose tree is deeper, but in half the time.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import numpy as np

from joute.core.errors import SearchError
from joute.core.interface import describe, legal_actions, properties, start
from joute.i18n.words import Sentence
from joute.search.batches import batches, first_batch
from joute.search.refusals import mover_of

SIMULATIONS, USED, LENGTH, INSIDE = 0, 1, 2, 3  # places in Simulation.control
FIRST_BATCH = 16  # simulations before the first look at the clock
MOST_THREADS = 256
_MASK = (1 << 64) - 1
_APART = 0xD1342543DE82EF95  # keeps the seeds of threads apart


class Root(NamedTuple):
    """A state in which a player is to move."""

    state: list[int]
    player: int
    actions: list[int]  # legal, in the game's order


def root_of(search: str, game: Any, state: Any, simulations: int | None) -> Root:
    """The root of a search of this name; `simulations` is None where no number is asked for.

    Raises SearchError if no player is to move, or for no simulations.
    """
    if simulations is not None and simulations < 1:
        raise SearchError(
            Sentence("error.search.simulations", search=search, simulations=simulations)
        )
    known = [int(word) for word in state]
    player = mover_of(search, game, known)
    return Root(known, player, legal_actions(game, known))


class Simulation(NamedTuple):
    """The arrays that simulations write to; one set per thread."""

    state: np.ndarray  # as the game's states
    actions: np.ndarray  # int32[max_legal or max_outcomes, the larger]
    weights: np.ndarray  # float64[as `actions`], of outcomes or of legal actions
    returns: np.ndarray  # float64[players], of the last simulation
    control: np.ndarray  # int64[4]: simulations, how much of the tree is used, steps of the path,
    # is it still in the tree
    path: np.ndarray  # int64[max_plies + 1], its places in the tree
    players: np.ndarray  # int64[max_plies + 1], who chose there


def simulation(game: Any) -> Simulation:
    """Arrays for simulations of this game."""
    facts = properties(game)
    choices = max(facts.max_legal, facts.max_outcomes, 1)
    return Simulation(
        state=start(game),
        actions=np.zeros(choices, np.int32),
        weights=np.zeros(choices),
        returns=np.zeros(facts.players),
        control=np.zeros(4, np.int64),
        path=np.zeros(facts.max_plies + 1, np.int64),
        players=np.zeros(facts.max_plies + 1, np.int64),
    )


class ActionStatistics(NamedTuple):
    """The result of a search, by action."""

    actions: list[int]
    visits: list[int]
    values: list[float]  # for the player to move, in the units of returns
    simulations: int
    exact: bool = False  # the values are no means of simulations, but proven

    @property
    def best(self) -> int:
        """The action visited most; of those, the first of the highest value."""
        return self.actions[self.order[0]]

    @property
    def order(self) -> list[int]:
        """The ranks of the actions, the best first."""
        ranks = range(len(self.actions))
        return sorted(ranks, key=lambda rank: (-self.visits[rank], -self.values[rank]))

    def in_words(self, game: Any, state: Any) -> list[str]:
        """Each action with its value and its part of the simulations, the most visited first."""
        words = []
        for rank in self.order:
            part = "" if self.exact else f" ({self.visits[rank] / max(self.simulations, 1):.0%})"
            action = describe(game, state, self.actions[rank])
            words.append(f"{action} {self.values[rank]:+.2f}{part}")
        return words


def merged(found: list[ActionStatistics]) -> ActionStatistics:
    """The results of searches of one state as one: sums of visits, means of all their returns."""
    actions = found[0].actions
    visits = [sum(each.visits[rank] for each in found) for rank in range(len(actions))]
    values = [
        sum(each.visits[rank] * each.values[rank] for each in found) / max(visits[rank], 1)
        for rank in range(len(actions))
    ]
    return ActionStatistics(actions, visits, values, sum(each.simulations for each in found))


class Search(Protocol):
    """Whatever weighs the actions of a state as tree searches do."""

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> ActionStatistics:
        """As that of `TreeSearch`."""


class TreeSearch:
    """A tree search, with its generator and the arrays it works in: one per thread."""

    _name: str
    _game: Any
    _evaluation: Any
    _policy: Any
    _work: Simulation

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> ActionStatistics:
        """Weighs the legal actions by so many simulations, or as many as CPU `seconds` allow.

        With both, it ends with the first of the two. Reproducible unless `seconds` is given, which
        are not overrun where a simulation takes as long as the ones before; FIRST_BATCH are run at
        least, one with an evaluation or a policy in Python. A forced action takes no simulation.
        Raises SearchError if no player is to move, or for no simulations.
        """
        begun = time.thread_time()
        root = root_of(self._name, self._game, state, simulations)
        self._empty()
        if len(root.actions) > 1:
            words = np.array(state, self._work.state.dtype)
            first = first_batch(FIRST_BATCH, self._evaluation, self._policy)
            for count in batches(simulations, begun, seconds, first):
                self._add(words, root.player, count)
        return self._statistics(root)

    def _empty(self) -> None:
        """Makes the tree one of the root alone."""
        raise NotImplementedError

    def _add(self, state: np.ndarray, player: int, count: int) -> None:
        """Adds simulations from a state to the tree."""
        raise NotImplementedError

    def _statistics(self, root: Root) -> ActionStatistics:
        """The statistics of the root's actions in the tree."""
        raise NotImplementedError


class RootParallel:
    """Searches that are asked together; see the module."""

    def __init__(self, searches: list[Search]) -> None:
        self._searches = searches

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> ActionStatistics:
        """The result of so many simulations in all, or as many as `seconds` of each search allow.

        Raises SearchError as the searches do.
        """
        shares: list[int | None] = [None] * len(self._searches)
        if simulations is not None:  # at least one each; so few are for fewer threads
            threads = max(1, min(len(shares), simulations))
            each, more = divmod(simulations, threads)
            shares = [each + (rank < more) for rank in range(threads)]
        with ThreadPoolExecutor(len(shares)) as pool:
            asked = [
                pool.submit(search.search, state, share, seconds)
                for search, share in zip(self._searches, shares, strict=False)
            ]
            return merged([each.result() for each in asked])


def parallel(make: Callable[[int], Search], seed: int, threads: int) -> Search:
    """The search that `make` makes of a seed; for several threads, as many of them together.

    Raises SearchError for a number of threads out of range.
    """
    if not 1 <= threads <= MOST_THREADS:
        bounds = {"lowest": 1, "highest": MOST_THREADS, "value": threads}
        raise SearchError(Sentence("error.range", name="threads", **bounds))
    if threads == 1:
        return make(seed)
    return RootParallel([make((seed + each * _APART) & _MASK) for each in range(threads)])
