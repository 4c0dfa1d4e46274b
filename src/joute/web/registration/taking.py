"""Taking a version that is handed in: by a page or a program, the same refusals and check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joute.i18n.words import say
from joute.web.errors import RequestRefusal
from joute.web.rate_limits import RateLimits
from joute.web.registration.archives import checked, shown
from joute.web.registration.service import RegistrationService
from joute.web.registration.store import EntryVersion, Registration

if TYPE_CHECKING:
    from joute.web.contests.access import Entrant

MOST_VERSIONS = 100  # of a participant


def take_version(
    service: RegistrationService, limits: RateLimits, entrant: Entrant, content: bytes, name: str
) -> EntryVersion:
    """Takes a new version and has it checked, instead of one whose check has not begun.

    Args:
        service: the registrations of the server.
        limits: how often a participant may send something.
        entrant: who sends it.
        content: the file's bytes, as far as they were read: up to one more than are taken.
        name: the file's name, as it was sent.

    Raises RequestRefusal; HTTPException 429 where it comes too often.
    """
    limits.take_alone(entrant.participant.identity, "uploads")
    check_ready(service, entrant, new=True)
    now = service.store.now()
    if entrant.registration.awaited_at(now):
        raise RequestRefusal(say("submit.refused.early", time=_opening(entrant.registration)))
    if not entrant.registration.takes(entrant.participant, now):
        raise RequestRefusal(say("submit.refused.late"))
    if len(entrant.participant.versions) >= MOST_VERSIONS:
        raise RequestRefusal(say("submit.refused.versions", most=MOST_VERSIONS))
    suffix = checked(content, name)
    version = service.store.take(*entrant, content, shown(name), suffix)
    service.jobs.replace(*entrant, version)
    return version


def _opening(registration: Registration) -> str:
    """The opening time, with its zone, for a sentence."""
    return f"{registration.local_opening:%Y-%m-%d %H:%M} ({registration.zone})"


def check_ready(service: RegistrationService, entrant: Entrant, new: bool = False) -> None:
    """Refuses to run a bot without the isolation that is wanted, or twice at once.

    A `new` version may come while those before it wait for their checks.
    """
    service.check_isolation(entrant.registration)
    queued = new and service.jobs.is_queued(entrant.participant)
    if entrant.participant.busy and not queued:
        raise RequestRefusal(say("submit.refused.busy"))
