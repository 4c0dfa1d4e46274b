"""How Numba compiles kernels and what they inline, without what takes time and is never used.

By default every function that a kernel calls gets machine code of its own, with a wrapper for C
that inlines it once more, though nobody calls it but kernels, which inline it. Here such a function
stays intermediate code, optimised as before: kernels differ from what they would be by some 1 % of
their instructions.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import AnnotateTypes, DumpParforDiagnostics, NativeLowering
from numba.core.untyped_passes import InlineClosureLikes, MakeFunctionToJitFunction

_IDLE = {AnnotateTypes, DumpParforDiagnostics}  # they tell people what was done
_OF_CLOSURES = {InlineClosureLikes, MakeFunctionToJitFunction}


class _NoEnvironments:
    """The place of environments of functions that are not loaded: they are set with the kernel."""

    def set_env(self, _name: str, _environment: Any) -> None:
        return


class HelperLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that others inline or link; it is never loaded by itself."""

    @property
    def codegen(self) -> Any:
        """Where environments are set."""
        return _NoEnvironments()

    def _finalize_final_module(self) -> None:
        """Makes no machine code of the optimised module, as others would."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """0: there is no machine code."""
        self._ensure_finalized()
        return 0


@register_pass(mutates_CFG=True, analysis_only=False)
class _HelperLowering(NativeLowering):  # type: ignore[misc]
    """Lowers into a library that is not loaded."""

    _name = "helper_lowering"

    def run_pass(self, state: Any) -> bool:
        """As its class."""
        state.library = HelperLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return bool(super().run_pass(state))


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

    lowering: type = NativeLowering

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returned: Any,
                 flags: Flags, local: Any) -> None:  # fmt: skip
        super().__init__(typing, target, library, args, returned, _Flags(flags), local)

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
        passes.passes = [
            (self.lowering if each is NativeLowering else each, told)
            for each, told in passes.passes
            if each not in idle
        ]
        passes.finalize()
        return [passes]


class HelperCompiler(_Compiler):
    """The compiler of functions that kernels inline."""

    lowering = _HelperLowering


class KernelCompiler(_Compiler):
    """The compiler of kernels."""
