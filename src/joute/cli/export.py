"""`joute export RECORD...`: records in the format that another contest's pages read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from joute.cli.exits import UsageFault
from joute.cli.usage import Command
from joute.cli.words import say

FORMATS = ("hx2",)


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("export", cls=Command, help="help.export")(export)


def export(
    records: Annotated[list[Path], typer.Argument(metavar="RECORD...", help="help.export.records")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="help.export.output")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(FORMATS), help="help.export.format")
    ] = FORMATS[0],
) -> None:
    """The command; its help is in the catalogs."""
    if form not in FORMATS:
        raise UsageFault(say("error.choice", value=form, known=", ".join(FORMATS)))
    from joute.play.saves import export_saves

    files = [file for path in records for file in _files(path)]
    text = export_saves([file.read_bytes() for file in files])
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        print(say("export.written", count=len(files), path=output))


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
