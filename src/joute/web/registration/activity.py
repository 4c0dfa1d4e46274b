"""The days of a contest at a glance: who has handed in what, when, and who is late or missing."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from joute.web.registration.store import EntryVersion, Participant, Registration

USUAL_DAYS = 14  # shown before the deadline of a contest whose beginning is not known
_EDGE = 2.0  # percent of the width that is left free at either end


class HandIn(NamedTuple):
    """A version on the line of its participant."""

    at: float  # percent of the width
    version: EntryVersion
    late: bool


class Activity(NamedTuple):
    """The hand-ins up to now, on lines from the beginning of a contest to its last moment."""

    rows: dict[str, list[HandIn]]  # by participant
    deadline: float  # percent of the width
    now: float | None  # None once it is over
    first: str  # ISO 8601, the moments at both ends
    last: str
    handed: int  # participants with a version
    ready: int  # with one that takes part
    late: int  # whose newest version came late
    missing: int


def activity(registration: Registration, now: datetime) -> Activity:
    """The activity of a contest up to a moment."""
    people = registration.participants
    sent = [_moment(version) for each in people for version in each.versions]
    deadline = datetime.fromisoformat(registration.deadline)
    created = registration.created_at or None
    begun = [datetime.fromisoformat(created)] if created else []
    first = min([*sent, *begun, *([] if created else [deadline - timedelta(days=USUAL_DAYS)])])
    extended = [registration.deadline_of(each) for each in people]
    last = max([*sent, *extended, deadline, first + timedelta(hours=1)])
    first = min(first, deadline)

    def at(moment: datetime) -> float:
        share = (moment - first) / (last - first)
        return round(_EDGE + (100 - 2 * _EDGE) * share, 2)

    rows = {
        each.identity: [
            HandIn(at(_moment(version)), version, is_late(registration, each, version))
            for version in each.versions
        ]
        for each in people
    }
    handed = [each for each in people if each.versions]
    return Activity(
        rows=rows,
        deadline=at(deadline),
        now=at(now) if now < last else None,
        first=first.isoformat(timespec="seconds"),
        last=last.isoformat(timespec="seconds"),
        handed=len(handed),
        ready=len(registration.entries),
        late=sum(is_late(registration, each, each.versions[-1]) for each in handed),
        missing=len(people) - len(handed),
    )


def is_late(registration: Registration, participant: Participant, version: EntryVersion) -> bool:
    """Whether a version came after the deadline of its participant, and the grace."""
    return bool(registration.delay(participant, version))


def _moment(version: EntryVersion) -> datetime:
    return datetime.fromisoformat(version.sent_at)
