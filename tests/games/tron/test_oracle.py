"""Tron against the plain oracle, on random games of maps with everything in them."""

import random

import pytest
from games.tron.maps import ALL
from games.tron.oracle import Oracle
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.core.interface import OVER, fault_action, legal, mover, observe, play, points, start
from joute.core.registry import make
from joute.games.tron.board import TronMap
from joute.games.tron.map import read_map, write_map
from joute.games.tron.rules import places
from joute.games.tron.text import chart_of, heads, living, picture, settings_of

OPTIONS = [(order, trail) for order in ("simultaneous", "turns") for trail in ("stay", "vanish")]


def pair(text, players, rotation, order, trail, wrap=""):
    """The game and its oracle."""
    game = make(
        "tron", map=text, players=players, rotation=rotation, order=order, trail=trail, wrap=wrap
    )
    floors = read_map(text).floors
    return game, Oracle(floors, players, rotation, order, trail, settings_of(game).wrap)


def follow(game, oracle, rng):
    """Play one random game of both, walls and failures included, comparing everything."""
    state = start(game).tolist()
    at = chart_of(settings_of(game))[1].places

    def choose(bike, free):
        assert mover(game, state) == bike
        out = [0] * 6
        assert out[: legal(game, state, out)] == free
        assert fault_action(game, state, bike) == oracle.straight(bike)
        assert observe(game, state, bike)["legal"] == free
        action = rng.choice([*free, *free, *free, rng.randrange(6), oracle.straight(bike)])
        play(game, state, action)
        return action

    while not oracle.over():
        oracle.play_round(choose)
        assert set(living(game, state)) <= set(oracle.alive())
        for bike in oracle.alive():
            assert at[heads(game, state)[bike]] == oracle.heads[bike]
    assert mover(game, state) == OVER
    assert living(game, state) == oracle.alive()
    if len(oracle.heads) > 1:
        assert places(game, state) == oracle.places()
    assert [points(game, state, bike) for bike in range(len(oracle.heads))] == oracle.moves
    drawn = {
        (x, game_height(game) - 1 - top, floor): sign
        for floor, rows in enumerate(picture(game, state))
        for top, row in enumerate(rows)
        for x, sign in enumerate(row)
    }
    for cell, who in oracle.taken.items():
        assert drawn[cell] == ("*" if who == "*" else str(who + 1))
    assert sum(sign in "*12345678" for sign in drawn.values()) == len(oracle.taken)


def game_height(game):
    return chart_of(settings_of(game))[0].height


@pytest.mark.parametrize(("order", "trail"), OPTIONS)
@pytest.mark.parametrize("name", ALL)
def test_random_games_agree_with_the_oracle(name, order, trail):
    rng = random.Random(f"{name} {order} {trail}")
    starts = sum(
        each.isdigit() for floor in read_map(ALL[name]).floors for r in floor for each in r
    )
    for _ in range(6):
        players = rng.randrange(2, starts + 1)
        follow(*pair(ALL[name], players, rng.randrange(players), order, trail), rng)


@pytest.mark.parametrize("name", ALL)
def test_games_of_one_bike_agree_with_the_oracle(name):
    rng = random.Random(name)
    for _ in range(6):
        follow(*pair(ALL[name], 1, 0, "", ""), rng)


@pytest.mark.thorough
@pytest.mark.parametrize(("order", "trail"), OPTIONS)
@pytest.mark.parametrize("name", ALL)
def test_thousands_of_random_games_agree_with_the_oracle(name, order, trail):
    rng = random.Random(f"many {name} {order} {trail}")
    starts = sum(
        each.isdigit() for floor in read_map(ALL[name]).floors for r in floor for each in r
    )
    for _ in range(150):
        players = rng.randrange(2, starts + 1)
        follow(*pair(ALL[name], players, rng.randrange(players), order, trail), rng)


@st.composite
def charts(draw):
    """A random map of two floors with starts, walls, stairs and a teleporter."""
    width, height = draw(st.integers(3, 7)), draw(st.integers(3, 6))
    cells = [(f, y, x) for f in (0, 1) for y in range(height) for x in range(width)]
    signs = dict.fromkeys(cells, " ")
    for cell in draw(st.lists(st.sampled_from(cells), max_size=len(cells) // 4)):
        signs[cell] = "#"
    special = draw(st.lists(st.sampled_from(cells), min_size=6, max_size=6, unique=True))
    for cell, sign in zip(special, "12AA34", strict=True):
        signs[cell] = sign
    column = draw(st.sampled_from([cell for cell in cells if cell[0] == 0]))
    above = (1, column[1], column[2])
    if signs[column] in " #" and signs[above] in " #":
        signs[column], signs[above] = "u", "d"
    floors = tuple(
        tuple("".join(signs[f, y, x] for x in range(width)) for y in range(height)) for f in (0, 1)
    )
    return TronMap("drawn", width, height, floors, wrap=draw(st.sampled_from(["none", "x", "xy"])))


@given(chart=charts(), options=st.sampled_from(OPTIONS), seed=st.integers(0, 2**32))
@settings(max_examples=60, derandomize=True)
def test_any_map_agrees_with_the_oracle(chart, options, seed):
    text = write_map(chart)
    try:
        read_map(text)
    except ValueError:
        return  # a start without a free neighbour
    rng = random.Random(seed)
    follow(*pair(text, rng.randrange(2, 5), 0, *options), rng)
