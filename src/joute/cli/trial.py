"""Trials of a bot: games against built-in bots, single positions in fresh processes.

Everything passes through the referee's own seats, clock and processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from joute.bots import BuiltinError
from joute.cli.steps import RecordedGame, quoted
from joute.core.errors import ActionError
from joute.core.interface import describe, parameters, play, properties
from joute.core.reading import read_answer
from joute.core.registry import make
from joute.host.adapters import seat_of
from joute.host.building.built import playable
from joute.host.limits import Limits
from joute.host.names import parse_bot
from joute.host.process import Answer
from joute.host.protocol import Fault
from joute.i18n.figures import figure
from joute.i18n.recognised import recognised
from joute.i18n.words import english, say
from joute.play.chance import derive
from joute.play.game import HUMAN, GameSpec, SeatSpec, acceptable
from joute.play.hints import Keys, hints
from joute.play.illegal import illegal
from joute.play.record import actions_of, ply_number
from joute.play.referee import Opener
from joute.play.seats import Seat, check_bot, check_builtin, observed, open_seat, start_message
from joute.play.telling import played, position_lines
from joute.play.trial_positions import TrialPosition, drawn, reach, recorded, told

OPPONENTS = ("builtin:random", "builtin:greedy")
RANDOM_POSITIONS = 8
_INTERRUPTED = "KeyboardInterrupt"


class Reply(NamedTuple):
    """The answer of a bot in one position."""

    position: TrialPosition
    action: str  # as people write it; "" at a fault
    fault: str  # its code; "" if nothing is wrong
    trouble: tuple[str, ...]  # lines that say what is wrong
    ms: float  # by the clock that counts for it
    wall_ms: float
    agreed: int = 0  # answers in earlier turns that are those of the record
    turn: tuple[int, ...] = ()  # the actions of `action`


class EarlierTurn(NamedTuple):
    """A turn of a record before the one in question, of the same seat."""

    position: TrialPosition
    played: list[int]


class Trial:
    """A bot and the game it is tried with. Raises BotError, BuiltinError or GameError.

    `terms` are the game, its limits and what faults cost; a game that was played has its names and
    its seed besides. `opener` makes the seat of the bot where it is asked in a position.
    """

    def __init__(
        self,
        bot: str,
        terms: GameSpec,
        python: str | None = None,
        opener: Opener | None = None,
    ) -> None:
        self._game = make(terms.game, **terms.parameters)
        self._terms = msgspec.structs.replace(terms, parameters=parameters(self._game))
        self._facts = properties(self._game)
        self._opener = opener or open_seat
        self._seat = SeatSpec(name="bot", bot=bot, base=str(Path.cwd()), python=python)
        self._seat.content()  # a bot that does not exist is refused before anything is played
        self.bot = parse_bot(bot, python=python)
        check_bot(self.bot, self._game)
        self.clock = "wall_ms" if seat_of(playable(self.bot).dialect) else "cpu_ms"
        """The time of an answer that its limit is for."""
        self.game_name = self._facts.name
        self.parameters = self._terms.parameters
        self.move_seconds = terms.limits.move_seconds
        self.start_seconds = terms.limits.start_seconds
        self.pairings = [(seat, opponent) for opponent in self._opponents() for seat in self.seats]
        if self._facts.players == 1:
            self.pairings = self.pairings[:1]  # nobody else is there
        """(the bot's seat, its opponent) of each game that it plays."""

    @cached_property
    def positions(self) -> list[TrialPosition]:
        """The positions in which the bot is asked, of every seat."""
        return [*recorded(self._game), *drawn(self._game, RANDOM_POSITIONS)]

    @property
    def seats(self) -> range:
        """The seats of the game."""
        return range(self._facts.players)

    def _opponents(self) -> list[str]:
        """The built-in bots that can play this game."""
        able = []
        for opponent in OPPONENTS:
            try:
                check_builtin(parse_bot(opponent), self._game)
            except BuiltinError:
                continue
            able.append(opponent)
        return able

    def game(self, seat: int, opponent: str, number: int, last_try: bool = False) -> GameSpec:
        """The game of a pairing; `number` chooses its seed, `last_try` is as GameSpec says."""
        others = SeatSpec(name=opponent, bot=opponent)
        return msgspec.structs.replace(
            self._terms,
            bots=tuple(self._seat if each == seat else others for each in self.seats),
            seed=derive("check", number),
            last_try=last_try,
        )

    def keys(self) -> list[str]:
        """The keys of an observation of the game."""
        first = drawn(self._game, 1)[0]
        return list(observed(self._game, first.state, first.player))

    def start(self, position: TrialPosition) -> Answer:
        """The answer to the start of the bot in a position."""
        answer = self._started(position, last_try=False)
        if answer.fault is Fault.INFRASTRUCTURE:
            answer = self._started(position, last_try=True)
        return answer

    def _started(self, position: TrialPosition, last_try: bool) -> Answer:
        seat = self._open(position, last_try)
        try:
            return seat.start(self._start_message(position, told(self._game, position)))
        finally:
            seat.close()

    def ask(self, position: TrialPosition, earlier: Sequence[EarlierTurn] = ()) -> Reply:
        """The answer of the bot in a position, in a fresh process.

        Asked again, with more patience, where the machine was too busy to tell. In earlier turns it
        is asked first; where it ends or is interrupted in one, that is the answer.
        """
        reply = self._asked(position, earlier, last_try=False)
        if reply.fault == Fault.INFRASTRUCTURE:
            reply = self._asked(position, earlier, last_try=True)
        return reply

    def _asked(
        self, position: TrialPosition, earlier: Sequence[EarlierTurn], last_try: bool
    ) -> Reply:
        seat = self._open(position, last_try)
        known = [] if earlier else told(self._game, position)
        agreed = 0
        try:
            answer = seat.start(self._start_message(position, known))
            stopped = answer.fault is not None
            for turn in earlier:
                if stopped:
                    break
                message = self._play_message(turn.position, known) | {"earlier": True}
                answer = seat.ask(turn.position.state, message)
                known = told(self._game, turn.position)
                agreed += self._answers(turn, answer)
                stopped = not answer.alive or _INTERRUPTED in answer.detail
            if not stopped:
                answer = seat.ask(position.state, self._play_message(position, known))
        finally:
            seat.close()
        return self._judge(position, answer)._replace(agreed=agreed)

    def _play_message(
        self, position: TrialPosition, known: Sequence[dict[str, Any]]
    ) -> dict[str, Any]:
        """The message that asks the bot, which has been told the events `known`."""
        seen = observed(self._game, position.state, position.player)
        news = told(self._game, position)[len(known) :]
        return {"type": "play", "observation": seen, "events": news}

    def _answers(self, turn: EarlierTurn, answer: Answer) -> bool:
        """Whether an answer is what was played in a turn."""
        if answer.fault is not None:
            return False
        try:
            return read_answer(self._game, turn.position.state, answer.action) == turn.played
        except ActionError:
            return False

    def _open(self, position: TrialPosition, last_try: bool) -> Seat:
        terms = self.game(position.player, OPPONENTS[0], 0, last_try)
        return self._opener(self._seat, terms, self._game, None)

    def _start_message(
        self, position: TrialPosition, events: Sequence[dict[str, Any]]
    ) -> dict[str, Any]:
        return start_message(
            self._game,
            position.player,
            [seat.name for seat in self._terms.bots]
            or [f"player {player}" for player in self.seats],
            self._terms.seed or derive("check", position.label),
            self.move_seconds,
            events,
        )

    def _judge(self, position: TrialPosition, answer: Answer) -> Reply:
        actions, fault, detail = [], answer.fault, answer.detail
        if fault is None:
            try:
                actions = read_answer(self._game, position.state, answer.action)
            except ActionError as error:
                fault, detail = Fault.ILLEGAL, str(error)
        if fault is None and not acceptable(self._game, position.state, actions):
            told = illegal(self._game, position.state, answer.action, actions)
            fault, detail = Fault.ILLEGAL, english(told)
        if fault is not None:
            trouble = explained(fault.value, detail, answer.output, self.keys)
            return Reply(position, "", fault.value, trouble, *self._spent(answer))
        text = self._text(position, actions)
        return Reply(position, text, "", (), *self._spent(answer), turn=tuple(actions))

    def _spent(self, answer: Answer) -> tuple[float, float]:
        return getattr(answer, self.clock), answer.wall_ms

    def _text(self, position: TrialPosition, actions: list[int]) -> str:
        """The actions of a turn as people write them."""
        state, texts = list(position.state), []
        for action in actions:
            texts.append(describe(self._game, state, action))
            play(self._game, state, action)
        return "; ".join(texts)


def explained(fault: str, detail: str, output: str, keys: Keys = tuple) -> tuple[str, ...]:
    """A fault in words, its reason, what the bot printed and what may help, as lines.

    `keys` gives those of an observation.
    """
    printed = [say("check.printed"), *quoted(output)] if output else []
    advice = [say("check.hint", hint=hint) for hint in hints(fault, detail, output, keys)]
    return (say(f"fault.{fault}"), *quoted(str(recognised(detail))), *printed, *advice)


class RecordedDecision(NamedTuple):
    """A position of a record in which somebody chose."""

    ply: int  # so many were played before
    name: str  # of the one who chose
    board: list[str]
    observation: dict[str, Any]
    played: str  # what was chosen, in the language spoken; "" for nothing
    position: TrialPosition
    terms: GameSpec  # of the game, with its names and its seed
    rules: Any
    earlier: list[EarlierTurn]  # of the same seat, in which its bot was asked


def decision(game: RecordedGame, ply: int) -> RecordedDecision | None:
    """The position after so many plies; None where nobody chose."""
    lines = [step.line for step in game.steps if step.line]
    place = next((at for at, line in enumerate(lines) if line["ply"] == ply), None)
    if place is None or lines[place].get("by") not in ("bot", "opening"):
        return None
    header = game.header
    rules = make(header["game"], **header["parameters"])
    before = [action for each in lines[:place] for action in actions_of(each)]
    position = reach(rules, say("replay.ask_label", ply=ply_number(ply)), before)
    limits = header["limits"]
    terms = GameSpec(
        game=header["game"],
        parameters=header["parameters"],
        bots=tuple(SeatSpec(name=name, bot=HUMAN) for name in game.names()),
        seed=game.end["seed"],
        limits=Limits(
            move_seconds=limits["move_seconds"],
            start_seconds=limits["start_seconds"],
            memory_mb=limits["memory_mb"][position.player],
        ),
    )
    return RecordedDecision(
        ply=ply,
        name=game.names()[position.player],
        board=position_lines(rules, position.state, game.names()),
        observation=observed(rules, position.state, position.player),
        played=played(rules, position.state, lines[place], game.names()),
        position=position,
        terms=terms,
        rules=rules,
        earlier=_earlier(rules, lines[:place], position.player),
    )


def _earlier(rules: Any, lines: list[dict[str, Any]], player: int) -> list[EarlierTurn]:
    """The turns in these lines of a record, from its first, in which a player's bot was asked."""
    found = []
    before: list[int] = []
    for line in lines:
        played = actions_of(line)
        if played and line["by"] == "bot" and line["player"] == player:
            found.append(EarlierTurn(reach(rules, "", before.copy()), played))
        before += played
    return found


def asked(
    where: RecordedDecision,
    bot: str,
    python: str | None = None,
    opener: Opener | None = None,
    earlier: Sequence[EarlierTurn] = (),
) -> Reply:
    """The answer of a bot in the place of the one who chose, perhaps after earlier turns.

    It is told the names, and draws from the seed, of the game. Raises BotError or BuiltinError.
    """
    return Trial(bot, where.terms, python, opener).ask(where.position, earlier)


def decision_lines(where: RecordedDecision) -> list[str]:
    """The lines that show a position, and what was chosen there."""
    values = {"ply": ply_number(where.ply), "name": where.name, "text": where.played or "-"}
    return [*where.board, "", say("replay.was_played", **values)]


def answered(where: RecordedDecision, reply: Reply) -> str:
    """The answer of a bot there, in words of the language spoken; "" for a fault."""
    line = {"action": list(reply.turn), "text": reply.action}
    return played(where.rules, where.position.state, line, [seat.name for seat in where.terms.bots])


def reply_lines(where: RecordedDecision, reply: Reply, bot: str) -> list[str]:
    """The lines that say what a bot answered there, or why it failed."""
    if reply.fault:
        return [say("replay.would_fail", bot=bot), *reply.trouble]
    text = answered(where, reply)
    return [say("replay.would_play", bot=bot, text=text, ms=figure(reply.ms, 1))]
