"""WebSockets: what browsers send to tables where games are played, and to those who watch.

A case is JSON: {form, since, messages}: the form that opens the table (or, in its place, the
address of another socket), where the browser was before, what it sends: texts, or lists of bytes.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlencode

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing.mutation import ODD_TEXTS, dumped, value_changed
from fuzzing.site import known, site
from fuzzing.target import Pool

CPU_SECONDS = 30.0
MOST_MESSAGES = 8
PATIENCE = 120.0  # seconds on the wall for the last answer; only a hang reaches it
_TICKET = 77
_THINKING = ("hint", "think")  # a champion thinks, long after the answer
_FORM = ("content-type", "application/x-www-form-urlencoded")
_FORMS: tuple[dict[str, str], ...] = (
    {"game": "virus", "size": "6", "opponent": "1"},
    {"game": "virus", "size": "6", "opponent": "here"},
    {"game": "tron", "map": "duel", "opponent": "1", "speed": "4"},
    {"game": "tron", "map": "duel", "opponent": "here"},
    {"game": "love-letter", "players": "3", "opponent": "here"},
    {"game": "vampires", "map": "village", "opponent": "here"},
    {"game": "paradise", "opponent": "here"},
)
_MESSAGES: tuple[Any, ...] = (
    {"type": "answer", "number": 1, "action": 0}, {"type": "answer", "number": 1, "action": "pass"},
    {"type": "answer", "number": 2, "action": [1, 2]},
    {"type": "answer", "number": 1, "action": [[0, 0, 1, 1, 1]]},
    {"type": "steer", "player": 0, "action": 1}, {"type": "steer", "player": 1, "action": 3},
    {"type": "preview", "actions": [], "ticket": 1},
    {"type": "preview", "actions": "1,1 x2 -> 2,2"},
    {"type": "preview", "actions": [[1, 1, 1, 2, 2]]}, {"type": "look", "player": 1},
    {"type": "look", "player": 0},
    {"type": "resign", "player": 0}, {"type": "resign", "player": 1}, {"type": "undo"},
    {"type": "rematch"},
    {"type": "think", "on": False}, {"type": "x"}, {}, [], 1, None,
)  # fmt: skip
_WORDS = (
    "answer",
    "steer",
    "preview",
    "look",
    "resign",
    "undo",
    "rematch",
    [[0, 0, 1, 1, 1]],
    [1, 2, 3],
)


def seeds() -> list[bytes]:
    """Messages that are right at any moment, at each kind of table."""
    kinds = [{"type": "preview", "actions": [], "ticket": 1}, {"type": "look", "player": 0}]
    said = [dumped(message).decode() for message in kinds]
    return [dumped({"form": form, "since": "", "messages": said}) for form in _FORMS]


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Connections that send messages of every kind, with values changed, and other things."""
    return _connections(pool)


@st.composite
def _connections(draw: DrawFn, pool: Pool) -> bytes:
    case = json.loads(draw(st.sampled_from(pool)))
    address = draw(
        st.sampled_from(
            (*[""] * 8, "/contests/x/live/socket", "/records/x/live/socket", "/tables/x/socket")
        )
    )
    since = draw(
        st.sampled_from(("", "", "1-0", "1-99", "0-0", "-1", "1-x", "9" * 300, *ODD_TEXTS[:12]))
    )
    messages = draw(st.lists(_message(), max_size=MOST_MESSAGES))
    if draw(st.booleans()):
        messages = (case["messages"] + messages)[-MOST_MESSAGES:]
    return dumped(
        {"form": address or draw(st.sampled_from(_FORMS)), "since": since, "messages": messages}
    )


@st.composite
def _message(draw: DrawFn) -> Any:
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return list(draw(st.binary(max_size=20)))
    if kind == 1:
        return draw(st.sampled_from(ODD_TEXTS))
    message = draw(st.sampled_from(_MESSAGES))
    return dumped(value_changed(draw, message, _WORDS) if kind > 4 else message).decode()


def check(case: bytes) -> str:
    """A connection answers to the end, whatever is sent; the server too."""
    try:
        asked = json.loads(case)
    except ValueError:
        return "no connection"
    messages = [bytes(each) if isinstance(each, list) else each for each in asked["messages"]]
    if any(
        word in str(each) for each in messages for word in _THINKING if "false" not in str(each)
    ):
        return "thinks"
    there = site()
    there.turn()
    address = asked["form"]
    if isinstance(address, dict):
        opened = there.ask("POST", "/tables", headers=[_FORM], body=urlencode(address).encode())
        assert opened.status == 303, opened
        address = f"{opened.headers['location']}/socket"
    address = address.replace("/contests/x/", f"/contests/{known()['contest'][0]}/")
    query = urlencode({"since": asked["since"]}, errors="replace") if asked["since"] else ""
    refused = _connected(address, query, messages)
    there.faults.raise_first()
    assert there.ask("GET", "/api/games").status == 200
    return refused


def _connected(address: str, query: str, messages: list[str | bytes]) -> str:
    """Sends messages over a connection; what was refused, in words."""
    there = site()
    scope = there.connection("websocket", address, query, ())
    last = json.dumps({"type": "preview", "actions": [], "ticket": _TICKET})
    said: list[dict[str, Any]] = []
    done = asyncio.Event()
    waiting: list[dict[str, Any]] = [{"type": "websocket.connect"}]
    waiting += [_received(each) for each in (*messages, last)]

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop(0)
        async with asyncio.timeout(PATIENCE):
            await done.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            said.append(json.loads(message["text"]))
        if message["type"] == "websocket.close" or (said and said[-1].get("ticket") == _TICKET):
            done.set()
        if not address.startswith("/tables/"):  # who watches is not answered
            done.set()

    there.loop.run_until_complete(there.app(scope, receive, send))
    refusals = [message["text"] for message in said if message["type"] == "error"]
    assert all(refusals), said
    return "; ".join(refusals)


def _received(message: str | bytes) -> dict[str, Any]:
    key = "text" if isinstance(message, str) else "bytes"
    return {"type": "websocket.receive", key: message}
