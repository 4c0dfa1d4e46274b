"""Helpers of kernels are compiled with them, and serve other code of Numba’s all the same."""

import gc
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import event

from joute.core.compiled import checked_kernel, kernel
from joute.core.interface import inline
from joute.core.random import CALLED, bits, generator


class Ladder(NamedTuple):
    """The argument of the kernels below."""

    rungs: int


@inline
def half(number):
    return number // 2


@inline
def quarter(number):
    return half(half(number))


@inline
def first(values, place):
    return values[place]


@inline
def doubled_by_closure(number):
    def twice(value):
        return 2 * value

    return twice(number)


@inline
def third(number):
    return number // 3


@inline
def third_of_first(values):
    return third(values[0])


@kernel
def thirds(ladder, short, long):
    return third(short[0]) + third(long[0]) + third_of_first(short) + third(ladder.rungs)


@kernel
def climb(ladder, values):
    return quarter(ladder.rungs) + first(values, 0) + doubled_by_closure(first(values, 1))


@checked_kernel
def look(ladder, values):
    return first(values, ladder.rungs)


VALUES = np.array([3, 4], np.int64)


class Compiled(event.Listener):
    """The names of the functions that Numba compiles meanwhile."""

    def __init__(self):
        self.names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event):
        pass


def test_a_kernel_with_helpers_of_helpers_and_closures_is_as_its_python():
    assert climb(Ladder(40), VALUES) == climb.function(Ladder(40), VALUES) == 21


def test_an_index_out_of_range_in_a_helper_of_a_checked_kernel_is_an_error():
    assert look(Ladder(1), VALUES) == 4
    with pytest.raises(IndexError):
        look(Ladder(2), VALUES)


def test_a_helper_is_compiled_once_for_integers_of_all_widths_and_all_its_callers(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path))  # where nothing is compiled yet
    short, long = np.array([-9], np.int16), np.array([12], np.int64)
    compiled = Compiled()
    with event.install_listener("numba:compile", compiled):
        assert thirds(Ladder(30), short, long) == -3 + 4 - 3 + 10
    assert sorted(compiled.names) == ["third", "third_of_first", "thirds"]


def test_garbage_is_collected_again_after_a_kernel_is_compiled():
    assert climb(Ladder(4), VALUES.astype(np.int32)) == 1 + 3 + 8
    assert gc.isenabled()


def test_a_function_compiled_by_numba_itself_may_call_helpers():
    @numba.njit
    def call(number, rng):
        return quarter(number), bits(rng)

    assert call(40, generator(1)) == (10, bits(generator(1)))


def test_a_helper_has_no_machine_code_of_its_own():
    helper = numba.njit(**CALLED)(half)
    helper.compile((numba.int64,))
    (compiled,) = helper.overloads.values()
    assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) == 0
    assert "half" in compiled.library.get_llvm_str()
