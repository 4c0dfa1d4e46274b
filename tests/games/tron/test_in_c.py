"""Tron alone in C does exactly what the kernel does; speed is no matter here."""

import numpy as np
import pytest
from games.tron.maps import OPEN
from helpers import need

from bench import tron_kernels
from bench.against_c import DifferenceError, NoCompilerError
from bench.tron_kernels import SoloC, check_lanes, flat_row, form_row, native_row
from joute.core.interface import start
from joute.core.maps import find_map
from joute.core.registry import make


@pytest.fixture(scope="module", name="native")
def _native():
    return SoloC(need("cc"))


def solo(text):
    return make("tron", map=text, players=1)


@pytest.mark.parametrize("text", ["", OPEN, find_map("tron", "workshop")])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 500])
def test_random_games_are_the_same(native, text, count):
    game = solo(text)
    check_lanes(native, game, start(game), count, seed=count)
    check_lanes(native, game._replace(width=0), start(game), count, seed=count)


def test_a_difference_is_an_error(native):
    class Other:
        def lanes(self, game, root, count, rng, room):
            return native.lanes(game, root, count + 1, rng, room)

    game = solo("")
    with pytest.raises(DifferenceError, match="Tron alone"):
        check_lanes(Other(), game, start(game), 10)


def test_states_of_larger_words_are_refused(native):
    game = solo("")
    with pytest.raises(ValueError, match="of uint8, got uint16"):
        native.lanes(game, start(game).astype(np.uint16), 1, None, None)


def test_without_c_the_kernel_is_measured_alone(monkeypatch):
    monkeypatch.setattr(tron_kernels, "GAMES", 20)
    row = native_row(None, solo(""), "skipped: no C")
    assert row.value > 0
    assert (row.against, row.ratio, row.met) == ("skipped: no C", None, None)


def test_the_rows_say_what_was_measured(monkeypatch):
    monkeypatch.setattr(tron_kernels, "GAMES", 20)
    monkeypatch.setattr(tron_kernels, "ROUNDS", 1)
    row = form_row("NumPy", 5, lambda: None, 130)
    assert row.against.startswith("NumPy: ") and row.met is not None
    assert form_row("Python", 5, lambda: None, None).met is None
    assert flat_row(2).value > 0


def test_without_a_c_compiler_the_row_says_why(monkeypatch):
    def missing():
        raise NoCompilerError("no C compiler 'cc' on the PATH")

    monkeypatch.setattr(tron_kernels, "SoloC", missing)
    monkeypatch.setattr(tron_kernels, "GAMES", 20)
    assert next(tron_kernels.rows()).against == "skipped: no C compiler 'cc' on the PATH"
