"""Measures what two bots can still tell each other by the speed of what they share.

At its best for them: by processes of ours outside of any jail, which agree on the moment of each
bit. Bots have no such clock in common, and only their turns to do it in.
"""

import multiprocessing
import os
import random
import sysconfig
import time
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path

from bench.rows import Row

BITS = 256
STEP = 1 << 15  # bytes between the places of two bits, further than is read ahead
SLOT_SECONDS = 0.02  # of a bit of load


def rows() -> Iterator[Row]:
    """Every channel that is left, by its rate and by how many bits arrive wrong."""
    for name, measured in (("page cache, by time", _page_cache), ("load of a core", _load)):
        rate, wrong = measured()
        yield Row(f"{name}: rate", rate, "bit/s")
        yield Row(f"{name}: wrong", 100 * wrong, "%", "50 % is nothing told")


def _page_cache() -> tuple[float, float]:
    """Pages that one has read come at once to the other, the rest from the disk."""
    path = max(Path(sysconfig.get_paths()["stdlib"]).rglob("*.a"), key=lambda p: p.stat().st_size)
    most = min(BITS, path.stat().st_size // STEP)
    bits = [random.getrandbits(1) for _ in range(most)]
    file = os.open(path, os.O_RDONLY)
    try:
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        began = time.perf_counter()
        for place, bit in enumerate(bits):
            if bit:
                os.pread(file, 1, place * STEP)
        taken = []
        for place in range(most):
            before = time.perf_counter()
            os.pread(file, 1, place * STEP)
            taken.append(time.perf_counter() - before)
        seconds = time.perf_counter() - began
    finally:
        os.close(file)
    return most / seconds, _wrong(bits, [each < _between(taken) for each in taken])


def _load() -> tuple[float, float]:
    """Whoever shares a core with one that computes gets less done."""
    bits = [random.getrandbits(1) for _ in range(BITS)]
    context = multiprocessing.get_context("fork")
    begin = context.Event()
    core = min(os.sched_getaffinity(0))
    sender = context.Process(target=_send, args=(bits, begin, core), daemon=True)
    sender.start()
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        begin.set()
        began = time.monotonic()
        done = [_work(began + (place + 1) * SLOT_SECONDS) for place in range(len(bits))]
    finally:
        os.sched_setaffinity(0, usual)
        sender.join()
    return 1 / SLOT_SECONDS, _wrong(bits, [each < _between(done) for each in done])


def _send(bits: list[int], begin: Event, core: int) -> None:
    os.sched_setaffinity(0, {core})
    begin.wait()
    began = time.monotonic()
    for place, bit in enumerate(bits):
        until = began + (place + 1) * SLOT_SECONDS
        if bit:
            _work(until)
        else:
            time.sleep(max(0.0, until - time.monotonic()))


def _work(until: float) -> int:
    done = 0
    while time.monotonic() < until:
        sum(range(50))
        done += 1
    return done


def _between(values: list[float] | list[int]) -> float:
    ordered = sorted(values)
    low, high = ordered[len(ordered) // 10], ordered[-len(ordered) // 10]
    return (low * high) ** 0.5


def _wrong(sent: list[int], heard: list[bool]) -> float:
    return sum(bool(bit) != told for bit, told in zip(sent, heard, strict=True)) / len(sent)
