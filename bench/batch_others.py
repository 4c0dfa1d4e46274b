"""Connect Four elsewhere, for `bench batch`: OpenSpiel, pgx, environments of PettingZoo.

Nothing here is imported before it is measured.
"""

import gc
import random
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

from bench.rows import Row

OPEN_SPIEL_GAMES = 1000
PGX_SIZES = (64, 256, 1024, 4096)  # games of a batch; the best counts
PGX_STEPS = 100
ENVIRONMENT_STEPS = 3000
ROUNDS = 3
GAME = Path(__file__).parents[1] / "examples" / "games" / "connect_four.py"


def open_spiel(games: int = OPEN_SPIEL_GAMES) -> tuple[str, float]:
    """Steps a second of random games in a loop in Python over OpenSpiel's game, which is in C++."""
    import pyspiel

    game, draw, best = pyspiel.load_game("connect_four"), random.Random(1), 0.0
    for _ in range(ROUNDS):
        plies, began = 0, process_time()
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(draw.choice(state.legal_actions()))
                plies += 1
            state.returns()
        best = max(best, plies / (process_time() - began))
    return "OpenSpiel", best


def pgx(sizes: tuple[int, ...] = PGX_SIZES, steps: int = PGX_STEPS) -> tuple[str, float]:
    """Steps a second of CPU of random games in pgx, finished ones beginning anew."""
    import jax
    import pgx as library
    from pgx.experimental import auto_reset

    environment = library.make("connect_four")
    step = jax.vmap(auto_reset(environment.step, environment.init))

    def once(carried: Any, _: Any) -> Any:
        state, key = carried
        key, choosing, beginning = jax.random.split(key, 3)
        chances = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(choosing, chances, axis=-1)
        return (step(state, actions, jax.random.split(beginning, actions.size)), key), None

    run = jax.jit(lambda carried: jax.lax.scan(once, carried, None, length=steps)[0])
    rates = {}
    for size in sizes:
        keys = jax.random.split(jax.random.PRNGKey(1), size)
        carried = jax.block_until_ready(
            run((jax.jit(jax.vmap(environment.init))(keys), keys[0]))
        )  # fmt: skip
        rates[size] = 0.0
        for _ in range(ROUNDS):
            began = process_time()
            carried = jax.block_until_ready(run(carried))
            rates[size] = max(rates[size], size * steps / (process_time() - began))
    best = max(rates, key=lambda size: rates[size])
    return f"pgx, {best} games", rates[best]


def environment_row() -> Row:
    """Steps a second of PettingZoo's loop, against OpenSpiel's game behind shimmy."""
    name, aim = "PettingZoo, connect-four", "1 of shimmy"
    missing = [each for each in ("pettingzoo", "shimmy", "pyspiel") if find_spec(each) is None]
    if "pettingzoo" in missing:
        return Row(name, None, "steps/s", "skipped: no module pettingzoo", aim=aim)
    from joute.interop.pettingzoo import aec_env

    ours = _loop(aec_env(str(GAME)))
    if missing:
        why = f"skipped: no module {', '.join(missing)}"
        return Row(name, ours, "steps/s", why, aim=aim)
    import pyspiel
    from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

    theirs = _loop(OpenSpielCompatibilityV0(env=pyspiel.load_game("connect_four")))
    return Row(
        name, ours, "steps/s", f"shimmy: {theirs:,.0f}", ours / theirs, aim, ours >= theirs
    )  # fmt: skip


def _loop(environment: Any, steps: int = ENVIRONMENT_STEPS) -> float:
    """Steps a second of PettingZoo's own loop over random actions; the best of some rounds.

    No garbage is collected meanwhile: what else this process holds is no environment's affair.
    """
    gc.collect()
    gc.disable()
    try:
        return max(_once(environment, steps) for _ in range(ROUNDS))
    finally:
        gc.enable()


def _once(environment: Any, steps: int) -> float:
    draw: Callable[[Any], Any] = random.Random(1).choice
    done, began = 0, process_time()
    while done < steps:
        environment.reset(seed=done)
        for player in environment.agent_iter():
            seen, _, ended, cut, told = environment.last()
            mask = told.get("action_mask")
            if mask is None and isinstance(seen, dict):
                mask = seen["action_mask"]
            action = None if ended or cut else draw([at for at, legal in enumerate(mask) if legal])
            environment.step(action)
            done += 1
            del player
    return done / (process_time() - began)
