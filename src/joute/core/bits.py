"""Sets of cells as bits of an int64, best below bit 63; with the sign bit see `wrapped`."""

from typing import Any

from numba import int64, types
from numba.extending import intrinsic, overload

from joute.core.random import INLINE


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


def wrapped(word: int) -> int:
    """The lowest 64 bits of a number as an int64: what compiled code keeps of it by itself."""
    return ((int(word) + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


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


@overload(wrapped, jit_options=INLINE)
def _compiled_wrapped(word):
    return lambda word: int64(word)  # noqa: PLW0108 - Numba wants a function of Python
