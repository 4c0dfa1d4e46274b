"""A search's evaluation of each position of a recorded game: worked out in a thread, kept a while.

A reader of a replay gets the curve of points at once, and asks again for a better one as it grows.
One game is judged at a time, so that the server has time left for those who play.

Why the game's best player would play what, at a position of a recorded game.

What a browser is sent:

options   the first is what would be played: `line` in words, `value` from -1, lost, to 1, won, for
          the player to move, `visits` or `depth` where the bot has them
beliefs   `name` of another player, the `cards` that the player may hold
"""

from __future__ import annotations

import logging
import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from joute.bots.ladder import with_time
from joute.core.interface import legal_actions, mover, pending, play, properties
from joute.host.names import parse_bot
from joute.i18n.words import Sentence, say, spoken
from joute.play.advice import (
    SECONDS,
    SLACK,
    Explanation,
    NothingToExplainError,
    advise,
    adviser,
    explain,
    line_in_words,
)
from joute.play.telling import held
from joute.play.thinkers import Thinkers
from joute.play.timeline import Step
from joute.web.replays.highlights import Curve, curve
from joute.web.replays.recorded import Recorded

JUDGE_SECONDS = 0.1  # of thought for each position
KEPT = 64  # games whose values are remembered
WAITING = 4  # games that may wait to be judged
MOST_POSITIONS = 600  # of a game that are judged; of a longer one some are left out between

Judge = Callable[[Any, list[int], int], tuple[str, float] | None]
"""The name of a bot and how far the player to move is ahead in its eyes, -1 to 1; None without."""


_log = logging.getLogger("joute.web")


class GameValues:
    """The values of one game so far."""

    def __init__(self, count: int) -> None:
        self.values: list[float | None] = [None] * count  # by position, for seat 0
        self.by = ""
        self.done = False


class Evaluator:
    """Evaluator games one after the other. Close it."""

    def __init__(self, judge: Judge | None = None) -> None:
        self._judge = judge or by_search
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="judge")
        self._kept: OrderedDict[str, GameValues] = OrderedDict()
        self._lock = threading.Lock()
        self._closing = False

    def knows(self, recorded: Recorded) -> bool:
        """Whether nothing has to be begun to tell what is known."""
        return recorded.record.chain in self._kept

    def of(self, recorded: Recorded) -> GameValues | None:
        """The values of a game so far; starts to compute them if there are none.

        None where no bot evaluates the game, or too many games are waiting.
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
                found = self._kept[chain] = GameValues(len(recorded.steps))
                self._pool.submit(self._work, recorded, found).add_done_callback(_finished(found))
            self._kept.move_to_end(chain)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _work(self, recorded: Recorded, judged: GameValues) -> None:
        apart = math.ceil(len(recorded.steps) / MOST_POSITIONS)
        for step in recorded.steps:
            if self._closing:
                return
            value = _known(step)
            if value is None and _chosen_at(recorded.game, step) and step.number % apart == 0:
                said = self._valued(recorded.game, list(step.state), step.mover)
                if said is None:
                    return
                judged.by, value = said
            judged.values[step.number] = value

    def _valued(self, game: Any, state: list[int], player: int) -> tuple[str, float] | None:
        """The lead of the first seat, as the judge sees it; None without a judge.

        Where both choose at once, each is asked before the other's choice is known, and both count
        the same: a choice is the weaker for being thought of as the first.
        """
        said = self._judge(game, state, player)
        if said is None:
            return None
        by, value = said
        if properties(game).simultaneous:
            after = list(state)
            play(game, after, legal_actions(game, state)[0])  # which the other does not see
            chooses = int(mover(game, after)) == 1 - player  # and is not driven into a wall
            if chooses and (theirs := self._judge(game, after, 1 - player)) is not None:
                value = (value - theirs[1]) / 2
        return by, value if player == 0 else -value

    def close(self) -> None:
        """Stops judging; returns when the position at hand is done."""
        self._closing = True
        self._pool.shutdown(cancel_futures=True)


def by_search(game: Any, state: list[int], player: int) -> tuple[str, float] | None:
    """The value that the game's adviser gives to a state, with its name."""
    advice = advise(game, state, player, JUDGE_SECONDS)
    return None if advice is None or advice.value is None else (advice.bot, advice.value)


def value_curve(judged: GameValues, recorded: Recorded) -> Curve | None:
    """The curve of a judge's values, in the language spoken now; None if there is none."""
    values = list(judged.values)
    if not judged.by:
        return None
    for place in range(1, len(values)):
        if values[place] is None:  # where nobody chooses, what was thought before still holds
            values[place] = values[place - 1]
    by = say("replay.web.curve.judged", bot=judged.by)
    return curve(by, [values], recorded.steps, recorded.names, reach=1.0)


def _known(step: Step) -> float | None:
    """The value of a position that needs no judge: the end."""
    return None if step.end is None else float(step.end["returns"][0])


def _chosen_at(game: Any, step: Step) -> bool:
    """Whether a position is judged: a player chooses there.

    Where all choose at once, only between rounds, and not before the first: nobody is ahead there.
    """
    between = step.ply > 0 and not pending(game, list(step.state))
    return step.mover >= 0 and (between or not properties(game).simultaneous)


def _finished(judged: GameValues) -> Callable[[Future[None]], None]:
    def note(work: Future[None]) -> None:
        judged.done = True
        if not work.cancelled() and (error := work.exception()):
            _log.error("a game could not be judged", exc_info=error)

    return note


LINES = 8  # options that are sent
SHOWN = 6  # actions of a line
KEPT = 256  # explanations that are remembered


class Explainer:
    """Explains positions, and remembers what was said. One bot thinks at a time."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.thinking = threading.Lock()  # held while a bot thinks
        self._thinkers = thinkers
        self._kept: OrderedDict[tuple[str, int], Explanation] = OrderedDict()

    def of(self, recorded: Recorded, step: Step) -> dict[str, Any] | None:
        """The explanation of a position, by what the player to move can know.

        Takes as long as the bot does; None where it is still being compiled, or another one thinks.
        Raises NothingToExplainError for a game that no built-in bot plays well.
        """
        key = (recorded.record.chain, step.number)
        bot = adviser(recorded.game)
        if not bot:
            raise NothingToExplainError(Sentence("play.no_hint"))
        self._thinkers.want_now(recorded.game, [bot])
        if self._thinkers.pending(recorded.game, bot) or not self.thinking.acquire(blocking=False):
            return None
        try:
            if key not in self._kept:
                self._kept[key] = self._explained(recorded.game, step, bot)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return _sent(recorded, step, bot, self._kept[key])
        finally:
            self.thinking.release()

    def _explained(self, game: Any, step: Step, bot: str) -> Explanation:
        asked = parse_bot(f"builtin:{with_time(bot.removeprefix('builtin:'), SECONDS)}")
        with self._thinkers.turn(game, bot):
            return explain(game, step.state, asked, SLACK * SECONDS)


def _sent(recorded: Recorded, step: Step, bot: str, found: Explanation) -> dict[str, Any]:
    options = []
    for option in found.options[:LINES]:
        words = line_in_words(recorded.game, step.state, option.line)[:SHOWN]
        figures = {"value": option.value, "visits": option.visits, "depth": option.depth}
        options.append({"line": [spoken(each) for each in words], **figures})
    beliefs = held(recorded.game, found.beliefs)
    return {
        "bot": bot.removeprefix("builtin:"),
        "name": recorded.names[step.mover],
        "options": options,
        "beliefs": [
            {"name": recorded.names[player], "cards": cards} for player, cards in beliefs.items()
        ],
    }
