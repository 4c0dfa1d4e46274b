"""Positions and records in a notebook: the boards of the web application, by themselves.

Each is a page in a frame of its own, whose scripts and styles touch nothing around it, and which
asks nothing of anybody; it stays drawn in a notebook that is opened elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

_POSITION = "560px", 600  # width and height, in pixels
_RECORD = "100%", 760


def record_html(content: bytes, name: str) -> str:
    """A player of a record, whose file is called `name` in commands."""
    from joute.web.replays.recorded import read_recorded
    from joute.web.replays.single_file import game_page

    return _framed(game_page(read_recorded(content), name), _RECORD, name)


def position_html(rules: Any, state: Sequence[int], title: str) -> str:
    """The board of a state, as it is drawn for people who see everything."""
    from joute.web.replays.single_file import position_page

    return _framed(position_page(rules, state), _POSITION, title)


def _framed(page: str, size: tuple[str, int], title: str) -> str:
    width, height = size
    return (
        f'<iframe srcdoc="{escape(page)}" title="{escape(title)}" sandbox="allow-scripts" '
        f'style="width:100%;max-width:{width};height:{height}px;border:0"></iframe>'
    )
