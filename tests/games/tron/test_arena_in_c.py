"""The C that the arena is compared with does exactly what the kernels do; speed is no matter."""

import pytest
from games.tron.maps import ALL
from helpers import need

from bench import tron_arena
from bench.against_c import DifferenceError, NoCompilerError, check_playouts
from bench.tron_arena import (
    TronC,
    check_territories,
    positions,
)
from joute.core.maps import find_map
from joute.core.registry import make


@pytest.fixture(scope="module", name="native")
def _native():
    return TronC(need("cc"))


@pytest.mark.parametrize("trail", ["stay", "vanish"])
@pytest.mark.parametrize("order", ["simultaneous", "turns"])
@pytest.mark.parametrize("players", range(2, 9))
def test_random_games_are_the_same(native, players, order, trail):
    text = find_map("tron", "eight")
    game = make("tron", map=text, players=players, order=order, trail=trail)
    check_playouts(native, game, 300, seed=players)


@pytest.mark.parametrize("name", ALL)
def test_so_they_are_with_teleporters_stairs_and_wrapping(native, name):
    check_playouts(native, make("tron", map=ALL[name], players=2), 500)


def test_so_they_are_between_teams(native):
    text = find_map("tron", "cross")
    check_playouts(native, make("tron", map=text, players=4, teams=[[0, 3], [1, 2]]), 500)


@pytest.mark.full
@pytest.mark.parametrize("name", ["duel", "gates", "ghosts", "torus", "ziggurat", "eight"])
def test_territories_are_the_same(native, name):
    game = make("tron", map=find_map("tron", name), players=0)
    check_territories(native, game, positions(game, 40))


def test_territories_are_the_same_between_teams_and_at_the_end(native):
    text = find_map("tron", "cross")
    game = make("tron", map=text, players=4, teams=[[0, 3], [1, 2]])
    states = positions(game, 40)
    states[::4, 0] = -2  # over, as far as the evaluation can see
    check_territories(native, game, states)


def test_a_difference_is_an_error(native, monkeypatch):
    game = make("tron")
    monkeypatch.setattr(native, "playouts", lambda *_: 0)
    with pytest.raises(DifferenceError, match="playouts"):
        check_playouts(native, game, 10)
    monkeypatch.setattr(native, "territories", lambda *_: 0.5)
    with pytest.raises(DifferenceError, match="territory of player 0"):
        check_territories(native, game, positions(game, 2))


def test_without_a_c_compiler_the_reason_is_given():
    with pytest.raises(NoCompilerError, match="no-such-compiler"):
        TronC("no-such-compiler")


def test_without_c_the_kernels_are_measured_alone(monkeypatch):
    def no_compiler():
        raise NoCompilerError("no C")

    monkeypatch.setattr(tron_arena, "TronC", no_compiler)
    monkeypatch.setattr(tron_arena, "GAMES", {2: 10, 8: 5})
    monkeypatch.setattr(tron_arena, "TIMES", 1)
    rows = list(tron_arena.rows())
    assert [row.name[:9] for row in rows] == ["playouts,", "playouts,", "territory"]
    for row in rows:
        assert row.value > 0
        assert (row.against, row.ratio, row.met) == ("skipped: no C", None, None)
