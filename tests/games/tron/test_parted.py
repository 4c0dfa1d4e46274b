"""The moves that parted bikes can make, by a bound, against every path."""

import numpy as np
import pytest
from games.tron.maps import superset
from games.tron.test_fill import longest

from joute.core.interface import legal_actions, play, start
from joute.core.registry import make
from joute.games.tron.players.evaluation import SEPARATED, territory
from joute.games.tron.players.fill import RoomFiller
from joute.search.evaluation import evaluate


def parted(mine, theirs):
    """A duel of two rooms side by side; each a text of rows with a start."""
    rows = zip(mine.splitlines(), theirs.replace("1", "2").splitlines(), strict=True)
    return make("tron", map=superset("rooms", "\n".join("#".join(row) for row in rows)), players=2)


def alone(room):
    """The most moves in a room, by trying every path."""
    game = make("tron", map=superset("room", room), players=1)
    return longest(game, start(game).tolist())


FORK = "##.##\n....#\n.#1##\n....#"
OTHERS = [
    ".#...\n#.#.1\n.....\n.#.##",
    "....1\n##.#.\n##...\n.##.#",
    ".#.#.\n#...#\n.1...\n##.#.",
    ".#...\n.1.#.\n###..\n.#...",
]


@pytest.mark.parametrize("other", OTHERS)
def test_small_rooms_that_are_reckoned_to_be_close_are_valued_exactly(other):
    game = parted(FORK, other)
    state = start(game)
    exact = SEPARATED * (alone(FORK) - alone(other))
    reckoned, found = (
        [evaluate(territory(game, close=close), game, state, player) for player in (0, 1)]
        for close in (0, 6)
    )
    assert found == [exact, -exact]
    assert found != reckoned


EQUAL = [
    "..#1#\n##..#\n.....\n..#.#",
    "#.1.#\n.....\n#.#..\n#..##",
]


@pytest.mark.parametrize("other", EQUAL)
def test_rooms_that_are_reckoned_to_be_equal_are_bounded_too(other):
    game = parted(FORK, other)
    state = start(game)
    assert evaluate(territory(game), game, state, 0) == 0.0
    exact = SEPARATED * (alone(FORK) - alone(other))
    assert exact != 0.0
    assert evaluate(territory(game, close=1), game, state, 0) == exact


WIDE = "....#..\n...#..1\n..##...\n......#"


def test_rooms_that_are_reckoned_to_be_far_from_equal_keep_their_reckoning():
    game = parted(FORK, WIDE)
    state = start(game)
    values = [evaluate(territory(game, close=close), game, state, 0) for close in (0, 6, 20)]
    assert values[0] == values[1] < -6 * SEPARATED
    assert values[2] != values[0]


PAIRS = ["1.A#.\n#.##.\n###.#\n.A...", "1..A\n.##.\n#A..\n.#.#", "1.#A\n..##\n.A..\n#..#"]


def bound(room):
    """The most moves that the filling search allows in a room."""
    game = make("tron", map=superset("room", room), players=1)
    return RoomFiller(game).bound(start(game))


@pytest.mark.parametrize("room", [*PAIRS, *OTHERS, *EQUAL, WIDE])
def test_a_room_is_bounded_as_a_room_for_one_is(room):
    game = parted(room, FORK)
    wanted = SEPARATED * (bound(room) - bound(FORK))
    assert evaluate(territory(game, close=20), game, start(game), 0) == wanted


def test_what_is_remembered_of_a_region_is_what_is_found_of_it():
    game = parted(FORK, OTHERS[0])
    one = territory(game, close=6)
    state = start(game)
    for _ in range(3):
        fresh = territory(game, close=6)
        values = [evaluate(each, game, state, 0) for each in (one, one, fresh)]
        assert len(set(values)) == 1
        for _ in range(2):
            play(game, state, legal_actions(game, state.tolist())[0])
    assert np.count_nonzero(one.regions.keys) == 6
