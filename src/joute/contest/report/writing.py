"""Tables as files: CSV, JSON Lines, Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from joute.contest.report.tables import Sheet, Value
from joute.files import drafted, put
from joute.i18n.words import Sentence
from joute.printable import escaped, harmless

MARK = "\ufeff"  # by which spreadsheets know UTF-8
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


class ExportError(ValueError):
    """What was asked for cannot be written."""


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
    """Write a table as a CSV file that spreadsheets know to be UTF-8; returns its path."""
    return put(path, MARK + csv_text(sheet))


def put_parquet(path: Path, sheet: Sheet) -> Path:
    """Write a table as a Parquet file; returns its path. Raises ExportError without pyarrow."""
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
