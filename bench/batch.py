"""The measurements of `bench batch`: many games stepped together, positions and environments.

The bare loop is `playouts`, the kernel that plays random games one after the other: no masks, no
checks, no rewards but at the end. A step is a decision of a player, there as here: what chance
decides in between is part of it. OpenSpiel's loop in Python and pgx play Connect Four, where their
modules can be imported.
"""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from time import process_time
from typing import Any

import numpy as np

import joute
from bench import batch_others
from bench.against_c import alternate
from bench.rows import Row
from joute.core.arrays import copy
from joute.core.batch import Batch
from joute.core.compiled import kernel
from joute.core.interface import CHANCE, OVER, draw, mover, pick, play, properties, start
from joute.core.random import generator
from joute.core.registry import make, names
from joute.search.playouts import playout_work, playouts

COUNTS = (512, 1024, 2048, 4096, 8192)  # games of a batch; the best counts, as for pgx
MOST_MASK = 1 << 27  # bytes of a batch's masks, for games with very many actions
STEPS = 60  # in a round
WARMING = 50  # steps before, so that games are at all their plies
BARE_GAMES = 5000
PLAYS = 2000  # positions in a round
ROUNDS = 9
BARE_AIM, OPEN_SPIEL_AIM, PGX_AIM, FEATURES_AIM = 0.5, 50.0, 20.0, 3_000_000.0
AIMED = ("connect-four", "virus", "tron")
PLAY_AIMS = {"virus": 10.0}  # microseconds; OTHER_AIM else
OTHER_AIM = 30.0


def games() -> dict[str, Any]:
    """The games by what rows call them; those with aims first."""
    found = {"connect-four": make(str(batch_others.GAME))}
    rest = sorted(names(), key=lambda name: (name not in AIMED, name))
    return found | {name: make(name) for name in rest}


def stepping(game: Any, features: bool = False, steps: int = STEPS) -> Any:
    """A batch, and a function that steps it: random actions, checks, masks and rewards."""
    most = max(1, MOST_MASK // properties(game).max_actions)
    sizes = sorted({min(count, most) for count in COUNTS})
    found = [_stepping(game, count, features, steps) for count in sizes]
    if len(found) == 1:
        return found[0]
    return min(found, key=lambda each: best_time(each[1]) / each[0].count)


def _stepping(game: Any, count: int, features: bool, steps: int) -> Any:
    batch = Batch(game, count, seed=1, restart=True)

    def run(steps: int = steps) -> None:
        for _ in range(steps):
            batch.step(batch.random_actions())
            _ = batch.legal
            if features:
                _ = batch.features

    run(WARMING)
    return batch, run


@kernel
def decisions(game: Any, root: Any, count: int, rng: Any, work: Any) -> int:
    """The decisions in the games that `playouts` plays with the same arguments."""
    state, found = work.states[0], 0
    for _ in range(count):
        copy(state, root)
        player = mover(game, state)
        while player != OVER:
            if player == CHANCE:
                action = draw(game, state, work.actions, work.weights, rng)
            else:
                action = pick(game, state, work.actions, rng)
                found += 1
            play(game, state, action)
            player = mover(game, state)
    return found


def step_row(name: str, game: Any, steps: int = STEPS) -> Row:
    """Steps a second with masks and rewards, against the bare loop."""
    batch, run = stepping(game, steps=steps)
    root, rng, work = start(game), generator(1), playout_work(game)
    rounds = max(1, BARE_GAMES // max(1, properties(game).max_plies // 42))
    decided = decisions(game, root, rounds, generator(1), work)

    def bare() -> None:
        rng[:] = generator(1)
        playouts(game, root, rounds, rng, work)

    taken = alternate(run, bare, ROUNDS)
    ours, theirs = steps * batch.count / taken.ours, decided / taken.theirs
    ratio = taken.ratio * steps * batch.count / decided
    against = f"a bare loop: {theirs:,.0f} ({batch.count} games)"
    if name not in AIMED:
        return Row(f"step, {name}", ours, "steps/s", against, ratio)
    aim = f"{BARE_AIM} of the bare loop"
    return Row(f"step, {name}", ours, "steps/s", against, ratio, aim, ratio >= BARE_AIM)


def features_row(name: str, game: Any, steps: int = STEPS) -> Row:
    """The same with the features of the player to act."""
    batch, run = stepping(game, features=True, steps=steps)
    rate = steps * batch.count / best_time(run)
    heading = f"step with features, {name}"
    if name != "connect-four":
        return Row(heading, rate, "steps/s")
    return Row(
        heading, rate, "steps/s", aim=f"{FEATURES_AIM:,.0f}", met=rate >= FEATURES_AIM
    )  # fmt: skip


def best_time(run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """CPU seconds of the fastest of some rounds."""
    times = []
    for _ in range(rounds):
        began = process_time()
        run()
        times.append(process_time() - began)
    return min(times)


def against_row(
    module: str, measure: Callable[[], tuple[str, float]], aim: float, steps: int = STEPS
) -> Row:
    """Connect Four in steps a second against another library's, if its module is there."""
    batch, run = stepping(make(str(batch_others.GAME)), steps=steps)
    rate = steps * batch.count / best_time(run)
    name, told = "step, connect-four", f"{aim:g} of {module}"
    if find_spec(module) is None:
        return Row(name, rate, "steps/s", f"skipped: no module {module}", aim=told)
    called, theirs = measure()
    ratio = rate / theirs
    return Row(
        name, rate, "steps/s", f"{called}: {theirs:,.0f}", ratio, told, ratio >= aim
    )  # fmt: skip


def play_row(name: str, game: Any, plays: int = PLAYS) -> Row:
    """Microseconds of `position.play`, over random games."""
    made, rng = joute.Game(game), np.random.default_rng(1)
    positions = []
    while len(positions) < plays:
        position = made.start(len(positions))
        while not position.over and len(positions) < plays:
            legal = position.legal
            action = legal[int(rng.integers(len(legal)))]
            positions.append((position, action))
            position = position.play(action)

    def run() -> None:
        for position, action in positions:
            position.play(action)

    found = best_time(run) / plays * 1e6
    aim = PLAY_AIMS.get(name, OTHER_AIM)
    return Row(f"position.play, {name}", found, "us", aim=f"{aim:g}", met=found <= aim)


def rows() -> Iterator[Row]:
    """Measures, one after the other: a minute or two."""
    found = games()
    for name, game in found.items():
        yield step_row(name, game)
    yield against_row("pyspiel", batch_others.open_spiel, OPEN_SPIEL_AIM)
    yield against_row("pgx", batch_others.pgx, PGX_AIM)
    for name, game in found.items():
        yield features_row(name, game)
    for name, game in found.items():
        yield play_row(name, game)
    yield batch_others.environment_row()
