"""Contests open for bots, and those who hand them in, as tests need them."""

import io
import re
import zipfile
from pathlib import Path

import httpx
from helpers import wait_until
from web.conftest import Site

from joute.web.registration.store import Participant, Registration
from joute.web.settings import Settings

TOML = """
[contest]
name = "Small"
games = 2
workers = 1
[game]
name = "virus"
size = 4
[[bots]]
bot = "builtin:greedy"
"""
GOOD = b"def play(observation, clock):\n    return observation['legal'][0]\n"
BROKEN = b"def play(observation, clock):\n    return observation['missing']\n"
LATER, ZONE = "2199-12-31T23:59", "Europe/Paris"


class Reception:
    """A served application where a contest is open for bots."""

    def __init__(self, site: Site, toml: str = TOML) -> None:
        self.site = site
        given = {"toml": toml, "deadline": LATER, "zone": ZONE}
        self.address = site.post("/organise/new", data=given).headers["location"]
        self.service = site.app.state.registration
        self._guests: list[Guest] = []

    @property
    def registration(self) -> Registration:
        found = self.service.store.find(self.address.rpartition("/")[2])
        assert found is not None
        return found

    def organise(self, path: str, **data: str) -> httpx.Response:
        """The organiser's form of that place."""
        return self.site.post(f"{self.address}/{path}", data=data)

    def invite(self, name: str) -> Participant:
        self.organise("participants", name=name)
        return self.registration.participants[-1]

    def link(self, participant: Participant) -> str:
        """The participant's link, as the organiser sees it."""
        page = self.site.get(self.address).text
        part = page.partition(f'/participants/{participant.identity}">')[2]
        found = re.search(r">(http[^<]*/submit#[^<]*)<", part)
        assert found is not None
        return found[1]

    def guest(self, link: str) -> "Guest":
        """A browser in which that link was opened."""
        guest = self.stranger()
        guest.post("/submit/enter", link=link)
        return guest

    def stranger(self) -> "Guest":
        """A browser without a link."""
        self._guests.append(Guest(self.site))
        return self._guests[-1]

    def close(self) -> None:
        """The guests leave."""
        for guest in self._guests:
            guest.client.close()

    def participant(self, name: str) -> "Guest":
        return self.guest(self.link(self.invite(name)))


NETWORK = b"""
import socket

def play(observation, clock):
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    except OSError:
        pass
    return observation["legal"][0]
"""


class Guest:
    """A browser of its own."""

    def __init__(self, site: Site) -> None:
        self.client = site.browser()

    def get(self, path: str = "/submit") -> httpx.Response:
        return self.client.get(path)

    def post(self, path: str, files: object = None, **data: str) -> httpx.Response:
        return self.client.send_form(path, data=data, files=files)

    def upload(self, content: bytes, name: str = "bot.py") -> httpx.Response:
        return self.post("/submit/version", files={"file": (name, content)})

    def settled(self) -> str:
        """The page once nothing of it is under way."""
        return wait_until(
            lambda: "" if "data-busy" in (page := self.get().text) else page, what="a check"
        )


def served(serve, tmp_path: Path, **settings: object) -> Reception:
    """A reception whose data lie in a folder of the test."""
    return Reception(serve(Settings(data=tmp_path / "data", **settings)))


def archive(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """A zip with these entries."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries:
            file.writestr(name, data)
    return content.getvalue()
