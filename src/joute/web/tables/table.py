"""A table: one game, the people who play it, and those who watch."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from joute import bots
from joute.core.interface import properties
from joute.host.protocol import Choice
from joute.i18n.words import language, say
from joute.play.advice import Advice, advise, adviser
from joute.play.game import HUMAN, SeatSpec
from joute.play.people import Lines, UndoError
from joute.play.steering import RoundClock
from joute.play.telling import chosen
from joute.play.thinkers import Thinkers
from joute.text import free_name
from joute.web.errors import RequestRefusal
from joute.web.positions import facts
from joute.web.tables.journal import LARGE, Journal, TableProgress
from joute.web.tables.messages import checked
from joute.web.tables.playing import Question, SeatThought, TableGame
from joute.web.tables.seat_names import read_names
from joute.web.updates import MessageCache, Watchers

UNDO, REMATCH, HINT, THINK = "undo", "rematch", "hint", "think"
WISHES = (UNDO, REMATCH, HINT, THINK)
"""Everything that people at several screens have to agree on: taking back and another game each
time, hints and the computer's thoughts once for the rest of the game."""


@dataclass
class Chair:
    """A seat that a person plays."""

    visitor: str = ""  # whose browser; "" while nobody sits here
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))  # of the link to it
    connections: int = 0


class Table:
    """A game and its people; `chairs` are those of the people, by seat.

    Its methods may be called from any thread. It begins where `progress` has it, of which `journal`
    is the file; `before` are lines of a record to go on from, which are not in it. `finished` is
    given the record of the game.
    """

    def __init__(
        self,
        progress: TableProgress,
        journal: Journal,
        thinkers: Thinkers,
        before: Lines = (),
        clock: Callable[[], float] = time.monotonic,
        finished: Callable[[bytes], None] = lambda record: None,
    ) -> None:
        terms = progress.terms
        self.name = terms.name
        self.terms = terms
        self.spec = terms.spec
        self._names: dict[tuple[str, tuple[SeatSpec, ...]], list[str]] = {}
        self.chairs = {seat: Chair(each.visitor, each.key) for seat, each in terms.seats.items()}
        self.speed = terms.speed  # rounds a second in real time; 0 for a game in turns
        self.watchers = Watchers()
        self.texts = MessageCache()
        self.wishes = {what: set(progress.wishes.get(what, ())) for what in WISHES}
        self.allowed = set(progress.allowed)  # the help that people have agreed on
        self.declined: dict[str, int] = {}  # by wish, the seat that has just declined it
        self.hints = dict(progress.hints)  # by seat, how many it has had
        self.wondered: Question | None = None  # what an adviser was last asked to think about
        self.successor = progress.successor  # the name of the table of the next game
        self.thinkers = thinkers
        self.opener, self.address = terms.opener, terms.address
        self.touched = clock()  # when somebody last did something here
        self._clock = clock
        self.lock = threading.RLock()
        self.journal = journal
        self.lasting = False  # whether its journal is there when the server starts again
        self._before = before or progress.lines
        self.begun = False
        self.closed = False
        rounds = None
        if self.speed:
            others = [seat.bot for seat in self.spec.bots if seat.bot != HUMAN]
            rounds = RoundClock(self.speed, self.chairs, others)
        self.playing = TableGame(
            self.spec,
            self.changed,
            self.thinkers,
            rounds,
            journal.add,
            len(progress.lines),
            progress.part - 1,
            terms.clock,
            finished,
        )
        self.playing.pace.seconds = terms.pace
        self.playing.pace.watched = lambda: len(self.watchers) > 0
        self.facts = properties(self.playing.game)

    # The state of the table.

    @property
    def names(self) -> list[str]:
        """The names of the seats, in the language spoken now."""
        key = (language(), self.spec.bots)
        if key not in self._names:
            self._names[key] = read_names(self.playing.game, self.spec.bots)
        return self._names[key]

    @property
    def over(self) -> bool:
        """Whether the game is over, or cannot go on."""
        return self.closed or self.playing.result is not None or self.playing.failure is not None

    @property
    def record(self) -> bytes | None:
        """The record of the game, once it is over."""
        return None if self.playing.result is None else self.playing.result.record

    def facts_sent(self) -> dict[str, Any]:
        """The facts that a browser is sent before the positions."""
        kinds = ["human" if seat.bot == HUMAN else "builtin" for seat in self.spec.bots]
        return facts(self.playing.game, self.names, kinds)

    def seats_of(self, visitor: str) -> tuple[int, ...]:
        """The seats that this browser plays."""
        return tuple(seat for seat, chair in self.chairs.items() if chair.visitor == visitor)

    @property
    def shared(self) -> bool:
        """Whether people at several screens play here."""
        return len({chair.visitor for chair in self.chairs.values()} - {""}) > 1

    @property
    def kept(self) -> bool:
        """Whether it goes on after the server was stopped."""
        return self.lasting and self.journal.whole

    def may(self, what: str) -> bool:
        """Whether people may have help of that kind: between several, once they have agreed."""
        return not self.shared or what in self.allowed

    def free(self) -> list[int]:
        """The seats that wait for somebody."""
        return [seat for seat, chair in self.chairs.items() if not chair.visitor]

    def thinking(self) -> int | None:
        """The player whose built-in bot is computing now, if any."""
        mover = self.playing.timeline.steps[-1].mover
        if not self.begun or self.over or mover < 0 or mover in self.chairs:
            return None
        return mover

    def preparing(self) -> int | None:
        """A player whose built-in bot is still being compiled.

        Where no other plays for it, one for whom the game waits just now.
        """
        waits, mover = self.playing.waits, self.thinking()
        if not self.begun or self.over or (waits and self.playing.question is not None):
            return None
        every = not waits or self.speed or self.facts.simultaneous  # where one waits for all
        seats = range(len(self.spec.bots)) if every else () if mover is None else (mover,)
        pending = self.thinkers.pending
        waited = (seat for seat in seats if pending(self.playing.game, self.spec.bots[seat].bot))
        return next(waited, None)

    def can_undo(self) -> bool:
        """Whether something may ever be taken back in this game."""
        return self.playing.can_undo and not self.speed

    # Actions of people. `seats` are those of the browser that does it.

    def changed(self) -> None:
        """Tells all connections that there is news."""
        self.texts.forget()
        self.watchers.wake()

    def touch(self) -> None:
        """Notes that somebody is here."""
        self.touched = self._clock()

    def sit(self, key: str, visitor: str, name: str) -> int:
        """Gives a browser the seat of a link, by its key; returns it.

        At a table that is open for anybody no key is needed. Raises RequestRefusal.
        """
        with self.lock:
            if not key and self.terms.listed:
                return self._sit_anywhere(visitor, name)
            for seat, chair in self.chairs.items():
                if secrets.compare_digest(chair.key.encode(), key.encode()):
                    if chair.visitor and chair.visitor != visitor:
                        raise RequestRefusal(say("table.error.taken"))
                    return self._seated(seat, visitor, name)
        raise RequestRefusal(say("table.error.link"))

    def _sit_anywhere(self, visitor: str, name: str) -> int:
        free, own = self.free(), self.seats_of(visitor)
        if own or not free:
            if own:
                return own[0]
            raise RequestRefusal(say("table.error.taken"))
        return self._seated(free[0], visitor, name)

    def _seated(self, seat: int, visitor: str, name: str) -> int:
        self.chairs[seat].visitor = visitor
        self._rename(seat, name)
        self.journal.add(sat=seat, visitor=visitor, name=self.spec.bots[seat].name)
        self.begin_if_full()
        return seat

    def _rename(self, seat: int, name: str) -> None:
        others = {each.name for at, each in enumerate(self.spec.bots) if at != seat}
        if not name or self.begun:
            return
        wanted = free_name(name, others.__contains__)
        seats = list(self.spec.bots)
        seats[seat] = msgspec.structs.replace(seats[seat], name=wanted)
        self.spec = msgspec.structs.replace(self.spec, bots=tuple(seats))
        self.playing.spec = self.spec

    def begin_if_full(self) -> None:
        """Begins the game once all seats of people are taken."""
        with self.lock:
            if not self.begun and all(chair.visitor for chair in self.chairs.values()):
                self.begun = True
                self.playing.begin(self._before)
        self.changed()

    def answer(self, seats: Sequence[int], number: int, given: Choice) -> None:
        """Answers a question with a person's choice. Raises RequestRefusal."""
        question = self.asked(seats)
        if question.number != number:
            raise RequestRefusal(say("table.error.late"))
        checked(self.playing, question, given)
        if not self.playing.answer(number, given):
            raise RequestRefusal(say("table.error.late"))
        self._wish_nothing()

    def asked(self, seats: Sequence[int]) -> Question:
        """The open question to one of these seats. Raises RequestRefusal if there is none."""
        question = self.playing.question
        if question is None or question.player not in seats:
            raise RequestRefusal(say("table.error.not_asked"))
        return question

    def steer(self, seats: Sequence[int], player: int, turn: int) -> None:
        """Turns in one of the coming rounds of a game in real time. Raises RequestRefusal."""
        if self.playing.clock is None or player not in seats:
            raise RequestRefusal(say("table.error.not_asked"))
        if not 0 <= turn < self.facts.max_actions:
            raise RequestRefusal(say("table.error.unclear"))
        self.playing.clock.steer(player, turn)

    def ready(self, seats: Sequence[int]) -> None:
        """These seats are ready for a game in real time to begin."""
        self.playing.ready(seats)
        self.changed()

    def hold(self, seats: Sequence[int], on: bool) -> None:
        """Holds a game in real time, where all who play are at one browser, or lets it go on.

        Raises RequestRefusal.
        """
        if not set(seats) >= self.chairs.keys() or not self.begun or self.over:
            raise RequestRefusal(say("table.error.pause"))
        self.playing.hold(on)
        self.changed()

    def resign(self, seats: Sequence[int], player: int) -> None:
        """Gives up the game for a player. Raises RequestRefusal."""
        out = self.playing.resigned
        if player not in seats or player in out or not self.begun or self.over:
            raise RequestRefusal(say("table.error.not_playing"))
        self.playing.resign(player)
        self.changed()

    def wish(self, what: str, seats: Sequence[int]) -> bool:
        """Notes a wish of a browser; whether all who still play here now have it."""
        with self.lock:
            self.wishes[what].update(seats)
            self.declined.pop(what, None)
            out = self.playing.resigned if what != REMATCH else set()
            agreed = self.wishes[what] >= self.chairs.keys() - out
            self._note()
        self.changed()
        return agreed

    def allow(self, what: str, seats: Sequence[int]) -> None:
        """Notes that a browser would allow hints or thoughts. Raises RequestRefusal."""
        if not seats or self.over or not self.begun:
            raise RequestRefusal(say("table.error.not_playing"))
        if not self.may(what) and self.wish(what, seats):
            with self.lock:
                self.wishes[what].clear()
                self.allowed.add(what)
                self._note()
            self.changed()

    def decline(self, what: str, seats: Sequence[int]) -> None:
        """Says no to a wish of others, or takes back one's own. Raises RequestRefusal."""
        if not seats:
            raise RequestRefusal(say("table.error.not_playing"))
        with self.lock:
            wished = self.wishes[what]
            if wished and not wished.issuperset(seats):
                self.declined[what] = seats[0]
            wished.clear()
            self._note()
        self.changed()

    def _note(self) -> None:
        """Keeps wishes, agreements and counts; not for ever in a journal that is full of them."""
        if self.journal.size < LARGE:
            wishes = {what: sorted(seats) for what, seats in self.wishes.items()}
            self.journal.add(wishes=wishes, allowed=sorted(self.allowed), hints=self.hints)

    def _wish_nothing(self) -> None:
        with self.lock:
            self.declined.clear()
            if self.wishes[UNDO]:
                self.wishes[UNDO].clear()
                self._note()

    def undo(self, seats: Sequence[int]) -> None:
        """Goes back to the last decision of these seats, once all agree. Raises RequestRefusal."""
        if not seats or self.over or not self.begun:
            raise RequestRefusal(say("table.error.not_playing"))
        if not self.can_undo():
            raise RequestRefusal(say("play.undo.hidden"))
        if self.journal.size > LARGE:
            raise RequestRefusal(say("table.error.undone"))
        if self.playing.question is None:
            raise RequestRefusal(say("table.error.wait"))
        try:
            before = self.playing.before_last(self.wishes[UNDO] or set(seats))
        except UndoError as error:
            raise RequestRefusal(str(error)) from None
        if self.wish(UNDO, seats):
            self._wish_nothing()
            if not self.playing.take_back(before):
                raise RequestRefusal(say("table.error.wait"))

    def set_pace(self, visitor: str, seconds: float, paused: bool) -> None:
        """Sets how quickly a game between bots is shown. Raises RequestRefusal."""
        if self.chairs or visitor != self.opener:
            raise RequestRefusal(say("table.error.pace"))
        self.playing.pace.seconds, self.playing.pace.paused = seconds, paused
        self.playing.nudge()
        self.changed()

    def hint(self, question: Question) -> dict[str, Any]:
        """The message with a built-in bot's choice. Raises RequestRefusal if none plays the game.

        Takes as long as the bot does. The bot is given what the player may know, and no more.
        """
        if not self.may(HINT):
            raise RequestRefusal(say("table.error.no_help"))
        if self.shared:  # the others see how many it has had
            with self.lock:
                self.hints[question.player] = self.hints.get(question.player, 0) + 1
                self._note()
            self.changed()
        advice = self._advice(question)
        if advice is None:
            raise RequestRefusal(say("play.no_hint"))
        action = chosen(self.playing.game, question.state, advice.actions, self.names)
        return {
            "type": "hint",
            "number": question.number,
            "actions": advice.actions,
            "text": say("play.hinted", bot=advice.bot, action=action),
        }

    def think(self, question: Question) -> None:
        """Lets the game's adviser think about a question, and tells those who want to know.

        Takes as long as the adviser does; it is given what the player may know, and no more.
        """
        advice = self._advice(question)
        if advice is not None and self.playing.question is question:  # else it comes too late
            choice = bots.Choice(advice.actions, advice.message, advice.value, advice.line)
            self.playing.advised = SeatThought(question.player, question.state, choice)
        self.changed()

    def _advice(self, question: Question) -> Advice | None:
        game = self.playing.game
        with self.thinkers.turn(game, adviser(game)):
            return advise(game, question.state, question.player)

    def close(self) -> None:
        """Ends the game without a result, unless it is over; it stays in the journal."""
        self.closed = True
        self.journal.close()
        self.playing.close()
        self.changed()
