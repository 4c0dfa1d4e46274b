"""Errors inside a bot, told in the bot's own terms."""

import importlib
import os
import re
import reprlib
import traceback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, List, Optional

TEXT_BYTES = 4096
_HEAD_BYTES = 1024
_LAST_BYTES = 2816  # of the last line; `bounded` keeps more of an end
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+>")  # of an object: another one in each turn
_NOTHING_TYPED = ("EOF when reading a line",)  # as `input` says it
_NO_TERMINAL = (
    "a bot has no terminal in a game; joute debug RECORD@PLY BOT plays one position of a record in "
    "yours"
)
# How the files of lines begin that no traceback shows: ours, and those of the import machinery.
_left_out = {os.path.dirname(os.path.abspath(__file__)), "<frozen ", str(importlib.__file__)}


class CannotLoad(Exception):
    """There is no bot in the file, and the message says what was looked for."""


class IllegalAnswer(Exception):
    """The bot answered something that is no action, and the message says what."""


class NoTerminal(Exception):
    """The bot asked for a debugger."""


def refuse_debugger(*_: object, **__: object) -> None:
    """Takes the place of `breakpoint()` in a game. Raises NoTerminal."""
    raise NoTerminal


def of_terminal(error: BaseException) -> str:
    """The sentence on a bot that wants a terminal, with the bot's line; "" for other errors."""
    kind = type(error)
    debugger = kind.__name__ in ("NoTerminal", "BdbQuit")  # `bdb` is not imported only to compare
    if not debugger and not (kind is EOFError and error.args == _NOTHING_TYPED):
        return ""
    library = os.path.dirname(os.__file__)
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if not is_ours(each.filename, library)]
    return f"{own[-1].filename}, line {own[-1].lineno}: {_NO_TERMINAL}" if own else ""


def leave_out(files: "Iterable[str]") -> None:
    """Leaves the lines of these files out of tracebacks from here on."""
    _left_out.update(files)


def describe(error: BaseException) -> str:
    """The traceback of `error` without our own frames, of at most 4 kB."""
    try:
        whole = traceback.TracebackException.from_exception(error)
        _clean(whole, [])
        text = "".join(whole.format())
    except Exception:  # the bot's exception may be unable to say what it is
        text = type(error).__name__ + " (its text could not be made)\n"
    before, newline, last = text.rstrip("\n").rpartition("\n")
    return bounded(before + newline + _beginning(last))


def _beginning(line: str) -> str:
    """The last line of a traceback, which is shown alone in places: the type stands at its head."""
    data = line.encode("utf-8", "backslashreplace")
    if len(data) <= _LAST_BYTES:
        return line
    head = data[:_LAST_BYTES].decode("utf-8", "ignore")
    return f"{head} [... {len(data) - _LAST_BYTES} bytes more ...]"


def bounded(text: str, limit: int = TEXT_BYTES) -> str:
    """`text`, or its beginning and its end if it is longer than `limit` bytes; always Unicode."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) > limit:
        head = min(_HEAD_BYTES, limit // 4)
        cut = b"\n[... %d bytes more ...]\n" % (len(data) - limit)
        data = data[:head] + cut + data[len(data) - (limit - head - len(cut)) :]
    return data.decode("utf-8", "ignore")


def shown(answer: object, limit: int = 200) -> str:
    """An answer as it prints, bounded; its type if it does not print."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = limit
    try:
        text = short.repr(answer)
    except Exception:  # a bot's own class may fail to print
        text = "an object of " + repr(type(answer))
    text = _ADDRESS.sub(">", text).encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= limit else text[:limit] + "..."


def _clean(error: "Optional[traceback.TracebackException]", seen: "List[int]") -> None:
    """Removes what no traceback shows from `error` and from what caused it."""
    if error is None or id(error) in seen:
        return
    seen.append(id(error))
    kept = [frame for frame in error.stack if not is_ours(frame.filename)]
    error.stack[:] = kept
    _clean(error.__cause__, seen)
    _clean(error.__context__, seen)


def is_ours(filename: str, *others: str) -> bool:
    """Whether no traceback shows a file; neither those that begin with `others`."""
    return filename.startswith((*_left_out, *others))
