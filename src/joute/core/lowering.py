"""The lowering of Numba's intermediate code to LLVM's, in fewer instructions than Numba writes.

LLVM removes what is written in excess here, but that takes longer than all else in a compiler.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from typing import Any

from llvmlite import ir as llvm
from numba.core import ir, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.callconv import CPUCallConv
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.np.arrayobj import load_item, store_item

_OF_CONSTANTS = {operator.pow, operator.ipow}  # have implementations for constants
_SIGNATURES: dict[tuple[Any, Any], Any] = {}  # of operators, by the types of their operands
_ON_CHANCE = {"__array__", "static_getitem", "static_setitem"}
_NUMBERS = (types.Number, types.Boolean)
_PURE = (
    llvm.CastInstr, llvm.CompareInstr, llvm.instructions.ExtractValue,
    llvm.instructions.InsertValue, llvm.LoadInstr, llvm.SelectInstr, llvm.GEPInstr,
)  # fmt: skip
_MEMORY, _PARENT, _COUNT, _ITEM, _DATA, _SHAPE, _STRIDES = range(7)  # members of an array


class ShortBuilder(llvm.IRBuilder):  # type: ignore[misc]
    """A writer of instructions that takes what was put into an aggregate from where it was."""

    def extract_value(self, agg: Any, idx: Any, name: str = "") -> Any:
        """As its class, or the value that was inserted there."""
        wanted = list(idx) if isinstance(idx, list | tuple) else [idx]
        while isinstance(agg, llvm.instructions.InsertValue):
            put, shared = list(agg.indices), min(len(agg.indices), len(wanted))
            if put[:shared] != wanted[:shared]:
                agg = agg.aggregate
            elif len(put) <= len(wanted):
                agg, wanted = agg.value, wanted[len(put) :]
                if not wanted:
                    return agg
            else:
                break
        return super().extract_value(agg, wanted, name)


def prune(module: Any) -> None:
    """Removes instructions whose results are not used and that do nothing else."""
    instructions = [
        each for function in module.functions for block in function.blocks
        for each in block.instructions
    ]  # fmt: skip
    uses = Counter(id(operand) for each in instructions for operand in _operands(each))
    idle = [each for each in instructions if _is_pure(each) and not uses[id(each)]]
    removed = set()
    while idle:
        each = idle.pop()
        removed.add(id(each))
        for operand in each.operands:
            uses[id(operand)] -= 1
            if not uses[id(operand)] and _is_pure(operand):
                idle.append(operand)
    for function in module.functions:
        for block in function.blocks:
            block.instructions = [each for each in block.instructions if id(each) not in removed]


def _is_pure(value: Any) -> bool:
    """Whether a value is that of an instruction that does nothing but compute it."""
    return isinstance(value, _PURE) or type(value) is llvm.Instruction  # arithmetic


def _operands(instruction: Any) -> list[Any]:
    if isinstance(instruction, llvm.PhiInstr):
        return [value for value, _ in instruction.incomings]
    return list(instruction.operands)


class _ShortConvention(CPUCallConv):  # type: ignore[misc]
    """The convention by which functions that catch nothing call others."""

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Returns the error that a call has returned."""
        builder.store(status.excinfoptr, self._get_excinfo_argument(builder.function))
        self._return_errcode_raw(builder, status.code)


class _ShortContext(CPUContext):  # type: ignore[misc]
    """The processor, as functions that catch nothing are compiled for it."""

    @property
    def call_conv(self) -> _ShortConvention:
        """The convention by which others are called."""
        return _ShortConvention(self)

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """As its class, without a look at what is new where Numba asks on the off chance."""
        return super().get_function(fn, sig, _firstcall and fn not in _ON_CHANCE)


class ShortLower(Lower):  # type: ignore[misc]
    """Numba's translation, with fewer variables in memory and short access to elements.

    Numba keeps what is read in another block than it is assigned in, such as every argument, in
    memory, and reads all of it at each use: a game has hundreds of fields, which LLVM then takes
    apart. What is assigned once, before all that reads it, needs no memory. Nor does an array of
    which one element is read or written, or one row is looked at.
    """

    def init(self) -> None:
        """Has errors of calls returned at once, where nothing is caught."""
        super().init()
        if not self.func_ir.func_id.code.co_exceptiontable:
            self.context.__class__ = _ShortContext

    def _find_singly_assigned_variable(self) -> None:
        if self.func_ir.func_id.is_generator or self.context.enable_nrt:
            # What is counted is released where it is forgotten, on every path.
            super()._find_singly_assigned_variable()
            return
        self._singly_assigned_vars = set()
        self._blk_local_varmap: dict[str, Any] = {}
        blocks = self.func_ir.blocks
        assigned = Counter(each.target.name for block in blocks.values()
                           for each in block.find_insts(ir.Assign))  # fmt: skip
        read = defaultdict(set)
        known = compute_use_defs(blocks)
        for label, names in known.usemap.items():
            for name in names:
                read[name].add(label)
        dominators = compute_cfg_from_blocks(blocks).dominators()
        for label, names in known.defmap.items():
            for name in names:
                # Blocks are translated in the order of their labels.
                if assigned[name] == 1 and all(
                    label < each and label in dominators[each] for each in read[name]
                ):
                    self._singly_assigned_vars.add(name)

    def setup_function(self, fndesc: Any) -> None:
        """Declares the function, and begins to write it."""
        super().setup_function(fndesc)
        self.builder = ShortBuilder(self.entry_block)
        self.call_helper = self.call_conv.init_call_helper(self.builder)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """The value of an operation on two values.

        Numba would look for another implementation at each that has a constant.
        """
        one, other = self.typeof(expr.lhs.name), self.typeof(expr.rhs.name)
        if op in _OF_CONSTANTS or not (isinstance(one, _NUMBERS) and isinstance(other, _NUMBERS)):
            return super().lower_binop(resty, expr, op)
        signature = self.fndesc.calltypes[expr]
        function = self.context.typing_context.resolve_value_type(op)
        key = function, signature.args
        if key not in _SIGNATURES:
            _SIGNATURES[key] = function.get_call_type(self.context.typing_context, key[1], {})
        values = [
            self.context.cast(self.builder, self.loadvar(each.name), given, wanted)
            for each, given, wanted in zip(
                (expr.lhs, expr.rhs), (one, other), signature.args, strict=True
            )
        ]
        found = self.context.get_function(function, _SIGNATURES[key])(self.builder, values)
        return self.context.cast(self.builder, found, signature.return_type, resty)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """The value of `value[index]`."""
        kind = self.typeof(value.name)
        indices = self._places(kind, index)
        result = signature.return_type
        if indices is None or (
            len(indices) < kind.ndim
            and not (isinstance(result, types.Array) and result.layout == "C")
        ):
            return super().lower_getitem(resty, expr, value, index, signature)
        array = self.loadvar(value.name)
        pointer = self._pointer(array, indices)
        if len(indices) == kind.ndim:
            found = load_item(self.context, self.builder, kind, pointer)
        else:
            found = self._view(array, pointer, len(indices), result)
        return self.context.cast(self.builder, found, result, resty)

    def lower_setitem(self, target: Any, index: Any, value: Any, signature: Any) -> Any:
        """Writes `target[index] = value`."""
        kind, given = self.typeof(target.name), self.typeof(value.name)
        indices = self._places(kind, index)
        if indices is None or len(indices) < kind.ndim or not isinstance(given, _NUMBERS):
            return super().lower_setitem(target, index, value, signature)
        between = signature.args[2]
        number = self.context.cast(self.builder, self.loadvar(value.name), given, between)
        number = self.context.cast(self.builder, number, between, kind.dtype)
        pointer = self._pointer(self.loadvar(target.name), indices)
        store_item(self.context, self.builder, kind, number, pointer)
        return None

    def _places(self, kind: Any, index: Any) -> list[tuple[Any, Any]] | None:
        """The indices into an array of this type, with their types; None: this is left to Numba."""
        if self.context.enable_nrt or self.context.enable_boundscheck:
            return None
        if not (isinstance(kind, types.Array) and kind.layout == "C" and kind.aligned):
            return None
        if not isinstance(kind.dtype, _NUMBERS):
            return None
        found = self.typeof(index.name)
        kinds = tuple(getattr(found, "types", (found,)))
        whole = all(isinstance(each, types.Integer) for each in kinds)
        if not whole or not 0 < len(kinds) <= kind.ndim:
            return None
        value = self.loadvar(index.name)
        if found in kinds:
            return [(value, found)]
        return [(self.builder.extract_value(value, at), each) for at, each in enumerate(kinds)]

    def _pointer(self, array: Any, indices: list[tuple[Any, Any]]) -> Any:
        """The address of an element, or of the first of a row."""
        builder = self.builder
        shape = builder.extract_value(array, _SHAPE)
        place = None
        for axis in range(shape.type.count):
            size = builder.extract_value(shape, axis)
            if place is not None:
                place = builder.mul(place, size)
            if axis < len(indices):
                at = self._from_start(*indices[axis], size)
                place = at if place is None else builder.add(place, at)
        return builder.gep(builder.extract_value(array, _DATA), [place])

    def _from_start(self, number: Any, kind: Any, size: Any) -> Any:
        """An index that counts from the start, where a negative one counts from the end."""
        builder = self.builder
        wide = self.context.cast(builder, number, kind, types.intp if kind.signed else types.uintp)
        if not kind.signed or (isinstance(wide, llvm.Constant) and wide.constant >= 0):
            return wide
        negative = builder.icmp_signed("<", wide, wide.type(0))
        return builder.select(negative, builder.add(wide, size), wide)

    def _view(self, array: Any, pointer: Any, used: int, kind: Any) -> Any:
        """The array of this type at the pointer: the part of another that `used` indices select."""
        builder = self.builder
        old_shape = builder.extract_value(array, _SHAPE)
        old_strides = builder.extract_value(array, _STRIDES)
        made = llvm.Constant(self.context.get_value_type(kind), llvm.Undefined)
        for same in (_MEMORY, _PARENT, _ITEM):
            made = builder.insert_value(made, builder.extract_value(array, same), same)
        made = builder.insert_value(made, pointer, _DATA)
        count = None
        for axis in range(kind.ndim):
            size = builder.extract_value(old_shape, used + axis)
            stride = builder.extract_value(old_strides, used + axis)
            made = builder.insert_value(made, size, (_SHAPE, axis))
            made = builder.insert_value(made, stride, (_STRIDES, axis))
            count = size if count is None else builder.mul(count, size)
        return builder.insert_value(made, count, _COUNT)
