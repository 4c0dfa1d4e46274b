"""Maps of Tron drawn at random: fair, connected, as they were asked for, the same for a seed."""

import itertools

import pytest

from joute.games.tron.board import TronMap, board
from joute.games.tron.drawn_map import (
    MOST_DENSITY,
    SYMMETRIES,
    drawn_map,
    is_fair,
    territories,
    wish_of,
)
from joute.games.tron.map import read_map, write_map

STARTS = {"none": 1, "turn": 2, "mirror": 2, "mirrors": 4, "quarter": 4}

pytestmark = pytest.mark.game("tron")


def drawn(width, height, seed, **given):
    return drawn_map(wish_of(width, height, given), seed)


def signs(found):
    return "".join(row for rows in found.floors for row in rows)


def flooded(found):
    """The free places reached from start 1 by plain steps and stairs, without the graph."""
    cells = {
        (floor, y, x): sign
        for floor, rows in enumerate(found.floors)
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign != "#"
    }
    todo = [place for place, sign in cells.items() if sign == "1"]
    reached = set(todo)
    for floor, y, x in todo:
        level = {"u": floor + 1, "d": floor - 1}.get(cells[floor, y, x], floor)
        near = [(floor, y, x - 1), (floor, y, x + 1), (floor, y - 1, x), (floor, y + 1, x)]
        for place in [*near, (level, y, x)]:
            if place in cells and place not in reached:
                reached.add(place)
                todo.append(place)
    return reached == set(cells)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize(
    ("floors", "teleporters", "density"), [(1, 0, 0.0), (1, 2, 0.2), (2, 4, 0.1), (3, 8, 0.25)]
)
def test_every_map_is_sound_fair_connected_and_as_asked_for(symmetry, floors, teleporters, density):
    for seed in range(3):
        found = drawn(
            21, 21, seed,
            symmetry=symmetry, floors=floors, teleporters=teleporters, density=density,
        )  # fmt: skip
        assert read_map(write_map(found)) == found
        graph = board(found, found.wrap)
        assert (len(graph.starts), len(found.floors)) == (STARTS[symmetry], floors)
        owned = territories(graph)
        assert len(set(owned)) == 1
        assert owned[0] > 1
        assert flooded(found)
        written = signs(found)
        assert sum(sign.isupper() for sign in written) == 2 * teleporters
        assert written.count("u") == written.count("d") == STARTS[symmetry] * (floors - 1)
        inside = 19 * 19 * floors
        walls = written.count("#") - (21 * 21 - 19 * 19) * floors
        assert round(inside * density) <= walls <= inside * (density + 0.1) + STARTS[symmetry]


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_walls_look_the_same_after_the_symmetry(symmetry):
    found = drawn(17, 17, 5, symmetry=symmetry, density=0.2)
    walls = {
        (x, y) for y, row in enumerate(found.floors[0]) for x, sign in enumerate(row) if sign == "#"
    }
    for image in SYMMETRIES[symmetry]:
        assert {image(x, y, 17, 17) for x, y in walls} == walls


def test_the_same_seed_draws_the_same_map_and_another_another():
    assert drawn(20, 12, 3, teleporters=2) == drawn(20, 12, 3, teleporters=2)
    maps = {drawn(20, 12, seed).floors for seed in range(5)}
    assert len(maps) == 5


def test_a_pair_may_join_a_cell_with_its_own_image():
    found = drawn(15, 9, 1, teleporters=1)
    rows = found.floors[0]
    one, other = [(x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s == "A"]
    assert other == (14 - one[0], 8 - one[1])


def test_starts_are_not_neighbours():
    for seed, symmetry in itertools.product(range(5), ("turn", "mirror", "mirrors", "quarter")):
        found = drawn(9, 9, seed, symmetry=symmetry)
        places = [
            (x, y)
            for y, row in enumerate(found.floors[0])
            for x, sign in enumerate(row)
            if sign.isdigit()
        ]
        for (a, b), (c, d) in itertools.combinations(places, 2):
            assert abs(a - c) + abs(b - d) > 1


@pytest.mark.parametrize(
    ("rows", "fair"),
    [
        (["#####", "#1 2#", "#####"], True),
        (["######", "#1 2 #", "######"], False),  # more room behind one of them
        (["#######", "#1 2# #", "#######"], False),  # a cell that nobody can reach
    ],
)
def test_the_check_tells_fair_maps_from_others(rows, fair):
    found = TronMap("", len(rows[0]), len(rows), (tuple(rows),))
    assert is_fair(board(found, "none")) == fair


@pytest.mark.parametrize(
    ("size", "given", "told"),
    [
        ((4, 9), {}, "width: expected 5 to"),
        ((9, 4), {}, "height: expected 5 to"),
        ((200, 200), {}, "at most 30000 cells, walls included; this one would have 40000"),
        ((9, 9), {"floors": 10}, "floors: expected 1 to 9, got 10"),
        ((9, 9), {"floors": 0}, "floors: expected 1 to 9, got 0"),
        ((9, 9), {"density": 0.5}, f"density: expected 0 to {MOST_DENSITY}, got 0.5"),
        ((9, 9), {"density": float("nan")}, "density: expected 0 to"),
        ((9, 9), {"symmetry": "round"}, "expected one of none, turn, mirror, mirrors, quarter"),
        ((9, 7), {"symmetry": "quarter"}, "the width must be the height"),
        ((9, 9), {"teleporters": 27}, "teleporters: expected a multiple of 1, 0 to 26"),
        ((9, 9), {"teleporters": 3, "symmetry": "mirrors"}, "expected a multiple of 2"),
        ((9, 9), {"stairs": 2}, "a map of one floor has none, got 2"),
        ((9, 9), {"stairs": 3, "floors": 2}, "stairs: expected a multiple of 2, at least 2"),
        ((9, 9), {"stairs": 0, "floors": 2}, "stairs: expected a multiple of 2, at least 2"),
        ((5, 5), {"teleporters": 26}, "none of 200 drawings had room"),
        ((5, 5), {"teleporters": 5}, "none of 200 drawings had room"),
        ((5, 5), {"floors": 2, "stairs": 10}, "none of 200 drawings had room"),
        ((5, 5), {"floors": 2, "stairs": 8, "density": 0.0}, "none of 200 drawings had room"),
    ],
)
def test_what_no_map_can_be_is_refused_with_the_reason(size, given, told):
    with pytest.raises(ValueError, match=r"map|expected|must|none") as raised:
        drawn(*size, 1, **given)
    assert told in str(raised.value)


def test_the_command_writes_a_map_that_a_match_takes(run, tmp_path):
    path = tmp_path / "drawn.txt"
    made = run("map", "new", "tron", 11, 9, "--seed", 7, "--teleporters", 2, "-o", path)
    assert (made.code, str(path) in made.out) == (0, True)
    assert run("map", "check", path).code == 0
    played = run(
        "match", "tron", "builtin:random", "builtin:random", "--map", path, "--games", 2,
        "--workers", 1,
    )  # fmt: skip
    assert played.code == 0, played.err


def test_the_command_says_which_options_a_game_has(run):
    for arguments, told in (
        (("tron", 9, 9, 3), "maps of tron have no HOUSES"),
        (("vampires", 9, 9, 4, "--density", 0.2), "maps of vampires have no --density"),
        (("vampires", 9, 9), "maps of vampires need HOUSES"),
    ):
        refused = run("map", "new", *arguments)
        assert (refused.code, told in refused.err) == (2, True)
