"""The messages that a connection is sent: everything new at its table since it last looked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any

from joute.bots.levels import bare_name, level_of, level_told, people_levels
from joute.core.interface import describe, properties, start
from joute.core.registry import card_of
from joute.errors import Error
from joute.host.protocol import Fault
from joute.i18n.words import say, speaking, spoken
from joute.play.advice import line_in_words, message_in_words
from joute.play.game import HUMAN
from joute.play.standing_in import stand_in
from joute.play.telling import learned, narrated, telling, why_ended, won
from joute.play.timeline import Step
from joute.text import plain, shown
from joute.web.positions import position
from joute.web.tables.messages import listed
from joute.web.tables.playing import Part, Question, SeatThought
from joute.web.tables.table import THINK, Table
from joute.web.updates import encoded

CAUGHT_UP = 50
"""So many positions at most are sent again after a reconnection; else the last one and the log."""
LOGGED = 300  # events of the log
SHOWN = 8  # actions of a line that a bot expects


class Receiver:
    """One connection to a table, and how far it has been told.

    `seats` are those of its browser, and `since` the part and the number of the last position that
    it has, if it was connected before.
    """

    def __init__(
        self,
        table: Table,
        seats: Sequence[int],
        language: str,
        since: tuple[int, int] | None = None,
        visitor: str = "",
    ) -> None:
        self.table = table
        self.visitor = visitor  # the browser
        self.seats = tuple(seats)
        self.thinks = False  # whether it is told what the computer thinks
        self._language = language
        self._hidden = table.facts.hidden_information and bool(table.chairs)
        # Where several people share a browser, nobody's cards are shown before they say so.
        sharing = self._hidden and len(self.seats) > 1
        self.viewer = self.seats[0] if self.seats and not sharing else None
        self._hello = False  # whether it knows the table
        self._part, self._step = since or (0, -1)
        self._asked = -1  # the question that it was sent, 0 the standing one of a live game
        self._status = ""
        self._over = False
        self._thought: object = None

    def look(self, player: int) -> None:
        """Shows the game from now on as another of its seats sees it; everything is sent again."""
        if player in self.seats:
            self.viewer = player
            self._hello, self._part, self._step, self._asked = False, 0, -1, -1

    def news(self) -> list[str]:
        """The messages that bring it up to date, in their order."""
        with speaking(self._language):
            return list(self._news())

    def _news(self) -> Iterator[str]:
        table = self.table
        if not table.playing.standing:  # it does in a moment
            return
        part, over = table.playing.part, table.over  # before the steps: then none is missed
        # A power cut can take the last lines of a journal, so that the browser has later positions.
        anew = part.number != self._part or self._step > part.timeline.steps[-1].number
        if anew or not self._hello:
            if anew:
                self._part, self._step, self._asked = part.number, -1, -1
            self._hello = True
            yield encoded(self._table(part))
        for step in self._due(part):
            yield self._position(part, step)
            self._step = step.number
        yield from self._question(table.playing.question)
        yield from self._thoughts()
        status = self._status_now()
        if status != self._status:
            self._status = status
            yield status
        if over and not self._over:
            self._over = True
            yield encoded(verdict(table))

    # Positions.

    def _due(self, part: Part) -> list[Step]:
        """The positions that it has not been sent, or only the last one if they are too many."""
        if self._blind(part.timeline.steps[-1]):
            return []
        return part.timeline.since(self._step, CAUGHT_UP)

    def _blind(self, step: Step) -> bool:
        """Whether it may see nothing yet: a spectator, while cards are hidden."""
        return self._hidden and self.viewer is None and step.end is None

    def _eyes(self, step: Step) -> tuple[int, ...] | None:
        if not self._hidden or step.end is not None or self.viewer is None:
            return None
        return (self.viewer,)

    def _position(self, part: Part, step: Step) -> str:
        eyes = self._eyes(step)
        table = self.table

        def make() -> dict[str, Any]:
            sent = position(table.playing.game, step, table.names, eyes)
            return {"type": "position", "part": part.number, **sent}

        key = (part.number, step.number, self._language, eyes)
        return table.texts.lasting(key, make)

    def _table(self, part: Part) -> dict[str, Any]:
        """The game, and what happened in it, in words."""
        table = self.table
        return {
            "type": "table",
            "name": table.name,
            "facts": table.facts_sent(),
            "part": part.number,
            "you": list(self.seats),
            "viewer": self.viewer,
            "hidden": self._hidden,
            "live": table.speed,
            "clock": table.terms.clock is not None,
            "undo": table.can_undo(),
            "think": not self._hidden,
            "log": list(self._log(part)),
            "past": self._past(part),
        }

    def _past(self, part: Part) -> list[dict[str, Any]]:
        """Facts that its board needs of the positions that it is not sent."""
        due = self._due(part)
        missed = part.past[self._step + 1 : due[0].number] if due else []
        return [each for each in missed if each]

    def _log(self, part: Part) -> Iterator[dict[str, Any]]:
        """Events before the positions that it is about to be sent, in words."""
        due = self._due(part)
        end = due[0].number if due else len(part.timeline.steps)
        first = max(0, end - LOGGED)
        for step in part.timeline.steps[first:end]:
            if self._blind(step):
                return
            eyes = self._eyes(part.timeline.steps[-1])
            for event in step.open if eyes is None else step.told[eyes[0]]:
                said = narrated(self.table.playing.game, event, tuple(self.table.names))
                yield {
                    "number": step.number,
                    "ply": event["ply"],
                    "player": event["player"],
                    "text": event.get("text", ""),
                    "said": [plain(line) for line in said],
                }

    # Questions.

    def _question(self, question: Question | None) -> Iterator[str]:
        if self.table.playing.clock is not None:
            yield from self._standing_question()
            return
        if question is None or question.player not in self.seats:
            if self._asked >= 0:
                self._asked = -1
                yield encoded({"type": "unask"})
            return
        if question.number == self._asked:
            return
        self._asked = question.number
        if self._hidden and question.player != self.viewer:
            name = self.table.names[question.player]
            sent = {"type": "pass", "player": question.player, "name": name, "read": self._reads()}
            yield encoded(sent)
            return
        game = self.table.playing.game
        yield encoded(
            {
                "type": "ask",
                "number": question.number,
                "player": question.player,
                "actions": listed(game, question.state, question.actions),
                "warnings": self._warnings(question),
                "live": False,
            }
        )

    def _reads(self) -> bool:
        """Whether who has the screen was shown something by its last action, to be read first."""
        if self.viewer is None:
            return False
        return learned(self.table.playing.part.timeline.told(self.viewer), self.viewer)

    def _warnings(self, question: Question) -> dict[int, str]:
        """By action, a sentence to be confirmed before it is played."""
        game, names = self.table.playing.game, self.table.names
        warning = telling(card_of(game)).warning
        told = ((each, warning(game, question.state, each, names)) for each in question.actions)
        return {action: text for action, text in told if text}

    def _standing_question(self) -> Iterator[str]:
        """In real time people may steer at any moment."""
        driving = [seat for seat in self.seats if seat not in self.table.playing.resigned]
        asking = self.table.begun and not self.table.over and bool(driving)
        if asking and self._asked < 0:
            self._asked = 0
            game = self.table.playing.game
            first = start(game).tolist()
            turns = range(properties(game).max_legal)
            names = [[turn, describe(game, first, turn)] for turn in turns]
            player = driving[0]
            sent = {"type": "ask", "number": 0, "player": player, "actions": names, "live": True}
            yield encoded(sent)
        elif not asking and self._asked >= 0:
            self._asked = -1
            yield encoded({"type": "unask"})

    # Thoughts, states of the table, the end.

    def _thoughts(self) -> Iterator[str]:
        playing = self.table.playing
        thought = playing.thought
        if playing.advised is not None and (thought is None or thought.choice.value is None):
            thought = playing.advised
        wanted = self.thinks and (self.table.may(THINK) or self.table.over)
        if not wanted or self._hidden or thought is None or thought is self._thought:
            return
        self._thought = thought
        key = ("thought", id(thought), self._language)
        game = self.table.playing.game
        yield self.table.texts.passing(key, lambda: thought_sent(game, thought))

    def _status_now(self) -> str:
        if self.table.terms.clock is not None:  # it says for how long a clock has been running
            return encoded(self._state_of_things())
        key = ("status", self.seats, self._may_pace(), self._language)
        return self.table.texts.passing(key, self._state_of_things)

    def _state_of_things(self) -> dict[str, Any]:
        table = self.table
        clock = table.playing.clock
        question = table.playing.question
        return {
            "type": "status",
            "seats": [self._seat(seat) for seat in range(len(table.names))],
            "begun": table.begun,
            "asked": None if question is None else question.player,
            "thinking": table.thinking(),
            "preparing": self._preparing(),
            "wishes": {what: sorted(seats) for what, seats in table.wishes.items()},
            "declined": table.declined,
            "shared": table.shared,
            "allowed": sorted(table.allowed),
            "kept": table.kept,
            "pace": self._pace(),
            "countdown": 0 if clock is None else clock.left,
            "unready": [] if clock is None else sorted(clock.unready),
            "paused": clock is not None and clock.held,
            "next": f"/tables/{table.successor}" if table.successor else "",
        }

    def _seat(self, seat: int) -> dict[str, Any]:
        bot, chair = self.table.spec.bots[seat], self.table.chairs.get(seat)
        return {
            "name": self.table.names[seat],
            "kind": "builtin" if chair is None else "human",
            "free": chair is not None and not chair.visitor,
            "present": chair is None or chair.connections > 0,
            "you": seat in self.seats,
            "resigned": seat in self.table.playing.resigned,
            "hints": self.table.hints.get(seat, 0),
            "level": self._level(bot.bot),
            **self._clock(seat),
        }

    def _preparing(self) -> dict[str, Any] | None:
        """The bot that is compiled, its seconds so far and in all, and who plays meanwhile."""
        table, seat = self.table, self.table.preparing()
        if seat is None:
            return None
        game, bot = table.playing.game, table.spec.bots[seat].bot
        seconds, usual = table.thinkers.preparation(game, bot)
        by = "" if table.playing.waits else bare_name(stand_in(game))
        known = {"seat": seat, "seconds": round(seconds), "usual": usual and round(usual)}
        return {**known, "by": by}

    def _clock(self, seat: int) -> dict[str, Any]:
        """The seconds on a person's clock, and for how long it has been running."""
        playing = self.table.playing
        left = playing.left(seat)
        if left is None:
            return {}
        question = playing.question
        runs = question is not None and question.player == seat
        return {
            "left": round(left, 2),
            "since": round(monotonic() - playing.asked_at, 2) if runs else None,
        }

    def _level(self, bot: str) -> str:
        """The strength of a built-in bot and its name in the code, for whoever wants to know."""
        if bot == HUMAN:
            return ""
        game = self.table.playing.game
        number, known = level_of(game, bot), people_levels(game)
        told = level_told(self.table.facts.name, known, number) if number else ""
        code = bot.removeprefix("builtin:")
        return say("level.tooltip", told=told, code=code) if told else code

    def _may_pace(self) -> bool:
        return not self.table.chairs and self.visitor == self.table.opener

    def _pace(self) -> dict[str, Any] | None:
        """The pace at which a game between bots is shown; None of a game with people."""
        pace = self.table.playing.pace
        if self.table.chairs:
            return None
        return {"seconds": pace.seconds, "paused": pace.paused, "own": self._may_pace()}


def thought_sent(game: Any, thought: SeatThought) -> dict[str, Any]:
    """The message on what a bot thought when it last chose.

    `value` is what it expects for the first seat, from -1, lost, to 1, won.
    """
    choice = thought.choice
    value = choice.value
    if value is not None and thought.player != 0:
        value = -value
    return {
        "type": "thought",
        "player": thought.player,
        "value": None if value is None else round(value, 3),
        "line": [spoken(text) for text in line_in_words(game, thought.state, choice.line[:SHOWN])],
        "text": message_in_words(choice.message),
    }


def verdict(table: Table) -> dict[str, Any]:
    """The message that the game is over."""
    result = table.playing.result
    sent: dict[str, Any] = {"type": "over", "lines": [], "why": "", "record": "", "replay": ""}
    if result is None:
        failure = table.playing.failure
        lines = [say("table.closed" if failure is None else "table.failed")]
        if isinstance(failure, Error):  # the rules are wrong: whoever writes them wants to know
            lines.append(str(failure))
        return sent | {"lines": lines}
    playing, names = table.playing, list(map(shown, table.names))
    last = playing.timeline.steps[-1]
    return sent | {
        "lines": won(playing.game, names, result.ending, result.returns, result.points),
        "why": why_ended(playing.game, last.state, result.ending, table.names) or _flagged(table),
        "ending": result.ending,
        "returns": result.returns,
        "points": result.points,
        "record": f"/tables/{table.name}/record",
        "replay": f"/tables/{table.name}/replay",
    }


def _flagged(table: Table) -> str:
    """A sentence on the player whose clock ran out, where that ended the game; "" otherwise."""
    result = table.playing.result
    if table.terms.clock is None or result is None or result.ending != "forfeit":
        return ""
    late = [fault.seat for fault in result.faults if fault.fault == Fault.TIMEOUT.value]
    return say("table.no_time", name=table.names[late[0]]) if late else ""


def since_of(text: str) -> tuple[int, int] | None:
    """`PART.NUMBER` of the last position that a browser has; None for anything else."""
    part, _, number = text.partition(".")
    if not (part.isdecimal() and number.isdecimal() and len(text) < 20):
        return None
    return int(part), int(number)
