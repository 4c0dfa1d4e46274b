"""Times that cannot be: the store's own clock against itself.

The clock of a machine may be wrong and be put right in the middle of a contest; a day is forgiven.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

FORGIVEN = timedelta(days=1)


def wrong(time: str, before: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """What is wrong with the time of a row that came after one of the time `before`.

    Each is the key of a sentence with its values.
    """
    at = _read(time)
    if at is None:
        yield "no_time", {"time": time}
        return
    if at > datetime.now(UTC) + FORGIVEN:
        yield "future", {"time": time}
    earlier = _read(before)
    if earlier is not None and at < earlier - FORGIVEN:
        yield "early", {"time": time, "before": before}


def _read(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
