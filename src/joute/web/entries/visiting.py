"""Whose link a browser has opened: the participant's place in a contest."""

from __future__ import annotations

from typing import Any, NamedTuple

from starlette.requests import HTTPConnection

from joute.web.entries.counter import Counter
from joute.web.entries.kept import Call, Participant
from joute.web.security import cookie

PARTICIPANT = "joute_participant"  # cookie: whose link this browser has opened


class Place(NamedTuple):
    """A participant's place in a contest."""

    call: Call
    participant: Participant


def place_of(connection: HTTPConnection) -> Place | None:
    """The place of this browser, if its link is still good."""
    return place(connection.app.state.counter, cookie(connection, PARTICIPANT))


def place(counter: Counter, found: Any) -> Place | None:
    """Whose link that is, if it is still good."""
    if not (isinstance(found, list) and len(found) == 3 and all(isinstance(x, str) for x in found)):
        return None
    call = counter.desk.find(found[0])
    participant = call.find(found[1]) if call else None
    if call is None or participant is None or participant.key != found[2]:
        return None
    return Place(call, participant)
