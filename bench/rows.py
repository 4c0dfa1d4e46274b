"""The output of a measurement: rows, as a table for people or as JSON."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

WIDTH = 130  # columns: a figure cut off is no figure


class Row(NamedTuple):
    """One measured figure. None: there is nothing of the kind."""

    name: str
    value: float | None
    unit: str
    against: str = ""  # what the figure is compared with, or why there is none
    ratio: float | None = None  # speed in terms of the other's: above 1 is better
    aim: str = ""
    met: bool | None = None


def to_json(rows: Iterable[Row]) -> str:
    """A list of objects, a row each."""
    return json.dumps([row._asdict() for row in rows], indent=2)


def print_table(rows: Iterable[Row], console: Console | None = None) -> None:
    """A table on standard output, or on `console`; too wide for a terminal, it wraps there."""
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "value", "unit", "against", "ratio", "aim", "met"):
        table.add_column(
            heading,
            justify="right" if heading in ("value", "ratio") else "left",
            no_wrap=heading != "against",  # a sentence, where there is nothing to compare
        )
    for row in rows:
        table.add_row(
            row.name,
            "-" if row.value is None else _figure(row.value),
            row.unit,
            row.against or "-",
            "-" if row.ratio is None else f"{row.ratio:.2f}",
            row.aim or "-",
            "-" if row.met is None else "yes" if row.met else "no",
        )
    (console or Console(width=WIDTH)).print(table, crop=False)


def _figure(value: float) -> str:
    """Three digits that count, no fewer; thousands apart."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
