"""Bots with large libraries play in the jail with the memory that they declare."""

import os

import pytest
from host.hosting import EASY, play_message, start_message
from host.jailing import JAILED, need_level
from msgspec.structs import replace

from joute.host import Fault

TORCH = os.environ.get("JOUTE_TORCH_PYTHON", "")
"""An interpreter that has PyTorch, which is too large to be installed for a test."""


@pytest.fixture(params=JAILED)
def jailed(request):
    """Limits at each level that jails, with time for a large library."""
    need_level(request.param)
    return replace(EASY, isolation=request.param, start_seconds=60.0, move_seconds=60.0)


def test_numpy_and_numba_bots_play_in_half_a_gibibyte(hosts, jailed):
    text = """
        import numba, numpy
        @numba.njit(cache=True)
        def total(values):
            count = 0
            for value in values:
                count += value
            return count
        def play(observation, clock):
            square = numpy.ones((200, 200))
            return int(total(numpy.arange(5)) + (square @ square)[0, 0])
        """
    assert hosts.source(text, replace(jailed, memory_mb=512)).ask(play_message()).action == 210


MAPPING = """
    import mmap, threading
    def mapped(gibibytes):
        kind = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        return mmap.mmap(-1, gibibytes << 30, kind, mmap.PROT_READ)
    LIBRARY = [mapped(4) for _ in range(4)]
    WEIGHTS = b"x" * (100 << 20)
    OVER = threading.Event()
    THREADS = [threading.Thread(target=OVER.wait, daemon=True) for _ in range(7)]
    for thread in THREADS:
        thread.start()
    def play(observation, clock):
        return len(WEIGHTS) >> 20
    """
"""As large libraries do: much is mapped, less is written; there is a thread for each core."""


def test_what_a_library_maps_is_not_held_against_a_bot_but_what_it_writes_is(hosts, jailed):
    bot = hosts.source(MAPPING, replace(jailed, memory_mb=256))
    assert bot.ask(play_message()).action == 100
    bot = hosts.bot("mine.py", replace(jailed, memory_mb=64), base=hosts.folder)
    answer = bot.start(start_message())
    assert answer.fault is Fault.START_UP
    assert "MemoryError" in answer.detail


def test_a_pytorch_bot_plays_with_what_it_declares(hosts, jailed):
    if not TORCH:
        pytest.skip("JOUTE_TORCH_PYTHON names no interpreter that has PyTorch")
    hosts.write(
        "mine.py",
        """
        import torch
        NET = torch.nn.Linear(100, 100)
        def play(observation, clock):
            NET(torch.ones(1, 100)).square().mean().backward()
            return torch.get_num_threads()
        """,
    )
    limits = replace(jailed, memory_mb=256)
    bot = hosts.started("mine.py", limits, base=hosts.folder, python=TORCH)
    assert bot.ask(play_message()).action == 1
