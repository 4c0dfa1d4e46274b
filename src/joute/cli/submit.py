"""`joute submit BOT URL`: hands a bot in at a server, and tells what its check there finds."""

from __future__ import annotations

import io
import json as encoder
import os
import secrets
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import typer

from joute.cli.output import print_json
from joute.cli.usage import DONE, FAILED, CheckFault, Json, UsageFault
from joute.i18n.words import has, language, say

VARIABLE = "JOUTE_TOKEN"
PLACE = "/api/submissions"
LOOK_SECONDS = 1.0  # between two looks at a check that is under way
_ANSWER_SECONDS = 60.0
_LARGEST_ANSWER = 1 << 22  # bytes
_STAMP = (1980, 1, 1, 0, 0, 0)  # of the files in a zip: the same bytes of the same files


def submit(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="help.submit.bot")],
    url: Annotated[str, typer.Argument(metavar="URL", help="help.submit.url")],
    token: Annotated[
        str | None, typer.Option("--token", metavar="TOKEN", help="help.submit.token")
    ] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="help.submit.no_wait")] = False,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    server = _server(url, token)
    name, content = packed(bot)
    version = server.send(name, content)
    if not json:
        print(say("submit.sent_version", number=version["number"], file=name))
    if not no_wait:
        version = _checked(server, version, json)
    if json:
        print_json(version)
    elif not no_wait:
        print(_verdict(version))
    return DONE if no_wait or version["clean"] else FAILED


def packed(bot: Path) -> tuple[str, bytes]:
    """The file to hand in, as its name and its bytes: a folder becomes a zip. Raises UsageFault."""
    from joute.host.building.sources import folder_files

    if bot.is_dir():
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for each in folder_files(bot):
                entry = zipfile.ZipInfo(each.relative_to(bot).as_posix(), _STAMP)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, each.read_bytes())
        return f"{bot.resolve().name}.zip", file.getvalue()
    if bot.suffix not in (".py", ".zip") or not bot.is_file():
        raise UsageFault(say("submit.no_file", bot=bot))
    return bot.name, bot.read_bytes()


class _Server(NamedTuple):
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


def _server(url: str, token: str | None) -> _Server:
    """The server of an address, which may be a participant's whole link. Raises UsageFault."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageFault(say("submit.no_url", url=url))
    found = token or parts.fragment or os.environ.get(VARIABLE, "")
    found = found.rpartition("#")[2].strip()
    if not found:
        raise UsageFault(say("submit.no_token", variable=VARIABLE))
    if not (found.isascii() and found.isprintable()):
        raise UsageFault(say("submit.odd_token"))
    return _Server(f"{parts.scheme}://{parts.netloc}", found)


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


def _checked(server: _Server, version: dict[str, Any], json: bool) -> dict[str, Any]:
    """The version once it is checked; what is found is printed as it comes."""
    told = 0
    while True:
        version = server.version(version["number"])
        if not json:
            for line in _lines(version["findings"][told:]):
                print(line, flush=True)
        told = max(told, len(version["findings"]))
        if version["state"] != "waiting":
            return version
        time.sleep(LOOK_SECONDS)


def _lines(findings: list[dict[str, Any]]) -> Iterator[str]:
    """The lines on some findings, as `joute check` prints them."""
    verdicts = {"good": "ok", "doubtful": "remark"}
    for each in findings:
        verdict = say(f"check.{verdicts.get(each['mark'], 'failed')}")
        key = f"check.name.{each['check']}"
        name = say(key) if has(key) else each["check"]  # of a later version's server
        yield say("check.line", verdict=verdict, name=name, said=each["said"])
        yield from (f"         {line}" for line in each["detail"])


def _verdict(version: dict[str, Any]) -> str:
    """Whether a version that was checked takes part."""
    number, clean = version["number"], version["clean"]
    if version["state"] != "done":
        return say("submit.not_checked", number=number, reason=version["trouble"])
    return say("submit.plays" if clean else "submit.plays_not", number=number)
