"""Resources that a process has taken are seen from outside, as tested on processes that do."""

import os
import subprocess
import sys
import textwrap

import pytest

from joute.host.sandbox import system_calls
from joute.host.sandbox.call_numbers import NUMBERS
from joute.redteam.proc import kernel_mb, taken

TAKING = {
    "a timer that wakes it when it is stopped": """
        event = ctypes.create_string_buffer(struct.pack("=Qii48x", 0, 18, 0))
        call("timer_create", 1, event, ctypes.byref(ctypes.c_int()))
    """,
    "timers that its user has so many of": """
        event = ctypes.create_string_buffer(struct.pack("=Qii48x", 0, 34, 0))
        for _ in range(100):
            call("timer_create", 1, event, ctypes.byref(ctypes.c_int()))
    """,
    "memory that others cannot have back": """
        area = ctypes.create_string_buffer(1 << 14)
        call("mlock", ctypes.c_void_p(ctypes.addressof(area)), ctypes.c_long(1 << 14))
    """,
    "places for requests that the machine has so many of": """
        call("io_setup", 1, ctypes.byref(ctypes.c_ulong()))
    """,
    "open files in a message": """
        import socket
        here, there = socket.socketpair()
        socket.send_fds(here, [b"."], [0])
    """,
}


@pytest.fixture
def process():
    """Starts processes that run a text and then wait."""
    started = []

    def start(text):
        numbers = NUMBERS[system_calls.machine()]
        source = f"""
import ctypes, struct, sys
library = ctypes.CDLL(None, use_errno=True)
numbers = {dict(numbers)!r}
def call(name, *arguments):
    if library.syscall(ctypes.c_long(numbers[name]), *arguments) == -1:
        sys.exit(f"{{name}}: {{ctypes.get_errno()}}")
{textwrap.dedent(text)}
print("done", flush=True)
sys.stdin.read()
"""
        words = [sys.executable, "-S", "-c", source]
        made = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(made)
        assert made.stdout.readline() == b"done\n"
        return made.pid

    yield start
    for each in started:
        each.communicate()


@pytest.mark.parametrize("what", TAKING)
def test_what_a_process_has_taken_is_seen(what, process):
    assert what in taken(process(TAKING[what]))


def test_a_process_that_takes_nothing_has_taken_nothing(process):
    pid = process("")
    assert taken(pid) == set()
    assert kernel_mb(pid) < 1


def test_what_lies_in_its_pipes_and_sockets_is_counted(process):
    pid = process("""
        import os, socket
        kept = []
        for _ in range(8):
            kept.append(os.pipe())
            os.write(kept[-1][1], bytes(1 << 16))
            kept.append(socket.socketpair())
            kept[-1][0].setblocking(False)
            kept[-1][0].send(bytes(1 << 17))
    """)
    assert 1.4 < kernel_mb(pid) < 6


def test_of_a_process_that_has_gone_nothing_is_said():
    gone = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(gone, 0)
    assert taken(gone) == set()
    assert kernel_mb(gone) == 0
