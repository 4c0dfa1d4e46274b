"""How far flat Monte Carlo gets with more and more simulations, and what a move costs it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from joute.games.tron.workshop.series import Played, Room, courses, play_one, summary

FORMS = {
    "python": "builtin:montecarlo-python?simulations={}",
    "numpy": "builtin:montecarlo-numpy?simulations={}",
    "compiled": "builtin:montecarlo?simulations={}",
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


class Missing(NamedTuple):
    """Games that were not played to their end, because the form's time was over."""

    form: str
    simulations: int
    games: int  # that were played
    wanted: int
    move_seconds: float | None  # of CPU, in the game that was given up; None if none was begun


class _Late(Exception):
    """Gives up a game when the time is over."""


def measure(
    room: Room,
    forms: Sequence[str],
    numbers: Sequence[int],
    games: int,
    cap: float,
    seed: str,
    move_seconds: float,
    progress: Progress,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[list[Figure], list[Missing]]:
    """Figures for every form and number of simulations, within `cap` seconds for each form.

    Each number has an equal share of what is left of its form's time. A game that is not over then
    is given up, a move that has begun is not.
    """
    figures: list[Figure] = []
    missing: list[Missing] = []
    total = len(forms) * len(numbers) * games
    for place, form in enumerate(forms):
        # The first game of all compiles; it does not count.
        play_one(courses(room, FORMS[form].format(1), 1, seed, move_seconds)[0])
        end = clock() + cap
        for at, number in enumerate(numbers):
            now = clock()
            in_time = partial(_in_time, clock, now + (end - now) / (len(numbers) - at))
            played: list[Played] = []
            for course in courses(room, FORMS[form].format(number), games, seed, move_seconds):
                progress((place * len(numbers) + at) * games + len(played), total)
                try:
                    in_time()
                    played.append(play_one(course, in_time))
                except _Late:
                    moves = len(course.directions)
                    each = course.seconds / moves if moves else None
                    missing.append(Missing(form, number, len(played), games, each))
                    break
            if played:
                figures.append(_figure(form, number, played))
    return figures, missing


def _in_time(clock: Callable[[], float], deadline: float) -> None:
    if clock() >= deadline:
        raise _Late


def _figure(form: str, number: int, played: Sequence[Played]) -> Figure:
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
