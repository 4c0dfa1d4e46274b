"""Who may see what of a contest.

Results that are not published are the organiser's. What bots say and print, and the details of
their faults, are the organiser's too until they are released; a participant always reads their own.
"""

from __future__ import annotations

from collections.abc import Collection

from starlette.requests import HTTPConnection

from joute.web.contests.catalogue import ServedContest
from joute.web.contests.choices import Choices
from joute.web.entries.visiting import place_of
from joute.web.positions import Readable
from joute.web.security import is_organiser


def visible(connection: HTTPConnection, served: ServedContest) -> bool:
    """Whether this browser may see a contest at all."""
    return served.public or is_organiser(connection)


def heard(connection: HTTPConnection, served: ServedContest) -> Readable:
    """The bots of a contest whose messages this browser may read."""
    choices: Choices = connection.app.state.choices
    if choices.messages(served.folder) or is_organiser(connection):
        return None
    return frozenset(own_names(connection, served))


def own_names(connection: HTTPConnection, served: ServedContest) -> Collection[str]:
    """The name of the participant whose browser this is, if they take part in the contest."""
    place = place_of(connection)
    if place is None:
        return ()
    own = connection.app.state.counter.runs.results(place.call)
    return (place.participant.name,) if own == served.folder else ()
