"""What flat Monte Carlo, the champion and the bound say of a room, and the worst move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from joute.core.interface import start
from joute.core.maps import find_map, shipped
from joute.games.tron.board import Place
from joute.games.tron.map import read_map
from joute.games.tron.players.fill import RoomFiller
from joute.games.tron.text import DIRECTIONS, chart_of, settings_of
from joute.games.tron.workshop.mistakes import Mistake, find_mistake
from joute.games.tron.workshop.picture import Panel
from joute.games.tron.workshop.rooms import Marks, Trace, trace
from joute.games.tron.workshop.series import (
    Played,
    Room,
    Summary,
    courses,
    open_room,
    play_one,
    summary,
)
from joute.i18n.words import say
from joute.search.fill import Filling

CHAMPION = "builtin:champion"
WRONG, LOST = "!", "x"  # in drawings


class RoomReport(NamedTuple):
    """What is known of a room, and of the worst game that was played in it."""

    room: Room
    cells: int  # that are free at the start, the bike's own included
    games: Summary
    seconds: float  # of CPU that a game took
    champion: Played  # its game
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
    """Play the games, fill the room, and look for the worst move."""
    room = open_room(word)
    played = []
    for course in courses(room, bot, games, f"{seed}/{word}", move_seconds):
        progress()
        played.append(play_one(course))
    worst = min(played, key=lambda game: game.moves)
    [course] = courses(room, CHAMPION, 1, f"{seed}/{word}", move_seconds)
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
    """Where the cells are that the worst move lost."""
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
