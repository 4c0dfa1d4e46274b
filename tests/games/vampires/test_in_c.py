"""The C that Vampires is compared with plays the same games; speed is no matter here."""

import numpy as np
import pytest
from games.vampires.maps import ALL
from helpers import need

from bench import vampires_kernels
from bench.against_c import DifferenceError, NoCompilerError, check_playouts
from bench.vampires_kernels import VampiresC, native_side
from joute.core.interface import start
from joute.core.random import generator
from joute.core.registry import make


@pytest.fixture(scope="module", name="native")
def _native():
    return VampiresC(need("cc"))


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("name", ["", *ALL])
def test_random_games_are_the_same(native, name, split, wrap):
    text = ALL.get(name, "")
    game = make("vampires", map=text, plies=100, split=split, wrap_counts=wrap)
    check_playouts(native, game, 300, seed=len(name))


def test_a_difference_is_an_error(native, monkeypatch):
    other = make("vampires", plies=100)
    monkeypatch.setattr(
        native, "playouts", lambda game, *rest: VampiresC.playouts(native, other, *rest)
    )
    with pytest.raises(DifferenceError, match="playouts of vampires"):
        check_playouts(native, make("vampires"), 100)


def test_states_of_other_words_are_refused(native):
    with pytest.raises(ValueError, match="states of int32 are not served"):
        native.playouts(make("vampires"), np.zeros(9, np.int32), 1, generator(1), np.zeros(2))


def test_without_c_the_kernel_is_measured_alone(monkeypatch):
    def missing(_compiler="cc"):
        raise NoCompilerError("no cc")

    monkeypatch.setattr(vampires_kernels, "VampiresC", missing)
    monkeypatch.setattr(vampires_kernels, "GAMES", {True: 20, False: 20})
    native, why = native_side()
    row = vampires_kernels.playout_row(native, False, why)
    assert (row.name, row.against, row.ratio) == (
        "playouts, 11 x 9, whole groups",
        "skipped: no cc",
        None,
    )
    assert row.value > 0
    assert start(make("vampires")).dtype == np.int16
