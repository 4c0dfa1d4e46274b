"""The cells that parted bikes can fill, by a search among their paths, against every path."""

import pytest
from games.tron.maps import superset
from games.tron.test_fill import longest

from joute.core.interface import play, start
from joute.core.registry import make
from joute.games.tron.players.evaluation import SEPARATED, territory
from joute.search.evaluation import evaluate

RIGHT, DOWN = 2, 3


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
        [evaluate(territory(game, walk=walk), game, state, player) for player in (0, 1)]
        for walk in (0, 1000)
    )
    assert found == [exact, -exact]
    assert found != reckoned


def test_a_room_too_wide_for_the_search_is_not_valued_far_below_what_is_reckoned():
    hall = "\n".join(["1" + "." * 17, *["." * 18] * 15])
    game = parted(hall, hall)
    state = start(game)
    play(game, state, RIGHT)
    play(game, state, DOWN)
    reckoned = evaluate(territory(game), game, state, 0)
    found = evaluate(territory(game, walk=1), game, state, 0)
    assert abs(found - reckoned) <= 2 * SEPARATED
