"""`joute export CONTEST|RECORD...`: a contest, or records, in the formats of other programs.

A contest is written into a folder: pages, tables, marks. Records are written as files, or in the
format of another contest's pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.exits import UsageFault
from joute.cli.usage import Command
from joute.files import put
from joute.speech.words import say

if TYPE_CHECKING:
    from joute.contest.config import Contest
    from joute.contest.exports.report import Report
    from joute.contest.exports.tables import Sheet

OF_RECORDS = HX2, JSONL = ("hx2", "jsonl")
HTML, PAGE, CSV, PARQUET, GRADES = ("html", "page", "csv", "parquet", "grades")
OF_CONTESTS = (HTML, PAGE, CSV, JSONL, PARQUET, GRADES, HX2)
CONTEST, OUT = ".toml", ".export"  # endings: of a contest's file, of the folder beside it


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("export", cls=Command, help="help.export")(export)


def export(
    sources: Annotated[
        list[Path], typer.Argument(metavar="CONTEST|RECORD...", help="help.export.sources")
    ],
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="|".join(OF_CONTESTS), help="help.export.format"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="PATH", help="help.export.out")
    ] = None,
    scale: Annotated[
        Path | None, typer.Option("--grades", metavar="FILE", help="help.export.grades")
    ] = None,
    replays: Annotated[bool, typer.Option("--replays", help="help.export.replays")] = False,
) -> None:
    """The command; its help is in the catalogs."""
    contests = [path for path in sources if path.suffix == CONTEST]
    if contests and len(sources) > 1:
        raise UsageFault(say("export.one", path=contests[0]))
    known = OF_CONTESTS if contests else OF_RECORDS
    form = known[0] if form is None else form
    if form not in known:
        raise UsageFault(say("error.choice", value=form, known=", ".join(known)))
    if (form == GRADES) != (scale is not None):
        raise UsageFault(say("export.scale" if scale is None else "export.scale_alone"))
    if replays and form != HTML:
        raise UsageFault(say("export.replays_alone"))
    if contests:
        _write_contest(contests[0], form, output, scale, replays)
    elif form == JSONL:
        _write_files(sources, output)
    else:
        _write_saves(sources, output)


def _write_contest(
    file: Path, form: str, output: Path | None, scale: Path | None, replays: bool
) -> None:
    from joute.contest.config import resolve
    from joute.speech.faults import shown

    contest = resolve(file)
    # Not in the contest's own folder, whose lines of JSON are taken for records.
    folder = output or file.with_suffix(OUT) / form
    if form == HX2:
        _write_saves([shown(Path(contest.folder))], output)
    elif form == GRADES and scale is not None:
        _tell(_write_grades(contest, scale, folder))
    elif form == PAGE:
        _tell([_write_page(contest, output or file.with_suffix(f"{OUT}.html"))])
    else:
        _tell(_write_report(contest, form, folder, replays))


def _write_page(contest: Contest, file: Path) -> Path:
    from joute.cli.exporting.one_page import write_page
    from joute.contest.exports.report import read_report

    return write_page(read_report(contest), file)


def _write_report(contest: Contest, form: str, folder: Path, replays: bool) -> list[Path]:
    """Writes the pages or the tables of a contest; returns what a reader opens."""
    from joute.contest.exports import writing
    from joute.contest.exports.report import read_report
    from joute.contest.exports.tables import decisions_lines, games_lines, standings_lines
    from joute.contest.standings import seal_facts

    report = read_report(contest)
    if form == HTML:
        from joute.cli.exporting.pages import write_pages

        return [write_pages(report, folder, replays)]
    if form == JSONL:
        lines = {"games": games_lines(report), "standings": standings_lines(report)}
        if report.decisions:
            lines["decisions"] = decisions_lines(report)
        if report.contest.seal is not None:
            lines["seal"] = [seal_facts(report.contest)]
        return [
            put(folder / f"{name}.jsonl", writing.jsonl_text(each)) for name, each in lines.items()
        ]
    write = writing.put_csv if form == CSV else writing.put_parquet
    return _write_tables(report, folder, form, write)


def _write_tables(
    report: Report, folder: Path, form: str, write: Callable[[Path, Sheet], Path]
) -> list[Path]:
    from joute.contest.exports.tables import games_sheet, seal_sheet, standings_sheet

    sheets = {"games": games_sheet(report), "standings": standings_sheet(report)}
    if report.contest.seal is not None:
        sheets["seal"] = seal_sheet(report)
    return [write(folder / f"{name}.{form}", sheet) for name, sheet in sheets.items()]


def _write_grades(contest: Contest, file: Path, folder: Path) -> list[Path]:
    """Writes the gradebook and a sheet for each student; returns what a reader opens."""
    from joute.cli.exporting.feedback import write_feedback
    from joute.contest.exports.grades import read_scale
    from joute.contest.exports.marks import gradebook, marks
    from joute.contest.exports.report import read_report
    from joute.contest.exports.writing import put_csv

    scale = read_scale(file, contest)
    report = read_report(contest)
    found = marks(report, scale)
    book = put_csv(folder / "gradebook.csv", gradebook(report, scale, found))
    return [book, write_feedback(report, scale, found, folder / "feedback")]


def _tell(paths: list[Path]) -> None:
    for path in paths:
        print(say("plot.written", path=path))


def _write_saves(paths: list[Path], output: Path | None) -> None:
    """Writes all records into one file, or prints them."""
    from joute.play.saves import export_saves

    records = [content for _, content in _read(paths)]
    text = export_saves(records)
    if output is None:
        print(text, end="")
    else:
        put(output, text)
        print(say("export.written", count=len(records), path=output))


def _write_files(paths: list[Path], output: Path | None) -> None:
    """Writes each record into a file of its own in a folder."""
    if output is None:
        raise UsageFault(say("export.where"))
    output.mkdir(parents=True, exist_ok=True)
    count = 0
    for path, content in _read(paths):
        put(output / path.name, content)
        count += 1
    print(say("export.written", count=count, path=output))


def _read(paths: list[Path]) -> Iterator[tuple[Path, bytes]]:
    """The records at or below paths, files or kept in the stores of contests."""
    from joute.contest.records import Records

    with Records() as records:
        for path in paths:
            for file in records.listed(path):
                yield file, records.read(file)
