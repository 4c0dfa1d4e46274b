"""The connection to a table: whatever is sent is answered, and nobody keeps others waiting."""

import asyncio
import json
import os
import re
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from helpers import PATIENCE, wait_until
from hypothesis import given, settings
from hypothesis import strategies as st
from web.tabled import ANN, asked, spec, told
from websockets.sync.client import connect

from joute.i18n.words import LANGUAGES
from joute.play.broadcast import LIVE
from joute.play.verify import verify_record
from joute.web.errors import RequestRefusal
from joute.web.settings import Settings
from joute.web.tables import messages
from joute.web.tables.connection import Connection
from joute.web.tables.messages import preview
from joute.web.tables.receiver import Receiver
from joute.web.tables.table import Table
from joute.web.updates import TRY_AGAIN

DOCS = Path(__file__).parents[2] / "docs"
BOTS = ("builtin:random", "builtin:greedy")


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_whatever_is_sent_is_a_message_or_refused(content):
    with suppress(RequestRefusal):
        messages.read(content)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)
TYPES = (
    "answer", "steer", "preview", "look", "resign", "undo", "hint", "think", "wait", "rematch", "x"
)  # fmt: skip
FIELDS = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "number": PLAIN,
        "action": PLAIN,
        "actions": PLAIN,
        "player": PLAIN,
        "on": PLAIN,
        "ticket": PLAIN,
    },
)


@pytest.mark.game("virus")
def test_no_message_ends_a_connection(serve):
    """Whatever a browser sends, it is answered, and the table goes on."""
    site = serve()
    table = site.app.state.tables.open(spec(), (), "")
    table.sit(table.chairs[0].key, "somebody", "Ann")
    with site.socket(f"/tables/{table.name}/socket") as socket:

        @settings(max_examples=150)
        @given(PLAIN | FIELDS | st.binary(max_size=60) | st.text(max_size=60))
        def send(content):
            plain = isinstance(content, str | bytes)
            socket.send(content if plain else json.dumps(content))
            socket.send(json.dumps({"type": "preview", "actions": [], "ticket": 77}))
            while json.loads(socket.recv(60)).get("ticket") != 77:
                pass

        send()
    assert asked(table)


@pytest.mark.game("virus")
def test_a_player_is_asked_over_a_connection_and_answers(serve):
    site = serve()
    page = site.post("/tables", data={"game": "virus", "size": "6", "opponent": "1"})
    assert page.status_code == 303
    address = page.headers["location"]
    with site.socket(f"{address}/socket") as socket:
        messages_seen = []
        over = False
        while not over:
            message = json.loads(socket.recv(60))
            messages_seen.append(message["type"])
            if message["type"] == "ask":
                action = message["actions"][0][0]
                socket.send(
                    json.dumps({"type": "answer", "number": message["number"], "action": action})
                )
            over = message["type"] == "over"
    assert messages_seen[0] == "table"
    assert verify_record(site.get(f"{address}/record").content).ok
    assert site.get(address).status_code == 200


@pytest.mark.game("virus")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_that_is_sent_is_documented(tables, language):
    """Of both kinds of tables, with questions to a person and with a pace."""
    played, watched = tables.open(spec(), (0,), ANN), tables.open(spec(bots=BOTS), (), ANN)
    sent = []
    receivers = Receiver(played, (0,), "en"), Receiver(watched, (), "en", visitor=ANN)
    receivers[0].thinks = True
    question = asked(played)
    sent += [played.hint(question), preview(played.playing, question, question.actions[:1])]
    sent += [message for each in receivers for message in told(each)]
    played.resign((0,), 0)
    wait_until(lambda: played.over)
    sent += told(receivers[0])
    assert {"table", "position", "ask", "unask", "status", "over"} <= {
        message.get("type") for message in sent
    }
    status = [message for message in sent if message.get("type") == "status"]
    sent += [seat for message in status for seat in message["seats"]]
    sent += [message["pace"] for message in status if message["pace"]]
    document = (DOCS / language / "web-api.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", document))
    assert {field for message in sent for field in message} <= named


def test_a_table_that_is_not_there_is_said_so(serve):
    site = serve()
    assert site.get("/tables/none").status_code == 404
    assert site.get("/tables/none/record").status_code == 404
    assert site.post("/tables/none/seat", json={"key": "x", "person": ""}).status_code == 404
    assert site.post("/tables", data={"game": "chess"}).status_code == 422
    assert site.post("/tables", data={"game": "virus", "size": "7"}).status_code == 422
    assert site.post("/tables", data={"ply": "3", "record": "nonsense"}).status_code == 422
    with site.socket("/tables/none/socket") as socket, pytest.raises(Exception, match="4404"):
        socket.recv(60)


@pytest.mark.game("virus")
def test_a_page_from_elsewhere_gets_no_connection(serve):
    site = serve()
    table = site.app.state.tables.open(spec(), (), "")
    with (
        pytest.raises(Exception, match="403"),
        connect(f"ws://{site.address}/tables/{table.name}/socket", origin="http://elsewhere.org"),
    ):
        pass


@pytest.fixture
def advisers(monkeypatch):
    """Advisers who compute until they are let go, as many as there are threads for them."""
    asked, done = threading.Semaphore(0), threading.Event()

    def think(*_):
        asked.release()
        done.wait()

    monkeypatch.setattr(Table, "hint", think)
    yield asked
    done.set()


@pytest.mark.game("virus")
def test_hints_that_take_long_hold_up_neither_the_next_game_nor_watching(serve, tmp_path, advisers):
    folder = tmp_path / "class.records"
    (folder / LIVE).mkdir(parents=True)
    site = serve(Settings(folders=(folder,)))
    form = {"game": "virus", "size": "6", "opponent": "1"}
    over, going = (site.post("/tables", data=form).headers["location"] for _ in range(2))
    most = min(32, os.cpu_count() + 4)  # threads of `asyncio.to_thread`
    with ExitStack() as opened:
        for _ in range(most + 1):
            asking = opened.enter_context(site.socket(f"{going}/socket"))
            wait_for(asking, lambda message: message["type"] == "ask")
            asking.send(json.dumps({"type": "hint"}))
        for _ in range(most):
            assert advisers.acquire(timeout=PATIENCE)
        player = opened.enter_context(site.socket(f"{over}/socket"))
        seat = wait_for(player, lambda message: message["type"] == "table")["you"][0]
        player.send(json.dumps({"type": "resign", "player": seat}))
        wait_for(player, lambda message: message["type"] == "over")
        player.send(json.dumps({"type": "rematch"}))
        wait_for(player, lambda message: message.get("next"))
        watching = opened.enter_context(site.socket("/records/class-records/live/socket"))
        wait_for(watching, lambda message: message["type"] == "playing")


def wait_for(socket, wanted):
    """The next message of that kind."""
    while not wanted(message := json.loads(socket.recv(PATIENCE))):
        pass
    return message


class Unread:
    """A connection whose other end reads nothing."""

    def __init__(self) -> None:
        self.closed = None
        self.never = asyncio.Event()

    async def send_text(self, text):
        await self.never.wait()

    async def receive(self):
        await self.never.wait()

    async def close(self, code):
        self.closed = code


@pytest.mark.game("virus")
def test_whoever_does_not_read_is_sent_away(tables, monkeypatch):
    monkeypatch.setattr("joute.web.updates.SLOW_SECONDS", 0.0)
    table = tables.open(spec(), (0,), "somebody")
    question = asked(table)

    async def connected() -> Unread:
        unread = Unread()
        await Connection(unread, tables, table, Receiver(table, (), "en")).serve()
        return unread

    assert asyncio.run(connected()).closed == TRY_AGAIN
    assert len(table.watchers) == 0
    assert table.playing.question is question
