"""Built-in bots that are compiled before somebody waits for them, in a process of its own.

`python -m joute.play.preparing GAME PARAMETERS BOT NICENESS` has a bot choose a few times
(PARAMETERS are JSON), so that all it needs is in the cache of compiled code. That it is there is
noted beside it, with the seconds that it took.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import numpy as np

from joute import bots
from joute.core.interface import CHANCE, OVER, expand, mover, parameters, play, properties, start
from joute.core.kernel_cache import cache_key
from joute.core.registry import make
from joute.files import cache_folder, put
from joute.host.names import BotSpec, parse_bot
from joute.machine import OWN_PYTHON
from joute.play.chance import Streams

CHOICES = 4  # that a bot makes while it is prepared
MOVE_SECONDS = 0.1  # what it is told
PATIENCE = 300.0  # seconds after which a bot is left to compile where it plays
NICENESS = 10  # of what nobody waits for yet
SEED = "0" * 32


def prepared(game: Any, bot: str) -> bool:
    """Whether a bot has nothing left to compile for this kind of game."""
    spec = parse_bot(bot)
    if spec.kind != "builtin" or spec.hosted:
        return True
    if bots.interpreted(spec.name, game):
        return True
    note = _note(game, bot)
    return note is None or note.exists()


def remember(game: Any, bot: str) -> None:
    """Notes that a bot has played a game of this kind here: nothing of it is left to compile."""
    spec = parse_bot(bot)
    note = _note(game, bot)
    if spec.kind == "builtin" and not spec.hosted and note is not None and not note.exists():
        put(note, "")


def prepare(game: Any, bot: str, running: Any = None, niceness: int = NICENESS) -> None:
    """Has a process prepare a bot; returns when it ends.

    `running` is called with the process. One that fails changes nothing.
    """
    values = msgspec.json.encode(parameters(game)).decode()
    words = [properties(game).name, values, bot, str(niceness)]
    command = [*OWN_PYTHON, "-m", "joute.play.preparing", *words]
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:
        return
    with process:
        if running is not None:
            running(process)
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        process.kill()


def usual_seconds() -> float | None:
    """The median time of preparing a bot on this machine; None at the first."""
    times = []
    for note in cache_folder().glob("*/*.bot"):
        with suppress(OSError, ValueError):
            times.append(float(note.read_text(encoding="ascii")))
    return median(times) if times else None


def _note(game: Any, bot: str) -> Path | None:
    """The file that says that a bot is prepared; None for a game whose code is not kept."""
    key = cache_key((type(game),))
    if key is None:
        return None
    return cache_folder() / key / f"{hashlib.blake2b(bot.encode(), digest_size=8).hexdigest()}.bot"


def _choose(game: Any, spec: BotSpec) -> None:
    """A few choices of the bot, playing against itself."""
    state, streams = start(game).tolist(), Streams(SEED)
    players: dict[int, tuple[bots.BuiltinBot, bots.View]] = {}
    left = CHOICES
    while left and (player := int(mover(game, state))) != OVER:
        if player == CHANCE:
            play(game, state, streams.outcome(game, state))
            continue
        if player not in players:
            table = bots.Seating(game, player, 0, MOVE_SECONDS)
            players[player] = bots.make(spec.name, spec.options, table), bots.View(table)
        bot, view = players[player]
        choice = bot.play(np.array(view.of(state), start(game).dtype))
        for action in expand(game, state, choice.action):
            play(game, state, action)
        left -= 1


def main(name: str, values: str, bot: str, niceness: str) -> None:
    """Prepares a bot of a game with these parameters."""
    os.nice(int(niceness))
    begun = time.monotonic()
    game = make(name, **msgspec.json.decode(values))
    _choose(game, parse_bot(bot))
    if note := _note(game, bot):
        put(note, f"{time.monotonic() - begun:.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
