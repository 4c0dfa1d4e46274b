"""Nested tables as TOML, the inverse of reading; comments and layout are not kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from joute.contest.config.reading import toml_string

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(data: Mapping[str, Any]) -> str:
    """The tables as a file of TOML. Raises ValueError for a text that no file can hold."""
    lines: list[str] = []
    _put(lines, data, ())
    return "\n".join(lines).strip("\n") + "\n"


def _put(lines: list[str], table: Mapping[str, Any], path: tuple[str, ...]) -> None:
    """Writes a table's own keys, then the tables in it."""
    inner = {key: value for key, value in table.items() if _is_inner(value)}
    lines += [f"{_key(key)} = {_value(each)}" for key, each in table.items() if key not in inner]
    for key, value in inner.items():
        own = (*path, key)
        name = ".".join(map(_key, own))
        several = isinstance(value, list)
        for each in value if several else [value]:
            lines += ["", f"[[{name}]]" if several else f"[{name}]"]
            _put(lines, each, own)


def _is_inner(value: Any) -> bool:
    """Whether a value is a table of its own, or a list of nothing else."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, Mapping) for each in value)
    return isinstance(value, Mapping)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else toml_string(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        inner = (f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {', '.join(inner)} }}"
    return str(value)  # numbers, times
