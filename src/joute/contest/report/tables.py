"""The games and the standings of a contest as tables: CSV, Parquet, and lines of JSON.

A table is flat, for spreadsheets and data frames: one column a seat where a value has one a seat.
The lines of JSON have the same and more: lists by seat, and every fault.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from joute.contest.folder import has_store, opened_store
from joute.contest.ranking.ranking import Standing, own_columns
from joute.contest.ranking.rules import OPPONENTS_BEATEN
from joute.contest.report.cells import MAP, RULE, Value, plain_line, values
from joute.contest.report.report import Report
from joute.contest.report.standings import seal_facts
from joute.errors import Error
from joute.files import drafted, put
from joute.i18n.words import Sentence
from joute.play.record import ply_number, read_record
from joute.store.model import StoredGame
from joute.text import escaped, harmless

CSV, JSONL, PARQUET = "csv", "jsonl", "parquet"
BYTE_ORDER_MARK = "\ufeff"  # by which spreadsheets know UTF-8
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


class ExportError(Error, ValueError):
    """An export that cannot be written."""


class Sheet(NamedTuple):
    """A flat table; a column's kind is str, int, float or bool, and any value may be None."""

    columns: dict[str, type]
    rows: list[list[Value]]


_GAME = {
    "number": int, "identity": str, "set": int, "map": str, "ending": str, "plies": int,
    "faults": int, "played_at": str,
}  # fmt: skip
_SEAT = {"bot": str, "return": float, "points": int, "cpu_ms": float, "asked": int}
_BOT = {
    "rank": int, "name": str, "authors": str, "disqualified": bool, "withdrawn": bool,
    "decision": str,
}  # fmt: skip
_MEETING = {
    "beaten": int, "won": int, "drawn": int, "lost": int, "games": int, "sets": int,
    "score": float, "low": float, "high": float, "elo": float, "elo_low": float, "elo_high": float,
}  # fmt: skip
_ALONE = {
    "mean": float, "low": float, "high": float, "deviation": float, "best": int, "games": int,
}  # fmt: skip
_COST = {"forfeits": int, "faults": int, "mean_ms": float}
_PLY: dict[str, type] = {"number": int, "identity": str, "ply": int, "seat": int, "bot": str}
_METRIC = _PLY | {"name": str, "value": float}
_PLACE = ("column", "row", "floor")
_MARK = _PLY | {"tone": str} | dict.fromkeys((*_PLACE, *(f"to_{each}" for each in _PLACE)), int)


def write_tables(report: Report, form: str, folder: Path) -> list[Path]:
    """Writes games, standings and what else there is; returns the files."""
    if form == JSONL:
        lines = {"games": games_lines(report), "standings": standings_lines(report)}
        if report.decisions:
            lines["decisions"] = [msgspec.to_builtins(each) for each in report.decisions]
        if report.contest.seal is not None:
            lines["seal"] = [seal_facts(report.contest)]
        for name, sheet in annotation_sheets(report).items():
            lines[name] = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
        return [put(folder / f"{name}.jsonl", jsonl_text(each)) for name, each in lines.items()]
    write = put_csv if form == CSV else put_parquet
    sheets = {"games": games_sheet(report), "standings": standings_sheet(report)}
    if report.contest.seal is not None:
        sheets["seal"] = seal_sheet(report)
    sheets |= annotation_sheets(report)
    return [write(folder / f"{name}.{form}", sheet) for name, sheet in sheets.items()]


def games_sheet(report: Report) -> Sheet:
    """The games that count, one a row; `cpu_ms` is the time of all actions `asked` together."""
    seats = report.contest.players
    columns = dict(_GAME)
    for seat in range(1, seats + 1):
        columns |= {f"{name}_{seat}": kind for name, kind in _SEAT.items()}
    return Sheet(columns, [_game(number, game) for number, game in report.numbered])


def _game(number: int, game: StoredGame) -> list[Value]:
    row: list[Value] = [
        number, game.identity, game.set_number, game.map, game.ending, game.plies,
        len(game.faults), game.played_at,
    ]  # fmt: skip
    for seat, name in enumerate(game.bots):
        row += [name, game.returns[seat], game.points[seat], game.cpu_ms[seat], game.asked[seat]]
    return row


def seal_sheet(report: Report) -> Sheet:
    """The contest's seal, public value and seed: one row, none where it is not sealed."""
    found = seal_facts(report.contest)
    columns: dict[str, type] = {"seal": str, "public": str, "seed": str}
    return Sheet(columns, [[found[name] for name in columns]] if found else [])


def standings_sheet(report: Report) -> Sheet:
    """The standings, one bot a row.

    What a rule of the order counts has a column `rule NAME`, the score on each map `on NAME`.
    """
    met = [line for line in report.table if isinstance(line, Standing)]
    rules = [rule for rule in own_columns(met) if met and rule != OPPONENTS_BEATEN]
    maps = sorted({each for line in report.table for each in line.by_map})
    columns = _BOT | (_ALONE if report.alone else _MEETING) | _COST
    columns |= {f"{RULE}{each}": float for each in rules} | {f"{MAP}{each}": float for each in maps}
    if any(line.spoilt for line in report.table):
        columns |= {"infrastructure": int}  # games that a busy machine spoilt, played again
    bots = {bot.name: bot for bot in report.contest.bots}
    rows = []
    for line in report.table:
        decision = "" if line.decision is None else f"{line.decision.kind}: {line.decision.why}"
        found = values(line) | {
            "authors": "; ".join(bots[line.name].authors),
            "decision": decision,
            "infrastructure": len(line.spoilt),
        }
        rows.append([found.get(column) for column in columns])
    return Sheet(columns, rows)


def annotation_sheets(report: Report) -> dict[str, Sheet]:
    """The tables `metrics` and `marks` of the games that count, each if there is any of its rows.

    Raises FolderError and RecordError.
    """
    metrics, marks = Sheet(_METRIC, []), Sheet(_MARK, [])
    for place, line in _annotated(report):
        for name, value in line.get("metrics", {}).items():
            metrics.rows.append([*place, name, float(value)])
        for mark in line.get("marks", ()):
            begins, ends = mark.get("cell", mark.get("from")), mark.get("to", ())
            marks.rows.append([*place, mark["tone"], *_padded(begins), *_padded(ends)])
    found = {"metrics": metrics, "marks": marks}
    return {name: sheet for name, sheet in found.items() if sheet.rows}


def _annotated(report: Report) -> Iterator[tuple[list[Value], dict[str, Any]]]:
    """The plies with metrics or marks, each after the cells that say where it is."""
    folder = Path(report.contest.folder)
    if not has_store(folder):
        return
    with opened_store(folder, report.contest.store) as store:
        for number, game in report.numbered:
            content = store.record(game.identity) or b""
            if b'"metrics":' not in content and b'"marks":' not in content:
                continue
            for line in read_record(content).plies:
                if "metrics" in line or "marks" in line:
                    seat = line["player"]
                    ply = ply_number(line["ply"])
                    yield [number, game.identity, ply, seat + 1, game.bots[seat]], line


def _padded(place: Any) -> list[Value]:
    """A column, a row and a floor, as far as a place has them."""
    return [*place, *[None] * (len(_PLACE) - len(place))]


def games_lines(report: Report) -> list[dict[str, Any]]:
    """The games that count as plain data, lists by seat."""
    return [{"number": number} | asdict(game) for number, game in report.numbered]


def standings_lines(report: Report) -> list[dict[str, Any]]:
    """The standings as plain data, with what is said of each bot and its rating."""
    bots = {bot.name: bot for bot in report.contest.bots}
    found = []
    for line in report.table:
        bot = bots[line.name]
        told = {"authors": list(bot.authors), "description": bot.description, "bot": bot.bot}
        found.append(plain_line(line) | told)
    return found


def csv_text(sheet: Sheet) -> str:
    """A table as CSV, with commas, for spreadsheets too.

    A text that a spreadsheet would take for a formula begins with an apostrophe: the names of bots
    are their authors' and shall not run anything.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows([_cell(value) for value in row] for row in sheet.rows)
    return out.getvalue()


def _cell(value: Value) -> Value:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    return harmless(f"'{value}" if value.startswith(FORMULAS) else value)


def jsonl_text(lines: Iterable[dict[str, Any]]) -> str:
    """Plain data as JSON Lines."""
    return "".join(f"{escaped(json.dumps(line, ensure_ascii=False))}\n" for line in lines)


def put_csv(path: Path, sheet: Sheet) -> Path:
    """Writes a table as a CSV file that spreadsheets know to be UTF-8; returns its path."""
    return put(path, BYTE_ORDER_MARK + csv_text(sheet))


def put_parquet(path: Path, sheet: Sheet) -> Path:
    """Writes a table as a Parquet file; returns its path. Raises ExportError without pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ExportError(Sentence("error.export.parquet", path=path)) from None
    kinds = {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
    }
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in sheet.columns.items()])
    values = zip(*sheet.rows, strict=True) if sheet.rows else ([] for _ in sheet.columns)
    arrays = [
        pyarrow.array(list(column), kinds[kind])
        for column, kind in zip(values, sheet.columns.values(), strict=True)
    ]
    with drafted(path) as draft:
        pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), draft)
    return path
