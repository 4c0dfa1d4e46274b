"""The web application in this process, asked without a network: what `api` and `sockets` share."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from fuzzing import games
from joute.cli.main import main
from joute.play.thinkers import Thinkers
from joute.web.app import create_app
from joute.web.settings import Settings
from joute.web.tables.tables import Tables

_CONTEST = """
bots = ["builtin:greedy", "builtin:random"]
[contest]
name = "class"
games = 4
seed = "00112233445566778899aabbccddeeff"
workers = 1
[game]
name = "virus"
size = 4
"""
_LOGS = ("joute", "uvicorn", "fastapi", "asyncio")
_AGES = 100_000.0  # seconds that go by between two cases: tables are cleared away


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes


class Site:
    """The application with a contest that is over, a record that was sent, and a visitor."""

    def __init__(self) -> None:
        self.faults = _Faults()
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(self.faults.heard)
        folder = Path(tempfile.mkdtemp(prefix="site-"))
        self.app = create_app(
            Settings(folders=(_played(folder),), data=folder / "data", secret=bytes(32))
        )
        self._now = 0.0
        self.app.state.tables.close()
        self.app.state.tables = Tables(clock=lambda: self._now, thinkers=Thinkers(1))
        self._addresses = itertools.count(1)
        self.cookie, self.token = "", ""
        first = self.ask("GET", "/")
        self.cookie = first.headers["set-cookie"].partition(";")[0]
        page = self.ask("GET", "/").body.decode()
        self.token = page.partition('name="joute-token" content="')[2].partition('"')[0]

    def turn(self) -> None:
        """Lets so much time go by that nothing of earlier cases is in the way."""
        self._now += _AGES

    def connection(
        self, kind: str, path: str, query: str, headers: Iterable[tuple[str, str]]
    ) -> dict[str, Any]:
        """The scope of a request or of a WebSocket, as a server makes it."""
        number = next(self._addresses)
        raw = path.encode("ascii", "replace")
        usual = {"host": "localhost", "cookie": self.cookie, "x-joute-token": self.token}
        given = {name.lower(): value for name, value in headers}
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "http" if kind == "http" else "ws",
            "path": unquote(raw.decode()),
            "raw_path": raw,
            "root_path": "",
            "query_string": query.encode("ascii", "replace"),
            "headers": [
                (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
                for name, value in (usual | given).items()
            ],
            "client": (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", 1),
            "server": ("127.0.0.1", 80),
            "subprotocols": [],
        }

    def ask(
        self,
        method: str,
        path: str,
        query: str = "",
        headers: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
    ) -> Answer:
        """The answer to a request. Raises what the application failed with."""
        scope = self.connection("http", path, query, headers) | {"method": method}
        sent: list[dict[str, Any]] = []
        waiting = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        self.loop.run_until_complete(self.app(scope, receive, send))
        self.faults.raise_first()
        begun = [each for each in sent if each["type"] == "http.response.start"]
        assert len(begun) == 1, "answered not once"
        found = {name.decode(): value.decode("latin-1") for name, value in begun[0]["headers"]}
        content = b"".join(each.get("body", b"") for each in sent)
        return Answer(begun[0]["status"], found, content)


class _Faults(logging.Handler):
    """The exceptions that the application has caught and logged, and those of its tasks."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._found: list[BaseException] = []
        for name in _LOGS:
            logging.getLogger(name).addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            self._found.append(record.exc_info[1])

    def heard(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "exception" in context:
            self._found.append(context["exception"])

    def raise_first(self) -> None:
        found, self._found = self._found, []
        for fault in found:
            raise fault


def _played(folder: Path) -> Path:
    file = folder / "class.toml"
    file.write_text(_CONTEST, encoding="utf-8")
    code = main(["contest", "run", str(file)])
    assert code == 0, code
    return folder / "class.results"


@cache
def site() -> Site:
    """The one of this process."""
    return Site()


@cache
def known() -> dict[str, tuple[str, ...]]:
    """Values of the parameters of addresses that mean something on the site."""
    there = site()
    contest = json.loads(there.ask("GET", "/api/contests").body)[0]["id"]
    played = json.loads(there.ask("GET", f"/api/contests/{contest}/games").body)
    chain = games.played(0).chain
    boundary = "b"
    record = multipart(boundary, {"record": ("x.jsonl", games.played(0).record)})
    kind = ("content-type", f"multipart/form-data; boundary={boundary}")
    assert there.ask("POST", "/replays", headers=[kind], body=record).status == 303
    return {
        "contest": (contest,),
        "identifier": (contest,),
        "identity": (played[0]["identity"], chain),
        "game": tuple(name for name, _, _ in games.GAMES),
        "number": ("1", "0"),
        "name": ("en", "fr", "x"),
    }


def multipart(boundary: str, files: dict[str, tuple[str, bytes]]) -> bytes:
    """A form with files."""
    head = '--{}\r\nContent-Disposition: form-data; name="{}"; filename="{}"\r\n\r\n'
    parts = [
        head.format(boundary, key, name).encode() + content + b"\r\n"
        for key, (name, content) in files.items()
    ]
    return b"".join(parts) + f"--{boundary}--\r\n".encode()
