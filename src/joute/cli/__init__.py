"""The command line.

A program ends by its exit code: 0 done, 1 a check failed, 2 wrong use, 3 stopped by somebody or by
the machine, and resumable.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_ENDING = (signal.SIGTERM, signal.SIGHUP)
_INTERRUPTED = 3
_AGAIN = 0.01  # seconds until an interruption that was lost is repeated
# OpenBLAS interrupts the process that imports it where it may not start a thread for each core, and
# what it computes here depends on their number.
_THREADS = "OPENBLAS_NUM_THREADS"


def run() -> int:
    """Runs the program's own command line and returns its exit code.

    To be told to end, by whatever signal, is to be interrupted as by Ctrl-C: nothing is left behind
    and the exit code says so. A signal that was ignored stays so, as SIGHUP under `nohup`.
    """
    _open_streams()
    os.environ.setdefault(_THREADS, "1")
    try:
        for number in _ENDING:
            if signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, _interrupt)
        sys.unraisablehook = _interrupt_again
        if sys.argv[1:2] == ["__complete"]:  # a shell, at each Tab: nothing else is loaded
            from joute.cli.suggestions import answer

            print(answer(sys.argv[2:]))
            return 0
        from joute.cli.main import main

        return main()
    except KeyboardInterrupt:  # before the first command, or after the last
        return _INTERRUPTED
    except RuntimeError as error:  # so Python 3.11 tells what is raised while a class is made
        if isinstance(error.__cause__, KeyboardInterrupt):
            return _INTERRUPTED
        raise
    finally:
        for number in (signal.SIGINT, *_ENDING):
            signal.signal(number, signal.SIG_IGN)  # it ends anyway
        # An interruption that passed through code compiled from text, as that of a named tuple is,
        # makes Python end by SIGINT whatever its exit code, until such code has run to its end.
        exec("")  # noqa: S102


def _open_streams() -> None:
    """Opens the standard streams that were closed: else a file would take their number.

    What is printed by a process that is started would be written into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdin = sys.stdin or os.fdopen(0)
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a script
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)  # whoever serves has a way of its own to end


def _interrupt_again(lost: UnraisableHookArgs) -> None:
    """Repeats an interruption that hit a callback of the interpreter, which lets none through.

    Python tells what is raised in a destructor or in the callback of a weak reference, and goes on:
    whoever pressed Ctrl-C would read a traceback and see nothing end.
    """
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    from threading import Timer

    # From a thread, so that this callback has returned before the signal comes; sent to the whole
    # process, so that it wakes the main thread where that waits.
    Timer(_AGAIN, os.kill, [os.getpid(), signal.SIGINT]).start()
