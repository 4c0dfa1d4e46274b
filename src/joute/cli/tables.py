"""Tables and JSON on standard output.

On a terminal tables have colours and its width. Elsewhere they are plain text, as wide as their
content: a name is never cut.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH = 400  # columns, where the output is no terminal; lines are as long as their content


def _console() -> Console:
    """Standard output: with the colours and width of a terminal, or plain."""
    from rich.console import Console

    from joute.cli.output import behind

    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(file=behind(sys.stdout), width=width, highlight=False, markup=False, emoji=False)


def print_json(data: Any) -> None:
    """Prints plain data, msgspec structs and sentences, as one JSON document."""
    import msgspec

    from joute.text import escaped

    plain = msgspec.to_builtins(data, enc_hook=str)
    print(escaped(json.dumps(plain, ensure_ascii=False, indent=2)))


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str = "",
    numbers: Sequence[int] = (),
) -> None:
    """Prints a table; the columns at the places `numbers` are set to the right.

    Where the terminal is too narrow, cells go on in a second line; nothing is cut.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from joute.text import harmless

    out = _console()
    table = Table(
        box=box.SIMPLE_HEAD,
        title=harmless(title) or None,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        show_edge=False,
    )
    for place, column in enumerate(columns):
        right = place in numbers
        table.add_column(harmless(column), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as printed:
        out.print(table)
    for line in printed.get().splitlines():
        print(line.rstrip())
