"""Positions and records in a notebook: the boards of the web application, by themselves."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joute.library.positions import Position
    from joute.library.records import GameRecord

_HEIGHT = 560


def record_html(record: GameRecord) -> str:
    """A player of the record, which needs no network."""
    from joute.web.replays.recorded import read_recorded
    from joute.web.replays.single_file import game_page

    page = game_page(read_recorded(record.content), record.name)
    return _framed(page, _HEIGHT + 160, repr(record))


def position_html(position: Position) -> str:
    """The board, as it is drawn for people who see everything."""
    return f"<pre>{escape(str(position))}</pre>"


def _framed(page: str, height: int, title: str) -> str:
    """A page in a frame of its own, whose scripts and styles touch nothing around it."""
    return (
        f'<iframe srcdoc="{escape(page)}" title="{escape(title)}" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )
