"""Memory that the limit on what can be written does not count."""

import os
import sys

import pytest
from host.hosting import EASY, play_message
from msgspec.structs import replace

from joute.host import BotLimits, Fault, Level
from joute.host.descendants import MemoryWatch, held_kb
from joute.redteam.proc import kernel_mb

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells what is held")

SMALL = replace(EASY, memory_mb=64, isolation=Level.LIMITS)

PROTECTING = """
import ctypes, os, signal
library = ctypes.CDLL(None)
library.mmap.restype = ctypes.c_void_p
def fill(megabytes):
    for _ in range(megabytes // 8):
        start = library.mmap(None, ctypes.c_size_t(8 << 20), 3, 0x22, -1, ctypes.c_long(0))
        ctypes.memset(start, 1, 8 << 20)
        library.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(8 << 20), 1)
def play(observation, clock):
    if observation["child"]:
        done, told = os.pipe()
        if os.fork() == 0:
            fill(observation["megabytes"])
            os.write(told, b".")
            signal.pause()
        os.read(done, 1)
    else:
        fill(observation["megabytes"])
    return 0
"""


@pytest.mark.parametrize("child", [False, True])
def test_memory_that_is_protected_after_it_was_filled_is_counted_all_the_same(hosts, child):
    limits = replace(SMALL, children=True)
    answer = hosts.source(PROTECTING, limits).ask(play_message(megabytes=192, child=child))
    assert answer.fault is Fault.MEMORY
    assert answer.detail == "one of its processes took more than 64 MiB of memory"
    assert not answer.alive


def test_what_a_bot_may_write_it_may_hold(hosts):
    filling = """
        kept = bytearray(b"x") * (45 << 20)
        def play(observation, clock):
            return 0
        """
    bot = hosts.source(filling, SMALL)
    assert [bot.ask(play_message()).fault for _ in range(3)] == [None, None, None]
    assert 45 << 10 < held_kb(bot.bot_pid) < 64 << 10


def test_pages_that_are_only_looked_at_cost_the_kernel_little(hosts):
    mapping = """
        import mmap, resource
        def play(observation, clock):
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            try:
                mmap.mmap(-1, hard, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
            except OSError:
                return {"action": 0, "message": f"{hard >> 20} MiB in all"}
        """
    answer = hosts.source(mapping, SMALL).ask(play_message())
    assert answer.message == f"{(16 << 10) + 64} MiB in all"


FILLING = """
import socket
kept = []
def play(observation, clock):
    try:
        while True:
            pair = socket.socketpair()
            kept.append(pair)
            for end in pair:
                end.setblocking(False)
                try:
                    while True:
                        end.send(bytes(1 << 17))
                except BlockingIOError:
                    pass
    except OSError:
        return len(kept)
"""


def test_sockets_hold_no_more_than_the_doctor_says(hosts):
    bot = hosts.source(FILLING, BotLimits(memory_mb=256, move_seconds=20.0))
    if bot.level < Level.KERNEL:
        pytest.skip("nothing holds it")
    assert bot.ask(play_message()).fault is None
    assert 1 < kernel_mb(bot.bot_pid) <= 16


def test_a_process_that_has_gone_holds_nothing():
    gone = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(gone, 0)
    assert held_kb(gone) == 0
    watch = MemoryWatch(gone, 1)
    watch.look(1.0)
    assert not watch.exceeded


def test_without_a_limit_nothing_is_too_much():
    watch = MemoryWatch(os.getpid(), 0)
    watch.look(1.0)
    assert not watch.exceeded
    watch = MemoryWatch(os.getpid(), 1)
    watch.look(0.001)
    assert not watch.exceeded  # too short to be worth a look
    watch.look(0.005)
    assert watch.exceeded
