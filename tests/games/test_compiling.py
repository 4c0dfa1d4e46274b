"""Helpers of kernels are compiled with them, and serve other code of Numba’s all the same."""

import gc
from typing import NamedTuple

import numba
import numpy as np
import pytest
from llvmlite import ir as llvm
from numba.core import event

from joute.core.arrays import index
from joute.core.compiled import KernelError, checked_kernel, kernel
from joute.core.interface import inline
from joute.core.lowering import ShortBuilder, prune
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


@checked_kernel
def look_safely(ladder, values):
    found = -1
    try:
        found = first(values, ladder.rungs)
    except Exception:  # the only one that Numba knows
        found = -2
    return found


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


@kernel
def elements(ladder, cells, small, flags):
    """Reads and writes elements and rows, from the start and from the end."""
    last = ladder.rungs - 1 - len(cells)  # counts from the end
    row, slab = cells[index(1)], small[last]
    small[index(1), 0, -1] = cells[last, 2] + 0.75  # a float into bytes
    flags[ladder.rungs] = cells[0, 0] < row[1]
    row[-1] += 2
    cells[index(0), index(1)] = flags[ladder.rungs]
    return row[last] + 10 * slab[1, 0] + 100 * slab.size + 1000 * row.shape[0] + cells[1][2]


@kernel
def numbers(ladder, bytes_, words, reals):
    """Takes the greatest, the least and whole numbers of all kinds."""
    words[0] = int(reals[0]) + int(reals[0] > 0) + int(bytes_[0]) * 1000
    words[1] = max(bytes_[0], ladder.rungs) + min(words[1], reals[1] * 2)
    reals[2] = max(reals[0], ladder.rungs) - min(3, bytes_[1]) + max(1, 2, 3)
    return max(reals[0], np.nan) + min(ladder.rungs, True)


@kernel
def greatest(values, other):
    return max(values, other)


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


def test_elements_and_rows_are_as_in_python():
    results = []
    for call in (elements, elements.function):
        cells = np.arange(6, dtype=np.int64).reshape(2, 3)
        small, flags = np.arange(12, dtype=np.int8).reshape(2, 3, 2), np.zeros(3, np.bool_)
        found = call(Ladder(1), cells, small, flags)
        results.append((found, cells.tolist(), small.tolist(), flags.tolist()))
    assert results[0] == results[1]


@pytest.mark.parametrize("order", ["F", "every second"])
def test_elements_of_arrays_of_any_layout_are_as_in_python(order):
    wide = np.arange(24, dtype=np.int64).reshape(2, 12)
    cells = wide[:, :6:2] if order == "every second" else np.asfortranarray(wide[:, :3])
    small, flags = np.zeros((2, 3, 2), np.int8), np.zeros(3, np.bool_)
    copies = cells.copy(), small.copy(), flags.copy()
    assert elements(Ladder(1), cells, small, flags) == elements.function(Ladder(1), *copies)
    assert cells.tolist() == copies[0].tolist()


def test_int_max_and_min_of_numbers_are_as_in_python():
    results = []
    for call in (numbers, numbers.function):
        bytes_, words = np.array([7, 250], np.uint8), np.array([0, 5], np.int64)
        reals = np.array([-2.75, 1.25, 0.0])
        found = call(Ladder(9), bytes_, words, reals)
        results.append((found, words.tolist(), reals.tolist()))
    assert results[0] == results[1]


def test_a_builtin_of_something_else_than_numbers_is_told_by_its_name():
    with pytest.raises(KernelError, match=r"max\(array"):
        greatest(VALUES, 1)


def test_an_operation_that_is_resolved_once_is_resolved_for_other_types_too():
    short, real = np.array([3, 4], np.int16), np.array([3.5, 4.5])
    for values in (short, real, short):
        expected = difference.function(Ladder(1), values.copy())
        assert difference(Ladder(1), values) == expected


def test_an_index_out_of_range_in_a_helper_of_a_checked_kernel_is_an_error():
    assert look(Ladder(1), VALUES) == 4
    with pytest.raises(IndexError):
        look(Ladder(2), VALUES)


def test_an_error_in_a_helper_is_caught_by_a_kernel_that_does():
    assert look_safely(Ladder(1), VALUES) == 4
    assert look_safely(Ladder(2), VALUES) == -2


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


def test_instructions_that_nothing_uses_are_removed_and_others_stay():
    module = llvm.Module()
    whole, pair = llvm.IntType(64), llvm.LiteralStructType([llvm.IntType(64)] * 2)
    function = llvm.Function(module, llvm.FunctionType(whole, [pair, whole.as_pointer()]), "f")
    builder = ShortBuilder(function.append_basic_block())
    given, pointer = function.args
    number = builder.extract_value(builder.insert_value(given, whole(3), 0), 0)
    other = builder.extract_value(builder.insert_value(given, whole(3), 0), 1)
    builder.add(builder.load(pointer), other)  # used by nobody
    builder.store(number, pointer)
    builder.ret(other)
    prune(module)
    assert [each.opname for each in builder.block.instructions] == ["extractvalue", "store", "ret"]
    assert number == whole(3)
    assert other.aggregate is given
