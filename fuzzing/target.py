"""A target: the part of Joute that is fuzzed, the cases that it takes, what must hold of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple

from hypothesis.strategies import SearchStrategy

MODULES = {
    "api": "fuzzing.targets.api",
    "archives": "fuzzing.targets.archives",
    "commands": "fuzzing.targets.commands",
    "frames": "fuzzing.targets.frames",
    "maps": "fuzzing.targets.maps",
    "process": "fuzzing.targets.process",
    "protocol": "fuzzing.targets.protocol",
    "records": "fuzzing.targets.records",
    "sockets": "fuzzing.targets.sockets",
    "toml": "fuzzing.targets.toml",
    "words": "fuzzing.targets.words",
}
"""The module of each target."""

Pool = Sequence[bytes]
"""Cases to start from: right ones, and those that failed once."""


class Target(NamedTuple):
    """The functions of a target's module."""

    name: str
    check: Callable[[bytes], str]
    """Gives a case to what is tested: "" if it is accepted, else the refusal in words. Whatever it
    raises is a bug."""
    seeds: Callable[[], list[bytes]]
    """Right cases: each is accepted."""
    cases: Callable[[Pool], SearchStrategy[bytes]]
    """Cases made from those of the pool."""
    cpu_seconds: float
    """That a case may take."""


CPU_SECONDS = 10.0


def load(name: str) -> Target:
    """The target of that name, or of the module of that dotted name. Raises KeyError."""
    module = import_module(name if "." in name else MODULES[name])
    seconds = getattr(module, "CPU_SECONDS", CPU_SECONDS)
    short = name.rpartition(".")[2]
    return Target(short, module.check, module.seeds, module.cases, seconds)
