"""UCT of the example games, in Numba, in C and in OpenSpiel. Rows of `bench search`.

Numba and C grow the same tree, place by place, which is checked first. OpenSpiel's MCTS in C++ has
its own order of actions and random numbers; it runs as many simulations from the same positions, if
its module `pyspiel` (the package `open_spiel`) can be imported.
"""

import ctypes
import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from bench.against_c import DifferenceError, alternate, compared_row, compiled, side
from bench.rows import Row
from joute.core.interface import legal, mover, pick, play, properties, start
from joute.core.random import generator
from joute.search.evaluation import Playout
from joute.search.montecarlo import USED, simulation
from joute.search.policy import Promises
from joute.search.uct_search import EXPLORATION, simulate, uct_tree

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples" / "games"
SIMULATIONS = 5000  # from each position, of all three
PLIES = (0, 6, 12)  # random ones before each position
TREE_LOG2 = 20


class Example(NamedTuple):
    """An example game, and what is aimed at."""

    file: str  # of the game, without its ending
    name: str  # of its class
    times_open_spiel: float


EXAMPLE_GAMES = (Example("connect_four", "ConnectFour", 20), Example("othello", "Othello", 80))


def example(which: Example) -> Any:
    """The game, imported as a module of its own, so that its kernels are kept."""
    name = f"examples_{which.file}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{which.file}.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError(which.file)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return getattr(sys.modules[name], which.name)()


def positions(game: Any, seed: int = 1) -> list[tuple[list[int], np.ndarray]]:
    """The actions that lead to each position, and its state."""
    found = []
    for plies in PLIES:
        rng, state, actions = generator(seed + plies), start(game), list[int]()
        out = np.zeros(properties(game).max_legal, np.int32)
        for _ in range(plies):
            actions.append(int(pick(game, state, out, rng)))
            play(game, state, actions[-1])
        if mover(game, state) < 0:
            raise ValueError(f"a game was over after {plies} plies")
        found.append((actions, state))
    return found


class Uct:
    """The kernel, driven as `joute.search.uct_search.Uct` does; or the same in C."""

    def __init__(self, game: Any, memory: Any, native: ctypes.CDLL | None = None) -> None:
        self._game, self._tree, self._native = game, memory, native
        self._work = simulation(game)
        facts = properties(game)
        self._exploration = EXPLORATION * (facts.highest_return - facts.lowest_return)
        if native is not None:
            native.simulate.restype = ctypes.c_int64

    def grow(self, root: np.ndarray, count: int, seed: int = 1) -> tuple[list[int], bytes]:
        """Grows a tree; returns the generator's words, and the places that are used."""
        rng = generator(seed)
        self._tree.places[0] = (0, 1, 0, 0)
        if self._native is None:
            self._work.control[:] = 0
            self._work.control[USED] = 1
            simulate(
                self._game, Playout(), Promises(), root, self._exploration, 1.0, False, count, rng,
                self._work, self._tree,
            )  # fmt: skip
            used = int(self._work.control[USED])
        else:
            pointer, whole = ctypes.c_void_p, ctypes.c_int64
            used = self._native.simulate(
                pointer(root.ctypes.data), ctypes.c_double(self._exploration), whole(count),
                pointer(rng.ctypes.data), pointer(self._tree.places.ctypes.data),
                pointer(self._tree.sums.ctypes.data), whole(self._tree.sums.size), whole(1),
            )  # fmt: skip
        places = self._tree.places[:used].copy()
        places[places[:, 3] == 0, 2] = 0  # where those after it begin means nothing without them
        return rng.tolist(), places.tobytes() + self._tree.sums[1:used].tobytes()


def check_trees(searches: list[Uct], roots: list[np.ndarray], count: int) -> None:
    """Raises DifferenceError unless all searches grow the same trees."""
    for root in roots:
        found = [search.grow(root, count) for search in searches]
        if found[0] != found[-1]:
            raise DifferenceError(f"UCT of {root.tolist()}: Numba and C grow different trees")


def native_row(which: Example, native: ctypes.CDLL | None, why: str, count: int) -> Row:
    """Simulations a second against C."""
    game, memory = example(which), uct_tree(TREE_LOG2)
    roots = [state for _, state in positions(game)]
    searches = [Uct(game, memory)] + ([Uct(game, memory, native)] if native else [])
    check_trees(searches, roots, count)

    def run(search: Uct) -> Callable[[], None]:
        def all_roots() -> None:
            for root in roots:
                search.grow(root, count)

        return all_roots

    taken = alternate(run(searches[0]), run(searches[-1]))
    name = f"uct, {properties(game).name}"
    work_done = count * len(roots)
    return compared_row(name, work_done, "simulations/s", taken, native is not None, why)


def open_spiel_row(which: Example, rate: float, count: int) -> Row:
    """The same against OpenSpiel, whose module may be missing."""
    game = example(which)
    name, aim = f"uct, {properties(game).name}", f"{which.times_open_spiel:g} of OpenSpiel"
    if importlib.util.find_spec("pyspiel") is None:
        return Row(name, rate, "simulations/s", "skipped: no module pyspiel", aim=aim)
    import pyspiel

    theirs = pyspiel.load_game(which.file)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    taken = 0.0
    for actions, state in positions(game):
        there = theirs.new_initial_state()
        for action in actions:
            there.apply_action(action)
        out = [0] * properties(game).max_legal
        ours = out[: legal(game, state.tolist(), out)]
        if sorted(there.legal_actions()) != ours:
            raise DifferenceError(f"OpenSpiel's {which.file}: {there.legal_actions()}, not {ours}")
        bot = pyspiel.MCTSBot(theirs, evaluator, EXPLORATION * 2, count, 1000, False, 1, False)
        began = process_time()
        bot.mcts_search(there)
        taken += process_time() - began
    their_rate = count * len(PLIES) / taken
    ratio = rate / their_rate
    return Row(
        name, rate, "simulations/s", f"OpenSpiel: {their_rate:,.0f}", ratio, aim,
        ratio >= which.times_open_spiel,
    )  # fmt: skip


def rows(count: int = SIMULATIONS) -> Iterator[Row]:
    """Two rows an example game."""
    for which in EXAMPLE_GAMES:
        native, why = side(lambda which=which: compiled(HERE / f"{which.file}.c"))
        row = native_row(which, native, why, count)
        yield row
        yield open_spiel_row(which, row.value or 0.0, count)
