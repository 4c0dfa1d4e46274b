"""Games of one bot alone in a room: played one after the other or in step, measured, printed.

A measurement says how far flat Monte Carlo gets with more and more simulations, and how much CPU a
move costs.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from math import sqrt
from statistics import stdev
from typing import Any, NamedTuple

from joute.cli.output import print_table
from joute.cli.playing.session import make_spec
from joute.core.interface import start
from joute.core.maps import find_map
from joute.core.registry import make
from joute.games.tron.players.fill import RoomFiller
from joute.i18n.figures import duration
from joute.i18n.recognised import recognised
from joute.i18n.words import say
from joute.play.game import GameSpec, SeatFault
from joute.play.record import ply_number
from joute.play.referee import play_game

PLAIN = "room"  # the map that is played on if none is named
LEAVING_SECONDS = 1.0  # that a game which nobody watches any more has to end


class SoloMap(NamedTuple):
    """A map for one bike."""

    name: str
    game: Any
    parameters: dict[str, Any]


class SoloResult(NamedTuple):
    """A game that is over."""

    directions: list[int]  # those that were played, by the bot or for it
    moves: int
    seconds: float  # of CPU, of all answers
    asked: int
    faults: list[SeatFault]


@dataclass
class SoloGame:
    """A game that is being played, or over."""

    spec: GameSpec
    directions: list[int] = field(default_factory=list)
    seconds: float = 0.0  # of CPU, of all answers so far
    played: SoloResult | None = None


def open_room(word: str) -> SoloMap:
    """The map of that name or path. Raises GameError."""
    parameters = {"map": find_map("tron", word), "players": 1}
    return SoloMap(word, make("tron", **parameters), parameters)


def most_moves(room: SoloMap) -> int:
    """An upper bound on the moves of a game in the room, found without a search."""
    return RoomFiller(room.game).bound(start(room.game))


def solo_games(
    room: SoloMap, bot: str, count: int, seed: str, move_seconds: float
) -> list[SoloGame]:
    """So many games of a bot. Raises what `make_spec` raises."""
    return [
        SoloGame(make_spec("tron", room.parameters, [bot], move_seconds, f"{seed}/{number}"))
        for number in range(1, count + 1)
    ]


def play_one(course: SoloGame, heard: Callable[[], None] = lambda: None) -> SoloResult:
    """Plays a game to its end; `heard` is called after each of its moves."""

    def watch(line: dict[str, Any]) -> None:
        if "action" in line:
            course.directions.append(line["action"])
            course.seconds += line.get("cpu_ms", 0.0) / 1000
            heard()

    result = play_game(course.spec, watch=watch)
    course.played = SoloResult(
        course.directions,
        result.points[0],
        result.cpu_ms[0] / 1000,
        result.asked[0],
        result.faults,
    )
    return course.played


class _Left(Exception):
    """Ends a game that nobody watches any more."""


def play_in_step(together: Sequence[SoloGame], step: Callable[[], None]) -> None:
    """Plays games side by side, a move of each at a time; `step` is called after each round.

    An error of a game or of `step` is raised here, and ends all games.
    """
    # After a move and at the end of a game: its number, whether it is over, its error.
    news: queue.SimpleQueue[tuple[int, bool, BaseException | None]] = queue.SimpleQueue()
    gates = [threading.Semaphore(0) for _ in together]
    leaving = threading.Event()

    def run(number: int) -> None:
        def moved() -> None:
            news.put((number, False, None))
            gates[number].acquire()
            if leaving.is_set():
                raise _Left

        error: BaseException | None = None
        try:
            play_one(together[number], moved)
        except BaseException as raised:
            error = raised
        news.put((number, True, error))

    # Daemons: to leave is not to wait for a bot that thinks for minutes.
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
                number, over, error = news.get()
                if error is not None:
                    raise error
                if over:
                    running -= 1
                else:
                    waiting.append(number)
            step()
            for number in waiting:
                gates[number].release()
    finally:
        leaving.set()
        for gate in gates:
            gate.release()
        for thread in threads:
            thread.join(LEAVING_SECONDS)


class MoveSummary(NamedTuple):
    """Statistics of the moves of some games."""

    games: int
    mean: float
    error: float | None  # standard error of the mean; None for one game
    best: int
    worst: int


def summary(moves: Sequence[int]) -> MoveSummary:
    """The moves of at least one game, summed up."""
    count = len(moves)
    error = stdev(moves) / sqrt(count) if count > 1 else None
    return MoveSummary(count, sum(moves) / count, error, max(moves), min(moves))


FORMS = {
    "python": "builtin:montecarlo-python?simulations={}",
    "numpy": "builtin:montecarlo-numpy?simulations={}",
    "compiled": "builtin:montecarlo?simulations={}",
    "cuda": "builtin:montecarlo-cuda?simulations={}",
}
"""The bot of each form, for a number of simulations."""

WORKSHOP = {10: 95, 100: 110, 1000: 120, 10_000: 156}
"""The workshop's own mean moves in the plain room, by simulations a move."""

Progress = Callable[[int, int], None]


class Figure(NamedTuple):
    """The games of one form with one number of simulations."""

    form: str
    simulations: int
    games: int
    mean: float  # moves
    error: float | None  # standard error of the mean
    best: int
    move_seconds: float  # of CPU, a move on average


class SkippedGames(NamedTuple):
    """Games that were not played to their end, because the form's time was over."""

    form: str
    simulations: int
    games: int  # that were played
    wanted: int
    move_seconds: float | None  # of CPU, in the game that was given up; None if none was begun


class _Late(Exception):
    """Gives up a game when the time is over."""


def measure(
    room: SoloMap,
    forms: Sequence[str],
    numbers: Sequence[int],
    games: int,
    cap: float,
    seed: str,
    move_seconds: float,
    progress: Progress,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[list[Figure], list[SkippedGames]]:
    """Figures for every form and number of simulations, within `cap` seconds for each form.

    Each number has an equal share of what is left of its form's time. A game that is not over then
    is given up, a move that has begun is not.
    """
    figures: list[Figure] = []
    missing: list[SkippedGames] = []
    total = len(forms) * len(numbers) * games
    for place, form in enumerate(forms):
        # The first game of all compiles; it does not count.
        play_one(solo_games(room, FORMS[form].format(1), 1, seed, move_seconds)[0])
        end = clock() + cap
        for at, number in enumerate(numbers):
            now = clock()
            in_time = partial(_in_time, clock, now + (end - now) / (len(numbers) - at))
            played: list[SoloResult] = []
            for course in solo_games(room, FORMS[form].format(number), games, seed, move_seconds):
                progress((place * len(numbers) + at) * games + len(played), total)
                try:
                    in_time()
                    played.append(play_one(course, in_time))
                except _Late:
                    moves = len(course.directions)
                    each = course.seconds / moves if moves else None
                    missing.append(SkippedGames(form, number, len(played), games, each))
                    break
            if played:
                figures.append(_figure(form, number, played))
    return figures, missing


def _in_time(clock: Callable[[], float], deadline: float) -> None:
    if clock() >= deadline:
        raise _Late


def _figure(form: str, number: int, played: Sequence[SoloResult]) -> Figure:
    sums = summary([game.moves for game in played])
    each = sum(game.seconds for game in played) / max(sum(game.asked for game in played), 1)
    return Figure(form, number, sums.games, sums.mean, sums.error, sums.best, each)


def read_forms(text: str) -> list[str]:
    """The forms in a list with commas. Raises ValueError with the one that is not known."""
    forms = [word.strip() for word in text.split(",")]
    for form in forms:
        if form not in FORMS:
            raise ValueError(form)
    return forms


def read_numbers(text: str) -> list[int]:
    """Numbers from 1 in a list with commas, ascending. Raises ValueError."""
    numbers = sorted({int(word) for word in text.split(",")})
    if numbers[0] < 1:
        raise ValueError(numbers[0])
    return numbers


def print_sum(played: Sequence[SoloGame], bound: int, seed: str) -> None:
    """Prints the results of the games, and the faults in them."""
    over = [course.played for course in played if course.played]
    for number, game in enumerate(over, 1):
        for fault in game.faults[:1]:
            text = say(
                "tron.fault", number=number, count=len(game.faults), ply=ply_number(fault.ply)
            )
            lines = str(recognised(fault.detail)).splitlines() or [fault.fault]
            print(f"{text} {lines[-1]}")
    total = summary([game.moves for game in over])
    print()
    print(
        say(
            "tron.sum",
            games=total.games,
            mean=spread(total.mean, total.error),
            best=total.best,
            bound=bound,
            seed=seed,
        )
    )


def print_figures(figures: Sequence[Figure], reference: dict[int, int]) -> None:
    """Prints a line for each form and number of simulations."""
    keys = ["form", "simulations", "games", "mean", "best", "seconds"]
    rows = []
    for figure in figures:
        row = [
            say(f"tron.form.{figure.form}"),
            str(figure.simulations),
            str(figure.games),
            spread(figure.mean, figure.error),
            str(figure.best),
            seconds(figure.move_seconds),
        ]
        rows.append([*row, str(reference.get(figure.simulations, ""))] if reference else row)
    if reference:
        keys.append("workshop")
    print_table([say(f"tron.column.{key}") for key in keys], rows, numbers=range(1, len(keys)))


def print_missing(missing: Sequence[SkippedGames], cap: float) -> None:
    """Prints the games that were left out, and why."""
    print()
    # Games that were not even begun are told in one line for each form.
    alike = groupby(missing, lambda each: (each.form, each.games, each.move_seconds))
    for group in (list(each) for _, each in alike):
        each = group[0]
        text = say(
            "tron.short" if each.games else "tron.skipped",
            form=say(f"tron.form.{each.form}"),
            simulations=", ".join(str(one.simulations) for one in group),
            games=each.games,
            wanted=each.wanted,
            cap=duration(cap),
        )
        if not each.games and each.move_seconds is not None:
            text += " " + say("tron.slow", seconds=seconds(each.move_seconds))
        print(text)


def seconds(number: float) -> str:
    """A time in two digits that count."""
    return f"{number:.2g}" if number < 1 else f"{number:.1f}"


def spread(mean: float, error: float | None) -> str:
    """A mean with its standard error, where there is one."""
    return f"{mean:.1f}" if error is None else f"{mean:.1f} ± {error:.1f}"
