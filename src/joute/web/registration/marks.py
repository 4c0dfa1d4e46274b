"""The marks of a contest that takes registrations: one row for each invited student.

The scale is a file in the folder of the contest, as `joute export --grades` reads it. A form shows
what it says and writes what is changed there; keys that the form does not know are kept. A student
is a participant, whatever authors a bot names. Whoever has handed in nothing is absent, as are the
absentees of the file; a bot that failed its check is faulty.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from joute.contest.config.writing import toml_text
from joute.contest.errors import ConfigError
from joute.contest.report.cells import Value
from joute.contest.report.feedback import write_feedback
from joute.contest.report.grading import (
    DISQUALIFIED,
    UNMET,
    Grade,
    GradeScale,
    grades,
    read_scale,
)
from joute.contest.report.grading import gradebook as plain_gradebook
from joute.contest.report.report import Report, read_report
from joute.contest.report.tables import Sheet
from joute.files import put
from joute.host.toml import read_toml
from joute.i18n.words import say
from joute.web.contests.catalogue import ServedContest
from joute.web.errors import RequestRefusal
from joute.web.registration.bundle import sheet_text
from joute.web.registration.copies import newest
from joute.web.registration.store import (
    DONE,
    EntryVersion,
    Participant,
    Registration,
    RegistrationStore,
)
from joute.web.settings import write_private

FILE = "grades.toml"
USUAL = "[grades]\nscale = [0, 20]\nbase = 10\nround = 0.5\nplaces = [3, 2, 1]\n"
MOST_AGAINST = 3  # bots of reference that the form has room for
FAULTY = "faulty"
"""A remark: what was handed in has failed its check, so that it is not in the contest."""

PERSON = ("number", "group", "email", "authors")
LATE = "late"  # this and those of the person are columns that only registrations have
COLUMNS = (
    "student", *PERSON, "place", "score", "games", "won", "drawn", "lost", "mark", "remark", LATE,
)  # fmt: skip

Fields = dict[str, str]


class ClassMarks(NamedTuple):
    """The marks of a contest as it stands."""

    book: Sheet
    grades: list[Grade]
    report: Report
    scale: GradeScale


def scale_text(store: RegistrationStore, registration: Registration) -> str:
    """The file of the scale; the usual one where there is none yet."""
    path = _path(store, registration)
    return path.read_text(encoding="utf-8") if path.exists() else USUAL


def keep_scale(
    store: RegistrationStore, registration: Registration, served: ServedContest, text: str
) -> None:
    """Keeps the file of a scale that makes sense for the contest. Raises RequestRefusal."""
    _scale(text, read_report(served.contest), registration)
    write_private(_path(store, registration), text.encode())


def marks(
    store: RegistrationStore, registration: Registration, served: ServedContest
) -> ClassMarks:
    """The marks as they stand. Raises RequestRefusal for a scale that is wrong."""
    whole = read_report(served.contest)
    scale = _scale(scale_text(store, registration), whole, registration)
    people = {each.name: each for each in registration.participants}
    report = _with_participants(whole, people)
    known = {bot.name for bot in report.contest.bots}
    absent = [name for name in people if name not in known]
    absent += [name for name in scale.absentees if name not in people]
    scale = msgspec.structs.replace(scale, absentees=tuple(absent))
    found = [_handed_in(grade, people.get(grade.student), scale) for grade in grades(report, scale)]
    order = {name: at for at, name in enumerate(people)}
    found.sort(key=lambda grade: order.get(grade.student, len(order)))
    more = _more(store, registration, whole, found)
    return ClassMarks(plain_gradebook(report, scale, found, more), found, report, scale)


def write_sheets(found: ClassMarks, folder: Path) -> None:
    """Writes the gradebook, and a sheet of feedback for each student with a bot."""
    put(folder / "gradebook.csv", sheet_text(found.book))
    # The commands on the sheets name files as a student has them, not those of this machine.
    contest = msgspec.structs.replace(found.report.contest, folder="")
    report = found.report._replace(contest=contest)
    write_feedback(report, found.scale, found.grades, folder / "feedback")


def _with_participants(report: Report, people: Collection[str]) -> Report:
    """The contest, whose students are its participants."""
    bots = tuple(
        msgspec.structs.replace(bot, authors=()) if bot.name in people else bot
        for bot in report.contest.bots
    )
    return report._replace(contest=msgspec.structs.replace(report.contest, bots=bots))


def _scale(text: str, report: Report, registration: Registration) -> GradeScale:
    students = [each.name for each in registration.participants]
    with TemporaryDirectory(prefix="joute-") as folder:
        path = Path(folder) / FILE
        put(path, text)
        try:
            return read_scale(path, report.contest, students, COLUMNS)
        except ConfigError as error:
            reason = str(error).replace(f"{path}", say("submit.toml.file"))
            raise RequestRefusal(say("organise.marks.wrong", reason=reason)) from None


def _handed_in(grade: Grade, student: Participant | None, scale: GradeScale) -> Grade:
    """The grade of a student, who may have handed in something that is not in the contest."""
    version = None if student is None or grade.bot else newest(student)
    if version is None:
        return grade
    if version.state == DONE and not version.clean:
        return msgspec.structs.replace(grade, remark=FAULTY)
    mark = grade.mark if scale.marked(grade.student) else None
    return msgspec.structs.replace(grade, mark=mark, remark=UNMET)


def _more(
    store: RegistrationStore, registration: Registration, report: Report, found: list[Grade]
) -> dict[str, dict[str, Value]]:
    """By student what the organiser's list says, whom the bot names, and how late it was.

    The disqualified have a remark, also where the scale has no mark for them.
    """
    authors = {bot.name: ", ".join(bot.authors) for bot in report.contest.bots}
    files = {bot.name: Path(bot.bot) for bot in report.contest.bots}
    more: dict[str, dict[str, Value]] = {}
    for each in registration.participants:
        number, group, email = each.person[1:]
        more[each.name] = {"number": number, "group": group, "email": email}
        version = _played(store, registration, each, files.get(each.name)) or newest(each)
        late = _late(registration, each, version)
        more[each.name] |= {"authors": authors.get(each.name), LATE: late}
    out = {line.name for line in report.table if line.disqualified}
    for grade in found:
        if grade.bot in out and not grade.remark:
            more.setdefault(grade.student, {})["remark"] = DISQUALIFIED
    return more


def _played(
    store: RegistrationStore,
    registration: Registration,
    participant: Participant,
    file: Path | None,
) -> EntryVersion | None:
    """The version that a file in the contest is; None without one."""
    for version in participant.versions:
        stored = store.bot(registration, participant, version)
        if file is not None and file.parts[-3:] == stored.parts[-3:]:
            return version
    return None


def _late(
    registration: Registration, participant: Participant, version: EntryVersion | None
) -> Value:
    """The hours by which a version came late; None without one."""
    if version is None:
        return None
    return round(registration.delay(participant, version).total_seconds() / 3600, 2)


def _path(store: RegistrationStore, registration: Registration) -> Path:
    return store.contest(registration).with_name(FILE)


# The form.


def fields_of(text: str) -> Fields:
    """The fields of the form as the file of a scale has them. Raises RequestRefusal."""
    table = _grades(text)
    ends = _list(table.get("scale"))
    low, high = ends if len(ends) == 2 else ("0", "20")
    found = {
        "low": low,
        "high": high,
        "base": _shown(table.get("base", "")),
        "round": _shown(table.get("round", 0.5)),
        "places": ", ".join(_list(table.get("places"))),
        "absent": _shown(table.get("absent", "")),
        "disqualified": _shown(table.get("disqualified", "")),
    }
    against = [each for each in table.get("against", []) if isinstance(each, dict)]
    for at in range(max(MOST_AGAINST, len(against))):
        each = against[at] if at < len(against) else {}
        for key in ("bot", "marks", "from", "to"):
            found[f"{key}{at}"] = _shown(each.get(key, ""))
    return found


def with_fields(text: str, given: Mapping[str, str]) -> str:
    """The file with what the form has changed; other keys stay. Raises RequestRefusal."""
    known = fields_of(text)
    changed = {key for key, value in known.items() if given.get(key, value).strip() != value}
    if not changed:
        return text
    data = read_toml(text)
    table: dict[str, Any] = data.setdefault("grades", {})
    values = {key: given.get(key, value).strip() for key, value in known.items()}
    if changed & {"low", "high"}:
        table["scale"] = [_number(values["low"]), _number(values["high"])]
    for key in changed & {"base", "round", "absent", "disqualified"}:
        table.pop(key, None)
        if values[key]:
            table[key] = _number(values[key])
    if "places" in changed:
        table["places"] = [_number(each) for each in values["places"].split(",") if each.strip()]
    if any(key.startswith(("bot", "marks", "from", "to")) for key in changed):
        table["against"] = _against(values)
    return toml_text(data)


def _against(values: Mapping[str, str]) -> list[dict[str, Any]]:
    found = []
    for key, bot in values.items():
        if not key.startswith("bot") or not bot:
            continue
        at = key.removeprefix("bot")
        each: dict[str, Any] = {"bot": bot}
        numbers = {name: values[f"{name}{at}"] for name in ("marks", "from", "to")}
        found.append(each | {name: _number(value) for name, value in numbers.items() if value})
    return found


def _grades(text: str) -> dict[str, Any]:
    try:
        found = read_toml(text).get("grades", {})
    except ValueError as error:
        raise RequestRefusal(say("organise.marks.wrong", reason=error)) from None
    return found if isinstance(found, dict) else {}


def _number(text: str) -> Any:
    """The number that a text stands for; the text itself where it is none: the check says so."""
    for kind in (int, float):
        try:
            return kind(text.strip().replace(",", "."))
        except ValueError:
            continue
    return text


def _list(value: object) -> list[str]:
    return [_shown(each) for each in value] if isinstance(value, list) else []


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
