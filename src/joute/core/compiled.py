"""Kernels: generic functions over games, compiled once per game class and kept on disk.

Numba's dispatchers tell NamedTuple classes apart by name and field types only, so two games of one
name would share one compiled entry: wrong rules, then a corrupted heap. Hence one dispatcher per
kernel and classes of its arguments. A dispatcher of the second class of a name would take each call
for one of the first, and go through all of Numba's compiler to find that it need not compile; so
such classes have their entries found by `_Namesake`.
"""

import functools
import linecache
import operator
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core.errors import NumbaError, UnsupportedBytecodeError

import joute
from joute.core.compiling import KernelCompiler
from joute.core.errors import GameError
from joute.core.kernel_cache import cache_key, kept
from joute.i18n.words import Sentence

_OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
    "pipeline_class": KernelCompiler,
}
# Indices are checked where `numba.config` says so, in all that is compiled meanwhile. An option
# that all operations inherit and that changes nothing else keeps that code apart from any other.
_CHECKED = {"fastmath": {"afn"}}
_ALLOCATES = ("NRT required", "built-in function zeros", "built-in function empty",
              "built-in function ones", "built-in function hash", "class 'str'", "class 'list'",
              "class 'dict'", "class 'set'")  # fmt: skip
# Numba also raises plain errors, as where a function has another number of parameters.
_UNCOMPILED = (NumbaError, UnsupportedBytecodeError, AssertionError, NotImplementedError,
               TypeError, ValueError)  # fmt: skip
_NUMBERS = (numba.types.Number, numba.types.Boolean)
_MAKERS = {"arange", "array", "asarray", "concatenate", "copy", "empty_like", "full", "ones_like",
           "repeat", "sort", "stack", "where", "zeros_like"}  # fmt: skip
_COPIED = re.compile(r"copy: from an array of (\w+) to one of (\w+)")
_LOCK = threading.Lock()  # numba.config is shared by all threads
_INTERPRETING: ContextVar[bool] = ContextVar("interpreting", default=False)
_FIRST: dict[str, type] = {}  # the first class of each name that a kernel was called with


class Kernel:
    """A function over a game, compiled for the classes of the NamedTuples it is called with.

    `kernel.function` is the plain Python it was made from. Kernels allocate nothing: they are
    handed arrays to work in, one set per thread, and they release the GIL.
    """

    def __init__(self, function: Callable[..., Any], checked: bool = False) -> None:
        self.function = function
        self._checked = checked
        self._entries: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self.dispatchers: dict[tuple[type, ...], Callable[..., Any]] = {}
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        classes = tuple(type(argument) for argument in arguments if hasattr(argument, "_fields"))
        dispatcher = self.dispatchers.get(classes)
        if dispatcher is None or _INTERPRETING.get():
            dispatcher = self._dispatcher(classes)
        if dispatcher is self.function:  # what it raises is not the kernel's affair
            return dispatcher(*arguments)
        try:
            if self._checked:
                return self._entry(dispatcher, arguments)(*arguments)
            return dispatcher(*arguments)
        except _UNCOMPILED as error:
            raise _explained_error(arguments, error) from None

    def bound(self, *arguments: Any) -> Callable[..., Any]:
        """The code for arguments of these types, which does not look at types any more.

        A call takes a fifth of a microsecond, a usual one several. The caller answers for the types
        of what it hands over: arrays of others are read as memory that is not theirs.
        """
        classes = tuple(type(argument) for argument in arguments if hasattr(argument, "_fields"))
        dispatcher = self._dispatcher(classes)
        if not hasattr(dispatcher, "compile"):  # plain Python
            return dispatcher
        try:
            if self._checked:
                return self._entry(dispatcher, arguments)
            code: Callable[..., Any] = dispatcher.compile(tuple(map(numba.typeof, arguments)))
        except _UNCOMPILED as error:
            raise _explained_error(arguments, error) from None
        return code

    def _dispatcher(self, classes: tuple[type, ...]) -> Callable[..., Any]:
        if _INTERPRETING.get():
            return self.function
        with _LOCK:
            if classes not in self.dispatchers:
                plain = any(getattr(each, "interpreted", False) for each in classes)
                self.dispatchers[classes] = self.function if plain else self._told_apart(classes)
            return self.dispatchers[classes]

    def _entry(self, dispatcher: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """The code for arguments of these types, which checks indices."""
        types = tuple(map(numba.typeof, arguments))
        entry: Callable[..., Any] | None = self._entries.get((dispatcher, types))
        if entry is None:
            with _LOCK:
                before, numba.config.BOUNDSCHECK = numba.config.BOUNDSCHECK, 1
                try:
                    entry = self._entries[dispatcher, types] = dispatcher.compile(types)
                finally:
                    numba.config.BOUNDSCHECK = before
        return entry

    def _told_apart(self, classes: tuple[type, ...]) -> Callable[..., Any]:
        dispatcher = self._compile(classes)
        first = all(_FIRST.setdefault(each.__name__, each) is each for each in classes)
        return dispatcher if first or dispatcher is self.function else _Namesake(dispatcher)

    def _compile(self, classes: tuple[type, ...]) -> Callable[..., Any]:
        key = cache_key(classes)
        options = _OPTIONS | _CHECKED if self._checked else _OPTIONS
        if key is None:
            return numba.njit(**options)(self.function)
        return kept(self.function, key, options)


@contextmanager
def interpreting() -> Iterator[None]:
    """Runs all kernels as plain Python, in this thread and until the end of the block.

    Nothing is compiled or loaded meanwhile. What is made meanwhile may keep plain functions: it is
    slow for good, and to be thrown away.
    """
    before = _INTERPRETING.set(True)
    try:
        yield
    finally:
        _INTERPRETING.reset(before)


def is_interpreting() -> bool:
    """Whether kernels run as plain Python just now, see `interpreting`."""
    return _INTERPRETING.get()


class _Namesake:
    """A dispatcher for classes of which others have the names; finds its entries by itself."""

    def __init__(self, dispatcher: Any) -> None:
        self.compile = dispatcher.compile
        self._dispatcher = dispatcher
        self._entries: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        kinds = tuple(map(_kind, arguments))
        entry = self._entries.get(kinds)
        if entry is None:
            entry = self._entries[kinds] = self.compile(tuple(map(numba.typeof, arguments)))
        return entry(*arguments)

    @property
    def signatures(self) -> list[Any]:
        """The types of arguments that it is compiled for, as a dispatcher's."""
        signatures: list[Any] = self._dispatcher.signatures
        return signatures


def _kind(value: Any) -> Any:
    """The same for two values only if Numba gives them the same type."""
    if isinstance(value, np.ndarray):
        return type(value), value.dtype, value.ndim, value.flags.num
    if isinstance(value, tuple):
        return type(value), *map(_kind, value)
    if isinstance(value, float | bool):
        return type(value)
    return numba.typeof(value)


def kernel(function: Callable[..., Any]) -> Kernel:
    """Makes a function over a game a kernel; its first argument is the game.

    Numba compiles it where it is first used, together with the search that calls it. It works on
    numbers and on the arrays that it is given, makes no arrays, and takes the values of global
    names as constants. A call raises GameError, with the line of the author's own source, if it
    cannot be compiled.
    """
    from joute.core.arguments import wrong

    if not isinstance(function, FunctionType) or not function.__name__.isidentifier():
        raise wrong("kernel", function, "named")
    return Kernel(function)


def checked_kernel(function: Callable[..., Any]) -> Kernel:
    """The same, slower: an index out of range raises IndexError, where it is undefined else."""
    return Kernel(function, checked=True)


class KernelError(GameError):
    """A function that cannot be compiled; names the author's file and line."""


class Uncompiled(NamedTuple):
    """An operation of a game that cannot be compiled by itself."""

    operation: str
    reason: object  # a sentence
    file: str
    line: int
    source: str  # the line


def uncompiled(game: Any, operations: Iterable[str] = ()) -> Iterator[Uncompiled]:
    """The operations of a game, of these or of all kernels, that cannot be compiled, and why."""
    from joute.core.interface import rules_of

    rules, shapes = rules_of(type(game)), _shapes(game)
    for name in operations or shapes:
        if name not in rules or name not in shapes:
            continue
        try:
            types = tuple(numba.typeof(each) for each in (game, *shapes[name]))
            numba.njit(**_OPTIONS)(rules[name]).compile(types)
        except _UNCOMPILED as error:
            yield _told(name, rules[name], error)


def _shapes(game: Any) -> dict[str, tuple[Any, ...]]:
    """The arguments of each operation that is compiled, after the game."""
    from joute.core.interface import properties, start

    facts = properties(game)
    state, rng = np.array(start(game)), np.zeros(2, np.uint64)
    out, weights = np.zeros(1, np.int32), np.zeros(1)
    values, row = np.zeros(facts.players), np.zeros(1, np.float32)
    return {
        "mover": (state,),
        "legal": (state, out),
        "play": (state, 0),
        "returns": (state, values),
        "chances": (state, out, weights),
        "draw": (state, out, weights, rng),
        "pick": (state, out, rng),
        "mask": (state, np.zeros(1, np.bool_), out),
        "points": (state, 0),
        "lead_bounds": (state, 0),
        "pending": (state,),
        "promise": (state, 0),
        "seen": (state, 0, 0),
        "determinize": (state, 0, rng),
        "features": (state, 0, row),
        "evaluate": (state, 0),
        "prefer": (state, out, weights),
    }


def _explained_error(arguments: tuple[Any, ...], error: Exception) -> Exception:
    """An error of Numba's in the words of authors.

    It is of one of the game's operations, of a kernel that a caller gave, or of a line elsewhere.
    """
    game = arguments[0]
    found = next(uncompiled(game), None) if hasattr(game, "_fields") else None
    if found is None:
        found = _uncompiled_given(game, arguments) or _outside(str(error))
    if found is None:
        return error
    values = found._asdict()
    return KernelError(Sentence("error.kernel", **values))


def _uncompiled_given(game: Any, arguments: tuple[Any, ...]) -> Uncompiled | None:
    """The first kernel of a caller among the arguments that cannot be compiled, and why.

    The class of such an argument has `given`: the operation that it implements, and the function.
    """
    for each in arguments:
        operation, function = getattr(type(each), "given", ("", None))
        if function is None:
            continue
        types = tuple(numba.typeof(value) for value in (game, *_shapes(game)[operation]))
        try:
            code = numba.njit(**_OPTIONS)(function)
            code.compile(types)
        except _UNCOMPILED as error:
            return _told(function.__name__, function, error)
        result = code.overloads[types].signature.return_type
        if operation == "evaluate" and not isinstance(result, _NUMBERS):
            file, line = _place_in(function, "", None)
            source = linecache.getline(file, line).strip()
            reason = Sentence("error.kernel.result", found=result)
            return Uncompiled(function.__name__, reason, file, line, source)
    return None


def _outside(text: str) -> Uncompiled | None:
    """The last line that an error names and that is neither Joute's nor a library's."""
    package = str(Path(joute.__file__).parent)
    named = [
        (str(Path(each[1]).resolve()), int(each[2]), each.start())
        for each in re.finditer(r'File "(.+?)", line (\d+)', text)
    ]
    libraries = (package, "site-packages")
    own = [each for each in named if not any(known in each[0] for known in libraries)]
    if not own:
        return None
    file, line, at = own[-1]
    before = [each.strip() for each in text[:at].splitlines() if each.strip()]
    wanted = [each for each in before if each.startswith("No implementation of function")]
    calls = [each.removeprefix(">>> ") for each in before if each.startswith(">>>")]
    reason = _quoted(wanted[-1] if wanted else before[-1])
    if wanted and calls:
        reason = _no_function(calls[-1].partition("(")[0], calls[-1])
    if any(each in text for each in _ALLOCATES):
        reason = Sentence("error.kernel.allocates")
    elif copied := _COPIED.search(text):
        reason = Sentence("error.kernel.copy", source=copied[1], target=copied[2])
    source = linecache.getline(file, line).strip()
    name = re.search(r"def (\w+)", text[at:])
    return Uncompiled(name[1] if name else "?", reason, file, line, source)


def _told(operation: str, function: Callable[..., Any], error: Exception) -> Uncompiled:
    text = str(error)
    file, line = _place_in(function, text, getattr(error, "loc", None))
    lines = [each.strip() for each in text.splitlines() if each.strip()]
    meat = [each for each in lines if not each.startswith(("Failed in", "During", ">>>", "File "))]
    first = meat[0] if meat else lines[0]
    reason = _quoted(first)
    if any(each in text for each in _ALLOCATES):
        reason = Sentence("error.kernel.allocates")
    elif found := re.match(
        r"No implementation of function Function\(<.*?(\w+)'?( at 0x\w+)?>\)", first
    ):
        given = next((each.removeprefix(">>> ") for each in lines if each.startswith(">>>")), "")
        reason = _no_function(found[1], given)
    return Uncompiled(operation, reason, file, line, linecache.getline(file, line).strip())


def _quoted(reason: str) -> Sentence:
    """Numba's own words, but for those that an author reads most."""
    if found := re.search(r"NameError: name '(\w+)' is not defined", reason):
        return Sentence("error.kernel.name", name=found[1])
    if found := re.search(r"Untyped global name '(\w+)': .*<class 'function'>", reason):
        return Sentence("error.kernel.helper", name=found[1])
    if found := re.search(r"Unknown attribute '(\w+)' of type ([\w.]+)", reason):
        return Sentence("error.kernel.attribute", name=found[1], type=found[2])
    return Sentence("error.kernel.numba", reason=reason.partition(" Raised from ")[0])


def _no_function(name: str, call: str) -> Sentence:
    if name in _MAKERS:
        return Sentence("error.kernel.allocates")
    kind = "operator" if hasattr(operator, name) else "function"
    return Sentence(f"error.kernel.{kind}", name=name, call=call)


def _place_in(function: Callable[..., Any], text: str, place: Any) -> tuple[str, int]:
    """The line that an error is about: the last one that it names in the function's own file."""
    code = function.__code__
    named = re.findall(r"(?:at|from) (\S+) \((\d+)\)", text)
    if place is not None:
        named.append((place.filename, str(place.line)))
    here = Path(code.co_filename).resolve()
    own = [int(line) for file, line in named if Path(file).resolve() == here]
    return code.co_filename, own[-1] if own else code.co_firstlineno
