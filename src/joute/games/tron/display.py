"""The display of Tron: floors at the terminal, facts beside the board in the browser, real time.

At the terminal a cell has two columns, or one where it is narrow. In real time bikes drive on by
themselves and do not turn back into their own trails.
"""

from __future__ import annotations

from typing import Any

from joute.cli.playing.drawing import Drawing, Marks, Terminal
from joute.core.interface import OVER, fault_action, legal_actions, mover, observe
from joute.games.tron.text import (
    HEADINGS,
    chart_of,
    courses,
    heads,
    living,
    marks,
    picture,
    rounds,
    settings_of,
)
from joute.play.steering import DOWN, LEFT, RIGHT, UP, Realtime
from joute.play.timeline import Step
from joute.text import Line
from joute.web.games import Web

GAPS = {1: "  ", 2: "   "}  # between floors

Cells = dict[tuple[int, int, int], tuple[str, str]]
"""By x, y (up from 0) and floor: what stands there, and its style."""


def floors(game: Any, state: Any, legal: tuple[int, ...], signs: bool, columns: int) -> list[Line]:
    """The board, `columns` (1 or 2) a cell; without colours (`signs`) walls are characters."""
    chart, _ = chart_of(settings_of(game))
    special = {**_targets(game, state, legal), **_heads(game, state)}
    lines: list[Line] = [[] for _ in range(chart.height)]
    for floor, rows in enumerate(picture(game, state)):
        for top, row in enumerate(rows):
            if floor:
                lines[top].append((GAPS[columns], ""))
            for x, mark in enumerate(row):
                at = (x, chart.height - 1 - top, floor)
                text, style = special.get(at) or _cell(mark, signs)
                lines[top].append((_fitted(text, columns), style))
    return lines


def _cell(mark: str, signs: bool) -> tuple[str, str]:
    if mark == "#":
        return ("##" if signs else "  ", "wall")
    if mark.isdigit():
        return (f" {mark}", f"player{int(mark) - 1}")
    if mark == "*":
        return ("**", "crash")
    return (f" {mark}", "bold" if mark != " " else "")


def _heads(game: Any, state: Any) -> Cells:
    """The bikes: an arrow the way they go, an x for those that are out."""
    _, graph = chart_of(settings_of(game))
    alive = living(game, state)
    signs = picture(game, state)
    height = len(signs[0])
    found: Cells = {}
    for bike, (cell, course) in enumerate(
        zip(heads(game, state), courses(game, state), strict=True)
    ):
        x, y, floor = graph.places[cell]
        if bike in alive:
            face = HEADINGS[course] if course >= 0 else "@"
            found[x, y, floor] = (f"{face}{bike + 1}", f"last{bike}")
        elif signs[floor][height - 1 - y][x] == str(bike + 1):
            found[x, y, floor] = (f"x{bike + 1}", f"player{bike} changed")
    return found


def _targets(game: Any, state: Any, legal: tuple[int, ...]) -> Cells:
    """The cells that the legal directions of the player to move lead to."""
    player = int(mover(game, state))
    if player == OVER:
        return {}
    _, graph = chart_of(settings_of(game))
    cell = heads(game, state)[player]
    ends = [graph.places[int(graph.neighbour[8 * cell + direction])] for direction in legal]
    return dict.fromkeys(ends, (" +", "legal"))


def _fitted(text: str, columns: int) -> str:
    """Two characters, or the one that says most: the arrow of a head that moved, else the last."""
    if columns == 2:
        return text
    return text[1] if text[0] in " @" else text[0]


def _draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (floors(game, state, marks.legal, marks.signs, columns) for columns in (2, 1))
    return Drawing(wide, narrow)


TERMINAL = Terminal(_draw, signs="12345678")


BACK = {LEFT: RIGHT, RIGHT: LEFT, UP: DOWN, DOWN: UP}


def _turns(game: Any, state: Any, player: int, action: int) -> bool:
    course = courses(game, state)[player]
    return action not in (course, BACK.get(course))


def _ahead(game: Any, state: Any, player: int) -> int:
    begun = courses(game, state)[player] >= 0
    return int(fault_action(game, state, player)) if begun else _longest(game, state)


def _longest(game: Any, state: Any) -> int:
    """The direction in which the player to move has most free cells ahead, before any turn."""
    _, graph = chart_of(settings_of(game))
    taken = marks(game, state)
    ways = {}
    for direction in legal_actions(game, state):
        cell, seen = heads(game, state)[mover(game, state)], set()
        while (cell := int(graph.neighbour[8 * cell + direction])) and cell not in seen:
            if taken[cell]:
                break
            seen.add(cell)
        ways[direction] = len(seen)
    return max(ways, key=ways.__getitem__)


REALTIME = Realtime(rounds, living, _ahead, _turns)


def _past(game: Any, step: Step) -> dict[str, Any]:
    """The heads of the bikes and their turns: a trail does not tell its own course."""
    seen = observe(game, step.state, 0)
    turned = [event for event in step.open if "action" in event]
    known = {"heads": seen["heads"]}
    if any(seen["heads"][event["player"]] is None for event in turned):
        known["floors"] = seen["floors"]  # on which it is seen where a bike ended
    events = [{"player": event["player"], "action": event["action"]} for event in turned]
    return {"ply": step.ply, "seen": {"0": known}, "events": events}


WEB = Web(order=2, wide=True, usual={"speed": 4}, past=_past)
