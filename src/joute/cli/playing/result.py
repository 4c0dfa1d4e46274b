"""After a game: who won, in words, and where its record is kept."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from joute.cli.output import print_drawn
from joute.cli.playing.desk import Desk
from joute.i18n.lines import Line
from joute.play.game import GameResult, GameSpec
from joute.play.telling import outcome


def tell(desk: Desk, board: list[Line], spec: GameSpec, result: GameResult) -> None:
    """Prints how the game stands, and how it ended."""
    print_drawn(f"\n{desk.palette.lines(board)}\n")
    for line in outcome(spec, result):
        print(line)


def as_typed(path: Path) -> str:
    """A path as it is shortest to type: with ~ for the home folder, quoted if need be."""
    home = Path.home()
    if path.is_absolute() and path.is_relative_to(home):
        return f"~/{shlex.quote(str(path.relative_to(home)))}"
    return shlex.quote(str(path))


def record_path(wanted: Path | None, game: str, environ: Mapping[str, str], now: datetime) -> Path:
    """Where the record of a game goes: a file that is not there yet, in a folder that is.

    `wanted` is a file (.jsonl) or a folder; without it, the user's folder of games.
    """
    name = f"{game}-{now:%Y%m%d-%H%M%S}.jsonl"
    if wanted is None:
        data = Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
        path = data / "joute" / "games" / name
    elif wanted.is_dir() or wanted.suffix != ".jsonl":
        path = wanted / name
    else:
        path = wanted
    path.parent.mkdir(parents=True, exist_ok=True)
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
