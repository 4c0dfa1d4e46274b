"""The client of a server that bots are handed in at, behind `joute submit`."""

from __future__ import annotations

import json as encoder
import secrets
import urllib.error
import urllib.request
from http import HTTPStatus
from http.client import HTTPException
from typing import IO, Any, NamedTuple

from joute.cli.usage import CheckFault
from joute.i18n.words import language, say

PLACE = "/api/submissions"
_ANSWER_SECONDS = 60.0
_LARGEST_ANSWER = 1 << 22  # bytes


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
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        return self._asked("", body, {"Content-Type": f"multipart/form-data; boundary={mark}"})

    def version(self, number: int) -> dict[str, Any]:
        """A version, with what its check has found so far. Raises CheckFault."""
        return self._asked(f"/{number}", None, {})

    def _asked(self, path: str, body: bytes | None, headers: dict[str, str]) -> dict[str, Any]:
        request = urllib.request.Request(  # noqa: S310 - `_server` lets http and https in
            f"{self.address}{PLACE}{path}",
            body,
            {
                "Authorization": f"Bearer {self.token}",
                "Accept": "application/json",
                "Accept-Language": language(),
                **headers,
            },
        )
        try:
            with _OPENER.open(request, timeout=_ANSWER_SECONDS) as answer:
                return _read(answer, self.address)
        except urllib.error.HTTPError as error:
            with error:
                raise CheckFault(_refusal(error, self.address)) from None
        except urllib.error.URLError as error:
            reason = error.reason
            raise CheckFault(say("submit.unreached", url=self.address, reason=reason)) from None
        except (OSError, HTTPException) as error:
            raise CheckFault(say("submit.unreached", url=self.address, reason=error)) from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token is for the server that was named."""

    def redirect_request(self, *told: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _read(answer: IO[bytes], address: str) -> dict[str, Any]:
    """The JSON object of an answer. Raises CheckFault for anything else."""
    try:
        found = encoder.loads(answer.read(_LARGEST_ANSWER))
        found["number"], found["clean"], found["state"], found["findings"]
    except (ValueError, TypeError, KeyError):
        raise CheckFault(say("submit.no_joute", url=address)) from None
    return dict(found)


def _refusal(error: urllib.error.HTTPError, address: str) -> str:
    """Why a server took nothing, in its own words if it said so as Joute's does."""
    try:
        return str(encoder.loads(error.read(_LARGEST_ANSWER))["error"])
    except (ValueError, TypeError, KeyError, OSError):
        phrase = HTTPStatus(error.code).phrase if error.code in set(HTTPStatus) else ""
        return say("submit.answered", url=address, status=f"{error.code} {phrase}".strip())
