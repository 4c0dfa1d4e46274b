"""Tables as full as they may become: long boards, full hands, many players.

`crowded(NAME)` is a game that bots played up to a position in which the first player is asked.
"""

from functools import cache
from typing import Any, NamedTuple

import msgspec

from joute.core.interface import observe
from joute.core.maps import find_map
from joute.core.registry import make
from joute.play.chance import derive
from joute.play.game import HUMAN, GameSpec, SeatSpec, usual_costs
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.timeline import Timeline

GAMES_TRIED = 20
NAMES = ("Ann", "Bertrand", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal")


class Crowd(NamedTuple):
    """A game, and when it is full."""

    game: str
    parameters: dict[str, Any]
    bot: str
    players: int
    ply: int  # at the earliest
    least: dict[str, int] = {}  # noqa: RUF012  (read only)
    first: int = 0  # the number of the first game to try: full ones are rare


class Position(NamedTuple):
    """A game with a person at its first seat, up to here; and the record of the whole game."""

    spec: GameSpec
    lines: list[dict[str, Any]]
    record: bytes


def _floors() -> str:
    """Two floors of 21 x 21 with eight starts, stairs and a pair of teleporters."""
    rows = ["#" * 21, *("#" + " " * 19 + "#" for _ in range(19)), "#" * 21]
    floors = [[list(row) for row in rows] for _ in range(2)]
    for number in range(8):
        floors[number // 4][3 + 14 * (number // 2 % 2)][3 + 14 * (number % 2)] = str(number + 1)
    for row in (5, 10, 15):
        floors[0][row][10], floors[1][row][10] = "u", "d"
    floors[0][10][3] = floors[1][10][17] = "A"
    text = "\n".join(
        line
        for number, floor in enumerate(floors)
        for line in (f"floor {number}", *("".join(row) for row in floor))
    )
    return f"tron 1\nname floors\nsize 21 21 2\n{text}\nend\n"


CROWDS = {
    "virus": Crowd("virus", {}, "greedy", 2, 30),
    "virus of 12 x 12": Crowd("virus", {"size": 12}, "greedy", 2, 30),
    "tron": Crowd("tron", {}, "wall", 2, 12),
    "tron of two floors": Crowd("tron", {"map": "house"}, "wall", 2, 12),
    "tron of two floors and eight bikes": Crowd("tron", {"players": 8}, "wall", 8, 40),
    "vampires": Crowd("vampires", {}, "nearest", 2, 10),
    "tron of 29 columns": Crowd("tron", {"map": "eight"}, "wall", 2, 12),
    "vampires of 25 columns": Crowd("vampires", {"map": "kingdom"}, "nearest", 2, 10),
    "vampires of 12 columns": Crowd("vampires", {"map": "crowded"}, "nearest", 2, 10),
    "love letter of two": Crowd("love-letter", {"tokens": 0}, "rules", 2, 12, {"log": 5}),
    "love letter of four": Crowd(
        "love-letter", {"players": 4, "tokens": 0}, "rules", 4, 12, {"log": 6}
    ),
    "paradise": Crowd("paradise", {}, "curve", 2, 40),
    "paradise with full boards": Crowd(
        "paradise", {}, "random", 2, 40, {"boards": 5, "hand": 3}, 127
    ),
    "paradise with a full hand": Crowd("paradise", {}, "random", 2, 4, {"hand": 9}, 210),
}


@cache
def crowded(name: str) -> Position:
    """The first such position of a few games, always the same ones."""
    crowd = CROWDS[name]
    parameters = dict(crowd.parameters)
    if "floors" in name and crowd.players == 8:
        parameters["map"] = _floors()
    elif "map" in parameters:
        parameters["map"] = find_map(crowd.game, parameters["map"])
    for number in range(crowd.first, crowd.first + GAMES_TRIED):
        seats = [SeatSpec(name=each, bot=f"builtin:{crowd.bot}") for each in NAMES[: crowd.players]]
        spec = GameSpec(
            game=crowd.game,
            parameters=parameters,
            bots=tuple(seats),
            seed=derive("crowded", f"{name} {number}"),
            costs=usual_costs(crowd.game),
        )
        record = play_game(spec).record
        plies = read_record(record).plies
        timeline = Timeline(make(crowd.game, **parameters))
        for ply, line in enumerate(plies):
            timeline.hear(line)
            if ply >= crowd.ply and _full(crowd, timeline):
                seats[0] = SeatSpec(name=NAMES[0], bot=HUMAN)
                asked = msgspec.structs.replace(spec, bots=tuple(seats))
                return Position(asked, plies[: ply + 1], record)
    raise LookupError(name)


def _full(crowd: Crowd, timeline: Timeline) -> bool:
    step = timeline.steps[-1]
    if step.mover != 0:
        return False
    seen = observe(timeline.game, step.state, 0)
    sizes = {"boards": lambda found: min(map(len, found))}
    return all(sizes.get(key, len)(seen[key]) >= count for key, count in crowd.least.items())
