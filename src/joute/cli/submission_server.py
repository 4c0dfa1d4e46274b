"""The client of a server that bots are handed in at, behind `joute submit`."""

from __future__ import annotations

import json as encoder
import secrets
from http import HTTPStatus
from typing import Any, NamedTuple

from joute.cli.usage import CheckFault
from joute.http_client import AnswerError, ask
from joute.i18n.recognised import foreign
from joute.i18n.words import language, say

PLACE = "/api/submissions"
_ANSWER_SECONDS = 60.0
_LARGEST_ANSWER = 1 << 22  # bytes
_LONGEST_PLACE = 200  # characters of an address that are shown


class SilentFault(CheckFault):
    """A server that gave no answer of its own, and may give one later.

    `done` is whether it may have done all the same what it was asked for.
    """

    def __init__(self, said: str, done: bool) -> None:
        super().__init__(said)
        self.done = done


class SubmissionServer(NamedTuple):
    """A server that takes bots, for one participant."""

    address: str
    token: str

    def send(self, name: str, content: bytes) -> dict[str, Any]:
        """Hands a file in; the version as the server has it. Raises CheckFault."""
        mark = secrets.token_hex(16)
        plain = name.replace("\\", "_").replace('"', "_").replace("\r", "_").replace("\n", "_")
        head = (
            f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{plain}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        # A name that is not UTF-8 is only shown, so what is odd of it may be lost.
        body = head.encode(errors="replace") + content + f"\r\n--{mark}--\r\n".encode()
        try:
            return self._asked("", body, {"Content-Type": f"multipart/form-data; boundary={mark}"})
        except SilentFault as fault:
            raise CheckFault(say("submit.perhaps", reason=fault) if fault.done else fault) from None

    def version(self, number: int) -> dict[str, Any]:
        """A version, with what its check has found so far. Raises CheckFault, SilentFault."""
        return self._asked(f"/{number}", None, {})

    def _asked(self, path: str, body: bytes | None, headers: dict[str, str]) -> dict[str, Any]:
        asking = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json",
            "Accept-Language": language(),
            **headers,
        }
        place = f"{self.address}{PLACE}{path}"
        try:
            return _read(ask(place, body, asking, _ANSWER_SECONDS, _LARGEST_ANSWER), self.address)
        except AnswerError as error:
            raise _fault(error, self.address) from None
        except TimeoutError as error:
            raise SilentFault(_unreached(error, self.address), done=True) from None


def _read(answer: bytes, address: str) -> dict[str, Any]:
    """The JSON object of an answer. Raises SilentFault for anything else."""
    try:
        found = encoder.loads(answer)
        found["number"], found["clean"], found["state"], found["findings"]
    except (ValueError, TypeError, KeyError):
        raise SilentFault(say("submit.no_joute", url=address), done=False) from None
    return dict(found)


def _fault(error: AnswerError, address: str) -> CheckFault:
    """The fault of a server that did not do it, in its own words if it said so as Joute's does."""
    if not error.status:
        broken = isinstance(error.reason, ConnectionResetError | BrokenPipeError)
        return SilentFault(_unreached(error.reason, address), done=broken)
    failed = error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    try:
        said = str(encoder.loads(error.body)["error"])
    except (ValueError, TypeError, KeyError):  # said by what stands in front of it, if not by it
        phrase = HTTPStatus(error.status).phrase if error.status in set(HTTPStatus) else ""
        status = f"{error.status} {phrase}".strip()
        if error.place:
            place = error.place[:_LONGEST_PLACE]
            said = say("submit.elsewhere", url=address, status=status, place=place)
            return SilentFault(said, done=False)
        return SilentFault(say("submit.answered", url=address, status=status), done=failed)
    return SilentFault(said, done=False) if failed else CheckFault(said)


def _unreached(reason: object, address: str) -> str:
    return say("submit.unreached", url=address, reason=foreign(reason))
