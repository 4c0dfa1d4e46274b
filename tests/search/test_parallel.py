"""Root-parallel search: sums of what single searches find, the same every time."""

import pytest
from games.examples import ConnectFour

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import start
from joute.search.montecarlo import FIRST_BATCH, ActionStatistics, RootParallel, merged, parallel
from joute.search.uct_search import Uct

GAME = ConnectFour()


def test_what_is_found_is_the_sum_of_single_searches():
    one, other = (
        ActionStatistics([0, 4], [3, 1], [0.5, -1.0], 4),
        ActionStatistics([0, 4], [0, 4], [0.0, 0.25], 4),
    )
    assert merged([one, other]) == ActionStatistics([0, 4], [3, 5], [0.5, 0.0], 8)


def test_equal_seeds_threads_and_simulations_find_the_same():
    found = [
        parallel(lambda seed: Uct(GAME, seed, tree_log2=14), 5, 3).search(start(GAME), 1001)
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert found[0].simulations == sum(found[0].visits) == 1001


def test_threads_search_each_on_its_own_and_the_first_as_one_alone():
    seeds = []

    def made(seed):
        seeds.append(seed)
        return Uct(GAME, seed, tree_log2=12)

    together = parallel(made, 7, 2).search(start(GAME), 600)
    assert (seeds[0], len(set(seeds))) == (7, 2)
    alone = [Uct(GAME, seed, tree_log2=12).search(start(GAME), 300) for seed in seeds]
    assert together == merged(alone)
    assert alone[0] != alone[1]


def test_one_thread_is_the_search_itself():
    assert isinstance(parallel(lambda seed: Uct(GAME, seed, tree_log2=12), 7, 1), Uct)


def test_fewer_simulations_than_threads_are_run_by_as_many():
    search = parallel(lambda seed: Uct(GAME, seed, tree_log2=12), 7, 4)
    assert search.search(start(GAME), 2).simulations == 2


def test_each_thread_has_the_seconds_and_what_is_refused_is_told():
    search = RootParallel([Uct(GAME, seed, tree_log2=12) for seed in (1, 2)])
    assert search.search(start(GAME), seconds=0.0).simulations >= 2 * FIRST_BATCH
    with pytest.raises(ValueError, match="UCT needs at least one simulation, got 0"):
        search.search(start(GAME), 0)


@pytest.mark.parametrize("name", ["uct", "ismcts"])
def test_bots_take_threads(name):
    state = start(GAME)
    table = Seating(GAME, 0, 3, 1.0)
    options = {"threads": "2", "simulations": "200"}
    choices = [make(name, options, table).play(state) for _ in range(2)]
    assert choices[0] == choices[1]
    assert choices[0].message.startswith("200 simulations: ")
    with pytest.raises(BuiltinError, match=f"builtin:{name}: threads must be in 1..256, got 0"):
        make(name, {"threads": "0"}, table)
