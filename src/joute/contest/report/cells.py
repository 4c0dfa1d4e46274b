"""The standings as cells: plain values for programs, and how people read them.

Terminal, pages, sheets of feedback, tables and answers of the API take theirs from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from joute.contest.ranking.discipline import Offence
from joute.contest.ranking.ranking import Score, Standing, own_columns
from joute.contest.ranking.rules import OPPONENTS_BEATEN
from joute.contest.schedule.formats import Table
from joute.i18n.figures import figure, plain
from joute.store.model import WITHDRAWN

Value = str | int | float | bool | None
Line = Standing | Score

RULE = "rule "  # how the columns of the rules of an order begin
MAP = "on "  # and those of the maps
RESULTS, SCORE, ELO, MEAN = "results", "score", "elo", "mean"
BEST, GAMES, TIME, FAULTS = "best", "games", "ms", "faults"


class Cell(NamedTuple):
    """A value as people read it, with the ends of its 95 % interval; "" for what is not known."""

    text: str
    low: str = ""
    high: str = ""

    @property
    def interval(self) -> str:
        """Both ends."""
        return f"{self.low} \N{HORIZONTAL ELLIPSIS} {self.high}" if self.low else ""


def _shut_out(line: Line) -> list[Offence]:
    """The reasons for which a bot is disqualified: that it was withdrawn is none."""
    return [each for each in line.disqualified if each.fault != WITHDRAWN]


def _withdrawn(line: Line) -> bool:
    """Whether a bot was withdrawn, with all that it played."""
    return any(each.fault == WITHDRAWN for each in line.disqualified)


def plain_line(line: Line) -> dict[str, Any]:
    """A line of the standings as plain data, which says apart who is out and who was withdrawn."""
    out = {"disqualified": _shut_out(line), "withdrawn": _withdrawn(line)}
    found: dict[str, Any] = msgspec.to_builtins(line) | msgspec.to_builtins(out)
    return found


def values(line: Line) -> dict[str, Value]:
    """The values of a bot, by the columns of tables."""
    low, high = (None, None) if line.interval is None else line.interval
    found: dict[str, Value] = {"rank": line.rank, "name": line.name}
    if isinstance(line, Score):
        found |= {"mean": line.mean, "low": low, "high": high}
        found |= {"deviation": line.deviation, "best": line.best, "games": line.games}
    else:
        elo = None if line.rating is None else line.rating.elo
        ends = None if line.rating is None else line.rating.interval
        elo_low, elo_high = (None, None) if ends is None else ends
        found |= {"beaten": line.beaten, "won": line.won, "drawn": line.drawn, "lost": line.lost}
        found |= {"games": line.games, "sets": line.sets}
        found |= {"score": line.score, "low": low, "high": high}
        found |= {"elo": elo, "elo_low": elo_low, "elo_high": elo_high}
    faults = sum(fault.count for fault in line.faults)
    found |= {"forfeits": line.forfeits, "faults": faults, "mean_ms": line.mean_ms}
    found |= {"disqualified": bool(_shut_out(line)), "withdrawn": _withdrawn(line)}
    if isinstance(line, Standing):
        found |= {f"{RULE}{rule}": number for rule, number in line.by_rule.items()}
        found[f"{RULE}{OPPONENTS_BEATEN}"] = line.beaten
    return found | {f"{MAP}{name}": mean for name, mean in line.by_map.items()}


def columns(table: Table) -> list[str]:
    """The columns of the standings after rank and name, without those of time and faults."""
    met = [line for line in table if isinstance(line, Standing)]
    if not met:
        return [MEAN, BEST, GAMES]
    return [*(f"{RULE}{rule}" for rule in own_columns(met)), RESULTS, SCORE]


def is_rated(table: Table) -> bool:
    """Whether some bot has a rating."""
    return any(values(line).get("elo") is not None for line in table)


def cell(line: Line, column: str) -> Cell:
    """The cell of a column; the disqualified, whose results are void, have few."""
    found = values(line)
    number = found.get(column)
    if column.startswith(MAP):
        factor = 1 if isinstance(line, Score) else 100
        return Cell(figure(None if number is None else factor * float(number), 1))
    if line.disqualified and column not in (TIME, FAULTS):
        return Cell("")
    if column in _CELLS:
        return _CELLS[column](found)
    return Cell("" if number is None else plain(float(number)))


def _number(
    key: str,
    low: str,
    high: str,
    factor: float = 1,
    digits: tuple[int, int] = (1, 1),
    sign: bool = False,
) -> Callable[[Mapping[str, Value]], Cell]:
    """Cells of a number with an interval; `digits` are the decimals of both."""

    def made(found: Mapping[str, Value]) -> Cell:
        texts = []
        for name, places in ((key, digits[0]), (low, digits[1]), (high, digits[1])):
            value = found.get(name)
            texts.append(figure(None if value is None else factor * float(value), places, sign))
        return Cell(*texts)

    return made


def _count(key: str) -> Callable[[Mapping[str, Value]], Cell]:
    return lambda found: Cell("" if found[key] is None else str(found[key]))


_RESULTS = ("won", "drawn", "lost")
_CELLS: dict[str, Callable[[Mapping[str, Value]], Cell]] = {
    RESULTS: lambda found: Cell("\N{EN DASH}".join(str(found[key]) for key in _RESULTS)),
    SCORE: _number("score", "low", "high", 100, (1, 0)),
    ELO: _number("elo", "elo_low", "elo_high", 1, (0, 0), sign=True),
    MEAN: _number("mean", "low", "high"),
    BEST: _count("best"),
    GAMES: _count("games"),
    TIME: _number("mean_ms", "", ""),
    FAULTS: _count("faults"),
}
