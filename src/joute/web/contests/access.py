"""The access to contests: what each visitor may see.

Results that are not published are for the organiser. So are bots' messages and output, and the
details of their faults, until they are released; participants can always read those of their bots.
Where a ladder names not everybody, nobody else is told the path and the hash of a bot's files: a
bot has the same in the ladder, under its alias, as in the results.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from fastapi import HTTPException
from starlette.requests import HTTPConnection

from joute.i18n.words import say
from joute.text import LONGEST_SLUG
from joute.web.contests.catalogue import Catalogue, ServedContest
from joute.web.contests.control import OptionsStore
from joute.web.organiser import is_organiser
from joute.web.positions import Readable
from joute.web.registration.service import RegistrationService
from joute.web.registration.store import Participant, Registration
from joute.web.security import cookie

PARTICIPANT = "joute_participant"  # cookie: whose link this browser has opened


class Entrant(NamedTuple):
    """A participant, and the contest that the participant is registered for."""

    registration: Registration
    participant: Participant


def visible(connection: HTTPConnection, served: ServedContest) -> bool:
    """Whether this browser may see a contest at all."""
    if served.public or is_organiser(connection):
        return True
    entrant = entrant_of(connection) if served.audience else None
    return entrant is not None and entrant.registration.identity == served.audience


def served_contest(connection: HTTPConnection, identifier: str) -> ServedContest:
    """A served contest. Raises HTTPException 404 if there is none that this browser may see."""
    catalogue: Catalogue = connection.app.state.catalogue
    found = catalogue.find(identifier)
    if found is None or not visible(connection, found):
        raise HTTPException(404, say("web.error.no_contest", name=identifier[:LONGEST_SLUG]))
    return found


def readable_bots(connection: HTTPConnection, served: ServedContest) -> Readable:
    """The bots of a contest whose messages this browser may read."""
    options: OptionsStore = connection.app.state.contest_options
    if options.messages(served.folder) or is_organiser(connection):
        return None
    return frozenset(own_names(connection, served))


def known_files(connection: HTTPConnection, served: ServedContest) -> Readable:
    """The bots of a contest of which this browser may know the files; None for all."""
    service: RegistrationService = connection.app.state.registration
    registration = service.registration_of(served)
    if is_organiser(connection) or registration is None or service.ladders.names_all(registration):
        return None
    return frozenset(own_names(connection, served))


def own_names(connection: HTTPConnection, served: ServedContest) -> Collection[str]:
    """The name of the participant whose browser this is, if they take part in the contest."""
    entrant = entrant_of(connection)
    if entrant is None:
        return ()
    registration, participant = entrant
    service: RegistrationService = connection.app.state.registration
    if service.control.results(registration) == served.folder:
        return (participant.name,)
    if served.audience == registration.identity:
        return (service.ladders.name(registration, participant),)
    return ()


def entrant_of(connection: HTTPConnection) -> Entrant | None:
    """The participant whose link this browser has opened, if the link is still valid."""
    return entrant_by_link(connection.app.state.registration, cookie(connection, PARTICIPANT))


def entrant_by_link(service: RegistrationService, link: Any) -> Entrant | None:
    """The participant of a link's signed content, if the link is still valid."""
    if not (isinstance(link, list) and len(link) == 3 and all(isinstance(x, str) for x in link)):
        return None
    registration = service.store.find(link[0])
    participant = registration.find(link[1]) if registration else None
    if registration is None or participant is None or participant.key != link[2]:
        return None
    return Entrant(registration, participant)
