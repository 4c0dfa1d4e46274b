"""Primitives that make kernels as fast as C on arrays and on sets of bits; plain in Python.

A set of cells is the bits of an int64, best below bit 63; with the sign bit see `wrapped`.
"""

from typing import Any

from numba import int64, types
from numba.core import cgutils, errors

from joute.core.compiling import shared_overload
from joute.core.primitives import primitive
from joute.core.random import INLINE


def _cast(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Writes a conversion of the argument to the type of the result."""
    return context.cast(builder, arguments[0], signature.args[0], signature.return_type)


def index(number: int) -> int:
    """The number, promised not to be negative: compiled code then does not count from the end.

    For use between brackets only: the compiled number is unsigned, and differences would wrap.
    """
    return number


@primitive(index)
def _compiled_index(_context: Any, number: Any) -> Any:
    return types.uint64(number), _cast


def signed(number: Any) -> int:
    """A number read from an unsigned array as an int of either sign.

    Compiled code keeps it unsigned otherwise: differences wrap, and sums with ints are floats.
    """
    return int(number)


@primitive(signed)
def _compiled_signed(_context: Any, number: Any) -> Any:
    return types.int64(number), _cast


def copy(target: Any, source: Any) -> None:
    """Copies one state to another of the same length and type; they must not overlap."""
    for place in range(len(source)):
        target[place] = source[place]


@primitive(copy)
def _compiled_copy(_context: Any, target: Any, source: Any) -> Any:
    if target.dtype != source.dtype:
        raise errors.TypingError(f"copy: from an array of {source.dtype} to one of {target.dtype}")

    # A loop over few words, how many is known at run time only, makes searches a tenth slower.
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, of = (
            context.make_array(kind)(context, builder, array)
            for kind, array in zip(signature.args, arguments, strict=True)
        )
        cgutils.raw_memcpy(builder, to.data, of.data, of.nitems, of.itemsize)
        return context.get_dummy_value()

    return types.none(target, source), generate


def popcount(word: int) -> int:
    """The number of bits that are set, of 64."""
    return (int(word) & (1 << 64) - 1).bit_count()  # of a negative number Python counts others


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
    """The lowest 64 bits of a number as an int64, which are all that compiled code keeps of it."""
    return ((int(word) + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


@primitive(popcount)
def _compiled_popcount(_context: Any, _word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@primitive(lowest)
def _compiled_lowest(_context: Any, _word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero_is_undefined = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], zero_is_undefined)

    return types.int64(types.int64), generate


@shared_overload(kth, INLINE)
def _compiled_kth(word, rank):
    # A binary search by popcounts of the lower half, in arithmetic: `below` is -1 or 0. Written
    # with comparisons it becomes branches, and of those every second one is mispredicted.
    def compiled(word, rank):
        place = int64(0)
        rest = int64(rank)
        for width in (32, 16, 8, 4, 2, 1):
            count = popcount((int64(word) >> place) & ((int64(1) << width) - 1))
            below = (rest - count) >> 63
            place += width & ~below
            rest -= count & ~below
        return place

    return compiled


@primitive(wrapped)
def _compiled_wrapped(_context: Any, word: Any) -> Any:
    return types.int64(word), _cast
