"""Contests whose games are made up, in folders as `joute contest run` leaves them."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from cli.exported import CLASS, crashes, uneven
from contest.reports import Scores, all_played

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest, to_json
from joute.contest.folder import DATABASE, LOCK
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game
from joute.store.store import Store


@cache
def record() -> bytes:
    """The record of a game, the same for all that are made up."""
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("ann <script>", "bob"))
    return play_game(GameSpec(game="virus", parameters={"size": 4}, bots=seats, seed="1")).record


def played(
    folder: Path, games: int | None = None, scores: Scores = uneven, text: str = CLASS
) -> Path:
    """The folder of a contest of three bots, so many of its games played (default: all)."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "class.toml"
    file.write_text(text, encoding="utf-8")
    return keep(resolve(file), games, scores)


@contextmanager
def playing_into(folder: Path, process: int | None = None) -> Iterator[None]:
    """A folder whose lock is held, as by whoever plays into it, with the number of a process."""
    with (folder / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(str(process or os.getpid()))
        lock.flush()
        yield


def keep(contest: Contest, games: int | None = None, scores: Scores = uneven) -> Path:
    """The folder of a contest, so many of its games played there."""
    _, made = all_played(contest, contest.seed or "", scores, crashes)
    results = Path(contest.folder)
    results.mkdir()
    with Store.in_file(results / DATABASE) as store:
        store.keep_configuration(to_json(contest).decode(), contest.seed or "")
        kept = list(made.values())[:games]
        store.add(kept, {game.identity: record() for game in kept})
    return results
