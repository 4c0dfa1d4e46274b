"""A report on a room: how flat Monte Carlo, the champion and the bound compare, and the worst move.

The worst move of a game is the one after which much less could still be filled.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from joute.cli.output import print_drawn, print_table
from joute.cli.playing.page import palette
from joute.core.interface import play, start
from joute.core.maps import find_map, shipped
from joute.games.tron.board import Place
from joute.games.tron.map import read_map
from joute.games.tron.players.fill import RoomFiller
from joute.games.tron.text import DIRECTIONS, chart_of, heads, settings_of
from joute.games.tron.workshop.pictures import Panel
from joute.games.tron.workshop.rooms import Marks, Trace, columns, narrow, trace, wide
from joute.games.tron.workshop.series import (
    MoveSummary,
    SoloMap,
    SoloResult,
    open_room,
    play_one,
    seconds,
    solo_games,
    spread,
    summary,
)
from joute.i18n.words import say
from joute.search.fill import ROUNDS, Filling

TEXT_COLUMNS = 100  # longer lines are hard to read
CHAMPION = "builtin:champion"
WRONG, LOST = "!", "x"  # in drawings


class RoomReport(NamedTuple):
    """The results in a room, and the worst game that was played in it."""

    room: SoloMap
    cells: int  # that are free at the start, the bike's own included
    games: MoveSummary
    seconds: float  # of CPU that a game took
    champion: SoloResult  # its game
    filling: Filling
    bound: int  # before any search
    worst: list[int]  # the directions of the game with the fewest moves
    mistake: Mistake | None  # in that game


def maps_for_one() -> list[str]:
    """The maps that come with Joute and were made for one bike."""
    return [
        name
        for name in shipped("tron")
        if not any("2" in row for rows in read_map(find_map("tron", name)).floors for row in rows)
    ]


def report_on(
    word: str,
    bot: str,
    games: int,
    seed: str,
    move_seconds: float,
    progress: Callable[[], None],
) -> RoomReport:
    """Plays the games, fills the room, and looks for the worst move."""
    room = open_room(word)
    played = []
    for course in solo_games(room, bot, games, f"{seed}/{word}", move_seconds):
        progress()
        played.append(play_one(course))
    worst = min(played, key=lambda game: game.moves)
    [course] = solo_games(room, CHAMPION, 1, f"{seed}/{word}", move_seconds)
    filler = RoomFiller(room.game)
    state = start(room.game)
    return RoomReport(
        room=room,
        cells=len(filler.reachable(state)) + 1,
        games=summary([game.moves for game in played]),
        seconds=sum(game.seconds for game in played) / games,
        champion=play_one(course),
        filling=filler.fill(state),
        bound=filler.bound(state),
        worst=worst.directions[: worst.moves],
        mistake=find_mistake(room.game, worst.directions[: worst.moves]),
    )


def at_most(report: RoomReport) -> int:
    """The most moves that a game in the room can have, as far as is proved."""
    return min(report.bound, report.filling.most)


def explained(report: RoomReport) -> str:
    """The worst move and why it was wrong, in words."""
    mistake = report.mistake
    if mistake is None:
        return say("tron.flawless", moves=len(report.worst))
    cut = counted("cell", len(mistake.cut))
    cost = counted("move", mistake.before - mistake.after)
    sentences = [
        say(
            "tron.mistake",
            moves=len(report.worst),
            number=mistake.ply + 1,
            direction=say(f"tron.to.{DIRECTIONS[mistake.direction]}"),
            better=say(f"tron.to.{DIRECTIONS[mistake.better]}"),
            before=mistake.before,
            after=mistake.after,
        ),
        say(f"tron.why.{mistake.why}", cut=cut, cost=cost),
    ]
    if mistake.cut and mistake.why != "cut":
        sentences.append(say("tron.why.also", cut=cut))
    return " ".join(sentences)


def counted(noun: str, count: int) -> str:
    """A number of cells or moves."""
    return say(f"tron.one.{noun}") if count == 1 else say(f"tron.many.{noun}", count=count)


def lost_places(report: RoomReport) -> frozenset[Place]:
    """The places of the cells that the worst move lost."""
    if report.mistake is None:
        return frozenset()
    places = _places(report.room.game)
    return frozenset(places[cell] for cell in (*report.mistake.cut, *report.mistake.left))


def position(report: RoomReport) -> tuple[Trace, Marks]:
    """The path up to the worst move, and the marks of that move and of what it lost."""
    if report.mistake is None:
        return trace(report.room.game, report.worst), {}
    path = trace(report.room.game, report.worst[: report.mistake.ply + 1])
    marks = dict.fromkeys(lost_places(report), (LOST, "crash"))
    marks[path.path[-1]] = (WRONG, "player1")
    return path, marks


def panel(report: RoomReport) -> Panel:
    """The worst game for a picture."""
    total = report.games
    text = say(
        "tron.panel",
        mean=f"{total.mean:.1f}",
        best=total.best,
        champion=report.champion.moves,
        filled=len(report.filling.cells),
        bound=at_most(report),
    )
    wrong = None if report.mistake is None else report.mistake.ply
    whole = trace(report.room.game, report.worst)
    return Panel(report.room.name, f"{text} {explained(report)}", whole, wrong, lost_places(report))


def as_data(report: RoomReport) -> dict[str, Any]:
    """The report as plain data; places are [x, y, floor]."""
    mistake = report.mistake
    data: dict[str, Any] = {
        "map": report.room.name,
        "cells": report.cells,
        "games": report.games._asdict(),
        "seconds": report.seconds,
        "champion": {"moves": report.champion.moves, "seconds": report.champion.seconds},
        "filled": len(report.filling.cells),
        "bound": at_most(report),
        "worst": [DIRECTIONS[direction] for direction in report.worst],
        "mistake": None,
    }
    if mistake is not None:
        places = _places(report.room.game)
        data["mistake"] = {
            "move": mistake.ply + 1,
            "direction": DIRECTIONS[mistake.direction],
            "better": DIRECTIONS[mistake.better],
            "before": mistake.before,
            "after": mistake.after,
            "why": mistake.why,
            "cut_off": [list(places[cell]) for cell in mistake.cut],
            "left_over": [list(places[cell]) for cell in mistake.left],
        }
    return data


def _places(game: Any) -> tuple[Place, ...]:
    return chart_of(settings_of(game))[1].places


QUICK = 16  # rounds of the search after a move that is not its own
SURE = 4 * ROUNDS  # rounds in which the worst move must stay the worst


class Mistake(NamedTuple):
    """The move after which the longest way to play on that is known dropped most."""

    ply: int  # from 0
    direction: int
    better: int  # the direction that the filling search takes there
    before: int  # moves in the whole game that were still possible, as far as is known
    after: int
    cut: list[int]  # cells that could be reached before the move, and not after it
    left: list[int]  # cells that the best way before the move took and the best one after does not
    why: str  # "cut", "pocket" or "shape"


class _Step(NamedTuple):
    """A position of the game and the best way that is known to play on from it."""

    state: list[int]
    best: Filling


def find_mistake(game: Any, directions: Sequence[int]) -> Mistake | None:
    """The worst move of a game, the first of them if there are several; None for a game without.

    A way "was possible" if the filling search finds it: it may find too little, never too much.
    """
    filler = RoomFiller(game)
    steps = _steps(game, filler, directions)
    while True:
        losses = [
            1 + len(after.best.cells) - len(before.best.cells) for before, after in pairwise(steps)
        ]
        if not losses or min(losses) == 0:
            return None
        ply = losses.index(min(losses))
        surer = _fill(filler, steps, ply + 1, SURE)
        if len(surer.cells) == len(steps[ply + 1].best.cells):
            return _mistake(game, filler, steps, ply, directions[ply])
        steps[ply + 1] = steps[ply + 1]._replace(best=surer)
        _spread_back(game, steps, directions, ply + 1)


def _steps(game: Any, filler: RoomFiller, directions: Sequence[int]) -> list[_Step]:
    """Every position of the game with the best way on from it."""
    state = start(game).tolist()
    steps = [_Step(state, filler.fill(state))]
    for ply, direction in enumerate(directions):
        state = state.copy()
        play(game, state, direction)
        best = steps[-1].best
        if best.directions[:1] == [direction]:
            steps.append(_Step(state, _rest(best)))
            continue
        steps.append(_Step(state, Filling([], [], 0)))
        steps[-1] = _Step(state, _fill(filler, steps, ply + 1, QUICK))
        _spread_back(game, steps, directions, ply + 1)
    return steps


def _fill(filler: RoomFiller, steps: list[_Step], place: int, rounds: int) -> Filling:
    """The best way on from a position: as long as the one before it allows, or what is found."""
    enough = len(steps[place - 1].best.cells) - 1
    step = steps[place]
    return filler.fill(step.state, rounds=rounds, known=step.best.cells, enough=enough)


def _rest(best: Filling) -> Filling:
    return Filling(best.cells[1:], best.directions[1:], best.most - 1)


def _spread_back(game: Any, steps: list[_Step], directions: Sequence[int], place: int) -> None:
    """Gives the positions before `place` the way that was found there, where it is longer."""
    while place > 0:
        best = steps[place].best
        before = steps[place - 1]
        if len(before.best.cells) >= 1 + len(best.cells):
            return
        cells = [heads(game, steps[place].state)[0], *best.cells]
        most = max(before.best.most, len(cells))
        longer = Filling(cells, [directions[place - 1], *best.directions], most)
        steps[place - 1] = before._replace(best=longer)
        place -= 1


def _mistake(
    game: Any, filler: RoomFiller, steps: list[_Step], ply: int, direction: int
) -> Mistake:
    before, after = steps[ply], steps[ply + 1]
    reached = set(filler.reachable(before.state))
    still = set(filler.reachable(after.state))
    entered = heads(game, after.state)[0]
    gone = {entered, int(game.partner[entered])}
    cut = sorted(reached - still - gone)
    taken = _both_ends(game, after.best.cells)
    left = sorted((_both_ends(game, before.best.cells) & still) - taken)
    return Mistake(
        ply=ply,
        direction=direction,
        better=before.best.directions[0],
        before=ply + len(before.best.cells),
        after=ply + 1 + len(after.best.cells),
        cut=cut,
        left=left,
        why=_why(filler, before, after, len(cut)),
    )


def _both_ends(game: Any, cells: list[int]) -> set[int]:
    return {*cells, *(int(game.partner[cell]) for cell in cells)} - {0}


def _why(filler: RoomFiller, before: _Step, after: _Step, cut: int) -> str:
    """The reason why a move costs so much.

    "cut": the cells that it cut off; "pocket": parts of the room without a way back, and cells of
    one colour of the draughts board that are too few for those of the other; "shape": neither.
    """
    possible = len(before.best.cells) - 1
    if cut >= possible - len(after.best.cells):
        return "cut"
    return "pocket" if filler.bound_by_parts(after.state) < possible else "shape"


def print_reports(reports: Sequence[RoomReport]) -> None:
    """Prints a table of the rooms, then the worst move in each of them."""
    rows = [
        [
            each.room.name,
            str(each.cells),
            spread(each.games.mean, each.games.error),
            str(each.games.best),
            seconds(each.seconds),
            str(each.champion.moves),
            seconds(each.champion.seconds),
            str(len(each.filling.cells)),
            str(at_most(each)),
        ]
        for each in reports
    ]
    keys = ("map", "cells", "mean", "best", "game", "champion", "game", "filled", "bound")
    print_table([say(f"tron.column.{key}") for key in keys], rows, numbers=range(1, len(keys)))
    colours = palette(sys.stdout, os.environ)
    width = min(shutil.get_terminal_size().columns, TEXT_COLUMNS)
    for each in reports:
        path, marks = position(each)
        draw = wide if columns(path, 2) <= width else narrow
        print()
        print_drawn(colours.paint([(each.room.name, "bold")]))
        print("\n".join(textwrap.wrap(explained(each), width)))
        print()
        print_drawn(colours.lines(draw(path, marks)))
    print()
