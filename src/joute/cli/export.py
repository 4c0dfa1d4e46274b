"""`joute export CONTEST|RECORD...`: a contest, or records, in the formats of other programs.

A contest is written into a folder: pages, tables, marks. Records are written as files, or in the
format of another contest's pages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.usage import Games, UsageFault
from joute.core.registry import cards
from joute.files import put
from joute.i18n.words import say, say_of

if TYPE_CHECKING:
    from joute.contest.report.report import Report

HTML, PAGE, CSV, JSONL, PARQUET, GRADES = ("html", "page", "csv", "jsonl", "parquet", "grades")
BOOK, FEEDBACK = "gradebook.csv", "feedback"
GAMES_OWN = tuple(name for card in cards() for name in card.exports)
OF_RECORDS = (*GAMES_OWN, JSONL)
OF_CONTESTS = (HTML, PAGE, CSV, JSONL, PARQUET, GRADES, *GAMES_OWN)
NEVER_OF_RECORDS = frozenset(OF_CONTESTS) - frozenset(OF_RECORDS)
CONTEST, OUT = ".toml", ".export"  # endings: of a contest's file, of the folder beside it


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
    games: Games = None,
) -> None:
    """The command; its help is in the catalogs."""
    contests = [
        path
        for path in sources
        if path.suffix == CONTEST or (form in NEVER_OF_RECORDS and path.is_dir())
    ]
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
        _write_records(form, sources, output)


def _write_contest(
    place: Path, form: str, output: Path | None, scale: Path | None, replays: bool
) -> None:
    from joute.cli.standings import print_changes, print_gone
    from joute.contest.decisions import contest_at
    from joute.contest.report.report import read_report
    from joute.files import from_here

    contest = contest_at(place)
    print_gone(contest)
    print_changes(contest)
    # Not in the contest's own folder, whose lines of JSON are taken for records.
    file = place.resolve() if place.is_dir() else place  # "." has no name
    folder = file.with_suffix(OUT) / form
    if form in GAMES_OWN:
        _write_records(form, [from_here(Path(contest.folder))], output)
        return
    if form == PAGE:
        folder = file.with_suffix(f"{OUT}.html")
    output = output or from_here(folder)
    report = read_report(contest)
    written = write_report(report, form, output, scale, replays)
    for path in _to_open(form, written):
        print(say("plot.written", path=path))
    if removed := _remove_old(form, output, written):
        print(say_of(removed, "export.removed", count=removed, path=output))
    if report.left:
        print(say_of(report.left, "page.provisional", left=report.left), file=sys.stderr)


def _to_open(form: str, written: list[Path]) -> list[Path]:
    """The files that a reader opens, or the folder of many."""
    if form == GRADES:
        return [written[0], written[0].parent / FEEDBACK]
    return written[:1] if form == HTML else written


def _remove_old(form: str, output: Path, written: list[Path]) -> int:
    """Removes the files of an earlier export that are not written again; returns how many."""
    from joute.contest.report.leftovers import remove_old_pages, remove_old_sheets

    if form == HTML:
        return remove_old_pages(output, {*written})
    return remove_old_sheets(output / FEEDBACK, {*written}) if form == GRADES else 0


def write_report(
    report: Report, form: str, output: Path, scale: Path | None = None, replays: bool = False
) -> list[Path]:
    """Writes a contest in a form; returns the files, the one to open first.

    `output` is a folder, of PAGE and a game's own form a file. `scale` is the file of the scale of
    GRADES.
    """
    if form == PAGE:
        from joute.web.contests.export import write_page

        return [write_page(report, output)]
    if form == HTML:
        from joute.web.contests.export import write_site

        return write_site(report, output, replays)
    if form in GAMES_OWN:
        return [put(output, _in_form(form, _read([Path(report.contest.folder)])))]
    if form == GRADES and scale is not None:
        return _write_grades(report, scale, output)
    from joute.contest.report.tables import write_tables

    return write_tables(report, form, output)


def _write_grades(report: Report, file: Path, folder: Path) -> list[Path]:
    """Writes the gradebook and a sheet for each student."""
    from joute.contest.report.feedback import write_feedback
    from joute.contest.report.grading import gradebook, grades, read_scale
    from joute.contest.report.tables import put_csv

    scale = read_scale(file, report.contest)
    found = grades(report, scale)
    book = put_csv(folder / BOOK, gradebook(report, scale, found))
    return [book, *write_feedback(report, scale, found, folder / FEEDBACK)]


def _write_records(form: str, paths: list[Path], output: Path | None) -> None:
    """Writes all records into one file, or prints them, in a form that their game brings."""
    found = list(_read(paths))
    text = _in_form(form, found)
    if output is None:
        print(text, end="")
    else:
        file = put(_file(form, output), text)
        print(say_of(len(found), "export.written", count=len(found), path=file))


def _file(form: str, output: Path) -> Path:
    """The file of a game's own form: in a folder, but for a name that has the file's ending."""
    from joute.contest.records import record_form

    name = record_form(form).file
    return output if output.suffix == Path(name).suffix else output / name


def _in_form(form: str, records: Iterable[tuple[Path, bytes]]) -> str:
    """Records in a form that their game brings. Raises RecordError for one that is not true."""
    from joute.contest.records import record_form
    from joute.play.record import RecordError

    write, found = record_form(form).write, list(records)
    try:
        return write([content for _, content in found])
    except RecordError:
        for path, content in found:  # the form does not say which of them it is
            try:
                write([content])
            except RecordError as error:
                raise error.named(path) from None
        raise


def _write_files(paths: list[Path], output: Path | None) -> None:
    """Writes each record into a file of its own in a folder."""
    if output is None:
        raise UsageFault(say("export.where"))
    output.mkdir(parents=True, exist_ok=True)
    count = 0
    for path, content in _read(paths):
        put(output / path.name, content)
        count += 1
    print(say_of(count, "export.written", count=count, path=output))


def _read(paths: list[Path]) -> Iterator[tuple[Path, bytes]]:
    """The records at or below paths, files or kept in the stores of contests.

    Raises UsageFault for a folder without any.
    """
    from joute.contest.records import Records

    with Records() as records:
        for path in paths:
            files = records.listed(path)
            if not files:
                raise UsageFault(say("verify.nothing", path=path))
            for file in files:
                yield file, records.read(file)
