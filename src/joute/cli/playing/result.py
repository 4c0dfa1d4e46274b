"""After a game: who won, in words, and where its record is kept."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from joute.cli.playing.desk import Desk
from joute.play.game import GameResult, GameSpec
from joute.speech.lines import Line, shown
from joute.speech.words import language, say

WON = {"paradise": "play.paradise.won"}
"""The sentence for who has won, where the points of the two are not to be compared."""


def tell(desk: Desk, board: list[Line], spec: GameSpec, result: GameResult) -> None:
    """Prints how the game stands, and how it ended."""
    print(f"\n{desk.palette.lines(board)}\n")
    for line in outcome(spec, result):
        print(line)


def outcome(spec: GameSpec, result: GameResult) -> list[str]:
    """Who won and how, a line for each place where more than two played."""
    names = [shown(seat.name) for seat in spec.bots]
    if len(names) == 1:
        return [say("play.made", name=names[0], points=counted(result.points[0]))]
    if len(names) > 2:
        return _places(names, result)
    first = 0 if result.returns[0] > result.returns[1] else 1
    values = {
        "winner": names[first],
        "loser": names[1 - first],
        "more": counted(result.points[first]),
        "fewer": result.points[1 - first],
        "left": result.points[first],
    }
    if result.ending == "resignation":
        return [say("play.won_resigned", **values)]
    if result.ending == "forfeit":
        return [say("play.won_forfeit", **values)]
    if result.returns[0] == result.returns[1]:
        return [say("play.drawn", **values)]
    return [say(WON.get(spec.game, "play.won"), **values)]


def as_typed(path: Path) -> str:
    """A path as it is shortest to type: with ~ for the home folder, quoted if need be."""
    home = Path.home()
    if path.is_absolute() and path.is_relative_to(home):
        return f"~/{shlex.quote(str(path.relative_to(home)))}"
    return shlex.quote(str(path))


def counted(points: int) -> str:
    """So many points, in words."""
    singular = points == 1 or (points == 0 and language() == "fr")
    return say("play.point" if singular else "play.points", points=points)


def _places(names: list[str], result: GameResult) -> list[str]:
    """The seats by their returns; equal returns share a place."""
    order = sorted(range(len(names)), key=lambda seat: -result.returns[seat])
    return [
        say(
            "play.place",
            place=1 + sum(value > result.returns[seat] for value in result.returns),
            name=names[seat],
            points=counted(result.points[seat]),
        )
        for seat in order
    ]


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
