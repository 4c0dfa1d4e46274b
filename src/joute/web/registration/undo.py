"""Changes of stored objects that hold whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec


@contextmanager
def undoing(root: msgspec.Struct) -> Iterator[None]:
    """Undoes what is changed in an object and in those below it, if the block ends with an error.

    The objects stay the same, for whoever holds one.
    """
    before = [(each, _values(each)) for each in _structs(root)]
    try:
        yield
    except BaseException:
        for each, values in before:
            for name, value in values.items():
                setattr(each, name, value)
        raise


def _structs(value: Any) -> Iterator[msgspec.Struct]:
    """The objects that can be changed, in a value and below."""
    if isinstance(value, list):
        for each in value:
            yield from _structs(each)
    elif isinstance(value, msgspec.Struct) and not value.__struct_config__.frozen:
        yield value
        for name in value.__struct_fields__:
            yield from _structs(getattr(value, name))


def _values(struct: msgspec.Struct) -> dict[str, Any]:
    """The values of an object; of a list a copy, because it is changed in place."""
    found = {name: getattr(struct, name) for name in struct.__struct_fields__}
    return {name: [*each] if isinstance(each, list) else each for name, each in found.items()}
