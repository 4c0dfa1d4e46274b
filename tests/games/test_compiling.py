"""Helpers of kernels are compiled with them, and serve other code of Numba’s all the same."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

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


@kernel
def climb(ladder, values):
    return quarter(ladder.rungs) + first(values, 0) + doubled_by_closure(first(values, 1))


@checked_kernel
def look(ladder, values):
    return first(values, ladder.rungs)


VALUES = np.array([3, 4], np.int64)


def test_a_kernel_with_helpers_of_helpers_and_closures_is_as_its_python():
    assert climb(Ladder(40), VALUES) == climb.function(Ladder(40), VALUES) == 21


def test_an_index_out_of_range_in_a_helper_of_a_checked_kernel_is_an_error():
    assert look(Ladder(1), VALUES) == 4
    with pytest.raises(IndexError):
        look(Ladder(2), VALUES)


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
