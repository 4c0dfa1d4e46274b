"""One game in a thread of its own: the referee plays it, people answer from other threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from joute import bots
from joute.games import make
from joute.games.interface import legal, properties
from joute.host.answer import Answer
from joute.host.answer import Choice as Given
from joute.play.game import GameResult, GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.seats import Human, InlineSeat, Resign, Seat, open_seat
from joute.servers.web.course import Course
from joute.servers.web.tables.pace import Closed, Pace

STATES_KEPT = 200
"""Positions that whoever reconnects can be sent; of older ones only the words are kept."""


class Undone(Exception):
    """The game is to be played again up to a decision; `before` are the lines until then."""

    def __init__(self, before: list[dict[str, Any]]) -> None:
        super().__init__()
        self.before = before


class Question(NamedTuple):
    """What a person is asked now."""

    number: int  # an answer carries it
    player: int
    state: list[int]
    actions: list[int]  # the legal ones


class Thought(NamedTuple):
    """What a built-in bot thought when it last chose."""

    player: int
    state: list[int]  # before its action
    choice: bots.Choice


@dataclass
class Part:
    """The course of the game since it began, or since something was taken back."""

    number: int
    course: Course
    lines: list[dict[str, Any]] = field(default_factory=list)  # of the record


class Playing:
    """The game of a table. `changed` is called, in the game's thread, when there is news.

    `thinkers` bounds how many built-in bots of all tables compute at once.
    """

    def __init__(
        self,
        spec: GameSpec,
        changed: Callable[[], None],
        thinkers: threading.Semaphore,
        pace: Pace | None = None,
    ) -> None:
        self.spec = spec
        self.game = make(spec.game, **spec.parameters)
        self.pace = pace
        self.part = Part(0, Course(self.game))
        self.question: Question | None = None
        self.thought: Thought | None = None
        self._held: Thought | None = None  # the next `thought`, once everybody may know the choice
        self.advised: Thought | None = None  # what an adviser thinks, of a question
        self.result: GameResult | None = None
        self.failure: Exception | None = None
        self._facts = properties(self.game)
        self._changed = changed
        self._thinkers = thinkers
        self._asked = 0  # questions so far
        self._again = 0  # lines to come that were played before
        self._turned = threading.Condition()
        self._answer: Given | None = None
        self._back: list[dict[str, Any]] | None = None
        self._resigned: set[int] = set()
        self._closed = False
        self._thread: threading.Thread | None = None

    # What people do, from any thread.

    def begin(self, before: Sequence[dict[str, Any]] = ()) -> None:
        """Start the game, after the lines `before` of a record of the same one."""
        if self.pace is not None:
            self.pace.attach(self.wait, self._changed)
        arguments = (list(before),)
        self._thread = threading.Thread(target=self._run, args=arguments, daemon=True)
        self._thread.start()

    def answer(self, number: int, given: Given) -> bool:
        """Answer a question; whether it was still open."""
        with self._turned:
            if self.question is None or self.question.number != number:
                return False
            self._answer, self.question = given, None
            self._turned.notify_all()
        return True

    def take_back(self, before: list[dict[str, Any]]) -> bool:
        """Go back to the state after these lines; whether somebody is asked, so that it can be."""
        with self._turned:
            if self.question is None:
                return False
            self._back, self.question = before, None
            self._turned.notify_all()
        return True

    def resign(self, player: int) -> None:
        """The player gives up: now if he is asked, else as soon as he is."""
        with self._turned:
            self._resigned.add(player)
            self._turned.notify_all()

    def close(self) -> None:
        """End the game without a result, unless it is over; returns when its thread is about to."""
        with self._turned:
            self._closed = True
            self._turned.notify_all()

    def join(self) -> None:
        """Returns when the game's thread has ended."""
        if self._thread is not None:
            self._thread.join()

    # What happens in the game's thread.

    def wait(self, seconds: float) -> None:
        """Returns after so long. Raises Closed if the table is closed meanwhile."""
        with self._turned:
            self._turned.wait_for(lambda: self._closed, seconds)
            if self._closed:
                raise Closed

    def _run(self, before: list[dict[str, Any]]) -> None:
        while True:
            self.part = Part(self.part.number + 1, Course(self.game))
            self._again, self._back = len(before), None
            self.thought, self._held, self.advised = None, None, None
            try:
                result = play_game(self.spec, self._ask, before, self._hear, self._opened)
                self.part.course.hear(read_record(result.record).end)
                self.result = result
            except Undone as undone:
                before = undone.before
                continue
            except Closed:
                pass
            except Exception as error:  # whatever it is, the people at the table are told
                self.failure = error
            break
        self.question = None
        self._changed()

    def _ask(self, game: Any, state: Any, player: int) -> Given | Resign:
        if self.pace is not None:
            if player in self._resigned:
                return Resign()
            return self.pace.choose(game, state, player)
        self._asked += 1
        with self._turned:
            self._answer = None
            actions = legal_actions(game, state)
            self.question = Question(self._asked, player, list(state), actions)
        self._changed()
        with self._turned:
            self._turned.wait_for(lambda: self._settled(player))
            self.question = None
        return self._given(player)

    def _given(self, player: int) -> Given | Resign:
        """What was answered, or the exception of what happened instead."""
        if self._closed:
            raise Closed
        if player in self._resigned:
            return Resign()
        if self._answer is None:
            raise Undone(self._back or [])
        return self._answer

    def _settled(self, player: int) -> bool:
        given = self._answer is not None or self._back is not None
        return given or self._closed or player in self._resigned

    def _hear(self, line: dict[str, Any]) -> None:
        part = self.part
        part.lines.append(line)
        if part.course.hear(line) is not None:
            self.thought = self._held
        steps = part.course.steps
        if len(steps) > STATES_KEPT:
            steps[-STATES_KEPT - 1] = steps[-STATES_KEPT - 1]._replace(state=())
        if len(part.lines) < self._again:
            return
        self._changed()
        self.wait(0.0)
        if self.pace is not None:
            self.pace.follow(self.game, steps[-1].state)

    def _opened(self, seat: SeatSpec, spec: GameSpec, game: Any, human: Human | None) -> Seat:
        opened = open_seat(seat, spec, game, human)
        return _Turnwise(opened, self) if isinstance(opened, InlineSeat) else opened

    def think(
        self, seat: InlineSeat, player: int, state: list[int], message: dict[str, Any]
    ) -> Answer:
        """What the built-in bot of a player answers, in its turn among all that compute."""
        with self._thinkers:
            answer = seat.ask(state, message)
        if seat.thought is not None:
            self._held = Thought(player, list(state), seat.thought)
        return answer


class _Turnwise:
    """A built-in bot that waits for its turn among those of other tables."""

    observes = False

    def __init__(self, seat: InlineSeat, playing: Playing) -> None:
        self._seat = seat
        self._playing = playing
        self._player = 0
        self.isolation = seat.isolation

    def start(self, message: dict[str, Any]) -> Answer:
        self._player = message["player"]
        return self._seat.start(message)

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        return self._playing.think(self._seat, self._player, state, message)

    def end(self, message: dict[str, Any]) -> None:
        self._seat.end(message)

    def close(self) -> None:
        self._seat.close()


def legal_actions(game: Any, state: Any) -> list[int]:
    """The legal actions of the player to move."""
    actions = [0] * properties(game).max_legal
    return actions[: legal(game, state, actions)]
