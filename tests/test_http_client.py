"""Requests to a server that was named: how long one is waited for."""

import socket
import threading
from contextlib import suppress

import pytest

from joute.http_client import AnswerError, ask


@pytest.fixture
def dripping():
    """The address of a server whose answer has no end, and comes byte by byte."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            caller, _ = server.accept()
            with caller, suppress(OSError):
                caller.recv(1 << 16)
                caller.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
                while True:
                    caller.sendall(b"x")

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join()


def test_an_answer_that_comes_byte_by_byte_is_not_waited_for_longer_than_was_said(dripping):
    with pytest.raises(TimeoutError):
        ask(dripping, None, {}, 0.1, 1 << 40)


def test_the_first_bytes_of_an_answer_are_had_at_once(dripping):
    assert ask(dripping, None, {}, 600.0, 5) == b"xxxxx"


@pytest.mark.parametrize("host", ["a..b", "a" * 64 + ".invalid"])
def test_a_host_that_no_name_can_have_is_an_error_like_others(host):
    with pytest.raises(AnswerError):
        ask(f"http://{host}/", None, {}, 600.0, 5)
