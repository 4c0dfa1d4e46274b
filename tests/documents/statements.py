"""The pages on the five documents that the games come from, docs/LANGUAGE/statements.md and
docs/LANGUAGE/measured.md, made of docs/statements.toml.

Places lead to documents of the page's language: the headings of both languages are as many and in
the same order, so the English one that a place names gives the French one too.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from joute.i18n.words import LANGUAGES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TEST, COMMAND, NOWHERE = "test:", "$ ", "none"  # kinds of places


class Row(NamedTuple):
    """A statement of a document, or a number that it states."""

    said: dict[str, str]  # by language
    places: list[str]
    more: dict[str, str]  # a remark, or our figure


@cache
def data() -> dict[str, Any]:
    """The content of docs/statements.toml."""
    return tomllib.loads((DOCS / "statements.toml").read_text("utf-8"))


def documents() -> list[str]:
    """The keys of the documents, in the order of the pages."""
    return [key for key in data() if key not in ("words", "numbers")]


def rows(key: str) -> list[Row]:
    """The statements of a document."""
    return [
        Row(dict(zip(LANGUAGES, each[:2], strict=True)), each[2], _pair(each[3:]))
        for each in data()[key]["rows"]
    ]


def numbers(key: str) -> list[Row]:
    """The numbers that a document states, with ours."""
    return [
        Row(dict(zip(LANGUAGES, each[:2], strict=True)), [each[4]], _pair(each[2:4]))
        for each in data()["numbers"][key]["rows"]
    ]


def _pair(texts: list[str]) -> dict[str, str]:
    return dict(zip(LANGUAGES, texts or ["", ""], strict=True))


@cache
def headings(path: Path) -> list[str]:
    """The headings of a document, in their order."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [line.lstrip("#").strip() for line in re.findall(r"^#+ .*$", text, re.MULTILINE)]


def anchor(heading: str) -> str:
    """The anchor of a heading, as sites of documents make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def shown(place: str, language: str) -> str:
    """A place as the page of a language shows it. Raises ValueError for a heading not there."""
    if place == NOWHERE:
        return str(data()["words"][language]["nowhere"])
    if place.startswith(TEST):
        return f"`{place.removeprefix(TEST)}`"
    if place.startswith(COMMAND):
        return f"`{place.removeprefix(COMMAND)}`"
    name, _, heading = place.partition("#")
    own = headings(DOCS / language / name)
    if not heading:
        return f"[{own[0]}]({name})"
    at = headings(DOCS / "en" / name).index(heading)
    title = own[0] if at == 0 else f"{own[0]}, {own[at]}"
    return f"[{title}]({name}#{anchor(own[at])})"


def statements(language: str) -> str:
    """The page of all statements."""
    words = data()["words"][language]
    parts = [f"# {words['title']}", words["lead"]]
    for key in documents():
        parts.append(f"## {data()[key][language]}")
        lines = [f"| {words['says']} | {words['answers']} |", "|---|---|"]
        for row in rows(key):
            places = " · ".join(shown(each, language) for each in row.places or [NOWHERE])
            more = f". {row.more[language]}" if row.more[language] else ""
            lines.append(f"| {row.said[language]} | {places}{more} |")
        parts.append("\n".join(lines))
    return _page(parts)


def measured(language: str) -> str:
    """The page of the numbers."""
    words = data()["words"][language]
    parts = [f"# {words['measured']}", words["lead_measured"]]
    for key in documents():
        parts.append(f"## {data()[key][language]}")
        lines = [f"| {words['says']} | {words['ours']} | {words['by']} |", "|---|---|---|"]
        for row in numbers(key):
            place = "" if row.places == [NOWHERE] else shown(row.places[0], language)
            lines.append(f"| {row.said[language]} | {row.more[language]} | {place} |")
        parts.append("\n".join(lines))
    return _page(parts)


def _page(parts: list[str]) -> str:
    return "\n\n".join(_wrapped(part) for part in parts) + "\n"


def _wrapped(text: str, width: int = 100) -> str:
    """A paragraph in lines that are short, broken at spaces and nowhere else."""
    if text.startswith(("#", "|")):
        return text
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


PAGES = {"statements.md": statements, "measured.md": measured}


def main() -> None:
    """Write the documents."""
    for name, make in PAGES.items():
        for language in LANGUAGES:
            (DOCS / language / name).write_text(make(language), encoding="utf-8")


if __name__ == "__main__":
    main()
