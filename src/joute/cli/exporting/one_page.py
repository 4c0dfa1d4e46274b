"""A contest as one page that needs nothing else: standings, every bot, games to be replayed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from joute.cli.exporting.albums import album, in_page, recorded_games
from joute.cli.exporting.bot_page import bot_page
from joute.cli.exporting.contest_page import contest_page
from joute.cli.exporting.elements import file_name, heading
from joute.contest.report.comparisons import cross
from joute.files import put
from joute.i18n.words import say
from joute.web.replaying.single import framed

if TYPE_CHECKING:
    from joute.contest.report.report import Report

MOST_GAMES = 500  # in the page, the newest; each takes some kilobytes
TOP = "#main"  # where the page begins
STYLE = Path(__file__).parent / "joute.css"
OWN_STYLE = """
body.alone { grid-template: 1fr / minmax(0, 1fr); }
body.alone main { max-width: 98rem; }
.alone .titlebar { display: block; }
.sheet { margin-top: 3.5rem; border-top: 3px solid var(--board-edge); padding-top: 1.5rem; }
"""


def write_page(report: Report, file: Path) -> Path:
    """Writes the page in the language spoken now; returns its path."""
    kept = list(recorded_games(report, MOST_GAMES))
    data = "".join(in_page(each) for each in kept)
    left_out = len(report.games) - len(kept)
    aside = say("page.replays.left_out", count=left_out) if left_out else ""
    places = {
        bot.name: f"#bot-{file_name(number, bot.name)}"
        for number, bot in enumerate(report.contest.bots, start=1)
    }
    met = cross(report)
    sheets = "".join(
        f'<section class="sheet" id="{places[line.name][1:]}">'
        f"{bot_page(report, line, met, places, TOP)}</section>"
        for line in report.table
    )
    games = [each.game for each in kept]
    body = "\n".join(
        [
            contest_page(report, places),
            heading(say("page.replays"), aside),
            album(report, games, data),
            sheets,
        ]
    )
    style = STYLE.read_text(encoding="utf-8")
    return put(file, framed(report.contest.name, f"<style>{style}{OWN_STYLE}</style>{body}"))
