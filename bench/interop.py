"""The measurements of `bench interop`: records to tables of positions, and PettingZoo's loop.

Records are those of 200 games of Virus, again and again: what is measured does not depend on
whether a record was seen before. The loop takes random actions in Connect Four, with observations
and masks, in ours and in OpenSpiel's C++ game behind Shimmy, where these packages are installed.
"""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import joute
from bench.rows import Row
from joute.interop.data import save_positions, tables
from joute.interop.pettingzoo import aec_env

MANY = 100_000  # games that are to take a minute
CONNECT_FOUR = str(Path(__file__).parents[1] / "examples" / "games" / "connect_four.py")
GAMES = 100  # of the loop
REPEATS = 3


def rows() -> Iterator[Row]:
    """Measures, one after the other: under a minute."""
    match = joute.match("virus", "builtin:random", "builtin:greedy", games=200, seed=1)
    contents = [record.content for record in match.records]
    with TemporaryDirectory() as folder:
        place = Path(folder, "virus.parquet")
        save_positions(contents, place)  # compiles
        aim, limit = "60 s", 60.0
        seconds = _seconds(lambda: sum(map(len, tables(contents * 10)))) * MANY / 2000
        yield Row("100,000 games of Virus to tables", seconds, "s", aim=aim, met=seconds <= limit)
        seconds = _seconds(lambda: save_positions(contents * 10, place)) * MANY / 2000
        yield Row("100,000 games of Virus to Parquet", seconds, "s", aim=aim, met=seconds <= limit)
    ours = _step(aec_env(CONNECT_FOUR))
    try:
        from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0
    except ImportError:
        yield Row("PettingZoo's loop, Connect Four", ours, "us a step", "skipped: no shimmy")
        return
    theirs = _step(OpenSpielCompatibilityV0(game_name="connect_four"))
    against = f"OpenSpiel's C++ behind Shimmy: {theirs:.3g}"
    yield Row(
        "PettingZoo's loop, Connect Four", ours, "us a step", against, theirs / ours, "1.00",
        ours <= theirs,
    )  # fmt: skip


def _seconds(work: Callable[[], Any]) -> float:
    """The least CPU time of some runs."""
    best = float("inf")
    for _ in range(REPEATS):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def _step(env: Any) -> float:
    """Microseconds of CPU a step of random games."""
    _play(env, 10)
    steps = _play(env, GAMES)
    return 1e6 * _seconds(lambda: _play(env, GAMES)) / steps


def _play(env: Any, games: int) -> int:
    """Plays random games; how many steps they took."""
    rng, steps = random.Random(1), 0
    for number in range(games):
        env.reset(seed=number)
        for _ in env.agent_iter():
            _, _, ended, cut, info = env.last()
            if ended or cut:
                env.step(None)
            else:
                env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
                steps += 1
    return steps
