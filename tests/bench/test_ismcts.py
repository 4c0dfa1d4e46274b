"""The bench of information-set search searches what it says; speed is no matter here."""

import pytest

from bench import love_letter, paradise
from bench.ismcts import search_row, states
from joute.core.interface import legal, mover, properties
from joute.core.registry import make

pytestmark = pytest.mark.game("love-letter", "paradise")


@pytest.mark.parametrize("name", ["love-letter", "paradise"])
def test_states_are_choices_of_a_player(name):
    game = make(name)
    out = [0] * properties(game).max_legal
    found = states(game, 5)
    assert len({state.tobytes() for state in found}) == 5
    assert all(mover(game, state) >= 0 and legal(game, state, out) > 1 for state in found)


@pytest.mark.full
def test_a_row_says_what_was_measured():
    row = search_row(make("love-letter"), "2 players", 800_000, 20, rounds=1, count=2)
    assert (row.name, row.unit) == ("ismcts, 2 players", "simulations/s")
    assert (row.against, row.aim) == ("2 states, 20 each", "800,000")
    assert row.value is not None and row.value > 0
    assert row.met == (row.value >= 800_000)


def test_a_search_takes_a_tenth_of_a_second_at_the_speed_aimed_at():
    row = search_row(make("love-letter"), "2 players", 200, rounds=1, count=1)
    assert row.against == "1 states, 20 each"
    assert row.met


@pytest.mark.parametrize(("module", "names"), [
    (love_letter, ["playouts", "playouts", "2 players", "4 players"]),
    (paradise, ["playouts", "to the end of the game", "turns"]),
])  # fmt: skip
def test_the_benches_of_the_games_have_its_rows(module, names, monkeypatch):
    for place in ("playout_row", "playout_rows"):
        if hasattr(module, place):
            found = "playouts" if place == "playout_row" else ["playouts"]
            monkeypatch.setattr(module, place, lambda *_, found=found: found)
    monkeypatch.setattr(module, "native_side", lambda: (None, ""))
    monkeypatch.setattr(module, "search_row", lambda game, name, aim: name)
    monkeypatch.setattr(paradise, "turns_row", lambda game: "turns")
    assert list(module.rows()) == names
