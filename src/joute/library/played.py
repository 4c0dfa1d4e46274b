"""Sequences of actions that show a mistake: the shortest that leads to it, and as people write it.

A broken rule may also run for ever: `alarm` ends it, and `own_line` says where it was.
"""

from __future__ import annotations

import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    describe,
    legal,
    mover,
    play,
    properties,
    rules_of,
    start,
)

_STATES = 3000  # looked at for a shorter sequence


class Hang(BaseException):
    """An operation of a game that does not come back; rules that catch `Exception` let it pass."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raises Hang in what is done within, after so many seconds; in the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: Any) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def own_line(game: Any, error: BaseException) -> tuple[str, int, str]:
    """The author's file, line and function that an error passed through last; or empty."""
    files = {function.__code__.co_filename for function in rules_of(type(game)).values()}
    folders = {str(Path(file).parent) for file in files}
    own = [
        each
        for each in traceback.extract_tb(error.__traceback__)
        if each.filename in files or str(Path(each.filename).parent) in folders
    ]
    return (own[-1].filename, own[-1].lineno or 0, own[-1].name) if own else ("", 0, "")


def shortest(
    game: Any,
    found: tuple[BaseException, list[int]],
    problem: Callable[[list[int]], Exception | None],
    alike: Callable[[BaseException | None], bool],
    limit: float,
) -> tuple[BaseException, list[int]]:
    """The first sequence, in breadth, with a problem like the one found.

    Where that is too far away, it is the one found, less every run of actions that it can do
    without. Each of the two ways may take `limit` seconds.
    """
    deadline = time.monotonic() + limit
    waiting: list[list[int]] = [[]]
    seen = set[tuple[int, ...]]()
    for sequence in waiting:
        if len(sequence) > len(found[1]) or time.monotonic() > deadline:
            break
        error = problem(sequence)
        if error is not None:
            if alike(error):
                return error, _with_culprit(game, sequence, error)
            continue
        state = state_after(game, sequence)
        if tuple(state) in seen or mover(game, state) == OVER:
            continue
        seen.add(tuple(state))
        if len(waiting) < _STATES:
            waiting += [[*sequence, choice] for choice in choices(game, state)]
    return _shortened(game, found, problem, alike, time.monotonic() + limit)


def _shortened(
    game: Any,
    found: tuple[BaseException, list[int]],
    problem: Callable[[list[int]], Exception | None],
    alike: Callable[[BaseException | None], bool],
    deadline: float,
) -> tuple[BaseException, list[int]]:
    """The part of a sequence of which no run of actions can be left out without the problem."""
    length = len(found[1])
    while length > 0:
        begin = 0
        while begin + length <= len(found[1]) and time.monotonic() < deadline:
            shorter = found[1][:begin] + found[1][begin + length :]
            error = problem(shorter) if _possible(game, shorter) else None
            if error is not None and alike(error):
                found = error, shorter
            else:
                begin += 1
        length = min(length - 1, len(found[1]))
    return found


def _possible(game: Any, actions: list[int]) -> bool:
    """Whether each action of a sequence is one of the choices there are."""
    state: list[int] = start(game).tolist()
    for action in actions:
        if mover(game, state) == OVER or action not in choices(game, state):
            return False
        play(game, state, action)
    return True


def _with_culprit(game: Any, sequence: list[int], error: BaseException) -> list[int]:
    """A sequence with the choice that cannot be played after it, if that is the error."""
    if own_line(game, error)[0] == "":
        return sequence
    try:
        state = state_after(game, sequence)
        possible = choices(game, state)
    except Exception:
        return sequence
    for choice in possible:
        try:
            play(game, state.copy(), choice)
        except Exception as other:
            if own_line(game, other) == own_line(game, error):
                return [*sequence, choice]
    return sequence


def state_after(game: Any, actions: list[int]) -> list[int]:
    """The state that actions and outcomes lead to."""
    state: list[int] = start(game).tolist()
    for action in actions:
        play(game, state, action)
    return state


def choices(game: Any, state: list[int]) -> list[int]:
    """The legal actions, or the outcomes of chance."""
    facts = properties(game)
    if mover(game, state) == CHANCE:
        out, weights = [0] * facts.max_outcomes, [0.0] * facts.max_outcomes
        return out[: chances(game, state, out, weights)]
    out = [0] * facts.max_legal
    return out[: legal(game, state, out)]


def texts(game: Any, actions: list[int]) -> tuple[str, ...]:
    """Actions and outcomes as people write them; numbers where the game cannot tell."""
    told: list[str] = []
    state: list[int] | None = None
    for action in actions:
        try:
            state = start(game).tolist() if state is None else state
            told.append(str(describe(game, state, action)))
            play(game, state, action)
        except Exception:
            told += map(str, actions[len(told) :])
            break
    return tuple(told)
