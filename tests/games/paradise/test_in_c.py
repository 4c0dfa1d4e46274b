"""The C that Paradise is compared with plays the same games; speed is no matter here."""

import pytest
from helpers import need

from bench import paradise_kernels
from bench.against_c import DifferenceError, NoCompilerError, check_playouts
from bench.paradise_kernels import ParadiseC, native_side
from joute.core.registry import make


@pytest.fixture(scope="module", name="native")
def _native():
    return ParadiseC(need("cc"))


@pytest.mark.parametrize("quirks", [True, False])
def test_random_games_are_the_same(native, quirks):
    check_playouts(native, make("paradise", quirks=quirks), 3000, seed=3)


def test_a_difference_is_an_error(native, monkeypatch):
    other = make("paradise", quirks=True)
    monkeypatch.setattr(
        native, "playouts", lambda game, *rest: ParadiseC.playouts(native, other, *rest)
    )
    with pytest.raises(DifferenceError, match="playouts of paradise"):
        check_playouts(native, make("paradise"), 100)


def test_without_c_the_kernel_is_measured_alone(monkeypatch):
    def missing(_compiler="cc"):
        raise NoCompilerError("no cc")

    monkeypatch.setattr(paradise_kernels, "ParadiseC", missing)
    monkeypatch.setattr(paradise_kernels, "GAMES", 20)
    first, second = paradise_kernels.playout_rows(*native_side())
    assert (first.name, first.against, first.ratio) == (
        "playouts, dealing included",
        "skipped: no cc",
        None,
    )
    assert second.value == pytest.approx(first.value / 8.6)
