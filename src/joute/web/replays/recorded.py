"""A recorded game that was verified, and its data for a browser.

facts, positions   see `positions.py`; in a game with something hidden each position has `told`,
the events by seat as each was told of them
clocks             by position and seat: [milliseconds used, seconds left in the bank]
marks              see `highlights.py`
curve              see `curves.py`
outcome            lines on how the game ended
file, commands     the record's name, and what to type to see a ply in a terminal
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from joute.contest.records import replay_line
from joute.core.interface import has_points, properties, start
from joute.core.registry import find, path_of
from joute.i18n.words import say, say_of
from joute.play.record import Record, RecordError, check_shape, read_record
from joute.play.telling import counted, returned, why_ended
from joute.play.timeline import Step, Timeline
from joute.play.verify import recorded_game, verify_record
from joute.web.games import about
from joute.web.positions import Readable, facts, position, redacted
from joute.web.replays.highlights import MESSAGE, Highlight, highlights, of_points

LIMITS = ("move_seconds", "bank_seconds", "increment_seconds")  # that a browser is told
MOST_VALUES = 16_000_000  # of the states of a game, all together: some 130 MB
MY_BOT = "my_bot.py"  # stands for the reader's own bot in a command


class Recorded(NamedTuple):
    """A game whose record is true, and all its positions."""

    record: Record
    game: Any
    steps: list[Step]

    @property
    def names(self) -> list[str]:
        """The bots, by seat."""
        return [str(bot["name"]) for bot in self.record.header["bots"]]

    @property
    def kinds(self) -> list[str]:
        """The kind of player at each seat: "human", "builtin" or "bot"."""
        return [kind_of(str(bot["bot"])) for bot in self.record.header["bots"]]


def read_recorded(content: bytes, *, strange: bool = False) -> Recorded:
    """The game of a record. Raises RecordError at the first line that is not true.

    So it does at one that could not be shown. A `strange` record is of a game that is known
    already: the name in it could be the path of any file.
    """
    record = read_record(content, partial=True)
    name = record.header.get("game")
    if strange and not (isinstance(name, str) and find(name)):
        raise RecordError(1, say("table.error.game", game=str(name)[:40]))
    game = recorded_game(record)
    check_shape(record, properties(game).players)
    size = len(record.plies) * len(start(game))
    if size > MOST_VALUES:
        raise RecordError(1, say("replay.web.values", size=size, most=MOST_VALUES))
    verdict = verify_record(content, partial=True)
    if not verdict.ok:
        raise RecordError(verdict.line or 1, verdict.reason)
    timeline = Timeline(game)
    for line in (*record.plies, record.end):
        timeline.hear(line)
    return Recorded(record, game, timeline.steps)


def size_of(recorded: Recorded) -> int:
    """About how many bytes of memory a game takes with all its positions."""
    return 8 * len(recorded.steps) * (len(recorded.steps[0].state) + 64)


def sent(
    recorded: Recorded, file: str, known: Readable = None, own: bool = False
) -> dict[str, Any]:
    """The data of a game for a browser, in the language of the request.

    `file` is where a reader has the record, as commands name it; `known` are the bots whose
    messages that reader may see; `own` is whether that reader has the rules where they are here.
    """
    rules = path_of(properties(recorded.game).name) if own else None
    shown = facts(recorded.game, recorded.names, recorded.kinds)
    header = recorded.record.header
    return {
        "title": title(recorded.names),
        "kind": kind(recorded.game),
        "facts": shown,
        "positions": [_position(recorded, step, known) for step in recorded.steps],
        "clocks": list(_clocks(recorded)),
        "limits": {key: header["limits"][key] for key in LIMITS},
        "marks": _highlights(recorded, known),
        "curve": of_points(recorded.game, recorded.steps, recorded.names),
        "outcome": outcome(recorded),
        "verified": verified(recorded.record),
        "file": file,
        "commands": commands(file, rules),
    }


def verified(record: Record) -> str:
    """A sentence on the proof of a record that is true."""
    if not record.withheld:
        return say("replay.web.verified")
    count = len(record.withheld)
    return say_of(count, "replay.web.verified.withheld", count=count)


def title(names: list[str]) -> str:
    """A game's title: who plays whom."""
    if len(names) == 2:
        return say("replay.web.against", first=names[0], second=names[1])
    return ", ".join(names)


def kind(game: Any) -> str:
    """A game's name, as it is said."""
    return about(properties(game).name).partition(":")[0].strip()


def outcome(recorded: Recorded) -> list[str]:
    """The ending of a game and its reason, and the return of each seat, in words."""
    end = recorded.record.end
    why = why_ended(recorded.game, recorded.steps[-1].state, end["ending"], recorded.names)
    plies = end["plies"]
    lines = [say_of(plies, f"ending.{end['ending']}", plies=plies), *filter(None, [why])]
    key = "replay.return" if has_points(recorded.game) else "replay.return_alone"
    for name, points, value in zip(recorded.names, end["points"], end["returns"], strict=True):
        told = returned(recorded.game, value)
        lines.append(say(key, name=name, points=counted(points), value=told))
    return lines


def commands(file: str, rules: str | None) -> dict[str, str]:
    """Commands for a terminal, `{ply}` being a number: to see a ply, to ask one's own bot."""
    see = f"{replay_line(file, rules)} --at {{ply}}"
    return {"see": see, "ask": f"{see} --bot {MY_BOT}"}


def _highlights(recorded: Recorded, known: Readable) -> list[Highlight]:
    names = recorded.names
    found = highlights(recorded.steps, names, recorded.record.header["limits"]["move_seconds"])
    return [
        redacted(each, names, known)
        for each in found
        if each["kind"] != MESSAGE or known is None or names[each["player"]] in known
    ]


def _position(recorded: Recorded, step: Step, known: Readable) -> dict[str, Any]:
    shown = position(recorded.game, step, recorded.names)
    shown["events"] = [redacted(event, recorded.names, known) for event in shown["events"]]
    if not properties(recorded.game).hidden_information:
        return shown
    told = {
        str(seat): position(recorded.game, step, recorded.names, {seat})["events"]
        for seat in range(len(recorded.names))
    }
    return {**shown, "told": told}


def _clocks(recorded: Recorded) -> Iterator[list[list[float]]]:
    """By position and seat: the milliseconds of CPU used, the seconds left in the bank."""
    limits = recorded.record.header["limits"]
    used = [0.0] * len(recorded.names)
    bank = [float(limits["bank_seconds"])] * len(used)
    for step in recorded.steps:
        for event in step.open:
            line = event["line"]
            if "cpu_ms" not in line:
                continue
            seat = line["player"]
            used[seat] += line["cpu_ms"]
            beyond = max(line["cpu_ms"] / 1000 - limits["move_seconds"], 0.0)
            bank[seat] = max(bank[seat] - beyond, 0.0) + limits["increment_seconds"]
        yield [[round(ms, 1), round(left, 2)] for ms, left in zip(used, bank, strict=True)]


def kind_of(bot: str) -> str:
    """The kind of player, by its bot's name: "human", "builtin" or "bot"."""
    if bot == "human":
        return "human"
    return "builtin" if bot.removeprefix("hosted:").startswith("builtin:") else "bot"
