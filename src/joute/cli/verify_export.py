"""An export of a contest, compared with one made again: `joute verify RESULTS EXPORT`.

What an export says of the place where it was made, the paths of records in commands, may differ.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from joute.cli.export import (
    BOOK,
    CSV,
    GRADES,
    HTML,
    JSONL,
    PAGE,
    PARQUET,
    write_report,
)
from joute.cli.usage import UsageFault
from joute.contest.records import record_form, record_forms
from joute.i18n import words
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.proof.difference import Difference
    from joute.contest.report.report import Report

INDEX, ALBUM = "index.html", "replays.html"
TABLES = {f"{name}.{form}" for name in ("games", "standings") for form in (CSV, JSONL, PARQUET)}
LARGEST = 1 << 26  # bytes of a game that is packed in a page
# Looked for from the begin of a word alone: of a long one each place would be tried in turn.
_PATH = re.compile(r"(?<![^\s\"'`<>&;])[^\s\"'`<>&;]*records/([0-9a-f]{32}\.jsonl)")
_PACKED = re.compile(r"H4sI[A-Za-z0-9+/=]{60,}")  # how every packed game begins
_LANGUAGE = re.compile(r'<html lang="(\w+)"')


def is_export(path: Path) -> bool:
    """Whether a path is that of what `joute export` makes of a contest."""
    return _form(path) is not None


def compared(report: Report, path: Path, scale: Path | None) -> Iterator[Difference]:
    """The first difference of an export from one that is made of the same contest now."""
    import tempfile

    form = _form(path) or ""
    if form == GRADES and scale is None:
        raise UsageFault(say("verify.scale", path=path))
    with tempfile.TemporaryDirectory(prefix="joute-") as folder:
        tries: list[list[Difference]] = []
        for language in _languages(path, form):
            made = Path(folder) / language
            output = made
            if form in (PAGE, *record_forms()):
                output /= path.name if path.is_file() else record_form(form).file
            _write(report, form, output, scale, (path / ALBUM).is_file(), language)
            here, only = (path.parent, path.name) if path.is_file() else (path, "")
            tries.append(list(_files(here, made, only)))
        yield from min(tries, key=len)[:1]  # in the language that it was written in


def _write(
    report: Report, form: str, output: Path, scale: Path | None, replays: bool, language: str
) -> None:
    """Makes an export as somebody of this language does."""
    spoken = words.language()
    words.speak(language)
    try:
        write_report(report, form, output, scale, replays)
    finally:
        words.speak(spoken)


def _form(path: Path) -> str | None:
    """The form of an export, None if it is none."""
    if path.is_file():
        if path.name in TABLES:
            return path.suffix[1:]
        return PAGE if _is_page(path) else _record_form(path)
    if (path / INDEX).is_file():
        return HTML
    if (path / BOOK).is_file():
        return GRADES
    own = [each for each in record_forms() if (path / record_form(each).file).is_file()]
    if own:
        return own[0]
    tables = [name for name in sorted(TABLES) if (path / name).is_file()]
    return tables[0].rpartition(".")[2] if tables else None


def _is_page(path: Path) -> bool:
    return path.suffix == ".html"


def _record_form(path: Path) -> str | None:
    for form in record_forms():
        begins = record_form(form).begins
        with path.open("rb") as file:
            if file.read(len(begins)) == begins:
                return form
    return None


def _languages(path: Path, form: str) -> tuple[str, ...]:
    """The languages that an export may be written in."""
    page = path if form == PAGE else path / INDEX if form == HTML else None
    if page is None:
        return words.LANGUAGES if form == GRADES else (words.language(),)
    match = _LANGUAGE.search(page.read_text(encoding="utf-8", errors="replace"))
    return (match[1],) if match is not None and match[1] in words.LANGUAGES else words.LANGUAGES


def _files(here: Path, there: Path, only: str) -> Iterator[Difference]:
    """The differences between the files of two folders, or in one of them."""
    from joute.contest.proof.difference import Difference

    def names(folder: Path) -> set[str]:
        return {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()}

    made = {only} if only else names(there)
    for name in sorted(made if only else made | names(here)):
        if name not in made:
            yield Difference(key="export.more", values={"file": name})
        elif not (here / name).is_file():
            yield Difference(key="export.missing", values={"file": name})
        else:
            yield from _contents(name, (here / name).read_bytes(), (there / name).read_bytes())


def _contents(name: str, here: bytes, there: bytes) -> Iterator[Difference]:
    from joute.contest.proof.difference import Difference, shown

    if here == there:
        return
    try:
        lines, expected = (comparable(each.decode("utf-8")) for each in (here, there))
    except UnicodeDecodeError:
        yield Difference(key="export.other", values={"file": name})
        return
    for number in range(max(len(lines), len(expected))):
        one, other = (each[number] if number < len(each) else "" for each in (lines, expected))
        if one != other:
            at = next(
                (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
                min(len(one), len(other)),
            )
            begin = max(at - 20, 0)
            values = {"found": shown(one[begin:]), "expected": shown(other[begin:])}
            yield Difference(
                key="export.differs", values={"file": name, "line": number + 1, **values}
            )
            return


def comparable(text: str) -> list[str]:
    """The lines of a text, packed games unpacked, paths without the way to the contest's folder."""
    return [_PATH.sub(r"records/\1", line) for line in _PACKED.sub(_unpacked, text).split("\n")]


def _unpacked(match: re.Match[str]) -> str:
    try:
        content = zlib.decompressobj(wbits=31).decompress(base64.b64decode(match[0]), LARGEST)
        return content.decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        return match[0]
