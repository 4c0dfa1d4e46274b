"""The example games keep the laws, and count what others counted."""

import pytest
from games.examples import FOLDER, ConnectFour, Othello

from joute.core.interface import OVER, legal, mover, play, properties, start
from joute.core.laws import check_play

LONGEST = 120  # lines of an example
# Ways to play so many plies on. Connect Four: J. Tromp's table of positions counts others; these
# are OpenSpiel's, of `connect_four` and `othello`; Othello's are widely published too.
COUNTS = {
    ConnectFour: [7, 49, 343, 2401, 16807, 117649, 823536],
    Othello: [4, 12, 56, 244, 1396, 8200],
}


def ways(game, state, plies):
    if plies == 0 or mover(game, state) == OVER:
        return int(plies == 0)
    out, found = [0] * properties(game).max_legal, 0
    for action in out[: legal(game, state, out)]:
        after = state.copy()
        play(game, after, action)
        found += ways(game, after, plies - 1)
    return found


@pytest.mark.parametrize("kind", COUNTS)
def test_there_are_as_many_ways_to_play_as_others_count(kind):
    game = kind()
    state = start(game).tolist()
    for plies, count in enumerate(COUNTS[kind][:6], 1):
        assert ways(game, state, plies) == count


@pytest.mark.parametrize("kind", COUNTS)
@pytest.mark.parametrize("seed", range(5))
def test_the_examples_keep_the_laws(kind, seed):
    check_play(kind(), seed)


def test_an_example_is_short_enough_to_be_read_in_one_sitting():
    for path in FOLDER.glob("*.py"):
        assert len(path.read_text().splitlines()) <= LONGEST, path.name
