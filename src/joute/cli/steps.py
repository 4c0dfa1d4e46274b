"""A record as a list of steps, and each step as text: what `joute replay` shows.

The first step is the position before the game, then comes one for every line of the record: a ply,
or a failure without one. A board is always that *after* the ply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from joute.cli.usage import CheckFault, UsageFault, written
from joute.core.interface import has_points, properties, render
from joute.i18n.figures import figure, plain
from joute.i18n.recognised import recognised
from joute.i18n.words import LANGUAGES, say, say_of, speaking
from joute.play.hints import hints
from joute.play.record import (
    NO_RECORD,
    WITHHELD,
    Record,
    RecordError,
    actions_of,
    check_shape,
    ply_number,
    read_record,
)
from joute.play.telling import counted, played, position_lines, returned, why_ended
from joute.play.verify import recorded_game, replay
from joute.text import harmless

START = 0  # the ply of the step before the game


class RecordedLine(NamedTuple):
    """One line of a record (empty before the game), and the states before and after it."""

    ply: int  # its number, from 1; the last one's of a turn that was answered as a whole
    line: dict[str, Any]
    before: list[int]
    after: list[int]


class RecordedGame(NamedTuple):
    """A record that can be shown."""

    record: Record
    steps: list[RecordedLine]
    why: str  # the game ended by its rules; "" where it did not, or they do not say
    rules: Any

    @property
    def header(self) -> dict[str, Any]:
        """Its first line."""
        return self.record.header

    @property
    def end(self) -> dict[str, Any]:
        """Its last line."""
        return self.record.end

    def names(self) -> list[str]:
        """The bots, by seat."""
        return [str(bot["name"]) for bot in self.header["bots"]]


def untrue(path: Path, error: RecordError) -> CheckFault:
    """The error of a file that is no record, or not a true one."""
    if getattr(error.reason, "key", "") == NO_RECORD:
        return CheckFault(say("replay.no_record", path=path))
    return CheckFault(str(error.named(path)))


def records_at(paths: Iterable[Path]) -> Iterator[tuple[Path, Record]]:
    """The records at these paths: those of a contest's folder, or single files.

    Raises CheckFault for one that is not true, OSError if unreadable.
    """
    from joute.contest.records import Records

    with Records() as records:
        for given in paths:
            if not given.exists() and not records.listed(given):
                records.read(given)  # says what is wrong
            for path in records.listed(given):
                try:
                    yield path, read_record(records.read(path), partial=True)
                except RecordError as error:
                    raise untrue(path, error) from None


def read_game(path: Path) -> RecordedGame:
    """The game of a record.

    Raises UsageFault for a folder, CheckFault if the record is not true, OSError if unreadable.
    """
    from joute.contest.records import Records

    if path.is_dir():
        raise UsageFault(say("replay.folder", path=path))
    with Records() as records:
        content = records.read(path)
    try:
        record = read_record(content, partial=True)
        states = replay(record)
        game = recorded_game(record)
        check_shape(record, properties(game).players)
    except RecordError as error:
        raise untrue(path, error) from None
    steps = [RecordedLine(START, {}, states[0], states[0])]
    reached = 0
    for line in record.plies:
        before = states[reached]
        reached += "action" in line
        last = line["ply"] + max(len(actions_of(line)), 1) - 1
        steps.append(RecordedLine(ply_number(last), line, before, states[reached]))
    names = [str(bot["name"]) for bot in record.header["bots"]]
    why = why_ended(game, states[-1], record.end["ending"], names)
    return RecordedGame(record, steps, why, game)


def title(game: RecordedGame) -> str:
    """The game, its parameters, who plays."""
    values = game.header["parameters"].items()
    parameters = ", ".join(f"{key}={written(value)}" for key, value in values)
    players = " - ".join(f"{name} ({seat})" for seat, name in enumerate(game.names()))
    return say("replay.title", game=game.header["game"], parameters=parameters, players=players)


def outcome(game: RecordedGame) -> list[str]:
    """Lines on the end of the game, and on its returns."""
    plies = game.end["plies"]
    lines = [say_of(plies, f"ending.{game.end['ending']}", plies=plies)]
    lines += filter(None, [game.why])
    rules = game.rules
    key = "replay.return" if has_points(rules) else "replay.return_alone"
    for seat, name in enumerate(game.names()):
        points, value = game.end["points"][seat], game.end["returns"][seat]
        lines.append(say(key, name=name, points=counted(points), value=returned(rules, value)))
    return lines


def board(game: RecordedGame, step: RecordedLine) -> list[str]:
    """The lines of the position after a step, in the language spoken."""
    return position_lines(game.rules, step.after, game.names())


def board_text(game: RecordedGame, step: RecordedLine) -> str:
    """The position after a step as data has it: in English, the seats by their numbers."""
    with speaking(LANGUAGES[0]):
        return render(game.rules, step.after)


def facts(game: RecordedGame, step: RecordedLine) -> list[str]:
    """Lines on one action: its player, its time, faults, the bot's message."""
    line = step.line
    if not line:
        return [say("replay.start")]
    lines = [_action(game, step)]
    if "cpu_ms" in line:
        cpu, wall = (figure(line[key], 1) for key in ("cpu_ms", "wall_ms"))
        lines.append(say("replay.time", cpu=cpu, wall=wall))
    if "fault" in line:
        fault = say(f"fault.{line['fault']}")
        lines.append(
            say("replay.fault", fault=fault, code=line["fault"], cost=say(f"cost.{line['cost']}"))
        )
        lines.extend(quoted(str(recognised(line["detail"]))))
    lines.extend(_annotations(line))
    for key in ("message", "note", "output"):
        if line.get(key):
            lines.append(say(f"replay.{key}"))
            text = line[key]
            if key == "note":  # sentences of ours
                text = "\n".join(str(recognised(each)) for each in text.splitlines())
            lines.extend(quoted(text))
    if "fault" in line:
        advice = hints(line["fault"], line["detail"], line.get("output", ""))
        lines.extend(say("check.hint", hint=each) for each in advice)
    if line.get(WITHHELD):
        lines.append(say("replay.withheld"))
    return lines


def _annotations(line: dict[str, Any]) -> list[str]:
    """Lines on the metrics and marks that came with an action."""
    figures = ", ".join(f"{name} {plain(value)}" for name, value in line.get("metrics", {}).items())
    marks = "; ".join(map(_mark, line.get("marks", ())))
    found = {"metrics": figures, "marks": marks}
    return [say(f"replay.{name}", found=text) for name, text in found.items() if text]


def _mark(mark: dict[str, Any]) -> str:
    places = [mark[key] for key in ("cell", "from", "to") if key in mark]
    where = " → ".join(f"({', '.join(map(str, place))})" for place in places)
    tone = mark["tone"]
    return f"{say(f'replay.tone.{tone}')} {where}"


def _action(game: RecordedGame, step: RecordedLine) -> str:
    line = step.line
    if "player" not in line:
        return say("replay.chance", ply=ply_number(line["ply"]), text=_played(game, step))
    values = {"ply": ply_number(line["ply"]), "name": game.names()[line["player"]]}
    if "resigned" in line:
        return say("replay.resigned", **values)
    if "action" not in line:
        return say("replay.no_action", **values)
    if line["by"] == "bot" and "fault" in line:
        return say("replay.by_fault", text=_played(game, step), **values)
    return say(f"replay.by_{line['by']}", text=_played(game, step), **values)


def _played(game: RecordedGame, step: RecordedLine) -> str:
    return played(game.rules, step.before, step.line, game.names())


def quoted(text: str) -> list[str]:
    """The lines of what a bot wrote, set off from ours; they must not steer the terminal."""
    return [f"  | {harmless(line)}" for line in text.splitlines()]


def faulty(game: RecordedGame) -> list[int]:
    """The places in `steps` where a bot failed."""
    return [place for place, step in enumerate(game.steps) if "fault" in step.line]
