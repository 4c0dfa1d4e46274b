"""One game in a thread of its own: the referee plays it, people answer from other threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from joute import bots
from joute.core.interface import OVER, legal_actions
from joute.host.names import parse_bot
from joute.host.protocol import Answer
from joute.host.protocol import Choice as Given
from joute.play.game import GameResult, GameSpec, SeatSpec
from joute.play.people import Lines, PeopleGame, TakenBack
from joute.play.record import actions_of, read_record
from joute.play.referee import GiveUp
from joute.play.seats import Human, Late, Resign, Seat, answer, open_seat
from joute.play.steering import RoundClock
from joute.play.thinkers import Thinkers
from joute.play.timeline import Step, Timeline
from joute.web.games import web_of
from joute.web.tables.computing import TableBot

STATES_KEPT = 200
"""The number of positions whose states are kept for reconnections; of older ones only words are."""


class Closed(Exception):
    """The table was closed, and the game ended without a result."""


class Question(NamedTuple):
    """A question to a person, who is to choose an action."""

    number: int  # an answer carries it
    player: int
    state: list[int]
    actions: list[int]  # the legal ones


class SeatThought(NamedTuple):
    """A choice of a built-in bot, with what it thought."""

    player: int
    state: list[int]  # before its action
    choice: bots.Choice


@dataclass
class Part:
    """The game since it began, or since something was taken back."""

    number: int
    timeline: Timeline
    past: list[dict[str, Any]] = field(default_factory=list)  # what `Web.past` says, by position


@dataclass
class Pace:
    """The pace at which a game between built-in bots is shown; it waits for spectators."""

    seconds: float = 1.0  # between two positions
    paused: bool = False
    watched: Callable[[], bool] = lambda: True


class TableGame(PeopleGame):
    """The game of a table. `changed` is called, in the game's thread, when there is news.

    `thinkers` are the built-in bots of all tables. `keep` writes to the table's journal, which has
    `kept` lines of the game already, of the part before `part` + 1. `bank` is the clock of each
    person: seconds, and what a turn adds to them.
    """

    def __init__(
        self,
        spec: GameSpec,
        changed: Callable[[], None],
        thinkers: Thinkers,
        clock: RoundClock | None = None,
        keep: Callable[..., None] = lambda **line: None,
        kept: int = 0,
        part: int = 0,
        bank: tuple[float, float] | None = None,
        finished: Callable[[bytes], None] = lambda record: None,
    ) -> None:
        self.states_kept = STATES_KEPT
        super().__init__(spec)
        self.clock = clock
        self.waits = (
            clock is not None or not self.people
        )  # whether people wait for a bot that is being compiled
        self.bank = bank
        self.pace = Pace()
        self._keep, self._kept, self._finished = keep, kept, finished
        self.part = Part(part, self.timeline)
        self.standing = True  # whether all that was played before has been played again
        self.asked_at = 0.0  # when the open question was put, by time.monotonic
        self.question: Question | None = None
        self.thought: SeatThought | None = None
        self._held: SeatThought | None = (
            None  # the next `thought`, once everybody may know the choice
        )
        self.advised: SeatThought | None = None  # what an adviser thinks, of a question
        self.result: GameResult | None = None
        self.failure: Exception | None = None
        self._changed = changed
        self._thinkers = thinkers
        self._asked = kept + part  # no fewer than the questions so far
        self._turned = threading.Condition()
        self._answer: Given | None = None
        self._back: Lines | None = None  # what is left after something is taken back
        self.resigned: set[int] = set()
        self._noted: set[int] = set()  # those of whom the referee knows
        self._decided = False  # whether the game is over by that
        self._give_up: GiveUp = lambda player: False
        self._closed = False
        self._thread: threading.Thread | None = None
        self._bot: TableBot | None = None  # the last that was asked

    # Called by people, from any thread.

    def begin(self, before: Lines = ()) -> None:
        """Starts the game, after the lines `before` of a record of the same one."""
        self.standing = not before
        if self.clock is not None:
            self.clock.attach(self.wait, self._changed, self._wait_for)
        self._thread = threading.Thread(target=self._run, args=(before,), daemon=True)
        self._thread.start()

    def answer(self, number: int, given: Given) -> bool:
        """Answers a question. Returns whether it was still open."""
        with self._turned:
            if self.question is None or self.question.number != number:
                return False
            self._answer, self.question = given, None
            self._turned.notify_all()
        return True

    def take_back(self, before: Lines) -> bool:
        """Goes back to the state after these lines. Returns False if nobody is asked just now."""
        with self._turned:
            if self.question is None:
                return False
            self._back, self.question = before, None
            self._turned.notify_all()
        return True

    def nudge(self) -> None:
        """Looks again whether the game may go on: its pace has changed, or who watches it."""
        with self._turned:
            self._turned.notify_all()

    def left(self, player: int) -> float | None:
        """The seconds on a person's clock when it was last asked; None where there is no clock."""
        if self.bank is None or player not in self.people:
            return None
        seconds, added = self.bank
        own = [line for line in self.timeline.lines if line.get("player") == player]
        asked = [line for line in own if line["by"] == "bot"]
        spent: float = sum(line["wall_ms"] for line in asked) / 1000
        return max(0.0, seconds + added * sum(bool(actions_of(line)) for line in asked) - spent)

    def resign(self, player: int) -> None:
        """Gives up the game for a player, whoever is asked."""
        with self._turned:
            self.resigned.add(player)
            if self.clock is not None:
                self.clock.ready((player,))
            self._turned.notify_all()

    def ready(self, players: Iterable[int]) -> None:
        """Begins the countdown of a game in real time, once all people are ready."""
        if self.clock is not None:
            with self._turned:
                self.clock.ready(players)
                self._turned.notify_all()

    def hold(self, on: bool) -> None:
        """Holds the rounds of a game in real time, or lets them go on."""
        if self.clock is not None:
            with self._turned:
                self.clock.hold(on)
                self._turned.notify_all()

    def close(self) -> None:
        """Ends the game without a result, unless it is over; does not wait for its thread."""
        with self._turned:
            self._closed = True
            self._turned.notify_all()

    def join(self) -> None:
        """Returns when the game's thread has ended, and nothing computes for it any more."""
        for each in (self._thread, self._bot):
            if each is not None:
                each.join()

    # Called in the game's thread.

    def wait(self, seconds: float) -> None:
        """Returns after so many seconds, or when the game is decided. Raises Closed."""
        end = time.monotonic() + seconds
        self._until(lambda: self._closed or time.monotonic() >= end, end)
        if self._closed:
            raise Closed

    def _wait_for(self, settled: Callable[[], bool]) -> None:
        """Returns when people have brought it about, or decided the game. Raises Closed."""
        self._until(lambda: self._closed or settled())
        if self._closed:
            raise Closed

    def _until(self, settled: Callable[[], bool], end: float | None = None) -> None:
        """Returns when it is settled, or when people who give up meanwhile have decided the game.

        The referee hears of them at once. `end` is when to look again at the latest.
        """
        while not self._decided:
            left = None if end is None else max(0.0, end - time.monotonic())
            with self._turned:
                self._turned.wait_for(lambda: settled() or self.resigned > self._noted, left)
                leaving = sorted(self.resigned - self._noted)
                if not leaving and settled():
                    return
                self._noted.update(leaving)
            for player in leaving:
                self._decided |= self._give_up(player)

    def _run(self, before: Lines) -> None:
        try:
            result = self.play(before, self._opened, self._left)
            self._finished(result.record)
            self.timeline.hear(read_record(result.record).end)
            self.result = result
        except Closed:
            pass
        except Exception as error:  # whatever it is, the people at the table are told
            self.failure = error
        self.question = None
        self.standing = True
        self._changed()

    def begun(self) -> None:
        if self.repeated < self._kept:
            self._kept = self.repeated
            self._keep(back=self.repeated)
        first = self._past(self.timeline.steps[0])
        self.part = Part(self.part.number + 1, self.timeline, [first])
        self.thought, self._held, self.advised = None, None, None
        self._back, self._noted, self._decided = None, set(), False

    def _past(self, step: Step) -> dict[str, Any]:
        """The facts that a board needs of a position that it may not be sent."""
        found = web_of(self.spec.game).past
        return found(self.game, step) if found is not None else {}

    def _left(self, give_up: GiveUp) -> None:
        self._give_up = give_up

    def written(self, line: dict[str, Any]) -> None:
        if len(self.timeline.lines) == self._kept:
            self._kept += 1
            self._keep(line=line)

    def ask(self, game: Any, state: Any, player: int) -> Given | Resign | Late:
        if self.clock is not None:
            return self.clock.choose(game, state, player)
        self._asked += 1
        left = self.left(player)
        self.asked_at = time.monotonic()
        end = None if left is None else self.asked_at + left
        with self._turned:
            self._answer = None
            actions = legal_actions(game, state)
            self.question = Question(self._asked, player, list(state), actions)
        self._changed()
        self._until(lambda: self._settled(player) or _is_over(end), end)
        with self._turned:
            self.question = None
        return self._given(player)

    def _given(self, player: int) -> Given | Resign | Late:
        """The answer; raises TakenBack or Closed if that happened instead."""
        if self._closed:
            raise Closed
        if player in self.resigned or self._decided:
            return Resign()
        if self._answer is not None:
            return self._answer
        if self._back is None:
            return Late()
        raise TakenBack(self._back)

    def _settled(self, player: int) -> bool:
        given = self._answer is not None or self._back is not None
        return given or self._closed or player in self.resigned

    def heard(self, step: Step | None) -> None:
        if step is not None:
            self.thought = self._held
            self.part.past.append(self._past(step))
        if self.repeating:
            return
        self.standing = True
        self._changed()
        self.wait(0.0)
        if self.clock is not None:
            self.clock.follow(self.game, self.timeline.steps[-1].state)
        if step is not None and step.mover != OVER and not self.people:
            self._linger()

    def _linger(self) -> None:
        """Returns when the next position of a game between bots may come. Raises Closed."""
        begun = time.monotonic()
        with self._turned:
            while not self._closed:
                held = self.pace.paused or not self.pace.watched()
                left = begun + self.pace.seconds - time.monotonic()
                if not held and left <= 0:
                    return
                self._turned.wait(None if held else left)
        raise Closed

    def _opened(self, seat: SeatSpec, spec: GameSpec, game: Any, human: Human | None) -> Seat:
        bot = parse_bot(seat.bot)
        if bot.kind != "builtin" or bot.hosted:
            return open_seat(seat, spec, game, human)
        at_once = self.clock is not None  # in real time nobody is waited for
        if at_once:
            with self._thinkers.turn(game, seat.bot):
                pass
        return TableBot(
            seat.bot, game, self._thinkers, self._turned, self.think, lambda: self.waits, at_once
        )

    def think(self, bot: TableBot, state: list[int], message: dict[str, Any]) -> Answer:
        """The answer of a built-in bot; people who give up meanwhile need not wait for it."""
        self._bot = bot
        thinking = bot.begin(state, message)
        self._until(thinking.done)
        if self._decided:
            return answer()
        if bot.thought is not None:
            self._held = SeatThought(bot.player, list(state), bot.thought)
        return thinking.result()


def _is_over(end: float | None) -> bool:
    return end is not None and time.monotonic() >= end
