"""Tron in plain data and text: its settings, its observations, its actions and boards as text.

Observation: `width`, `height`, `wrap`, `trail`, `order`, `teams`; `floors` (a list of floors, each
a list of rows from the top: '#' wall, ' ' free, a free cell's letter as in the map, a digit d the
trail of bike d - 1, '*' a cell where several crashed); `heads` (by bike [x, y, floor], y up from 0;
null when out), `alive` (the bikes), `player`, `to_move` (-2: over), `round`, `points` (moves made,
by bike), `legal` (the observer's free directions if it is to move, else empty).

Text: a direction's name. The referee takes a direction into a wall too.
"""

import functools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from joute.core.errors import ActionError, GameError, in_range
from joute.core.interface import (
    OVER,
    Properties,
    implements,
    legal_actions,
    mover,
    plain,
    points,
)
from joute.games.tron.board import Board, TronMap, board
from joute.games.tron.map import read_map, write_map
from joute.games.tron.map_text import OPTIONS
from joute.i18n.words import Sentence, say

DIRECTIONS = ("left", "up", "right", "down", "upstairs", "downstairs")
HEADINGS = "<^>v"
CRASHED = 9  # the mark of a cell where several crashed; a bike's is its number + 1
MOST_BIKES = 8

ROOM = "\n".join(
    ["13 17", "#" * 13]
    + [f"#{'  1' if row == 10 else '':11}#" for row in range(15)]
    + ["#" * 13, ""]
)
"""The plain room of the workshop, for one bike."""

_CORNERS = {2: "  1         2", 12: "  4         3"}  # by rows below the wall
ARENA = "\n".join(
    ["tron 1", "name arena", "size 17 17 1", "floor 0", "#" * 17]
    + [f"#{_CORNERS.get(row, ''):15}#" for row in range(15)]
    + ["#" * 17, "end", ""]
)
"""A plain room with four starts."""


class TronSettings(NamedTuple):
    """The settings of a game of Tron, checked; every option is given."""

    map: str  # canonical text
    players: int
    rotation: int
    order: str
    trail: str
    wrap: str
    teams: tuple[tuple[int, ...], ...]  # () where each plays for itself


class TronBase(NamedTuple):
    """The parts that both layouts are built of."""

    board: Board
    directions: int  # 4, or 6 where there are stairs
    starts: list[int]  # the cell of each bike
    source: np.ndarray  # uint8, the settings as JSON
    shape: np.ndarray  # int32[3]: floors, rows, columns
    spots: np.ndarray  # int32[cells]: the cell's place on all floors, rows from the top

    @classmethod
    def of(cls, settings: TronSettings) -> "TronBase":
        """The graph and the starts for these settings."""
        chart = read_map(settings.map)
        graph = board(chart, settings.wrap)
        count = settings.players
        starts = [graph.starts[(bike + settings.rotation) % count] for bike in range(count)]
        stairs = graph.neighbour.reshape(-1, 8)[:, 4:6].any()
        text = json.dumps(settings._asdict()).encode()
        source = np.frombuffer(text, np.uint8).copy()
        shape = np.array([len(chart.floors), chart.height, chart.width], np.int32)
        x, y, floor = np.array(graph.places, np.int32).T
        spots = (floor * chart.height + chart.height - 1 - y) * chart.width + x
        spots[0] = 0  # cell 0 is nowhere
        return cls(graph, 6 if stairs else 4, starts, source, shape, spots.astype(np.int32))


def settle(
    map: Any, players: Any, rotation: Any, order: Any, trail: Any, wrap: Any, teams: Any
) -> TronSettings:
    """The settings of a game from the parameters of `tron.make`. Raises GameError."""
    players = in_range("tron", "players", players, 0, MOST_BIKES)
    if not isinstance(map, str):
        raise GameError(Sentence("error.map.text", game="tron", value=map))
    chart = read_map(map or (ROOM if players == 1 else ARENA))
    starts = sum(cell.isdigit() for rows in chart.floors for row in rows for cell in row)
    players = players or starts
    if players > starts:
        found = {"map": chart.name, "starts": starts, "players": players}
        raise GameError(Sentence("error.tron.starts", **found))
    options = {"order": order, "trail": trail, "wrap": wrap}
    for name, value in options.items():
        if value not in ("", *OPTIONS[name]):
            known = ", ".join(OPTIONS[name])
            reason = Sentence("error.one_of", name=name, known=known, value=value)
            raise GameError(Sentence("error.game", game="tron", reason=reason))
        options[name] = value or getattr(chart, name)
    return TronSettings(
        map=write_map(chart),
        players=players,
        rotation=in_range("tron", "rotation", rotation, 0, players - 1),
        teams=_teams(teams, players),
        **options,
    )


def _teams(teams: Any, players: int) -> tuple[tuple[int, ...], ...]:
    """The teams, each bike in one and at least two of them; () for none. Raises GameError."""
    wrong = Sentence("error.tron.teams", last=players - 1, teams=teams)
    try:
        found = tuple(tuple(int(bike) for bike in team) for team in teams)
    except (TypeError, ValueError):
        raise GameError(wrong) from None
    if not found:
        return ()
    bikes = sorted(bike for team in found for bike in team)
    if bikes != list(range(players)) or len(found) < 2 or not all(found):
        raise GameError(wrong)
    return found


@plain
def marks(game: Any, state: Any) -> list[int]:
    """By cell: 0 free, 1 + p the trail of bike p, CRASHED; cell 0 is a wall."""
    raise NotImplementedError


@plain
def heads(game: Any, state: Any) -> list[int]:
    """By bike: the cell of its head, also of one that is out."""
    raise NotImplementedError


@plain
def courses(game: Any, state: Any) -> list[int]:
    """By bike: the last direction of 0 to 3 that it took, -1 for none."""
    raise NotImplementedError


@plain
def living(game: Any, state: Any) -> list[int]:
    """The bikes that are not out."""
    raise NotImplementedError


@plain
def rounds(game: Any, state: Any) -> int:
    """The number of rounds played, the one in which the game ended included."""
    raise NotImplementedError


def settings_of(game: Any) -> TronSettings:
    """The settings that made a game."""
    return _settings(game.source.tobytes())


@functools.lru_cache(maxsize=64)
def _settings(source: bytes) -> TronSettings:
    values = json.loads(source)
    values["teams"] = tuple(tuple(team) for team in values["teams"])
    return TronSettings(**values)


@functools.lru_cache(maxsize=64)
def chart_of(settings: TronSettings) -> tuple[TronMap, Board]:
    """The map and the graph of a game."""
    chart = read_map(settings.map)
    return chart, board(chart, settings.wrap)


def properties(game: Any) -> Properties:
    alone = game.players == 1
    free = game.cells - 1
    settings = settings_of(game)
    equal = len({len(team) for team in settings.teams}) <= 1
    return Properties(
        name="tron",
        players=game.players,
        simultaneous=not alone and settings.order == "simultaneous",
        chance=False,
        hidden_information=False,
        zero_sum=not alone and equal,
        max_actions=len(DIRECTIONS),
        max_legal=game.directions,
        max_outcomes=0,
        # Each bike takes each cell once at most, again when it vanished with a bike, and crashes.
        max_plies=game.players * (free * (game.players if settings.trail == "vanish" else 1) + 1),
        lowest_return=0.0 if alone else -1.0,
        highest_return=float(free) if alone else 1.0,
        version=1,
        opening_plies=(0, 0) if alone else (game.players, 3 * game.players),
    )


def max_answers(game: Any) -> int:
    """Each free cell is taken once, those of the first heads aside, and each bike crashes once.

    Where walls vanish with a bike, all of that can happen again after each crash.
    """
    free: int = game.cells - 1
    return free * (game.players if settings_of(game).trail == "vanish" else 1)


def parameters(game: Any) -> dict[str, Any]:
    values = settings_of(game)._asdict()
    values["teams"] = [list(team) for team in values["teams"]]
    return values


def accepts(game: Any, state: Any, action: int) -> bool:
    """Any direction: a bike may drive into a wall."""
    return mover(game, state) != OVER and 0 <= action < len(DIRECTIONS)


def objection(game: Any, state: Any, action: int) -> Sentence | None:
    if accepts(game, state, action):
        return None
    known = ", ".join(f"{at} {name}" for at, name in enumerate(DIRECTIONS[: game.directions]))
    return Sentence("error.tron.no_direction", action=action, known=known)


def openings(game: Any, state: Any) -> list[int]:
    """Free directions that lead to a cell with a way on; all free ones if there is none."""
    graph = chart_of(settings_of(game))[1]
    taken = marks(game, state)
    head = heads(game, state)[mover(game, state)]
    free = legal_actions(game, state)

    def leads_on(direction: int) -> bool:
        cell = int(graph.neighbour[8 * head + direction])
        ways = graph.neighbour[8 * cell : 8 * cell + len(DIRECTIONS)]
        return any(way and not taken[way] and way != cell for way in ways.tolist())

    return [direction for direction in free if leads_on(direction)] or free


def observe(game: Any, state: Any, player: int) -> dict[str, Any]:
    settings = settings_of(game)
    chart, graph = chart_of(settings)
    alive = living(game, state)
    to_move = mover(game, state)
    directions = legal_actions(game, state) if to_move == player else []
    # The player whose choice is awaited would show whose choices are in.
    hidden = settings.order == "simultaneous" and to_move != OVER
    return {
        "width": chart.width,
        "height": chart.height,
        "wrap": settings.wrap,
        "trail": settings.trail,
        "order": settings.order,
        "teams": [list(team) for team in settings.teams],
        "floors": picture(game, state),
        "heads": [
            list(graph.places[cell]) if bike in alive else None
            for bike, cell in enumerate(heads(game, state))
        ],
        "alive": alive,
        "player": player,
        "to_move": player if hidden and player in alive else to_move,
        "round": rounds(game, state),
        "points": [int(points(game, state, bike)) for bike in range(game.players)],
        "legal": directions,
    }


def picture(game: Any, state: Any) -> list[list[str]]:
    """The floors as rows from the top, as in `observe`."""
    chart, graph = chart_of(settings_of(game))
    floors = [
        [[" " if cell.isdigit() else cell for cell in row] for row in rows] for rows in chart.floors
    ]
    for cell, mark in enumerate(marks(game, state)):
        if cell and mark:
            x, y, floor = graph.places[cell]
            sign = "*" if mark == CRASHED else str(mark)
            floors[floor][chart.height - 1 - y][x] = sign
    return [["".join(row) for row in rows] for rows in floors]


def describe(game: Any, state: Any, action: int) -> str:
    return DIRECTIONS[int(action)]


def parse(game: Any, state: Any, text: str) -> int:
    word = text.strip().lower()
    if word in DIRECTIONS:
        return DIRECTIONS.index(word)
    known = ", ".join(DIRECTIONS[: game.directions])
    raise ActionError(text, Sentence("error.tron.direction", known=known))


def render(game: Any, state: Any, player: int | None = None) -> str:
    return position(game, state, player)


def position(game: Any, state: Any, player: int | None, names: Sequence[str] = ()) -> str:
    """Two columns a cell, so that rooms look square: '##' wall, ' 1' a trail, '^1' a head.

    Below stand the moves that were made, with the names of the seats where they are known.
    """
    chart, graph = chart_of(settings_of(game))
    alive = living(game, state)
    faces = {}
    for bike, cell in enumerate(heads(game, state)):
        course = courses(game, state)[bike]
        face = "x" if bike not in alive else HEADINGS[course] if course >= 0 else "@"
        faces[graph.places[cell]] = f"{face}{bike + 1}"
    blocks = []
    for floor, rows in enumerate(picture(game, state)):
        block = []
        for top, row in enumerate(rows):
            y = chart.height - 1 - top
            cells = [
                "##" if sign == "#" else faces.get((x, y, floor), f" {sign}")
                for x, sign in enumerate(row)
            ]
            block.append("".join(cells))
        blocks.append(block)
    lines = ["   ".join(parts).rstrip() for parts in zip(*blocks, strict=True)]
    return "\n".join([*lines, _made(game, state, names)])


def _made(game: Any, state: Any, names: Sequence[str]) -> str:
    """The moves that the bikes have made, those that are out last."""
    alive = living(game, state)
    signs = [str(bike + 1) for bike in range(game.players)]
    if names:
        signs = [f"{sign} {name}" for sign, name in zip(signs, names, strict=True)]
    made = [
        say("tron.table.bike", bike=sign, moves=int(points(game, state, bike)))
        for bike, sign in enumerate(signs)
    ]
    text = say("tron.table.moves", bikes=", ".join(made[bike] for bike in alive))
    gone = [each for bike, each in enumerate(made) if bike not in alive]
    return f"{text}  {say('tron.table.out', bikes=', '.join(gone))}" if gone else text


def add_text_operations(game_class: type) -> None:
    """Gives a layout the operations of this module."""
    rules = (properties, max_answers, parameters, accepts, objection, openings)
    for function in (*rules, observe, describe, parse, render):
        implements(game_class)(function)
