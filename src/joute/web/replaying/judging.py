"""What a search thinks of each position of a recorded game: worked out in a thread, kept a while.

A reader of a replay gets the curve of points at once, and asks again for a better one as it grows.
One game is judged at a time, so that the server has time left for those who play.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from joute.core.interface import properties
from joute.i18n.words import say
from joute.play.advice import advise
from joute.play.timeline import Step
from joute.web.replaying.curves import Curve, curve
from joute.web.replaying.recorded import Recorded

JUDGE_SECONDS = 0.1  # of thought for each position
KEPT = 64  # games whose values are remembered
WAITING = 4  # games that may wait to be judged
MOST_POSITIONS = 600  # of a game that are judged; of a longer one some are left out between

Judge = Callable[[Any, list[int], int], tuple[str, float] | None]
"""The name of a bot and how far the player to move is ahead in its eyes, -1 to 1; None without."""


_log = logging.getLogger("joute.web")


class Judged:
    """The values of one game so far."""

    def __init__(self, count: int) -> None:
        self.values: list[float | None] = [None] * count  # by position, for seat 0
        self.by = ""
        self.done = False


class Judges:
    """Judges games one after the other. Close it."""

    def __init__(self, judge: Judge | None = None) -> None:
        self._judge = judge or by_search
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="judge")
        self._kept: OrderedDict[str, Judged] = OrderedDict()
        self._lock = threading.Lock()
        self._closing = False

    def knows(self, recorded: Recorded) -> bool:
        """Whether nothing has to be begun to tell what is known."""
        return recorded.record.chain in self._kept

    def of(self, recorded: Recorded) -> Judged | None:
        """What is known of a game's values; begins with it if nothing is.

        None where there is nobody to judge, or too many games are waiting.
        """
        facts = properties(recorded.game)
        if facts.players != 2 or facts.hidden_information:
            return None
        chain = recorded.record.chain
        with self._lock:
            found = self._kept.get(chain)
            if found is None:
                if sum(not each.done for each in self._kept.values()) >= WAITING or self._closing:
                    return None
                found = self._kept[chain] = Judged(len(recorded.steps))
                self._pool.submit(self._work, recorded, found).add_done_callback(_finished(found))
            self._kept.move_to_end(chain)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _work(self, recorded: Recorded, judged: Judged) -> None:
        apart = math.ceil(len(recorded.steps) / MOST_POSITIONS)
        for step in recorded.steps:
            if self._closing:
                return
            value = _known(step)
            if value is None and step.mover >= 0 and step.number % apart == 0:
                said = self._judge(recorded.game, list(step.state), step.mover)
                if said is None:
                    return
                judged.by, value = said
                value = value if step.mover == 0 else -value
            judged.values[step.number] = value

    def close(self) -> None:
        """Stop judging; returns when the position at hand is done."""
        self._closing = True
        self._pool.shutdown(cancel_futures=True)


def by_search(game: Any, state: list[int], player: int) -> tuple[str, float] | None:
    """The value that the game's adviser gives to a state, with its name."""
    advice = advise(game, state, player, JUDGE_SECONDS)
    return None if advice is None or advice.value is None else (advice.bot, advice.value)


def judged_curve(judged: Judged, recorded: Recorded) -> Curve | None:
    """The curve of a judge's values, in the language spoken now; None if there is none."""
    values = list(judged.values)
    if not judged.by:
        return None
    for place in range(1, len(values)):
        if values[place] is None:  # where nobody chooses, what was thought before still holds
            values[place] = values[place - 1]
    first = next((value for value in values if value is not None), 0.0)
    values = [first if value is None else value for value in values]
    by = say("replay.web.curve.judged", bot=judged.by)
    return curve(by, [values], recorded.steps, recorded.names, reach=1.0)


def _known(step: Step) -> float | None:
    """The value of a position that needs no judge: the end."""
    return None if step.end is None else float(step.end["returns"][0])


def _finished(judged: Judged) -> Callable[[Future[None]], None]:
    def note(work: Future[None]) -> None:
        judged.done = True
        if not work.cancelled() and (error := work.exception()):
            _log.error("a game could not be judged", exc_info=error)

    return note
