"""Everything of a contest in one archive, for marking and for keeping.

contest.toml, participants.csv
NUMBER-NAME/version-N.py (or .zip), report-N.txt
results/standings.csv, games.csv                    where games were played
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from joute.contest.report.cells import Value
from joute.contest.report.report import read_report
from joute.contest.report.tables import (
    BYTE_ORDER_MARK,
    Sheet,
    csv_text,
    games_sheet,
    standings_sheet,
)
from joute.errors import Error
from joute.i18n.words import say
from joute.text import numbered_name
from joute.web.contests.catalogue import ServedContest
from joute.web.registration.copies import newest
from joute.web.registration.store import EntryVersion, Registration, RegistrationStore

COLUMNS = (
    "name", "number", "group", "email", "version", "sent", "late_hours", "state", "file", "content",
)  # fmt: skip


def everything(
    store: RegistrationStore, registration: Registration, served: ServedContest | None
) -> Path:
    """A temporary file with the archive; whoever asked for it deletes it."""

    def write(archive: zipfile.ZipFile) -> None:
        _put_registration(archive, store, registration)
        if served is not None:
            _put_results(archive, served)

    return packed(write)


def packed(write: Callable[[zipfile.ZipFile], None]) -> Path:
    """A temporary file with the archive that `write` fills; whoever asked for it deletes it."""
    with tempfile.NamedTemporaryFile(prefix="joute-", suffix=".zip", delete=False) as file:
        path = Path(file.name)
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            write(archive)
    except BaseException:  # nobody else knows of it
        path.unlink(missing_ok=True)
        raise
    return path


def _put_registration(
    archive: zipfile.ZipFile, store: RegistrationStore, registration: Registration
) -> None:
    archive.write(store.contest(registration), "contest.toml")
    archive.writestr("participants.csv", sheet_text(participants_sheet(registration)))
    for at, each in enumerate(registration.participants, start=1):
        folder = numbered_name(at, each.name)
        for version in each.versions:
            bot = store.bot(registration, each, version)
            archive.write(bot, f"{folder}/version-{version.number}{version.suffix}")
            archive.writestr(f"{folder}/report-{version.number}.txt", report_text(version))


def _put_results(archive: zipfile.ZipFile, served: ServedContest) -> None:
    try:
        report = read_report(served.contest)
    except (Error, OSError, ValueError):  # the page of the results says what is wrong with them
        return
    archive.writestr("results/standings.csv", sheet_text(standings_sheet(report)))
    archive.writestr("results/games.csv", sheet_text(games_sheet(report)))


def sheet_text(sheet: Sheet) -> str:
    """A table as a file of CSV that spreadsheets know to be UTF-8."""
    return BYTE_ORDER_MARK + csv_text(sheet)


def participants_sheet(registration: Registration) -> Sheet:
    """The participants, one a row, each with the version that takes part or else the newest."""
    rows: list[list[Value]] = []
    for each in registration.participants:
        version = newest(each)
        person: list[Value] = [each.name, each.number, each.group, each.email]
        if version is None:
            rows.append([*person, None, None, None, say("organise.nothing"), None, None])
            continue
        late = registration.delay(each, version).total_seconds() / 3600
        rows.append(
            [
                *person,
                version.number,
                version.sent_at,
                round(late, 2),
                state(version),
                version.file,
                version.content,
            ]
        )
    return Sheet(dict.fromkeys(COLUMNS, str), rows)


def state(version: EntryVersion) -> str:
    """The state of a version in words."""
    if version.state != "done":
        return say(f"submit.state.{version.state}")
    return say("organise.state.clean" if version.clean else "submit.state.faulty")


def report_text(version: EntryVersion) -> str:
    """The report of a version as a text."""
    lines = [f"{version.file}  {version.sent_at}  {version.content}", state(version)]
    lines += [version.trouble] if version.trouble else []
    for finding in version.findings:
        lines.append(f"\n[{finding.mark}] {say(f'check.name.{finding.check}')}: {finding.said}")
        lines += [f"    {line}" for line in finding.detail]
    return "\n".join(lines) + "\n"
