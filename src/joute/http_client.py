"""Requests that carry a secret: to the server that was named, and to no other."""

import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from typing import Any

PIECE = 1 << 16  # bytes of an answer that are read at once


class AnswerError(Exception):
    """A server that gave no answer, or refused.

    `status` is the refusal's HTTP status, 0 where there was no answer; `body` the first bytes of
    what it said; `place` the address that it sends on to, "" where it names none; `reason` the
    error, or the phrase of the status.
    """

    def __init__(self, reason: object, status: int = 0, body: bytes = b"", place: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.body = body
        self.place = place


def ask(
    address: str, body: bytes | None, headers: Mapping[str, str], seconds: float, most_bytes: int
) -> bytes:
    """The first `most_bytes` of what a server answers to a POST of `body`, or to a GET without.

    A redirect is not followed, for what the headers hold is meant for this server: it raises
    AnswerError, as whatever fails does but waiting for more than `seconds`, a TimeoutError. The
    caller has seen that the address begins with http: or https:.
    """
    request = urllib.request.Request(address, body, dict(headers))  # noqa: S310
    try:
        with _OPENER.open(request, timeout=seconds) as answer:
            return _read(answer, most_bytes, time.monotonic() + seconds)
    except urllib.error.HTTPError as error:
        with error:
            place = error.headers.get("Location", "")
            body = _first_bytes(error, most_bytes)
            raise AnswerError(error.reason, error.code, body, place) from None
    except UnicodeError as error:  # of a host that has an empty part, or one too long
        raise AnswerError(error) from None
    except (OSError, HTTPException) as error:  # a URLError among them, with the true reason inside
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            raise TimeoutError(*reason.args) from None
        raise AnswerError(reason) from None


def _read(answer: HTTPResponse, most_bytes: int, deadline: float) -> bytes:
    """The first bytes of an answer; one that comes byte by byte may not take for ever."""
    found = bytearray()
    while piece := answer.read1(min(PIECE, most_bytes - len(found))):
        found += piece
        if time.monotonic() > deadline:
            raise TimeoutError("timed out")
    return bytes(found)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *told: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _first_bytes(error: urllib.error.HTTPError, most_bytes: int) -> bytes:
    try:
        return error.read(most_bytes)
    except (OSError, HTTPException):
        return b""
