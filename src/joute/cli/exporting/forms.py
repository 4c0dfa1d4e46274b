"""The forms in which a contest is exported, and who writes each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joute.contest.report.report import Report

HTML, PAGE, CSV, JSONL, PARQUET, GRADES = ("html", "page", "csv", "jsonl", "parquet", "grades")
BOOK, FEEDBACK = "gradebook.csv", "feedback"


def write_report(
    report: Report, form: str, output: Path, scale: Path | None = None, replays: bool = False
) -> list[Path]:
    """Writes a contest in a form; returns what a reader opens.

    `output` is a folder, of PAGE and a game's own form a file. `scale` is the file of the scale of
    GRADES.
    """
    from joute.contest.records import record_forms

    if form == PAGE:
        from joute.cli.exporting.one_page import write_page

        return [write_page(report, output)]
    if form in record_forms():
        return [_write_records(form, Path(report.contest.folder), output)]
    if form == HTML:
        from joute.cli.exporting.pages import write_pages

        return [write_pages(report, output, replays)]
    if form == GRADES and scale is not None:
        return _write_grades(report, scale, output)
    return _write_tables(report, form, output)


def _write_tables(report: Report, form: str, folder: Path) -> list[Path]:
    from joute.contest.report import writing
    from joute.contest.report.standings import seal_facts
    from joute.contest.report.tables import (
        decisions_lines,
        games_lines,
        games_sheet,
        seal_sheet,
        standings_lines,
        standings_sheet,
    )
    from joute.files import put

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
    sheets = {"games": games_sheet(report), "standings": standings_sheet(report)}
    if report.contest.seal is not None:
        sheets["seal"] = seal_sheet(report)
    return [write(folder / f"{name}.{form}", sheet) for name, sheet in sheets.items()]


def _write_records(form: str, folder: Path, output: Path) -> Path:
    """Writes the games of a contest's folder in a form that their game brings."""
    from joute.contest.records import Records, record_form
    from joute.files import put

    with Records() as records:
        found = [records.read(each) for each in records.listed(folder)]
    return put(output, record_form(form).write(found))


def _write_grades(report: Report, file: Path, folder: Path) -> list[Path]:
    """Writes the gradebook and a sheet for each student."""
    from joute.cli.exporting.feedback import write_feedback
    from joute.contest.report.grades import read_scale
    from joute.contest.report.marks import gradebook, marks
    from joute.contest.report.writing import put_csv

    scale = read_scale(file, report.contest)
    found = marks(report, scale)
    book = put_csv(folder / BOOK, gradebook(report, scale, found))
    return [book, write_feedback(report, scale, found, folder / FEEDBACK)]
