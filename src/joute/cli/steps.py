"""A record as a list of steps, and each step as text: what `joute replay` shows.

The first step is the position before the game, then comes one for every line of the record: a ply,
or a failure without one. A board is always that *after* the ply.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from joute.cli.usage import CheckFault, written
from joute.core.interface import has_points, properties, render
from joute.core.registry import make
from joute.i18n.recognised import recognised
from joute.i18n.words import say
from joute.play.record import RecordError, check_shape, read_record
from joute.play.verify import recorded_game, replay
from joute.text import harmless

START = -1  # the ply of the step before the game


class RecordedLine(NamedTuple):
    """One line of a record (empty before the game) and the board after it."""

    ply: int
    line: dict[str, Any]
    board: str


class RecordedGame(NamedTuple):
    """A record that can be shown."""

    header: dict[str, Any]
    steps: list[RecordedLine]
    end: dict[str, Any]

    def names(self) -> list[str]:
        """The bots, by seat."""
        return [str(bot["name"]) for bot in self.header["bots"]]


def read_game(path: Path) -> RecordedGame:
    """The game of a record. Raises CheckFault if the record is not true, OSError if unreadable."""
    from joute.contest.records import Records

    with Records() as records:
        content = records.read(path)
    try:
        record = read_record(content)
        states = replay(record)
        game = recorded_game(record)
        check_shape(record, properties(game).players)
    except RecordError as error:
        raise CheckFault(
            say("replay.broken", path=path, line=error.line, reason=error.reason)
        ) from None
    steps = [RecordedLine(START, {}, render(game, states[0]))]
    reached = 0
    for line in record.plies:
        reached += "action" in line
        steps.append(RecordedLine(line["ply"], line, render(game, states[reached])))
    return RecordedGame(record.header, steps, record.end)


def title(game: RecordedGame) -> str:
    """The game, its parameters, who plays."""
    values = game.header["parameters"].items()
    parameters = ", ".join(f"{key}={written(value)}" for key, value in values)
    players = " - ".join(f"{name} ({seat})" for seat, name in enumerate(game.names()))
    return f"{game.header['game']} ({parameters}): {players}"


def outcome(game: RecordedGame) -> list[str]:
    """Lines on the end of the game, and on its returns."""
    lines = [say(f"ending.{game.end['ending']}", plies=game.end["plies"])]
    rules = make(game.header["game"], **game.header["parameters"])
    key = "replay.return" if has_points(rules) else "replay.return_alone"
    for seat, name in enumerate(game.names()):
        points, value = game.end["points"][seat], game.end["returns"][seat]
        lines.append(say(key, name=name, points=points, value=f"{value:g}"))
    return lines


def facts(game: RecordedGame, step: RecordedLine) -> list[str]:
    """Lines on one action: its player, its time, faults, the bot's message."""
    line = step.line
    if not line:
        return [say("replay.start")]
    lines = [_action(game, line)]
    if "cpu_ms" in line:
        lines.append(say("replay.time", cpu=f"{line['cpu_ms']:.1f}", wall=f"{line['wall_ms']:.1f}"))
    if "fault" in line:
        fault = say(f"fault.{line['fault']}")
        lines.append(
            say("replay.fault", fault=fault, code=line["fault"], cost=say(f"cost.{line['cost']}"))
        )
        lines.extend(quoted(str(recognised(line["detail"]))))
    for key in ("message", "note", "output"):
        if line.get(key):
            lines.append(say(f"replay.{key}"))
            lines.extend(quoted(line[key]))
    return lines


def _action(game: RecordedGame, line: dict[str, Any]) -> str:
    if "player" not in line:
        return say("replay.chance", ply=line["ply"], text=line["text"])
    values = {"ply": line["ply"], "name": game.names()[line["player"]]}
    if "resigned" in line:
        return say("replay.resigned", **values)
    if "action" not in line:
        return say("replay.no_action", **values)
    if line["by"] == "bot" and "fault" in line:
        return say("replay.by_fault", text=line["text"], **values)
    return say(f"replay.by_{line['by']}", text=line["text"], **values)


def quoted(text: str) -> list[str]:
    """The lines of what a bot wrote, set off from ours; they must not steer the terminal."""
    return [f"  | {harmless(line)}" for line in text.splitlines()]


def faulty(game: RecordedGame) -> list[int]:
    """The places in `steps` where a bot failed."""
    return [place for place, step in enumerate(game.steps) if "fault" in step.line]
