"""A real server that is killed in the middle of games, and started again."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest
from helpers import PATIENCE, wait_until
from web.players import NOW, act_once, click_virus
from websockets.sync.client import connect

from joute.play.record import read_record
from joute.play.verify import verify_record

pytestmark = [pytest.mark.full, pytest.mark.game("virus")]

SHARED = {"size": "6", "opponent": "person", "place": "first"}
GAMES = {
    "virus": {"size": "6", "opponent": "3", "place": "last"},
    "tron": {"opponent": "2"},
    "vampires": {"opponent": "2"},
    "love-letter": {"opponent": "2", "tokens": "0"},
    "paradise": {"opponent": "2"},
}


class Server:
    """`joute serve`, in a process of its own."""

    def __init__(self, data, port=0) -> None:
        words = [sys.executable, "-m", "joute", "serve", "--port", str(port), "--data", str(data)]
        environment = {**os.environ, "JOUTE_LANG": "en"}
        self._process = subprocess.Popen(
            words, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
        )
        line = self._process.stdout.readline()
        self.url = next(word for word in line.split() if word.startswith("http")).rstrip(".")
        self.port = int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        """No time is left to it for anything."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE)
            self._process.stdout.close()


class Person:
    """A browser with its cookies, which outlive the server."""

    def __init__(self) -> None:
        self.client = httpx.Client(timeout=PATIENCE, headers={"Accept-Language": "en"})

    def post(self, url, path, form=None, sent=None):
        page = self.client.get(url).text
        token = page.partition('name="joute-token" content="')[2].partition('"')[0]
        headers = {"X-Joute-Token": token, "Origin": url}
        return self.client.post(f"{url}{path}", data=form, json=sent, headers=headers)

    def open(self, url, game, form) -> str:
        """The path of a new table."""
        answer = self.post(url, "/tables", {"game": game, "name": "Ann", **form})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    @contextmanager
    def at(self, url, path):
        cookies = "; ".join(f"{key}={value}" for key, value in self.client.cookies.items())
        headers = {"Cookie": cookies, "Accept-Language": "en"}
        address = f"{url.replace('http', 'ws')}{path}/socket"
        with connect(address, origin=url, additional_headers=headers) as socket:
            yield Seat(socket)


class Seat:
    """A connection to a table, and the last message of each type that came over it."""

    def __init__(self, socket) -> None:
        self.socket = socket
        self.last = {}

    def until(self, condition):
        """Reads until a condition of the last messages holds."""
        while not condition(self.last):
            message = json.loads(self.socket.recv(PATIENCE))
            if message["type"] == "unask":
                self.last.pop("ask", None)
            self.last[message["type"]] = message

    def play(self, count=None) -> None:
        """The first legal action, so often, or until the game is over."""
        done = 0
        while count is None or done < count:
            self.until(lambda last: "ask" in last or "over" in last)
            if "over" in self.last:
                return
            question = self.last.pop("ask")
            action = question["actions"][0][0]
            answer = {"type": "answer", "number": question["number"], "action": action}
            self.socket.send(json.dumps(answer))
            done += 1
        self.until(lambda last: "ask" in last or "over" in last)

    def stands(self):
        """The table as a page that is opened now is shown it."""
        self.until(lambda last: {"position", "status"} <= last.keys())
        table, position = self.last["table"], self.last["position"]
        return json.dumps([table, position, self.last["status"]["seats"]], sort_keys=True)


@pytest.fixture
def start(tmp_path):
    """Starts a server on the data of those before it, at the same address."""
    made = []

    def fresh():
        made.append(Server(tmp_path, made[-1].port if made else 0))
        return made[-1]

    yield fresh
    for each in made:
        each.kill()


@pytest.fixture
def people():
    """Two browsers."""
    made = Person(), Person()
    yield made
    for each in made:
        each.client.close()


def seen(person, url, path):
    with person.at(url, path) as seat:
        seat.until(lambda last: "ask" in last or "over" in last)
        return seat.stands()


@pytest.mark.game("love-letter", "paradise", "tron", "vampires")
def test_a_killed_server_comes_back_with_every_table_as_it_was(start, people):
    server, (person, friend) = start(), people
    tables = {game: person.open(server.url, game, form) for game, form in GAMES.items()}
    shared = person.open(server.url, "virus", SHARED)
    waiting = person.open(server.url, "virus", SHARED)
    keys = {path: link(person, server.url, path) for path in (shared, waiting)}
    taken = friend.post(server.url, f"{shared}/seat", sent={"key": keys[shared], "person": "Bo"})
    assert taken.json() == {"seat": 1}
    for path in tables.values():
        with person.at(server.url, path) as seat:
            seat.play(3)
    take_turns(server.url, shared, person, friend, 3)
    sitting = {
        **dict.fromkeys(tables.values(), person),
        shared: mover(server.url, shared, person, friend),
    }
    before = {path: seen(who, server.url, path) for path, who in sitting.items()}
    server.kill()
    server = start()
    after = {path: seen(who, server.url, path) for path, who in sitting.items()}
    assert after == before
    # A second time, in the middle of what went on.
    with person.at(server.url, tables["virus"]) as seat:
        seat.play(1)
    before = {path: seen(who, server.url, path) for path, who in sitting.items()}
    server.kill()
    server = start()
    assert {path: seen(who, server.url, path) for path, who in sitting.items()} == before
    for path in tables.values():
        with person.at(server.url, path) as seat:
            seat.play()
    take_turns(server.url, shared, person, friend)
    for path in (*tables.values(), shared):
        check(person, server.url, path)
    taken = friend.post(server.url, f"{waiting}/seat", sent={"key": keys[waiting], "person": "Bo"})
    assert taken.json() == {"seat": 1}


def link(person, url, path) -> str:
    """The key in the link to a free seat."""
    page = person.client.get(f"{url}{path}").text
    return page.partition("#seat=")[2].partition("<")[0].partition('"')[0]


def mover(url, path, *people) -> Person:
    """The person who is asked."""
    for person in people:
        with person.at(url, path) as seat:
            seat.until(lambda last: last.get("status", {}).get("asked") is not None)
            status = seat.last["status"]
            if status["seats"][status["asked"]]["you"]:
                return person
    raise AssertionError("nobody is asked")


def take_turns(url, path, one, other, count=10_000) -> None:
    """Two people play the first legal action, so often or until the game is over."""
    with one.at(url, path) as first, other.at(url, path) as second:
        for _ in range(count):
            for seat in (first, second):
                seat.until(lambda last: "status" in last)
            asked = wait_until(lambda: choosing(first, second), PATIENCE)
            if asked == "over":
                return
            answer(asked)


def choosing(*seats):
    """The seat that is asked, once one is, or "over"."""
    for seat in seats:
        try:
            message = json.loads(seat.socket.recv(0.01))
        except TimeoutError:
            message = {"type": ""}
        seat.last[message["type"]] = message
        if "over" in seat.last:
            return "over"
        if "ask" in seat.last:
            return seat
    return None


def answer(seat) -> None:
    question = seat.last.pop("ask")
    action = question["actions"][0][0]
    sent = {"type": "answer", "number": question["number"], "action": action}
    seat.socket.send(json.dumps(sent))


def check(person, url, path) -> None:
    """The game of a table that was killed twice is whole and true."""
    record = wait_until(
        lambda: (found := person.client.get(f"{url}{path}/record")).status_code == 200 and found
    )
    assert verify_record(record.content).ok
    assert read_record(record.content).end["ending"] == "finished"


@pytest.mark.game("virus")
def test_an_open_page_goes_on_when_a_killed_server_is_back(start, chromium):
    server = start()
    page = chromium.page(language="en").open(f"{server.url}/play/virus")
    page.click("form .btn.primary")
    act_once(page, click_virus)
    log = page.text("#log")
    server.kill()
    page.wait_for("!document.querySelector('#trouble').hidden")
    assert "Your game is kept" in page.text("#trouble")
    start()
    page.wait_for("document.querySelector('#trouble').hidden && " + f"{NOW}.asked")
    assert page.text("#log") == log
    assert "Connected again" in page.text("#said")
    act_once(page, click_virus)
    page.close()
