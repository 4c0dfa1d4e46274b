"""The layouts of Tron alone: boards in rows and by table, small states and large ones."""

import numpy as np
import pytest
from games.tron.maps import OPEN, superset

from joute.core.interface import legal, observe, play, points, start
from joute.core.random import generator
from joute.core.registry import make
from joute.games.tron.solo import ALL_SHUT, DRAWS, PICKS, head_of, is_taken
from joute.games.tron.text import heads, marks
from joute.search.playouts import playout_work, playouts

HOLES = superset("holes", "....#\n.#...\n1...#\n#...#")
LARGE = superset("large", "\n".join(["1" + "." * 29, *["." * 30] * 11]))


@pytest.mark.parametrize("text", ["", HOLES, LARGE])
def test_a_plain_floor_in_rows_is_played_as_by_table(text):
    game = make("tron", map=text, players=1)
    assert game.width > 0
    found = []
    for each in (game, game._replace(width=0)):
        room, rng = playout_work(each), generator(1)
        plies = playouts(each, start(each), 200, rng, room)
        found.append((int(plies), room.total.tolist(), rng.tolist()))
    assert found[0] == found[1]


@pytest.mark.parametrize("options", [{"map": OPEN}, {"wrap": "y"}])
def test_other_boards_are_played_by_table(options):
    assert make("tron", players=1, **options).width == 0


@pytest.mark.parametrize(("text", "dtype"), [("", np.uint8), (LARGE, np.uint16)])
def test_a_state_is_of_the_smallest_words_that_hold_a_place(text, dtype):
    game = make("tron", map=text, players=1)
    state = start(game)
    assert state.dtype == dtype
    assert observe(game, state, 0)["legal"] == observe(game, state.tolist(), 0)["legal"] != []


def test_a_draw_is_fair_to_whatever_is_free():
    for shut in range(ALL_SHUT):
        free = [bit for bit in range(6) if not shut >> bit & 1]
        counts = np.bincount(PICKS[64 * shut : 64 * shut + DRAWS], minlength=6)
        assert counts.tolist() == [DRAWS // len(free) * (bit in free) for bit in range(6)]


@pytest.mark.parametrize("text", [HOLES, OPEN])
def test_the_head_and_what_is_taken_are_told_in_cells(text):
    game = make("tron", map=text, players=1)
    state, out = start(game), [0] * 6
    while legal(game, state, out):
        play(game, state, out[0])
        assert head_of(game, state) == heads(game, state)[0]
        taken = [bool(is_taken(game, state, cell)) for cell in range(game.cells)]
        assert taken == [mark != 0 for mark in marks(game, state)]
    assert points(game, state, 0) > 1
