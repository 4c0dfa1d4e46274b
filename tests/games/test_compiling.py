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


@kernel
def difference(ladder, values):
    values[0] += values[ladder.rungs] - ladder.rungs
    return values[0] * 2


@checked_kernel
def look(ladder, values):
    return first(values, ladder.rungs)


@kernel
def tangle(ladder, values):
    """Reads variables in other blocks than those that assign them, which some paths leave out."""
    high = ladder.rungs > 3
    if high:
        kept = values[0] * 2
    total = place = last = 0
    while True:
        total += 10 * last
        if place == len(values):
            break
        last = values[place]
        place += 1
        if last < 0:
            continue
        for step in range(place):
            scaled = last * step
            if scaled > 5:
                total += scaled
    return total + kept if high else total


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


@pytest.mark.parametrize("rungs", [0, 3, 4])
@pytest.mark.parametrize("values", [[], [-1], [7, -2, 9, 4], [1, 2, 3, 4, 5, 6]])
def test_what_is_assigned_in_one_branch_or_round_is_read_in_another_as_in_python(rungs, values):
    given = np.array([*values, 1], np.int64)
    assert tangle(Ladder(rungs), given) == tangle.function(Ladder(rungs), given)


def test_an_operation_that_is_resolved_once_is_resolved_for_other_types_too():
    short, real = np.array([3, 4], np.int16), np.array([3.5, 4.5])
    for values in (short, real, short):
        expected = difference.function(Ladder(1), values.copy())
        assert difference(Ladder(1), values) == expected


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
