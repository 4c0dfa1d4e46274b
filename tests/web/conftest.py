"""The application under test, served as it is for people: by uvicorn, on a port of this machine."""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import jinja2
import pytest
import uvicorn
from fastapi import FastAPI
from helpers import PATIENCE, wait_until
from web.browser import Chromium, Page
from web.gallery import Scene, hang
from websockets.sync.client import ClientConnection, connect

from joute.play.thinkers import Thinkers
from joute.web.security import VISITOR
from joute.web.serving import config
from joute.web.settings import Settings
from joute.web.tables.tables import Tables

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # without certificates, which take long to read


class Browser(httpx.Client):
    """A browser without a screen, with cookies of its own."""

    def __init__(self, url: str, headers: dict[str, str]) -> None:
        super().__init__(base_url=url, timeout=PATIENCE, headers=headers, verify=PLAIN)
        self._known: tuple[str | None, str] = None, ""

    def token(self) -> str:
        """A new token of its forms."""
        page = self.get("/submit").text
        return page.partition('name="joute-token" content="')[2].partition('"')[0]

    def send_form(self, path: str, **sent: Any) -> httpx.Response:
        """The answer to a form, or to JSON, of a page; each has the first token of its visitor."""
        visitor = self.cookies.get(VISITOR)
        if visitor is None or visitor != self._known[0]:
            token = self.token()
            self._known = self.cookies.get(VISITOR), token
        headers = {"X-Joute-Token": self._known[1], **sent.pop("headers", {})}
        return self.post(path, headers=headers, **sent)


class CompiledTemplates(jinja2.BytecodeCache):
    """The code of templates, for all applications of a process."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Any) -> None:
        known = self._code.get((bucket.key, bucket.checksum))
        if known is not None:
            bucket.bytecode_from_string(known)

    def dump_bytecode(self, bucket: Any) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


COMPILED = CompiledTemplates()


class Site:
    """A running application and a browser without a screen."""

    def __init__(self, settings: Settings) -> None:
        served = config(settings)
        served.port = 0
        self.app: FastAPI = served.app
        self.app.state.templates.bytecode_cache = COMPILED
        self._server = uvicorn.Server(served)
        self._thread = threading.Thread(target=self._server.run, name="uvicorn")
        self._thread.start()
        wait_until(lambda: self._server.started or not self._thread.is_alive(), what="uvicorn")
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        self.url = f"http://{self.address}"
        self.client = self.browser()

    def browser(self, **headers: str) -> Browser:
        """Another browser, with cookies of its own."""
        return Browser(self.url, headers)

    def get(self, path: str, **asked: Any) -> httpx.Response:
        return self.client.get(path, **asked)

    def post(self, path: str, **sent: Any) -> httpx.Response:
        """The answer to a form, or to JSON, of a page of this site."""
        return self.client.send_form(path, **sent)

    def token(self) -> str:
        """A new token of the forms of this browser."""
        return self.client.token()

    def socket(self, path: str, origin: str = "", **headers: str) -> ClientConnection:
        """A WebSocket opened by a page of this site, or of another `origin`."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        sent = {"Cookie": cookies, **headers}
        return connect(
            f"ws://{self.address}{path}", origin=origin or self.url, additional_headers=sent
        )

    def close(self) -> None:
        self.client.close()
        self._server.should_exit = True
        self._thread.join()


@pytest.fixture
def serve() -> Iterator[Callable[..., Site]]:
    """Serves an application until the end of the test: `serve()`, `serve(Settings(...))`."""
    sites: list[Site] = []

    def start(settings: Settings | None = None) -> Site:
        sites.append(Site(settings or Settings()))
        return sites[-1]

    yield start
    for site in sites:
        with suppress(Exception):
            site.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """The application as it is alone on a machine, for the tests of a module that only look."""
    served = Site(Settings())
    yield served
    served.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A browser for all tests; each opens pages of its own."""
    started = Chromium()
    yield started
    started.close()


@pytest.fixture(scope="module")
def readers() -> dict[str, Page]:
    """A page for each language and way of pointing, which the tests of a module share."""
    return {}


@pytest.fixture
def look(chromium: Chromium, site: Site, readers: dict[str, Page]) -> Iterator[Callable[..., Page]]:
    """Opens the page of a scene of `gallery`; in the end nothing must have gone wrong on it."""
    used = []

    def start(
        shown: Scene,
        size: tuple[int, int] = (1280, 800),
        language: str = "en",
        touch: bool = False,
        **options: Any,
    ) -> Page:
        reader = f"{language}{touch}"
        page = readers.get(reader) or chromium.page(still=True, language=language, touch=touch)
        readers[reader] = page
        used.append(page)
        page.size(*size)
        page.open(hang(site, shown, **options))
        page.wait_for("window.hung")
        return page

    yield start
    assert [page.problems() for page in used] == [[] for page in used]


class Clock:
    """Stands still unless it is put on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The clock of `tables`."""
    return Clock()


@pytest.fixture
def tables(clock: Clock) -> Iterator[Tables]:
    """Room for four tables."""
    made = Tables(most=4, clock=clock, thinkers=Thinkers(1))
    yield made
    made.close()
