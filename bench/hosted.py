"""The cost of hosting a bot: its start, and each of its plies."""

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bench.rows import Row
from bench.virus_kernels import positions
from joute.core.interface import observe, parameters, properties
from joute.host import Answer, BotLimits, HostedBot, command_for, parse_bot

PLIES = 3000
STARTS = 10
ROUND_TRIP_AIM = 100  # microseconds

FIRST_LEGAL = """\
def play(observation, clock):
    return observation["legal"][0]
"""
"""The least that a bot can do."""


class BotFailedError(Exception):
    """The bot of a measurement did not answer."""


def round_trip_row(game: Any, bot: Path) -> Row:
    """A ply of a hosted bot, minus what its function takes when it is called here.

    The process is continued before each ply and stopped after it, as in a game.
    """
    observation = _observation(game)
    message = {"type": "play", "observation": observation, "events": []}
    function = _function(bot)
    direct = _median_us(lambda: function(observation, None), PLIES)
    with _hosted(bot) as hosted:
        _good(hosted.start(_start_message(game)))
        for _ in range(100):
            _good(hosted.ask(message))
        there_and_back = _median_us(lambda: _good(hosted.ask(message)), PLIES)
    above = there_and_back - direct
    return Row(
        "hosted ply, above a direct call",
        above,
        "us",
        f"direct: {direct:.2f} us",
        aim=f"< {ROUND_TRIP_AIM} us",
        met=above < ROUND_TRIP_AIM,
    )


def start_row(game: Any, bot: Path) -> Row:
    """From the spawn of a hosted Python bot to its `ready`."""
    taken = []
    for _ in range(STARTS):
        with _hosted(bot) as hosted:
            began = perf_counter()
            _good(hosted.start(_start_message(game)))
            taken.append(perf_counter() - began)
    return Row("hosted bot, spawn to ready", 1e3 * median(taken), "ms")


def _hosted(bot: Path) -> HostedBot:
    limits = BotLimits()
    return HostedBot(command_for(parse_bot(str(bot), None), limits), limits)


def _start_message(game: Any) -> dict[str, Any]:
    return {
        "type": "start",
        "protocol": 1,
        "game": properties(game).name,
        "parameters": parameters(game),
        "player": 0,
        "names": ["a", "b"],
        "seed": 1,
        "move_seconds": 10.0,
        "events": [],
    }


def _observation(game: Any) -> dict[str, Any]:
    [state] = positions(game, (40,))
    return observe(game, state.tolist(), int(state[4]))


def _function(bot: Path) -> Callable[..., int]:
    spec = spec_from_file_location("bench_bot", bot)
    if spec is None or spec.loader is None:
        raise BotFailedError(f"cannot import {bot}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., int] = module.play
    return function


def _good(answer: Answer) -> None:
    if answer.fault is not None:
        raise BotFailedError(f"{answer.fault}: {answer.detail}")


def _median_us(call: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        began = perf_counter()
        call()
        taken.append(perf_counter() - began)
    return 1e6 * median(taken)
