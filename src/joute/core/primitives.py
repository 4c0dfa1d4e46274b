"""Functions that are a few of LLVM's instructions, written where they are called.

A call of a helper is inlined in the end, but until then it takes some twenty instructions, and most
calls in a kernel are of such functions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from numba.core import ir, types
from numba.core.typing.templates import infer, infer_global, make_intrinsic_template

F = TypeVar("F", bound=Callable[..., Any])

PRIMITIVES: set[Any] = set()
"""All functions that are primitives."""

_NUMBERS = (types.Number, types.Boolean)


def primitive(function: Any) -> Callable[[F], F]:
    """Decorates a definition of `function`, as `numba.extending.intrinsic` would.

    It has Numba's typing context and types of arguments, and returns the signature and a function
    that writes the instructions; None for types that the function does not take.
    """

    def register(definition: F) -> F:
        template = make_intrinsic_template(function, definition, function.__name__)
        PRIMITIVES.add(function)
        infer(template)
        infer_global(function, types.Function(template))
        return definition

    return register


def replace_builtins(blocks: Any) -> None:
    """Has the blocks of a function call primitives for `int`, `max` and `min` of numbers."""
    loaded: dict[str, Any] = {}
    for _, block in sorted(blocks.items()):
        for each in block.find_insts(ir.Assign):
            value = each.value
            if isinstance(value, ir.Global | ir.FreeVar):
                loaded[each.target.name] = value
            elif isinstance(value, ir.Expr) and value.op == "call" and value.func.name in loaded:
                function = loaded[value.func.name]
                if isinstance(function.value, Hashable) and not value.kws and not value.vararg:
                    key = function.value, len(value.args)
                    function.value = _BUILTINS.get(key, function.value)


def _of_numbers(builtin: Any) -> Any:
    """A function that stands for a builtin, with its name in messages."""

    def stand_in(*_numbers: Any) -> Any:
        raise NotImplementedError

    stand_in.__name__ = stand_in.__qualname__ = builtin.__name__
    return stand_in


_int, _max, _min = map(_of_numbers, (int, max, min))
_BUILTINS = {(int, 1): _int, (max, 2): _max, (min, 2): _min}


@primitive(_int)
def _whole(_context: Any, number: Any) -> Any:
    if not isinstance(number, _NUMBERS) or isinstance(number, types.Complex):
        return None
    result = number if number in types.unsigned_domain else types.int64

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return context.cast(builder, arguments[0], number, result)

    return result(number), generate


@primitive(_max)
def _larger(context: Any, one: Any, other: Any) -> Any:
    return _chosen(context, one, other, operator.gt)


@primitive(_min)
def _smaller(context: Any, one: Any, other: Any) -> Any:
    return _chosen(context, one, other, operator.lt)


def _chosen(context: Any, one: Any, other: Any, compare: Any) -> Any:
    """The second of two numbers where it compares so to the first, else the first, as Python."""
    if not isinstance(one, _NUMBERS) or not isinstance(other, _NUMBERS):
        return None
    kind = context.unify_types(one, other)
    if kind is None:
        return None

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        first, second = arguments
        preferred = context.get_function(compare, types.boolean(kind, kind))
        return builder.select(preferred(builder, (second, first)), second, first)

    return kind(kind, kind), generate
