"""A comparison of two bots as a table, and below it how its numbers were found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joute.cli.options import written
from joute.cli.tables import print_table
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.comparison import ChoiceComparison, Comparison, Side
    from joute.contest.rating.statistics import Interval

NONE = "-"
MOST_NAMED = 4  # names in a cell


def print_comparison(found: Comparison) -> None:
    """Prints what is known."""
    values = ", ".join(f"{key}={written(value)}" for key, value in found.parameters.items())
    sides = found.sides
    rows = [
        _row("score", [_share(side.score, side.interval) for side in sides]),
        _row("results", [f"{side.won}-{side.drawn}-{side.lost}" for side in sides]),
        _row("mean", [milliseconds(side.mean_ms) for side in sides]),
        _row("worst", [milliseconds(side.worst_ms) for side in sides]),
    ]
    if found.choices is not None:
        share = found.choices.differ / max(found.choices.positions, 1)
        rows.append(_row("differ", [_share(share, found.choices.interval)] * 2))
        rows.append(_row("gain", _gains(found.choices)))
    if any(side.faults for side in sides):
        rows.append(_row("faults", [str(side.faults) for side in sides]))
    rows.append(_row("lines", [_whole(side.effort.lines) for side in sides]))
    rows.append(_row("options", [_counted(side.effort.options) for side in sides]))
    rows.append(_row("tuned", [_counted(side.effort.tuned) for side in sides]))
    names = [side.name for side in sides]
    print_table(["", *names], rows, title=f"{found.game} ({values})", numbers=(1, 2))
    for note in _notes(found):
        print(note)


def milliseconds(time: float | None) -> str:
    """A time per move: three digits are all that can be trusted."""
    return NONE if time is None else f"{time:#.3g}".rstrip(".") + " ms"


def _row(key: str, cells: list[str]) -> list[str]:
    return [say(f"compare.row.{key}"), *cells]


def _share(share: float | None, interval: Interval | None) -> str:
    if share is None or interval is None:
        return NONE
    return f"{100 * share:.1f} % [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _gains(choices: ChoiceComparison) -> list[str]:
    """What each bot's choices are worth against the other's, in hundredths of a game."""
    if choices.gain is None:
        return [NONE, NONE]
    cells = []
    for sign in (1, -1):
        cell = f"{sign * 100 * choices.gain:+.1f}"
        if choices.gain_interval is not None:
            ends = sorted(sign * 100 * end for end in choices.gain_interval)
            cell += f" [{ends[0]:+.1f}, {ends[1]:+.1f}]"
        cells.append(cell)
    return cells


def _whole(number: int | None) -> str:
    return NONE if number is None else str(number)


def _counted(names: list[str]) -> str:
    return f"{len(names)} ({', '.join(names)})" if 0 < len(names) <= MOST_NAMED else str(len(names))


def _notes(found: Comparison) -> list[str]:
    notes = [
        say("compare.note.games", games=2 * found.pairs, seed=found.seed),
        say("compare.note.times", seconds=f"{found.move_seconds:g}"),
    ]
    if found.choices is None:
        notes.append(say("compare.note.no_choices"))
    else:
        count, judge = found.choices.positions, found.choices.judge
        notes.append(say("compare.note.choices", positions=count, judge=judge))
    for side in found.sides:
        notes += _made_of(side)
        if side.peeks:
            notes.append(say("compare.note.peeks", name=side.name))
    return notes


def _made_of(side: Side) -> list[str]:
    """What a bot's lines were counted in, and its numbers where they are too many for a cell."""
    notes = []
    parts = side.effort.modules
    if len(parts) > 1:
        told = ", ".join(f"{name.removeprefix('joute.')} {count}" for name, count in parts.items())
        notes.append(say("compare.note.parts", name=side.name, parts=told))
    if len(side.effort.tuned) > MOST_NAMED:
        told = ", ".join(side.effort.tuned)
        notes.append(say("compare.note.tuned", name=side.name, numbers=told))
    return notes
