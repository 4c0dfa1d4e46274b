"""Paradise at the terminal: its table, its choices, what may be typed."""

from __future__ import annotations

from typing import Any

from joute.cli.playing.game import Drawing, Marks, Terminal
from joute.games.paradise.terminal.drawing import table
from joute.games.paradise.terminal.listing import choices, explain, listing, spoken
from joute.games.paradise.terminal.typed import understand


def _draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (
        table(game, state, player, marks.names, marks.over, columns) for columns in (78, 44)
    )
    return Drawing(wide, narrow)


TERMINAL = Terminal(
    _draw,
    seated=True,
    understand=understand,
    choices=choices,
    listing=listing,
    help=explain,
    spoken=spoken,
)
