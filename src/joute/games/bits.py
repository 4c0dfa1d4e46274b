"""Sets of cells as bits of an int64 below bit 63: the sign bit stays out of it."""

from typing import Any

from llvmlite import ir
from numba import int64, types, uint64
from numba.core import cgutils
from numba.extending import intrinsic, overload

from joute.games.random import INLINE


def popcount(word: int) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: int) -> int:
    """The index of the lowest bit set; the word must not be 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def kth(word: int, rank: int) -> int:
    """The index of the bit set that has `rank` bits set below it (rank 0: the lowest)."""
    word = int(word)
    for _ in range(rank):
        word &= word - 1
    return lowest(word)


def index(number: int) -> int:
    """The number, promised not to be negative: compiled code then does not count from the end."""
    return number


@overload(index, jit_options=INLINE)
def _compiled_index(number):
    return lambda number: uint64(number)


def copy(target: Any, source: Any) -> None:
    """Copy the words of a state, or of a row of states, to another."""
    for place in range(len(source)):
        target[place] = source[place]


@intrinsic
def _copy(context: Any, target: Any, source: Any) -> Any:
    # States of 32 to 64 bytes are copied as two overlapping halves, without calling memcpy.
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, of = (
            builder.bitcast(
                context.make_array(kind)(context, builder, array).data, ir.IntType(8).as_pointer()
            )
            for kind, array in zip(signature.args, arguments, strict=True)
        )
        states = context.make_array(source)(context, builder, arguments[1])
        size = builder.mul(states.itemsize, states.nitems)
        half = ir.Constant(size.type, 32)
        rest = builder.sub(size, half)
        with builder.if_else(builder.icmp_unsigned("<=", rest, half)) as (small, large):
            with small:
                for place in (ir.Constant(size.type, 0), rest):
                    cgutils.raw_memcpy(
                        builder, builder.gep(to, [place]), builder.gep(of, [place]), half, 1
                    )
            with large:
                cgutils.raw_memcpy(builder, to, of, size, 1)
        return context.get_dummy_value()

    return types.none(target, source), generate


@overload(copy, jit_options=INLINE)
def _compiled_copy(target, source):
    return lambda target, source: _copy(target, source)


@intrinsic
def _ctpop(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero_is_undefined = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], zero_is_undefined)

    return types.int64(types.int64), generate


@overload(popcount, jit_options=INLINE)
def _compiled_popcount(word):
    return lambda word: _ctpop(int64(word))


@overload(lowest, jit_options=INLINE)
def _compiled_lowest(word):
    return lambda word: _cttz(int64(word))


@overload(kth, jit_options=INLINE)
def _compiled_kth(word, rank):
    # A binary search by popcounts of the lower half, in arithmetic: `below` is -1 or 0. Written
    # with comparisons it becomes branches, and of those every second one is mispredicted.
    def compiled(word, rank):
        place = int64(0)
        rest = int64(rank)
        for width in (32, 16, 8, 4, 2, 1):
            count = _ctpop((int64(word) >> place) & ((int64(1) << width) - 1))
            below = (rest - count) >> 63
            place += width & ~below
            rest -= count & ~below
        return place

    return compiled
