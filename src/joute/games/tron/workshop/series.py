"""Games of one bot alone in a room: played by the referee, one after the other or in step."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from joute.cli.playing.seating import make_spec
from joute.core.interface import start
from joute.core.maps import find_map
from joute.core.registry import make
from joute.games.tron.players.fill import RoomFiller
from joute.play.game import GameSpec, SeatFault
from joute.play.referee import play_game

PLAIN = "room"  # the map that is played on if none is named
LEAVING_SECONDS = 1.0  # that a game which nobody watches any more has to end


class Room(NamedTuple):
    """A map for one bike."""

    name: str
    game: Any
    parameters: dict[str, Any]


class Played(NamedTuple):
    """A game that is over."""

    directions: list[int]  # those that were played, by the bot or for it
    moves: int
    seconds: float  # of CPU, of all answers
    asked: int
    faults: list[SeatFault]


@dataclass
class Course:
    """A game that is being played, or over."""

    spec: GameSpec
    directions: list[int] = field(default_factory=list)
    seconds: float = 0.0  # of CPU, of all answers so far
    played: Played | None = None


def open_room(word: str) -> Room:
    """The map of that name or path. Raises GameError."""
    parameters = {"map": find_map("tron", word), "players": 1}
    return Room(word, make("tron", **parameters), parameters)


def most_moves(room: Room) -> int:
    """What no game in the room can have more of, as far as can be said without a search."""
    return RoomFiller(room.game).bound(start(room.game))


def courses(room: Room, bot: str, count: int, seed: str, move_seconds: float) -> list[Course]:
    """So many games of a bot. Raises what `make_spec` raises."""
    return [
        Course(make_spec("tron", room.parameters, [bot], move_seconds, f"{seed}/{number}"))
        for number in range(1, count + 1)
    ]


def play_one(course: Course, heard: Callable[[], None] = lambda: None) -> Played:
    """Play a game to its end; `heard` is called after each of its moves."""

    def watch(line: dict[str, Any]) -> None:
        if "action" in line:
            course.directions.append(line["action"])
            course.seconds += line.get("cpu_ms", 0.0) / 1000
            heard()

    result = play_game(course.spec, watch=watch)
    course.played = Played(
        course.directions,
        result.points[0],
        result.cpu_ms[0] / 1000,
        result.asked[0],
        result.faults,
    )
    return course.played


class _Left(Exception):
    """Ends a game that nobody wants to see any more."""


class _News(NamedTuple):
    """What a game's thread reports."""

    number: int
    over: bool
    error: BaseException | None = None


def play_in_step(together: Sequence[Course], step: Callable[[], None]) -> None:
    """Play games side by side, a move of each at a time; `step` is called after each round.

    What a game or `step` raises is raised here, and ends all games.
    """
    news: queue.SimpleQueue[_News] = queue.SimpleQueue()
    gates = [threading.Semaphore(0) for _ in together]
    leaving = threading.Event()

    def run(number: int) -> None:
        def moved() -> None:
            news.put(_News(number, over=False))
            gates[number].acquire()
            if leaving.is_set():
                raise _Left

        try:
            play_one(together[number], moved)
        except BaseException as error:
            news.put(_News(number, over=True, error=error))
        else:
            news.put(_News(number, over=True))

    # Daemons, because nobody who leaves waits for a bot that thinks for minutes.
    threads = [
        threading.Thread(target=run, args=(number,), daemon=True) for number in range(len(together))
    ]
    for thread in threads:
        thread.start()
    try:
        running = len(together)
        while running:
            waiting = []
            for _ in range(running):
                heard = news.get()
                if heard.error is not None:
                    raise heard.error
                if heard.over:
                    running -= 1
                else:
                    waiting.append(heard.number)
            step()
            for number in waiting:
                gates[number].release()
    finally:
        leaving.set()
        for gate in gates:
            gate.release()
        for thread in threads:
            thread.join(LEAVING_SECONDS)


class Summary(NamedTuple):
    """What came of some games."""

    games: int
    mean: float
    error: float | None  # standard error of the mean; None for one game
    best: int
    worst: int


def summary(moves: Sequence[int]) -> Summary:
    """The moves of at least one game, summed up."""
    count = len(moves)
    mean = sum(moves) / count
    error = None
    if count > 1:
        error = sqrt(sum((each - mean) ** 2 for each in moves) / (count - 1) / count)
    return Summary(count, mean, error, max(moves), min(moves))
