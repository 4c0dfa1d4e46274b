"""Connections that want nothing, or take their time over it, keep nobody else out."""

import asyncio
import io
import logging
import socket
import subprocess
import sys
import threading
from contextlib import closing, suppress

import httpx
import pytest
from cli.apart import command, environment
from helpers import PATIENCE, wait_until

from joute.web import serving as gates
from joute.web.serving import ConnectionLimiter

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
LIMITED = (
    "import os, resource, sys;"
    "resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]),) * 2);"
    "os.execv(sys.argv[2], sys.argv[2:])"
)


class FakeTransport:
    def __init__(self) -> None:
        self.aborted = False
        self.unread = 0

    def abort(self) -> None:
        self.aborted = True

    def get_write_buffer_size(self) -> int:
        return self.unread


class FakeWire:
    def __init__(self) -> None:
        self.transport = FakeTransport()


@pytest.fixture
def gate(clock, monkeypatch):
    """A gate for eight whose sweeps are made by hand."""
    monkeypatch.setattr(asyncio, "get_running_loop", FakeLoop)
    return ConnectionLimiter(8, clock=clock)


class FakeLoop:
    def call_later(self, *_: object) -> None:
        """Nothing comes by itself."""


def entered(gate, address, *, socket=False):
    wire = FakeWire()
    gate.enter(wire, address, socket=socket)
    return wire.transport, wire


def gone(gate, clock, seconds):
    clock.now += seconds
    gate._sweep()


def test_who_asks_for_nothing_is_ended_and_who_asks_in_time_is_not(gate, clock):
    (silent, _), (asking, wire) = entered(gate, "a"), entered(gate, "b")
    gate.hears(wire, more=False)
    gone(gate, clock, gates.HEAD_SECONDS + 1)
    assert silent.aborted and not asking.aborted
    gate.waits_for_request(wire)
    gone(gate, clock, gates.HEAD_SECONDS + 1)
    assert asking.aborted, "the next request of a connection is waited for as long"


def test_a_body_comes_without_long_pauses_and_whole_in_time(gate, clock):
    (paused, wire), (steady, other) = entered(gate, "a"), entered(gate, "b")
    for each in (wire, other):
        gate.hears(each, more=True)
    for second in range(int(gates.BODY_SECONDS) + 1):
        gone(gate, clock, 1.0)
        if second < gates.BODY_SECONDS - 1:
            assert not steady.aborted
        gate.hears(other, more=True)
    assert paused.aborted and steady.aborted
    (done, wire) = entered(gate, "c")
    gate.hears(wire, more=True)
    gate.hears(wire, more=False)
    gone(gate, clock, 10 * gates.BODY_SECONDS)
    assert not done.aborted, "what is being answered may take as long as it takes"


def test_an_answer_is_read_at_a_least_pace_by_pages_and_sockets(gate, clock):
    (still, wire), (slow, other), (well, third) = (
        entered(gate, "a"), entered(gate, "b", socket=True), entered(gate, "c", socket=True)
    )  # fmt: skip
    for each in (wire, other, third):
        gate.hears(each, more=False)
        each.transport.unread = 10**6
    gone(gate, clock, 1.0)
    slow.unread -= 1000
    well.unread -= gates.READ_BYTES
    gone(gate, clock, gates.READ_SECONDS + 1)
    assert still.aborted and slow.aborted and not well.aborted


def test_a_socket_may_be_silent_for_hours(gate, clock):
    socket, _ = entered(gate, "a", socket=True)
    gone(gate, clock, 10_000.0)
    assert not socket.aborted


def test_the_oldest_silent_one_of_an_address_makes_room_for_its_next(gate):
    first = [entered(gate, "a") for _ in range(4)]
    other, _ = entered(gate, "b")
    gate.hears(first[0][1], more=False)
    entered(gate, "a")
    assert [transport.aborted for transport, _ in first] == [False, True, False, False]
    assert not other.aborted


def test_a_body_that_does_not_come_makes_room_too(gate, clock):
    busy = [entered(gate, "a") for _ in range(4)]
    for _, wire in busy:
        gate.hears(wire, more=True)
    assert entered(gate, "a")[0].aborted
    clock.now += gates.GRACE_SECONDS + 1
    gate.hears(busy[0][1], more=True)
    assert not entered(gate, "a")[0].aborted
    assert [transport.aborted for transport, _ in busy] == [False, True, False, False]


def test_who_is_one_too_many_where_all_are_busy_is_not_let_in(gate):
    busy = [entered(gate, "a") for _ in range(4)]
    for _, wire in busy:
        gate.hears(wire, more=False)
    late, _ = entered(gate, "a")
    assert late.aborted and not any(transport.aborted for transport, _ in busy)
    assert not entered(gate, "b")[0].aborted


def test_of_too_many_silent_ones_the_most_numerous_address_loses(gate, monkeypatch):
    monkeypatch.setattr(gates, "MOST_IDLE", 4)
    honest, _ = entered(gate, "honest")
    crowd = [entered(gate, "crowd")[0] for _ in range(4)]
    assert not honest.aborted and crowd[0].aborted and not crowd[-1].aborted


def test_behind_another_server_one_address_may_have_all(clock, monkeypatch):
    monkeypatch.setattr(asyncio, "get_running_loop", FakeLoop)
    gate = ConnectionLimiter(8, shared=True, clock=clock)
    assert not any(entered(gate, "proxy")[0].aborted for _ in range(8))


def test_sockets_leave_room_for_pages(gate):
    for _ in range(3):
        assert gate.has_room_for_socket("a")
        entered(gate, "a", socket=True)
    assert not gate.has_room_for_socket("a") and gate.has_room_for_socket("b")
    for number in range(3):
        entered(gate, f"{number}", socket=True)
    assert not gate.has_room_for_socket("b")


@pytest.fixture
def small(tmp_path):
    """A real server that may open few files: its port."""
    words = command("serve", "--port", 0, "--data", tmp_path)
    limited = [sys.executable, "-c", LIMITED, "400", *words]
    with subprocess.Popen(
        limited, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        heard = []
        reading = threading.Thread(target=lambda: heard.extend(process.stderr))
        reading.start()
        yield int(process.stdout.readline().split()[3].rpartition(":")[2])
        process.terminate()
        process.wait(PATIENCE)
        reading.join()
    assert not heard, "nothing but silence in its log"


def half_sent(port: int, count: int, begun: bytes = HALF) -> list[socket.socket]:
    """So many connections that never end what they begin; some are ended by the server."""
    found = []
    for _ in range(count):
        with suppress(ConnectionError):
            found.append(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            found[-1].sendall(begun)
    return found


@pytest.mark.full
@pytest.mark.parametrize(
    "begun",
    [HALF, b"", b"POST /logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nab"],
    ids=["head", "nothing", "body"],
)
def test_many_requests_that_are_never_ended_keep_nobody_out(small, begun):
    """More than the server has descriptors for, as 1,100 are where 1,024 may be open."""
    kept = half_sent(small, 450, begun)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{small}", timeout=PATIENCE) as visitor:
            for _ in range(3):
                assert wait_until(lambda: answered(visitor), what="an answer") == 200
    finally:
        for each in kept:
            each.close()


def answered(visitor: httpx.Client) -> int:
    """The status of a page; 0 where the connection was not let in."""
    with suppress(httpx.TransportError):
        return visitor.get("/api/games").status_code
    return 0


@pytest.mark.full
def test_a_request_whose_head_does_not_end_is_ended(small):
    with closing(half_sent(small, 1)[0]) as waiting, suppress(ConnectionResetError):
        assert waiting.recv(1) == b""


class Kept(logging.StreamHandler):
    """A handler of another library, that closes its stream with itself."""

    def close(self) -> None:
        self.stream.close()
        super().close()


def test_a_server_closes_no_handler_of_another_library(serve):
    handler = Kept(io.StringIO())
    serve()
    assert not handler.stream.closed
