"""A bot outside of a game: its author's terminal, the debugger, the profiler."""

import bdb
import contextlib
import cProfile
import os
import pdb  # noqa: T100 - it is what is asked for
import sys
import time

from . import channel, errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator

MOST_FUNCTIONS = 1000  # of a report


class TerminalChannel(channel.Channel):
    """Messages on two descriptors of their own; standard input and output stay the bot's."""

    def __init__(self, descriptors: str) -> None:
        """`descriptors`: to read from and to write to, as "5,6"."""
        self._reader, self._writer = map(int, descriptors.split(","))
        self._rest = b""


class Instrument:
    """The debugger or the profiler beside a bot's turns."""

    def __init__(self, purpose: str) -> None:
        """`purpose`: "post-mortem", "profile" or another."""
        self._post_mortem = purpose == "post-mortem"
        self._earlier = False  # whether the turn is one before those that are looked at
        self._profile = cProfile.Profile() if purpose == "profile" else None
        self._cpu_seconds = 0.0  # of the turns that were profiled
        if self._profile is not None:
            sys.breakpointhook = errors.refuse_debugger  # nobody is there

    def call(self, step: "Callable[..., Any]", message: "Dict[str, Any]") -> "Any":
        """The return value of a step of the bot; what it prints in an earlier turn is not shown."""
        self._earlier = bool(message.get("earlier"))
        if self._earlier:
            with _streams_to_nowhere():
                return step(message)
        if self._profile is None:
            return step(message)
        began = time.process_time()
        try:
            return self._profile.runcall(step, message)
        finally:
            self._cpu_seconds += time.process_time() - began

    def hear(self, error: Exception) -> None:
        """Opens the debugger where the bot raised an exception, if that is the purpose."""
        theirs = not isinstance(error, (bdb.BdbQuit, errors.CannotLoad, errors.IllegalAnswer))
        if self._post_mortem and theirs and not self._earlier:
            sys.stderr.write(errors.describe(error) + "\n")
            pdb.post_mortem(error.__traceback__)

    def report(self) -> "Dict[str, Any]":
        """The functions that took time, those with most of their own first.

        Their shares are measured on the wall, since asking for the CPU time at each call would take
        longer than most calls; the sum is the CPU time.
        """
        entries = self._profile.getstats() if self._profile else []
        whole = sum(entry.inlinetime for entry in entries)
        scale = 1000 * self._cpu_seconds / whole if whole else 0.0
        ours = [entry for entry in entries if _of_ours(entry.code)]
        found = []
        for entry in entries:
            calls, own, total = entry.callcount, entry.inlinetime, entry.totaltime
            if entry in ours:
                continue
            if isinstance(entry.code, str):
                for call in (each for one in ours for each in one.calls or ()):
                    if call.code == entry.code:
                        calls -= call.callcount
                        own -= call.inlinetime
                        total -= call.totaltime
            if calls > 0:
                times = {"calls": calls, "own_ms": own * scale, "total_ms": total * scale}
                found.append(dict(_named(entry.code), **times))
        found.sort(key=lambda each: -each["own_ms"])
        return {"type": "report", "functions": found[:MOST_FUNCTIONS]}


@contextlib.contextmanager
def _streams_to_nowhere() -> "Iterator[None]":
    """Standard streams that are empty and lost, and no breakpoints, for as long as it is open."""
    sys.stdout.flush()
    kept = [os.dup(number) for number in range(3)]
    nowhere = os.open(os.devnull, os.O_RDWR)
    hook = sys.breakpointhook
    sys.breakpointhook = lambda *_, **__: None
    try:
        for number in range(3):
            os.dup2(nowhere, number)
        yield
    finally:
        sys.stdout.flush()
        for number, stream in enumerate(kept):
            os.dup2(stream, number)
            os.close(stream)
        os.close(nowhere)
        sys.breakpointhook = hook


def _of_ours(code: "Any") -> bool:
    """Whether a function, by its code or the text that stands for it, is none of the bot's."""
    if isinstance(code, str):
        return "_lsprof.Profiler" in code
    return errors.is_ours(code.co_filename)


def _named(code: "Any") -> "Dict[str, Any]":
    """A function's name and place; what is built into Python has none."""
    if isinstance(code, str):  # as "<built-in method builtins.max>"
        return {"function": code, "file": "", "line": 0}
    name = getattr(code, "co_qualname", code.co_name)
    return {"function": name, "file": code.co_filename, "line": code.co_firstlineno}
