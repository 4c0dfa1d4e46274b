"""What kernels need to handle arrays as fast as C does; plain functions in Python."""

from typing import Any

from numba import int64, types, uint64
from numba.core import cgutils, errors
from numba.extending import intrinsic, overload

from joute.core.random import INLINE


def index(number: int) -> int:
    """The number, promised not to be negative: compiled code then does not count from the end.

    For use between brackets only: what it is compiled to is unsigned, and differences would wrap.
    """
    return number


@overload(index, jit_options=INLINE)
def _compiled_index(number):
    return lambda number: uint64(number)  # noqa: PLW0108 - Numba wants a function of Python


def signed(number: Any) -> int:
    """A number read from an unsigned array as an int of either sign.

    Compiled code keeps it unsigned otherwise: differences wrap, and sums with ints are floats.
    """
    return int(number)


@overload(signed, jit_options=INLINE)
def _compiled_signed(number):
    return lambda number: int64(number)  # noqa: PLW0108 - as above


def copy(target: Any, source: Any) -> None:
    """Copy one state to another of the same length and type; they must not overlap."""
    for place in range(len(source)):
        target[place] = source[place]


@overload(copy, jit_options=INLINE)
def _compiled_copy(target, source):
    return lambda target, source: _memcpy(target, source)  # noqa: PLW0108 - as above


@intrinsic
def _memcpy(context: Any, target: Any, source: Any) -> Any:
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
