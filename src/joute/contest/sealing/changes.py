"""What differs between two sealed contests, named as their organiser knows it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from joute.contest.errors import Change
from joute.host.limits import Limits

TABLES = {
    "limits": Limits.__struct_fields__,
    "game": ("players", "maps", "opening"),
    "faults": ("max_restarts", "disqualify_after", "disqualify_for"),
}
"""Where a contest's file has the keys that do not stand in its table [contest]."""
NAMES = {"game": "game.name", "costs": "faults", "submission": "submission"}
MAPS = "game.maps"
BOT = ("content", "python", "memory")  # what is sealed of a bot besides its name
SHOWN = 60  # characters of a value


def terms_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """What is not as it was, of two values of `seal.sealed_terms`."""
    changes = list(_bots_changed(before["bots"], after["bots"]))
    changes += [
        Change("versions", "", str(before[key]), str(after[key]))
        for key in ("rules", "chance")
        if before[key] != after[key]
    ]
    one, other = before["configuration"], after["configuration"]
    for key in sorted({*one, *other}):
        changes += _key_changed(_key(key), one.get(key), other.get(key))
    return changes


def _bots_changed(before: list[Any], after: list[Any]) -> Iterator[Change]:
    one = {name: facts for name, *facts in before}
    other = {name: facts for name, *facts in after}
    yield from (Change("removed", name) for name in one if name not in other)
    yield from (Change("added", name) for name in other if name not in one)
    for name, facts in one.items():
        for kind, was, now in zip(BOT, facts, other.get(name, facts), strict=True):
            if was != now:
                yield Change(kind, name, _shown(was), _shown(now))
    if set(one) == set(other) and list(one) != list(other):
        yield Change("order")


def _key_changed(key: str, before: Any, after: Any) -> Iterator[Change]:
    if before == after:
        return
    if key != MAPS or [each["name"] for each in before] != [each["name"] for each in after]:
        yield Change("key", key, _shown(before), _shown(after))
        return
    for one, other in zip(before, after, strict=True):
        for name, was in one["parameters"].items():
            now = other["parameters"].get(name)
            if was != now:
                yield Change("key", f"game.{name}", _shown(was), _shown(now))


def _key(field: str) -> str:
    """A field of a configuration as the contest's file calls it."""
    if field in NAMES:
        return NAMES[field]
    table = next((table for table, keys in TABLES.items() if field in keys), "contest")
    return f"{table}.{field}"


def _shown(value: Any) -> str:
    """A value as short as a sentence can bear."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
