"""`joute export RECORD...`: records as files, or in the format of another contest's pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from joute.cli.exits import UsageFault
from joute.cli.usage import Command
from joute.cli.words import say

FORMATS = HX2, JSONL = ("hx2", "jsonl")


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
    if form == JSONL:
        _write_files(records, output)
    else:
        _write_saves(records, output)


def _write_saves(paths: list[Path], output: Path | None) -> None:
    """Writes all records into one file, or prints them."""
    from joute.play.saves import export_saves

    records = [content for _, content in _read(paths)]
    text = export_saves(records)
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        print(say("export.written", count=len(records), path=output))


def _write_files(paths: list[Path], output: Path | None) -> None:
    """Writes each record into a file of its own in a folder."""
    if output is None:
        raise UsageFault(say("export.where"))
    output.mkdir(parents=True, exist_ok=True)
    count = 0
    for path, content in _read(paths):
        (output / path.name).write_bytes(content)
        count += 1
    print(say("export.written", count=count, path=output))


def _read(paths: list[Path]) -> Iterator[tuple[Path, bytes]]:
    """The records at or below paths, files or kept in the stores of contests."""
    from joute.contest.records import Records

    with Records() as records:
        for path in paths:
            for file in records.listed(path):
                yield file, records.read(file)
