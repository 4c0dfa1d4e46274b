"""A contest as a folder of pages that need nothing else: no script, no network, no program.

    index.html, bots/NUMBER-NAME.html   in the language of the user
    fr/ (or en/)                        the same in the other one
    joute.css, standings.csv, games.csv
    replays.html, replays/              if they are asked for; see albums.py

Every address is relative, so that the folder opens from a disk, whole, wherever it is carried.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from joute.cli.exporting.albums import ALBUM, write_album
from joute.cli.exporting.bot_page import bot_page
from joute.cli.exporting.contest_page import contest_page
from joute.cli.exporting.elements import file_name, heading, link, safe
from joute.contest.report.comparisons import cross
from joute.contest.report.report import Report
from joute.contest.report.tables import games_sheet, standings_sheet
from joute.contest.report.writing import put_csv
from joute.files import put
from joute.i18n import words
from joute.i18n.words import say

STYLE = "joute.css"
NAMES = {"en": ("EN", "English"), "fr": ("FR", "français")}  # of the languages, in themselves


class _Place(NamedTuple):
    """Where a page is: its address from the top of its language, and the ways from there."""

    address: str  # index.html, bots/01-name.html
    top: str  # the way to the top of the folder
    home: str  # the way to the top of its language
    languages: dict[str, str]  # the way to the top of each language


def write_pages(report: Report, folder: Path, replays: bool = False) -> Path:
    """Write the folder, with `replays` the games too; returns the page to open."""
    spoken = words.language()
    bots = {
        bot.name: f"bots/{file_name(number, bot.name)}.html"
        for number, bot in enumerate(report.contest.bots, start=1)
    }
    style = (Path(__file__).parent / STYLE).read_text(encoding="utf-8")
    put(folder / STYLE, style)
    put_csv(folder / "standings.csv", standings_sheet(report))
    put_csv(folder / "games.csv", games_sheet(report))
    try:
        for language in words.LANGUAGES:
            words.speak(language)
            within = "" if language == spoken else f"{language}/"
            _write_language(report, folder, bots, within, replays)
    finally:
        words.speak(spoken)
    return folder / "index.html"


def _write_language(
    report: Report, folder: Path, bots: dict[str, str], within: str, replays: bool
) -> None:
    """Write all pages of the language spoken now; `within` is its folder, "" for the top."""
    place = _place("index.html", within)
    body = contest_page(report, bots)
    if replays:
        write_album(report, folder / within)
        body += heading(say("page.replays")) + f"<p>{link(ALBUM, say('page.replays.open'))}</p>"
    put(folder / within / place.address, _framed(report.contest.name, body, place))
    met = cross(report)
    for line in report.table:
        place = _place(bots[line.name], within)
        others = {name: place.home + address for name, address in bots.items()}
        body = bot_page(report, line, met, others, place.home + "index.html")
        title = f"{line.name} \N{MIDDLE DOT} {report.contest.name}"
        put(folder / within / place.address, _framed(title, body, place))


def _place(address: str, within: str) -> _Place:
    home = "../" * address.count("/")
    top = home + "../" * within.count("/")
    spoken = words.language()
    # One language is at the top, the other in a folder of its name.
    other = next(each for each in words.LANGUAGES if each != spoken)
    away = top if within else f"{top}{other}/"
    return _Place(address, top, home, {spoken: home, other: away})


def _framed(title: str, body: str, place: _Place) -> str:
    """A whole page."""
    switch = "".join(_language(language, place) for language in words.LANGUAGES)
    return f"""<!doctype html>
<html lang="{words.language()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{safe(title)} \N{MIDDLE DOT} Joute</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{place.top}{STYLE}">
</head>
<body>
<a class="skip" href="#main">{safe(say("page.skip"))}</a>
<header class="top"><a class="mark" href="{place.home}index.html">{_MARK}Joute</a>
<nav class="seg" aria-label="{safe(say("page.language"))}">{switch}</nav></header>
{_RAIL}
<main id="main">
{body}
</main>
<footer class="foot"><span>{safe(say("page.foot", version=version("joute")))}</span>
<span>{safe(say("page.data"))} {link(f"{place.top}standings.csv", "standings.csv")},
{link(f"{place.top}games.csv", "games.csv")}</span></footer>
</body>
</html>
"""


def _language(language: str, place: _Place) -> str:
    short, name = NAMES[language]
    here = ' aria-current="true"' if language == words.language() else ""
    address = f"{place.languages[language]}{place.address}"
    return (
        f'<a href="{address}" lang="{language}" hreflang="{language}" '
        f'aria-label="{name}"{here}>{short}</a>'
    )


_MARK = (
    '<svg viewBox="0 0 40 40" aria-hidden="true"><path class="ink" d="M20 2v36L2 20Z"/>'
    '<path class="acc" d="M20 2v36l18-18Z"/><path class="cut" d="M5 20h12M23 20h12"/>'
    '<path class="pg" d="M12.5 15.5l6.5 4.5-6.5 4.5ZM27.5 15.5 21 20l6.5 4.5Z"/></svg>'
)
_RAIL = (
    '<svg class="lozengy" aria-hidden="true"><defs><pattern id="lz" width="12" height="7" '
    'patternUnits="userSpaceOnUse"><path d="M6 0 11 3.5 6 7 1 3.5Z" fill="currentColor"/>'
    '</pattern></defs><rect width="100%" height="7" fill="url(#lz)"/></svg>'
)
