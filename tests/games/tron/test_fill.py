"""The filling search, against an exhaustive one that plays every game to its end."""

import random

import numpy as np
import pytest
from games.pennies import Pennies
from games.tron.maps import TOWER, superset
from helpers import some

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import OVER, legal, mover, play, points, start
from joute.core.maps import find_map
from joute.core.registry import make as make_game
from joute.games.tron.map import read_map
from joute.games.tron.players.fill import RoomFiller, graph_of
from joute.games.tron.text import heads, marks
from joute.search import fill as fill_module
from joute.search.fill_bound import steps, steps_bound
from joute.search.graph import survey

PAIRS = superset(
    "pairs",
    """
#######
#1 A B#
#  #  #
# A# B#
#######""",
)
ODD_RING = superset("odd ring", "1.##\n....\n...#", wrap="xy")
THREE_AROUND = superset("three around", "1  \n # \n   ", wrap="xy")
POCKETS = superset("pockets", "###1###\n#     #\n## # ##\n#  #  #")
BRIDGE = superset("bridge", "1 #   \n      \n  #   ")
STAIRS = superset("stairs", "1 u\n # \n  u", "  d\n## \n  d")
SMALL = [PAIRS, ODD_RING, THREE_AROUND, POCKETS, BRIDGE, STAIRS]


def alone(text):
    return make_game("tron", map=text, players=1)


def longest(game, state):
    """The most moves still to come, by trying every path."""
    if mover(game, state) == OVER:
        return 0
    out = [0] * 6
    best = 0
    for direction in out[: legal(game, state, out)]:
        after = state.copy()
        play(game, after, direction)
        best = max(best, 1 + longest(game, after))
    return best


def random_room(seed):
    """A small room with walls, a pair, stairs and joined edges as chance has it."""
    rng = random.Random(seed)
    width, height, floors = rng.choice([(5, 4, 1), (4, 4, 1), (3, 3, 2), (3, 2, 3), (6, 3, 1)])
    places = [(f, y, x) for f in range(floors) for y in range(height) for x in range(width)]
    room = [[[" "] * width for _ in range(height)] for _ in range(floors)]
    for floor, y, x in rng.sample(places, rng.randrange(len(places) // 3)):
        room[floor][y][x] = "#"
    free = [(f, y, x) for f, y, x in places if room[f][y][x] == " "]
    letters = rng.choice(["", "AA", "AABB"])
    for letter, (floor, y, x) in zip(letters, rng.sample(free, len(letters)), strict=True):
        room[floor][y][x] = letter
    free = [(f, y, x) for f, y, x in free if room[f][y][x] == " "]
    for _, y, x in rng.sample(free, 3):
        if floors > 1 and all(room[floor][y][x] == " " for floor in range(floors)):
            for floor in range(floors):
                room[floor][y][x] = "u" if floor == 0 else "d" if floor == floors - 1 else "b"
    free = [(f, y, x) for f, y, x in free if room[f][y][x] == " "]
    if not free:
        return random_room(seed + 1000)
    floor, y, x = rng.choice(free)
    room[floor][y][x] = "1"
    rows = ["\n".join("".join(row) for row in rows).replace(" ", ".") for rows in room]
    try:
        text = superset("small", *rows, wrap=rng.choice(["none", "x", "y", "xy"]))
        read_map(text)
    except ValueError:  # the start has no free neighbour
        return random_room(seed + 1000)
    return text


def check_against_every_path(text):
    game = alone(text)
    filler = RoomFiller(game)
    state = start(game).tolist()
    while mover(game, state) != OVER:
        right = longest(game, state)
        assert filler.bound(state) >= right
        found = filler.fill(state)
        # Rooms as small as these are searched to the end.
        assert (len(found.directions), found.most, found.longest) == (right, right, True)
        play(game, state, found.directions[0])
    assert filler.bound(state) == 0
    assert filler.fill(state).directions == []


@pytest.mark.parametrize("text", SMALL, ids=lambda text: text.split("name ")[1].split("\n")[0])
def test_a_small_room_is_filled_as_far_as_can_be(text):
    check_against_every_path(text)


@pytest.mark.parametrize("seed", range(12))
def test_small_random_rooms_are_filled_as_far_as_can_be(seed):
    check_against_every_path(random_room(seed))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_small_random_rooms_are_filled_as_far_as_can_be(seed):
    check_against_every_path(random_room(seed))


@pytest.mark.parametrize("seed", some(range(100, 112), 4))
def test_the_bound_holds_after_any_moves(seed):
    game = alone(random_room(seed))
    filler = RoomFiller(game)
    rng = random.Random(seed)
    out = [0] * 6
    for _ in range(10):
        state = start(game).tolist()
        while mover(game, state) != OVER:
            assert filler.bound(state) >= longest(game, state)
            play(game, state, rng.choice(out[: legal(game, state, out)]))


@pytest.mark.parametrize("seed", range(200, 210))
def test_no_path_has_more_moves_than_steps_can_be_chosen(seed):
    game = alone(random_room(seed))
    state = start(game).tolist()
    graph = graph_of(game)
    taken = (np.array(marks(game, state)) != 0).astype(np.uint8)
    head = heads(game, state)[0]
    taken[head] = 1
    most = steps_bound(graph, taken, head, survey(game.cells), steps(game.cells))
    assert longest(game, state) <= most <= RoomFiller(game).bound_by_parts(state)


@pytest.mark.parametrize(("name", "most"), [("ghosts", 165), ("islands", 152), ("pillars", 276)])
def test_where_colours_are_spread_unevenly_the_bound_is_lower(name, most):
    game = alone(find_map("tron", name))
    found = RoomFiller(game).fill(start(game).tolist(), rounds=2)
    assert found.most == most
    assert len(found.cells) >= 0.98 * most


def play_through(game, state, directions):
    """Play directions, each of them legal; return the moves made."""
    out = [0] * 6
    for direction in directions:
        assert direction in out[: legal(game, state, out)]
        play(game, state, direction)
    return points(game, state, 0)


@pytest.mark.parametrize(("name", "most"), [("room", 164), ("workshop", 163)])
def test_both_rooms_of_the_workshop_are_filled_and_the_path_is_played(name, most):
    game = alone(find_map("tron", name))
    state = start(game).tolist()
    found = RoomFiller(game).fill(state)
    assert (found.most, found.longest) == (most, True)
    assert play_through(game, state, found.directions) == most
    assert mover(game, state) == OVER


def test_a_hall_of_2304_cells_is_filled():
    rows = ["1" + "." * 47, *["." * 48] * 47]
    game = alone(superset("hall", "\n".join(rows)))
    found = RoomFiller(game).fill(start(game).tolist())
    assert play_through(game, start(game).tolist(), found.directions) == found.most == 2303


def test_a_path_through_floors_and_pairs_is_played():
    game = alone(TOWER)
    found = RoomFiller(game).fill(start(game).tolist())
    assert play_through(game, start(game).tolist(), found.directions) == len(found.cells)


def pillars(seed):
    """A hall too wild to be filled: the search goes to the end of its budget."""
    rng = random.Random(seed)
    rows = [["#" if rng.random() < 0.25 else "." for _ in range(18)] for _ in range(18)]
    rows[9][9], rows[9][10] = "1", "."
    return alone(superset("pillars", "\n".join("".join(row) for row in rows)))


def test_more_rounds_are_never_worse_and_a_seed_gives_the_same_path():
    game = pillars(3)
    state = start(game).tolist()
    found = [RoomFiller(game, seed=5).fill(state, rounds=rounds) for rounds in (0, 4, 40, 40)]
    assert found[2] == found[3]
    assert len(found[0].cells) <= len(found[1].cells) <= len(found[2].cells) <= found[2].most
    for each in found:
        assert play_through(game, start(game).tolist(), each.directions) == len(each.cells)


def test_a_known_path_is_kept_unless_a_longer_one_is_found():
    game = pillars(4)
    state = start(game).tolist()
    known = RoomFiller(game).fill(state, rounds=20)
    again = RoomFiller(game, seed=1).fill(state, rounds=0, known=known.cells)
    assert len(again.cells) >= len(known.cells)


def test_a_limit_in_seconds_ends_the_search():
    game = pillars(3)
    times = iter(range(100))
    state = start(game).tolist()
    timed = RoomFiller(game).fill(state, seconds=29.5, clock=lambda: float(next(times)))
    # The clock is looked at before each round, and before each dive and polishing.
    assert timed in [RoomFiller(game).fill(state, rounds=rounds) for rounds in range(10)]
    assert next(times) == 32  # a round that has begun is ended, as soon as can be
    times = iter(range(100))
    late = RoomFiller(game).fill(state, seconds=0.5, clock=lambda: float(next(times)))
    assert play_through(game, state, late.directions) > 0


def driven(bot, game):
    """The moves of a game, and by ply what the bot says it has and what it can have at most."""
    state = start(game)
    known = []
    while mover(game, state) != OVER:
        choice = bot.play(state)
        if choice.message:
            known.append(tuple(int(word) for word in choice.message.split() if word.isdigit()))
        play(game, state, choice.action)
    return points(game, state, 0), known


def test_a_path_that_is_proved_to_be_the_longest_is_not_searched_for_again(monkeypatch):
    game = alone(find_map("tron", "room"))
    rounds = []
    one_round = fill_module.Filler._round
    monkeypatch.setattr(
        fill_module.Filler, "_round", lambda *a: rounds.append(a[1]) or one_round(*a)
    )
    moves, known = driven(make("fill", {}, Seating(game, 0, 1, 10.0)), game)
    assert (moves, known[-1]) == (164, (164, 164))
    assert len(rounds) <= fill_module.ROUNDS


@pytest.mark.parametrize("seed", [0, 3, 6])
def test_every_turn_searches_and_none_makes_the_path_shorter(seed):
    game = pillars(seed)
    greedy = len(RoomFiller(game, seed=1).greedy(start(game).tolist()).cells)
    moves, known = driven(make("fill", {"rounds": "1"}, Seating(game, 0, 1, 10.0)), game)
    lengths = [length for length, _ in known]
    assert greedy <= lengths[0]
    assert lengths == sorted(lengths)
    assert moves == lengths[-1] <= known[-1][1]
    assert len(set(lengths)) > 1  # it has found a longer one on the way


def test_alone_the_same_options_and_seed_make_the_same_game():
    game = pillars(5)
    games = [driven(make("fill", {"rounds": "2"}, Seating(game, 0, 9, 10.0)), game) for _ in "ab"]
    assert games[0] == games[1]


def test_the_bot_makes_a_new_plan_where_it_was_led_off_the_old_one():
    game = alone(find_map("tron", "room"))
    bot = make("fill", {}, Seating(game, 0, 1, 10.0))
    state = start(game)
    planned = bot.play(state).action
    out = [0] * 6
    play(game, state, next(each for each in out[: legal(game, state, out)] if each != planned))
    assert "moves of at most 16" in bot.play(state).message


def test_the_bot_takes_seconds_for_a_budget():
    game = alone(PAIRS)
    state = start(game)
    before = state.copy()
    choice = make("fill", {"seconds": "0.01"}, Seating(game, 0, 1, 10.0)).play(state)
    assert np.array_equal(state, before)
    out = [0] * 6
    assert choice.action in out[: legal(game, state.tolist(), out)]


@pytest.mark.parametrize(
    ("options", "game", "words"),
    [
        ({}, Pennies(), "plays Tron alone"),
        ({}, make_game("tron"), "plays Tron alone"),
        ({"rounds": "-1"}, alone(PAIRS), "must not be negative"),
        ({"seconds": "-1"}, alone(PAIRS), "must not be negative"),
    ],
)
def test_the_bot_refuses_other_games_and_options_out_of_range(options, game, words):
    with pytest.raises(BuiltinError, match=words):
        make("fill", options, Seating(game, 0, 0, 10.0))
