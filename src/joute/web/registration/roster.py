"""A list of students, pasted or sent as a file: names, numbers, groups, addresses.

A line is a student. Columns are separated by semicolons, commas or tabs, as spreadsheets write
them; a first line with headings says what they are, else they are told by what is in them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from joute.i18n.words import folded, say
from joute.web.errors import RequestRefusal
from joute.web.registration.contest_files import (
    alike,
    checked_person,
    claim_number,
    numbers_of,
    participant_name,
)
from joute.web.registration.store import Participant, Person, Registration

MOST_PEOPLE = 1000
LARGEST = 256 * 1024  # bytes
_SEPARATORS = "\t;,"
_HEADINGS = {
    "name": "name nom student etudiant participant nom_complet full_name nom_et_prenom equipe team",
    "first": "first first_name firstname prenom given_name forename",
    "last": "last last_name lastname surname family_name nom_de_famille nom_usuel",
    "number": "number numero id no n n_etudiant student_number student_id numero_etudiant"
    " num_etudiant matricule code identifiant id_number idnumber numero_d_identification"
    " n_d_identification numero_d_etudiant n_d_etudiant code_etudiant",
    "group": "group groupe class classe td tp section groups groupes group_s groupe_s",
    "email": "email e_mail mail courriel adresse adresse_mail adresse_electronique email_address"
    " e_mail_address adresse_de_courriel adresse_courriel adresse_e_mail adresse_email",
}
_MEANING = {word: field for field, words in _HEADINGS.items() for word in words.split()}
_NUMBER = re.compile(r"[A-Za-z]{0,3}\d{3,}[A-Za-z]?")
_SHORT = 8  # characters of a group that no heading names


class RosterLine(NamedTuple):
    """A student of a list; `problem` says why nothing can be done, "" if it can."""

    person: Person
    known: Participant | None  # who has the name already: what else the list says is taken over
    problem: str = ""


class Roster(NamedTuple):
    """A list that was read."""

    lines: list[RosterLine]
    latin: bool  # whether it was no UTF-8, and read as Windows writes it
    unused: list[str]  # the columns that say nothing of the students, by their headings

    @property
    def new(self) -> list[Person]:
        """The students to be invited."""
        return [each.person for each in self.lines if not each.problem and each.known is None]

    @property
    def known(self) -> list[tuple[Participant, Person]]:
        """Those who are invited already, with what the list says of them."""
        return [(each.known, each.person) for each in self.lines if each.known and not each.problem]


def decoded(content: bytes) -> tuple[str, bool]:
    """The text of a file, and whether it had to be read as Latin-1. Raises RequestRefusal."""
    if len(content) > LARGEST:
        raise RequestRefusal(say("organise.roster.large", most=LARGEST // 1024))
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace"), False
    try:
        return content.decode("utf-8-sig"), False
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace"), True


def read_roster(
    registration: Registration,
    text: str,
    latin: bool = False,
    house: Container[str] = frozenset(),
) -> Roster:
    """The students of a list, for a contest. Raises RequestRefusal for what is no list.

    `house` are the names of the contest's house bots, which no student can have.
    """
    rows = _rows(text.removeprefix("\ufeff"))
    if not rows:
        raise RequestRefusal(say("organise.roster.empty"))
    if len(rows) > MOST_PEOPLE:
        raise RequestRefusal(say("organise.roster.many", most=MOST_PEOPLE))
    headings = rows[0]
    fields = [_MEANING.get(_heading(cell), "") for cell in headings]
    if any(fields) and not any("@" in cell for cell in headings):
        rows = rows[1:]
    else:
        headings, fields = [], _guessed(rows)
    people = [_person(row, fields) for row in rows]
    renumbered = {alike(" ".join(each.name.split())) for each in people if each.number}
    numbers = numbers_of(registration.participants, renumbered)
    taken: set[str] = set()
    lines = [_line(registration, each, taken, numbers, house) for each in people]
    return Roster(lines, latin, _unused(rows, headings, fields))


def _rows(text: str) -> list[list[str]]:
    lines = [line for line in text.replace("\x00", "").splitlines() if line.strip(" \t;,")]
    first = lines[0] if lines else ""
    separator = max(_SEPARATORS, key=first.count)
    if not any(each in first for each in _SEPARATORS):
        return [[line.strip()] for line in lines]
    try:
        read = csv.reader(io.StringIO("\n".join(lines)), delimiter=separator)
        return [[cell.strip() for cell in row] for row in read]
    except csv.Error as error:
        raise RequestRefusal(say("organise.roster.wrong", reason=error)) from None


def _heading(cell: str) -> str:
    if any(each.isdigit() for each in cell):  # "Student 7" is one
        return ""
    return re.sub(r"[^a-z]+", "_", folded(cell)).strip("_")


def _unused(
    rows: Sequence[Sequence[str]], headings: Sequence[str], fields: Sequence[str]
) -> list[str]:
    """The columns without a meaning that hold something, by their headings, else by number."""
    found = []
    for at in range(max(map(len, rows), default=0)):
        known = at < len(fields) and fields[at]
        if not known and any(row[at] for row in rows if at < len(row)):
            heading = headings[at] if at < len(headings) else ""
            found.append(heading or say("organise.roster.column", number=at + 1))
    return found


def _guessed(rows: Sequence[Sequence[str]]) -> list[str]:
    """The meaning of each column, by what is in it."""
    width = max(map(len, rows))
    found: list[str] = []
    for at in range(width):
        cells = [row[at] for row in rows if at < len(row) and row[at]]
        found.append(_meaning(cells, found))
    return found


def _meaning(cells: Sequence[str], before: Sequence[str]) -> str:
    if not cells:
        return ""
    if all("@" in cell for cell in cells):
        return "email"
    if all(_NUMBER.fullmatch(cell) for cell in cells):
        return "number"
    if before.count("name") and "group" not in before and max(map(len, cells)) <= _SHORT:
        few = len(set(cells)) <= max(1, len(cells) // 2)
        if few or any(each.isdigit() for cell in cells for each in cell):
            return "group"
    return "name" if before.count("name") < 2 else ""


def _person(row: Sequence[str], fields: Sequence[str]) -> Person:
    """The person of a line; several columns of a name are joined, the first name first."""
    found: dict[str, list[str]] = {}
    for field, cell in zip(fields, row, strict=False):
        if field and cell:
            found.setdefault(field, []).append(cell)
    last = found.get("last", found.get("name", []) if "first" in found else [])
    name = [*found.get("first", []), *last] or found.get("name", [])
    rest = (found.get(field, [""])[0] for field in ("number", "group", "email"))
    return Person(" ".join(name), *rest)


def _line(
    registration: Registration,
    person: Person,
    taken: set[str],
    numbers: dict[str, str],
    house: Container[str],
) -> RosterLine:
    """A person of the list as it is shown; adds its name and its number to those that are taken."""
    try:
        person = checked_person(person)
        if alike(person.name) in taken:
            raise RequestRefusal(say("organise.roster.twice"))
        taken.add(alike(person.name))
        known = next(
            (each for each in registration.participants if alike(each.name) == alike(person.name)),
            None,
        )
        if known is None:
            person = person._replace(name=participant_name(registration, person.name, house))
        claim_number(person, numbers)
    except RequestRefusal as refusal:
        return RosterLine(person, None, str(refusal))
    return RosterLine(person, known)
