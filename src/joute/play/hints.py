"""Advice to the author of a bot on a fault: what to do about the usual mistakes."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Iterable, Iterator

from joute.host.adapters import adapters
from joute.host.limits import BotLimits
from joute.host.protocol import Fault
from joute.i18n.recognised import recognised
from joute.i18n.words import Sentence
from joute.text import last_line

IDLE_SECONDS = 0.5  # of CPU, below which a bot that did not answer was waiting
_LIBRARY = sys.stdlib_module_names
_SILENT = ("error.answer.none", "error.answer.none.bank")
_NO_MESSAGE = "no message of the protocol: "
_MARK = "'\\ufeff"  # a byte order mark at the beginning of a line that is quoted
_PLACE = re.compile(r'^ *File "([^"\n]+)", line (\d+)', re.MULTILINE)
_KEY = re.compile(r"^KeyError: '([^'\n]*)'$", re.MULTILINE)
_MODULE = re.compile(r"^(?:ModuleNotFound|Import)Error: No module named '([^'\n]+)'", re.MULTILINE)
_SIGNATURE = re.compile(
    r"^TypeError: .*\b(\w+)\(\) (?:takes|missing|got an unexpected)", re.MULTILINE
)
_METHOD = re.compile(r"^AttributeError: 'Bot' object has no attribute 'play'", re.MULTILINE)
_OWN = ("play", "start", "end", "__init__")  # functions that Joute's own interfaces call
_TERMINAL = re.compile(r"\b(?:BdbQuit|EOFError: EOF when reading a line)\b")
_NETWORK = re.compile(
    r"gaierror|Name or service not known|Temporary failure in name resolution"
    r"|Network is unreachable|getaddrinfo"
)
_REFUSED = re.compile(
    r"PermissionError|Permission denied|Operation not permitted|Read-only file system|EACCES|EPERM"
)
_FORMAT = re.compile(r"Exec format error")
_NOT_RUN = re.compile(
    r"\bcannot run |can't open file |Cannot find module '[^'\n]*'(?!\nRequire stack:)"
)
_MISSING = re.compile(
    r"FileNotFoundError|No such file or directory|ENOENT"
    r"|Cannot find module |ClassNotFoundException|/[^\s:]+: not found$",
    re.MULTILINE,
)
_RECURSION = re.compile(r"^RecursionError\b", re.MULTILINE)
_ENCODING = re.compile(r"^Unicode(?:De|En)codeError\b", re.MULTILINE)
_MEMORY = re.compile(
    r"\bMemoryError\b|\bbad_alloc\b|\bOutOfMemoryError\b|heap out of memory"
    r"|memory allocation of \d+ bytes failed|Cannot allocate memory|\bENOMEM\b"
)
_NOTHING = re.compile(r"answered None\b")
_LATER = re.compile(r"answered <(?:coroutine|generator|async_generator) object\b")
_DIGITS = re.compile(r"^'-?\d+' is not an action\b")
_NO_ENTRY = re.compile(r"^none of bot\.py, ")
_NO_FUNCTION = re.compile(r"^no bot in \S+\.py, nor any function or class: ", re.MULTILINE)
_EXIT = re.compile(r"^SystemExit\b", re.MULTILINE)

Keys = Callable[[], Iterable[str]]
"""The keys of an observation, asked for where one is missing."""


def hints(fault: str, detail: str, output: str = "", keys: Keys = tuple) -> list[Sentence]:
    """Sentences that may help the author, by a fault's code, its detail and what was printed."""
    said = f"{detail}\n{output}"
    found = [
        *_of_memory(fault, said),
        *_of_time(fault, detail),
        *_of_protocol(fault, detail),
        *_of_module(detail, output),
        *_of_exception(detail, said, keys),
    ]
    # Files of a library stand there by their paths in it.
    places = [each for each in _PLACE.findall(detail) if not _in_library(each[0])]
    if len({file for file, _ in places}) > 1:
        file, line = places[-1]
        found.insert(0, Sentence("hint.place", file=file, line=line))
    return found


def _of_memory(fault: str, said: str) -> Iterator[Sentence]:
    if fault == Fault.MEMORY or _MEMORY.search(said):
        yield Sentence("hint.memory", most=BotLimits().memory_mb)


def _of_time(fault: str, detail: str) -> Iterator[Sentence]:
    told = recognised(detail)
    if isinstance(told, Sentence) and told.key in _SILENT:
        spent = float(str(told.values["cpu"]).replace(",", "."))
        if spent < IDLE_SECONDS:
            yield Sentence("hint.ready" if fault == Fault.START_UP else "hint.flush")


def _of_protocol(fault: str, detail: str) -> Iterator[Sentence]:
    """Advice on the standard output, where a line there was no message."""
    if detail.startswith(_NO_MESSAGE):
        wanted = "action" if fault == Fault.PROTOCOL else "ready"
        yield Sentence(f"hint.protocol.{wanted}")
    elif fault == Fault.PROTOCOL:
        yield Sentence("hint.protocol")
    if _MARK in detail:
        yield Sentence("hint.mark")


def _in_library(file: str) -> bool:
    return file.split("/", maxsplit=1)[0].removesuffix(".py") in _LIBRARY


def _of_module(detail: str, output: str) -> Iterator[Sentence]:
    """Advice on a module that is not there: to a bot, or to a program that printed so last."""
    own = _MODULE.search(detail)
    if found := own or _MODULE.match(last_line(output)):
        name = found[1].split(".")[0]
        kind = ".joute" if name == "joute" else "" if own else ".program"
        yield Sentence(f"hint.module{kind}", name=name)


def _of_exception(detail: str, said: str, keys: Keys) -> Iterator[Sentence]:
    if found := _KEY.search(detail):
        known = list(keys())
        near = difflib.get_close_matches(found[1], known, n=1, cutoff=0.5)
        if near and found[1] not in known:
            yield Sentence("hint.key.near", key=found[1], near=near[0], known=", ".join(known))
        elif known and found[1] not in known:
            yield Sentence("hint.key", key=found[1], known=", ".join(known))
    if found := _SIGNATURE.search(detail):
        yield from _of_signature(found[1])
    elif _METHOD.search(detail):
        yield Sentence("hint.signature")
    for pattern, key, text in (
        (_NOTHING, "nothing", detail),
        (_LATER, "later", detail),
        (_DIGITS, "digits", detail),
        (_EXIT, "exit", detail),
        (_NO_ENTRY, "sources", detail),
        (_NO_FUNCTION, "function", detail),
        (_RECURSION, "recursion", detail),
        (_ENCODING, "encoding", detail),
        (_TERMINAL, "terminal", said),
    ):
        if pattern.search(text):
            yield Sentence(f"hint.{key}")
    if _NETWORK.search(said):
        yield Sentence("hint.network")
    elif _REFUSED.search(said):
        yield Sentence("hint.refused")
    elif _FORMAT.search(said):
        yield Sentence("hint.format")
    elif _NOT_RUN.search(said):
        yield Sentence("hint.not_run")
    elif _MISSING.search(said):
        yield Sentence("hint.missing")


def _of_signature(name: str) -> Iterator[Sentence]:
    """The way in which an interface calls the function of this name, if one does."""
    if name in _OWN:
        yield Sentence("hint.signature")
        return
    for interface, module in adapters().items():
        if re.search(rf"\bdef {re.escape(name)}\(", module.WANTED):
            yield Sentence("hint.signature.other", interface=interface, wanted=module.WANTED)
