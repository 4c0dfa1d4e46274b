"""The C that Love Letter is compared with plays the same games; speed is no matter here."""

import pytest
from helpers import need

from bench import love_letter_kernels
from bench.against_c import DifferenceError, NoCompilerError, check_playouts
from bench.love_letter_kernels import LoveLetterC, native_side
from joute.core.registry import make

TABLES = [{"players": players} for players in range(2, 7)]
TABLES += [{"players": players, "deck": "classic"} for players in range(2, 5)]
TABLES += [{"players": 2, "tokens": "official"}, {"players": 5, "tokens": 2}]


@pytest.fixture(scope="module", name="native")
def _native():
    return LoveLetterC(need("cc"))


@pytest.mark.parametrize("values", TABLES, ids=str)
def test_random_games_are_the_same(native, values):
    check_playouts(native, make("love-letter", **values), 5000, seed=len(str(values)))


def test_a_difference_is_an_error(native, monkeypatch):
    other = make("love-letter", tokens=2)
    monkeypatch.setattr(
        native, "playouts", lambda game, *rest: LoveLetterC.playouts(native, other, *rest)
    )
    with pytest.raises(DifferenceError, match="playouts of love-letter"):
        check_playouts(native, make("love-letter"), 100)


def test_without_c_the_kernel_is_measured_alone(monkeypatch):
    def missing(_compiler="cc"):
        raise NoCompilerError("no cc")

    monkeypatch.setattr(love_letter_kernels, "LoveLetterC", missing)
    monkeypatch.setattr(love_letter_kernels, "GAMES", {2: 20})
    native, why = native_side()
    row = love_letter_kernels.playout_row(native, 2, why)
    assert (row.name, row.against, row.ratio) == (
        "random rounds, 2 players",
        "skipped: no cc",
        None,
    )
    assert row.value > 0
