"""One case tried on a target: accepted, refused, or a bug with its signature."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from fuzzing.bounds import WAITED, LeftOpenError, SlowError, TooSlow, bounded, open_files
from fuzzing.target import Target

_ROOT = Path(__file__).resolve().parents[1]
_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|\d+|[^\x20-\x7e]+")
_FRAMES = 12  # of a traceback that are shown, the innermost
_LONGEST = 80  # characters of a refusal that tell it from others


class Bug(NamedTuple):
    """A bug that a case brought to light."""

    signature: str
    """Tells bugs apart: the exception, and the place in Joute where it came from."""
    words: str
    """The traceback."""


class Ended(NamedTuple):
    """The end of a case; `bug` is None where all is as it should be."""

    refusal: str
    """In words, without what is particular to the case; "" if it was accepted."""
    bug: Bug | None = None


def tried(target: Target, case: bytes) -> Ended:
    """The end of a case. One that takes too long or leaves files open is tried once more.

    The first time something may be compiled, imported or opened for good.
    """
    try:
        before = open_files()
        refusal = _checked(target, case)
        if open_files() > before:
            before = open_files()
            refusal = _checked(target, case)
            if (after := open_files()) > before:
                raise LeftOpenError(f"{after - before} files more are open after it")
    except Exception as error:
        lines = "".join(traceback.format_exception(error, limit=-_FRAMES))
        return Ended("", Bug(_signature(error), lines))
    return Ended(_PARTICULAR.sub("_", refusal)[:_LONGEST])


def _checked(target: Target, case: bytes) -> str:
    for last in (False, True):
        try:
            with bounded(target.cpu_seconds):
                return target.check(case)
        except TooSlow as slow:
            if last:
                most = target.cpu_seconds
                message = f"took more than {most:g} s of CPU, or waited for {most * WAITED:g} s"
                raise SlowError(message).with_traceback(slow.__traceback__) from None
    raise AssertionError


def _signature(error: BaseException) -> str:
    """The kind of the exception, and the deepest function of Joute's that it came through."""
    while error.__cause__ is not None and isinstance(error, RuntimeError):
        error = error.__cause__
    place = _place(error.__traceback__)
    if isinstance(error, SlowError):  # it is interrupted anywhere
        place = place.partition(":")[0]
    return f"{type(error).__name__} in {place}"


def _place(trace: TracebackType | None) -> str:
    found = "an unknown place"
    for frame in traceback.extract_tb(trace):
        path = Path(frame.filename)
        if _ROOT in path.parents and ".venv" not in path.parts and path.parent.name != "fuzzing":
            found = f"{path.relative_to(_ROOT)}:{frame.name}"
    return found
