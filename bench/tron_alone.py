"""Filling in Tron alone: how much of what can be filled `fill` does fill, of random maps, by size.

The maps of a size are one of each of KINDS: walls and teleporters as chance has it, on one floor or
on two that are half as high. `scripts/bench tron-alone 20 25 30 35 40` plays 40 of them, which
takes an hour; a game ends as soon as a path is proved to be the longest.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.rows import Row
from joute.bots import Seating
from joute.bots import make as make_bot
from joute.core.interface import OVER, mover, play, points, start
from joute.core.registry import make
from joute.games.tron.players.fill import RoomFiller

SIZES = {"20": 97.0, "25": 97.0, "30": 97.0, "35": 97.0, "40": 97.0, "60": 95.0}
"""The percentage of the bound that is aimed at, by width and height."""

GAMES = tuple(SIZES)
USUAL = ("20", "40")
MOVE_SECONDS = 0.1
STAIRS = 6


class Kind(NamedTuple):
    """A way to draw maps."""

    walls: int  # percent
    pairs: int  # of teleporters
    floors: int


KINDS = (
    Kind(10, 0, 1), Kind(20, 0, 1), Kind(25, 0, 1), Kind(30, 0, 1),
    Kind(20, 4, 1), Kind(25, 4, 1), Kind(30, 4, 1), Kind(20, 2, 2),
)  # fmt: skip

Cell = tuple[int, int, int]
"""Floor, row, column."""


def random_map(size: int, kind: Kind, seed: int = 1) -> str:
    """A map whose start reaches at least half of the free cells of its floor or floors."""
    rng = random.Random(f"{size} {kind.walls} {kind.pairs} {kind.floors} {seed}")
    while True:
        floors = _draw(size, kind, rng)
        if _reached(floors) * 2 >= sum(
            sign != "#" for rows in floors for row in rows for sign in row
        ):
            return _text(size, floors)


def _draw(size: int, kind: Kind, rng: random.Random) -> list[list[list[str]]]:
    height = size // kind.floors
    floors = [
        [
            ["#" if rng.random() < kind.walls / 100 else "." for _ in range(size)]
            for _ in range(height)
        ]
        for _ in range(kind.floors)
    ]
    if kind.floors == 2:
        both = [
            (y, x)
            for y in range(height)
            for x in range(size)
            if floors[0][y][x] == floors[1][y][x] == "."
        ]
        for y, x in rng.sample(both, STAIRS):
            floors[0][y][x], floors[1][y][x] = "u", "d"
    free = [cell for cell in _cells(floors) if _sign(floors, cell) == "."]
    letters = [chr(ord("A") + number // 2) for number in range(2 * kind.pairs)]
    for sign, (floor, y, x) in zip(
        [*letters, "1"], rng.sample(free, len(letters) + 1), strict=True
    ):
        floors[floor][y][x] = sign
    return floors


def _cells(floors: list[list[list[str]]]) -> Iterator[Cell]:
    for floor, rows in enumerate(floors):
        for y, row in enumerate(rows):
            for x in range(len(row)):
                yield floor, y, x


def _sign(floors: list[list[list[str]]], cell: Cell) -> str:
    floor, y, x = cell
    inside = 0 <= floor < len(floors) and 0 <= y < len(floors[0]) and 0 <= x < len(floors[0][0])
    return floors[floor][y][x] if inside else "#"


def _reached(floors: list[list[list[str]]]) -> int:
    """The cells that can be walked to from the start; teleporters are cells like others."""
    found = [cell for cell in _cells(floors) if _sign(floors, cell) == "1"]
    seen = set(found)
    for floor, y, x in found:
        near = [(floor, y + 1, x), (floor, y - 1, x), (floor, y, x + 1), (floor, y, x - 1)]
        if _sign(floors, (floor, y, x)) in "ud":
            near.append((1 - floor, y, x))
        fresh = [cell for cell in near if cell not in seen and _sign(floors, cell) != "#"]
        found += fresh
        seen.update(fresh)
    return len(found)


def _text(size: int, floors: list[list[list[str]]]) -> str:
    lines = ["tron 1", f"size {size} {len(floors[0])} {len(floors)}"]
    for number, rows in enumerate(floors):
        lines += [f"floor {number}", *("".join(row) for row in rows)]
    return "\n".join([*lines, "end", ""])


class Filled(NamedTuple):
    """A map that was filled."""

    moves: int
    most: int  # no path has more
    greedy: int  # the moves of the path that the search begins with


def fill_map(text: str, seconds: float) -> Filled:
    """The moves of a game with so many seconds of CPU for each."""
    game = make("tron", map=text, players=1)
    filler = RoomFiller(game)
    state = start(game)
    most, greedy = filler.bound(state), len(filler.greedy(state).cells)
    bot = make_bot("fill", {"seconds": str(seconds)}, Seating(game, 0, 1, 2 * seconds))
    while mover(game, state) != OVER:
        play(game, state, bot.play(state).action)
    return Filled(points(game, state, 0), most, greedy)


def alone_row(size: str, seconds: float = MOVE_SECONDS, seed: int = 1) -> Row:
    """The share of the bound that is filled on average of the maps of a size."""
    results = [fill_map(random_map(int(size), kind, seed), seconds) for kind in KINDS]
    shares = [100.0 * each.moves / each.most for each in results]
    greedy = [100.0 * each.greedy / each.most for each in results]
    above = all(each.moves >= each.greedy for each in results)
    mean = sum(shares) / len(shares)
    return Row(
        f"{len(results)} random maps, {size} x {size}, {1000 * seconds:g} ms/move", mean,
        "% of the bound",
        f"worst {min(shares):.1f}; greedy path {sum(greedy) / len(greedy):.1f}",
        mean * len(greedy) / sum(greedy), f">= {SIZES[size]:g} %", above and mean >= SIZES[size],
    )  # fmt: skip


def rows(*sizes: Any) -> Iterator[Row]:
    """A row for each size, from some minutes to an hour."""
    for size in sizes or USUAL:
        yield alone_row(size)
