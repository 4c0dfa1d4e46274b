"""The cost of isolation, level by level, and how well a bot's time is known."""

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from bench.rows import Row
from joute.host import Answer, BotLimits, HostedBot, Level, command_for, granted, parse_bot
from joute.host.clock import CpuClock
from joute.host.zygote import VARIABLE

STARTS = 15
PLIES = 2000
BURNS = 10
BURN_SECONDS = 0.1
PAUSE_SECONDS = 0.02  # between turns, while the bot is stopped

START_AIM = 10.0  # milliseconds more than at `limits`
WARM_AIM = 10.0  # milliseconds
ROUND_TRIP_AIM = 60.0  # microseconds
CLOCK_AIM = 2.0  # milliseconds, of a turn

START: dict[str, Any] = {
    "type": "start",
    "protocol": 1,
    "game": "virus",
    "parameters": {},
    "player": 0,
    "names": ["a", "b"],
    "seed": 1,
    "move_seconds": 10.0,
    "events": [],
}
PLAY: dict[str, Any] = {"type": "play", "observation": {"legal": [1, 2, 3]}, "events": []}

FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"
BURNING = f"""
import time
def play(observation, clock):
    until = time.process_time() + {BURN_SECONDS}
    while time.process_time() < until:
        pass
    return int(1e6 * time.process_time())
"""
THINKING = (
    """
import threading
def think():
    while True:
        pass
threading.Thread(target=think, daemon=True).start()
"""
    + FIRST
)


class BotFailedError(Exception):
    """The bot of a measurement did not answer."""


def rows() -> Iterator[Row]:
    """Every figure, for each level that this machine grants."""
    levels = [level for level in Level if Level.LIMITS <= level <= granted().level]
    plain = 0.0
    for level in levels:
        with _without_zygote():
            started, _ = _start_ms(level)
        plain = plain or started
        more = started - plain
        against = "" if level is Level.LIMITS else f"limits: {plain:.1f} ms, {more:+.1f}"
        aim = "" if level is Level.LIMITS else f"< {START_AIM:g} ms more"
        met = None if level is Level.LIMITS else more < START_AIM
        yield Row(f"start, CPU, {level}", started, "ms", against, aim=aim, met=met)
    for level in [level for level in levels if level < Level.FULL]:
        used, taken = _start_ms(level)
        aim = f"< {WARM_AIM:g} ms"
        name = f"start, from the zygote, {level}"
        against = f"{used:.1f} ms of CPU"
        yield Row(name, taken, "ms", against, aim=aim, met=taken < WARM_AIM)
    for level in levels:
        taken = _round_trip_us(level)
        aim = f"< {ROUND_TRIP_AIM:g} us"
        yield Row(f"round trip, {level}", taken, "us", aim=aim, met=taken < ROUND_TRIP_AIM)
    highest = levels[-1]
    for name, busy in (("idle", 0), ("loaded", os.cpu_count() or 1)):
        with _load(busy):
            error = _clock_error_ms(highest)
            yield _within(f"CPU clock, error, {name} host, {highest}", error)
            for level in levels:
                burnt = _burnt_ms(level)
                yield _within(f"CPU burnt while stopped, {name} host, {level}", burnt)


def _within(name: str, value: float) -> Row:
    return Row(name, value, "ms/turn", aim=f"< {CLOCK_AIM:g} ms", met=value < CLOCK_AIM)


def _start_ms(level: Level) -> tuple[float, float]:
    """From the spawn to `ready`: CPU, which a busy host does not change, and on the wall."""
    answers = []
    for _ in range(STARTS + 1):
        with _hosted(FIRST, level) as bot:
            answers.append(_good(bot.start(START)))
    # The first may have had to wait for the zygote's own start.
    answers = answers[1:]
    return median(each.cpu_ms for each in answers), median(each.wall_ms for each in answers)


@contextmanager
def _without_zygote() -> Iterator[None]:
    """Starts every bot's interpreter anew."""
    os.environ[VARIABLE] = "off"
    try:
        yield
    finally:
        del os.environ[VARIABLE]


def _round_trip_us(level: Level) -> float:
    """From the call to the answer, the process continued before and stopped after."""
    taken = []
    with _hosted(FIRST, level) as bot:
        _good(bot.start(START))
        for _ in range(PLIES):
            began = perf_counter()
            _good(bot.ask(PLAY))
            taken.append(perf_counter() - began)
    return 1e6 * median(taken)


def _clock_error_ms(level: Level) -> float:
    """Between what a bot is charged for a turn and what it knows that it burnt."""
    errors = []
    with _hosted(BURNING, level) as bot:
        _good(bot.start(START))
        for _ in range(BURNS):
            charged = _good(bot.ask(PLAY)).cpu_ms
            errors.append(abs(charged - 1000 * BURN_SECONDS))
    return max(errors)


def _burnt_ms(level: Level) -> float:
    """Of a bot that goes on thinking, from its answer to the next question."""
    burnt = []
    with _hosted(THINKING, level) as bot:
        _good(bot.start(START))
        for _ in range(BURNS):
            charged = _good(bot.ask(PLAY))
            clock = CpuClock(bot.bot_pid)
            before = clock.seconds(0.0)
            until = process_time() + PAUSE_SECONDS
            while process_time() < until:
                pass
            burnt.append(1000 * (clock.seconds(0.0) - before))
            if not charged.alive:
                raise BotFailedError(charged.detail)
    return median(burnt)


@contextmanager
def _hosted(text: str, level: Level) -> Iterator[HostedBot]:
    limits = BotLimits(isolation=level, start_seconds=60.0, move_seconds=60.0)
    with TemporaryDirectory() as folder:
        (Path(folder) / "bot.py").write_text(text, encoding="utf-8")
        command = command_for(parse_bot("bot.py", Path(folder)), limits)
        with HostedBot(command, limits) as bot:
            yield bot


@contextmanager
def _load(processes: int) -> Iterator[None]:
    """Keeps so many cores busy."""
    context = multiprocessing.get_context("spawn")
    busy = [context.Process(target=_burn, daemon=True) for _ in range(processes)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.join()


def _burn() -> None:
    while True:
        pass


def _good(answer: Answer) -> Answer:
    if answer.fault is not None:
        raise BotFailedError(f"{answer.fault}: {answer.detail}")
    return answer
