"""Numba's compiling of kernels and their helpers, without what takes time and is never used.

A *helper* is a function that kernels call or inline. By default it gets machine code of its own,
with a wrapper for C that inlines it once more, though only kernels use it. Here a helper stays
intermediate code, simplified by itself; it is optimised where it ends up, in the kernel.

By default a helper is compiled anew for each width of its integers, because an element of an array
of int16 is no int64, and for each set of options of its callers. Here integers are widened when a
helper is called, as Numba's arithmetic would do in its first line, and callers share its code.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, CodeType
from typing import Any, ClassVar, TypeVar

from llvmlite.binding import create_new_function_pass_manager
from numba import njit, types
from numba.core import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import (
    AnnotateTypes,
    DumpParforDiagnostics,
    NativeLowering,
    NopythonRewrites,
    NopythonTypeInference,
)
from numba.core.typing.templates import (
    infer,
    infer_global,
    make_overload_template,
)
from numba.core.untyped_passes import InlineClosureLikes, MakeFunctionToJitFunction

from joute.core.lowering import ShortLower, prune
from joute.core.primitives import PRIMITIVES, replace_builtins

F = TypeVar("F", bound=Callable[..., Any])

_IDLE = {AnnotateTypes, DumpParforDiagnostics}  # they tell people what was done
_OF_CLOSURES = {InlineClosureLikes, MakeFunctionToJitFunction}
_REMEMBERED: set[Any] = {bool, len}
_REMEMBERED |= {each for each in vars(operator).values() if isinstance(each, BuiltinFunctionType)}
_MAKING = ("unary", "binop", "call")  # what may make an array of others
_PLAIN = (types.Number, types.Boolean, types.Array)


class _NoEnvironments:
    """The place of environments of functions that are not loaded: they are set with the kernel."""

    def set_env(self, _name: str, _environment: Any) -> None:
        return


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel with its helpers: optimised once, when all of it is together."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Takes the code of a function, without what is not used."""
        prune(ir_module)
        super().add_ir_module(ir_module)

    def _optimize_functions(self, ll_module: Any) -> None:
        """Simplifies functions as Numba wrote them, which makes them a fraction of their size."""
        ll_module.data_layout = self._codegen._data_layout
        builder = self._codegen._pass_builder()
        passes = create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        passes.add_dead_code_elimination_pass()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Optimises in full, without the pass before it that is for counts of references."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class _HelperLibrary(_KernelLibrary):
    """The code of a function that others inline or link; it is never loaded by itself."""

    @property
    def codegen(self) -> Any:
        """The code library, where environments are set."""
        return _NoEnvironments()

    def _optimize_final_module(self) -> None:
        """Leaves this to the kernel."""

    def _finalize_final_module(self) -> None:
        """Makes no machine code of the module, as others would."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """0: there is no machine code."""
        self._ensure_finalized()
        return 0


class _Typing:
    """A typing context that resolves what is called once for the same types of numbers and arrays.

    Numba goes through all implementations of an operator at each of its uses.
    """

    _known: ClassVar[dict[tuple[Any, ...], Any]] = {}

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, func: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """The signature of a function that is called with arguments of these types."""
        function = getattr(func, "typing_key", func)
        if kws or (function not in _REMEMBERED and function not in PRIMITIVES):
            return self._context.resolve_function_type(func, args, kws)
        return self._resolved(
            func, args, lambda: self._context.resolve_function_type(func, args, kws)
        )

    def resolve_setitem(self, *args: Any) -> Any:
        """The signature of an assignment: the types of the array, the index and the value."""
        return self._resolved(operator.setitem, args, lambda: self._context.resolve_setitem(*args))

    def _resolved(self, func: Any, args: tuple[Any, ...], resolve: Callable[[], Any]) -> Any:
        if not all(isinstance(each, _PLAIN) for each in args):
            return resolve()
        key = func, args
        if key not in self._known:
            self._known[key] = resolve()
        return self._known[key]


@register_pass(mutates_CFG=True, analysis_only=False)
class _Inference(NopythonTypeInference):  # type: ignore[misc]
    """Numba's inference of types, which remembers what it resolved."""

    _name = "remembering_type_inference"

    def run_pass(self, state: Any) -> bool:
        """As its class."""
        replace_builtins(state.func_ir.blocks)
        context = state.typingctx
        state.typingctx = _Typing(context)
        try:
            return bool(super().run_pass(state))
        finally:
            state.typingctx = context


@register_pass(mutates_CFG=True, analysis_only=False)
class _Rewrites(NopythonRewrites):  # type: ignore[misc]
    """Numba's fusion of operations on whole arrays, where there are any."""

    _name = "array_rewrites"

    def run_pass(self, state: Any) -> bool:
        """As its class."""
        made = any(
            isinstance(state.typemap.get(each.target.name), types.Array)
            and isinstance(each.value, ir.Expr) and each.value.op in _MAKING
            for block in state.func_ir.blocks.values() for each in block.find_insts(ir.Assign)
        )  # fmt: skip
        return made and bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):  # type: ignore[misc]
    """Lowers into the library of a kernel."""

    _name = "kernel_lowering"
    lowering_class = ShortLower
    library: type = _KernelLibrary

    def run_pass(self, state: Any) -> bool:
        """As its class."""
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _HelperLowering(_KernelLowering):
    """Lowers into a library that is not loaded."""

    _name = "helper_lowering"
    library = _HelperLibrary


class _SettledFlags(Flags):  # type: ignore[misc]
    """Options that do not change any more.

    Numba looks them up, as a key of what it compiled, at every call that it resolves.
    """

    def __init__(self, flags: Flags) -> None:
        super().__init__(flags)
        self._all: dict[str, Any] = super().values()
        self._hash: int = super().__hash__()

    def values(self) -> dict[str, Any]:
        """All options."""
        return self._all

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or bool(super().__eq__(other))


class _Flags(Flags):  # type: ignore[misc]
    """Options of a function; Numba goes by a copy of them while it compiles it."""

    def copy(self) -> _SettledFlags:
        """A copy that does not change."""
        return _SettledFlags(self)


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's passes, but for those that have nothing to do."""

    lowering: type = _KernelLowering

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returned: Any,
                 flags: Flags, local: Any) -> None:  # fmt: skip
        super().__init__(typing, target, library, args, returned, _Flags(flags), local)

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """As its class, without looking for garbage meanwhile: that takes a tenth of the time."""
        with _garbage_kept():
            return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        passes = PassManager("nopython")
        for part in (
            DefaultPassBuilder.define_untyped_pipeline(self.state),
            DefaultPassBuilder.define_typed_pipeline(self.state),
            DefaultPassBuilder.define_nopython_lowering_pipeline(self.state),
        ):
            passes.passes.extend(part.passes)
        idle = _IDLE
        if not any(isinstance(each, CodeType) for each in self.state.func_id.code.co_consts):
            idle = idle | _OF_CLOSURES
        replaced = {
            NativeLowering: self.lowering,
            NopythonRewrites: _Rewrites,
            NopythonTypeInference: _Inference,
        }
        passes.passes = [
            (replaced.get(each, each), told) for each, told in passes.passes if each not in idle
        ]
        passes.finalize()
        return [passes]


class HelperCompiler(_Compiler):
    """The compiler of functions that kernels inline."""

    lowering = _HelperLowering


class KernelCompiler(_Compiler):
    """The compiler of kernels."""


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """Has Python collect no garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class _SharedTemplate:
    """The typing of calls of a helper: with wide integers, and code that its callers share."""

    def generic(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """The signature of a call with arguments of these types."""
        wide = {name: _widened(each) for name, each in kws.items()}
        return super().generic(tuple(map(_widened, args)), wide)  # type: ignore[misc]

    def _get_impl(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """The dispatcher for arguments of these types, and the types."""
        key = args, tuple(kws.items()), _inherited()
        known = self._impl_cache.get(key)  # type: ignore[attr-defined]
        return known or self._build_impl(key, args, kws)  # type: ignore[attr-defined]

    def _get_jit_decorator(self) -> Callable[..., Any]:
        """Makes dispatchers, once for each function and options."""
        return _shared_dispatcher


_DISPATCHERS: dict[tuple[Any, ...], Any] = {}


def _shared_dispatcher(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator like `njit` whose results are shared."""

    def decorate(function: Callable[..., Any]) -> Any:
        key = function, tuple(options.items()), _inherited()
        if key not in _DISPATCHERS:
            _DISPATCHERS[key] = njit(**options)(function)
        return _DISPATCHERS[key]

    return decorate


def _inherited() -> Any:
    """The options that a helper has from its caller, all others being its own."""
    flags = ConfigStack.top_or_none()
    return None if flags is None else frozenset(flags.fastmath.flags)


def _widened(kind: Any) -> Any:
    """The type of an argument as a helper is compiled for it."""
    narrow = isinstance(kind, types.Integer) and kind.signed and kind.bitwidth < types.intp.bitwidth
    return types.int64 if narrow else kind


def shared_overload(function: Any, options: dict[str, Any]) -> Callable[[F], F]:
    """Decorates a function of types that returns the compiled implementation of `function`.

    As `numba.extending.overload`, but the implementation is a shared helper.
    """

    def register(implementation: F) -> F:
        quiet = {"no_cpython_wrapper": True}
        base = make_overload_template(function, implementation, quiet | options, False, "never")
        template = type(base)(base.__name__, (_SharedTemplate, base), {})
        infer(template)
        infer_global(function, types.Function(template))
        return implementation

    return register


def shared_helper(options: dict[str, Any]) -> Callable[[F], F]:
    """Decorates a function that kernels may call, and that stays a function in Python."""

    def register(function: F) -> F:
        def implementation(*_arguments: Any, **_named: Any) -> F:
            return function

        shared_overload(function, options)(implementation)
        return function

    return register
