"""What each player of a Vampires vs Werewolves server is shown, as frames."""

from collections.abc import Iterable
from typing import Any

from joute.games.vampires.adapters.frames import Frame, listing, pair
from joute.games.vampires.map import VampiresMap
from joute.games.vampires.state import Vampires
from joute.games.vampires.text import cells, contents

Cell = tuple[int, int]


def welcome(chart: VampiresMap, player: int) -> list[Frame]:
    """SET, HUM and HME, sent once the player's name is known."""
    x, y, _ = (chart.vampires, chart.werewolves)[player]
    return [
        pair("SET", chart.rows, chart.columns),
        listing("HUM", [group[:2] for group in chart.humans]),
        pair("HME", x, y),
    ]


def board(game: Vampires, state: Any) -> Frame:
    """MAP: all cells that are not empty, row by row."""
    return listing("MAP", cells(game, state))


def update(
    game: Vampires, state: Any, vampires: Iterable[Cell], werewolves: Iterable[Cell]
) -> Frame:
    """UPD: what the cells hold now that the last order of each player changed, each cell once.

    `encode` refuses more than 255 cells, which two orders of many moves can change.
    """
    changed = dict.fromkeys([*vampires, *werewolves])
    return listing("UPD", [contents(game, state, x, y) for x, y in changed])
