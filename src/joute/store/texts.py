"""Lists and objects as the text of a column, the same text for the same content."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def text_of(value: Any) -> str:
    """Compact JSON."""
    return _encode(value)


def faults_text(faults: Sequence[Any]) -> str:
    """A game's faults; most games have none, which is the empty text."""
    return text_of(faults) if faults else ""


def tuple_of(text: str) -> tuple[Any, ...]:
    """A list made text, as a tuple. Raises ValueError or TypeError for what is none."""
    found = json.loads(text)
    if not isinstance(found, list):
        raise ValueError("it is no list")
    return tuple(found)
