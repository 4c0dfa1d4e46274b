"""Putting a bot to the test: games against built-in bots, single positions in fresh processes.

Everything passes through the referee's own seats, clock and processes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from joute.bots import BuiltinError
from joute.cli.positions import Position, drawn, recorded, told
from joute.cli.steps import quoted
from joute.cli.words import say
from joute.games import ActionError, make
from joute.games.interface import describe, legal, observe, parameters, parse, properties
from joute.host.names import parse_bot
from joute.host.process import Answer
from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import PROTOCOL, bot_seed
from joute.play.seats import Seat, check_builtin, open_seat

OPPONENTS = ("builtin:random", "builtin:greedy")
RANDOM_POSITIONS = 8


class Reply(NamedTuple):
    """What a bot answered in one position."""

    position: Position
    action: str  # as people write it; "" if there is none that counts
    trouble: tuple[str, ...]  # lines that say what is wrong; empty if nothing is
    cpu_ms: float


class Trial:
    """A bot, the game and the clock it is tried with. Raises BotError or GameError."""

    def __init__(
        self,
        bot: str,
        game: str,
        values: dict[str, Any],
        move_seconds: float,
        python: str | None = None,
    ) -> None:
        self._name = game
        self._game = make(game, **values)
        self._facts = properties(self._game)
        self._seat = SeatSpec(name="bot", bot=bot, base=str(Path.cwd()), python=python)
        self._seat.content()  # a bot that does not exist is refused before anything is played
        self.move_seconds = move_seconds
        self.positions = [*recorded(self._game, game), *drawn(self._game, RANDOM_POSITIONS)]
        """Where it is asked, from every seat."""
        self.pairings = [
            (seat, opponent) for opponent in self._opponents() for seat in self._players()
        ]
        """(the bot's seat, its opponent) of each game that it plays."""

    def _players(self) -> range:
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

    def game(self, seat: int, opponent: str, number: int) -> GameSpec:
        """The game of a pairing; `number` chooses its seed."""
        others = SeatSpec(name=opponent, bot=opponent)
        return GameSpec(
            game=self._name,
            parameters=parameters(self._game),
            bots=tuple(self._seat if each == seat else others for each in self._players()),
            seed=derive("check", number),
            move_seconds=self.move_seconds,
        )

    def start(self, position: Position) -> Answer:
        """What comes of starting the bot in a position."""
        seat = self._open(position)
        try:
            return seat.start(self._start_message(position))
        finally:
            seat.close()

    def ask(self, position: Position) -> Reply:
        """What the bot, in a fresh process, answers in a position."""
        seat = self._open(position)
        try:
            answer = seat.start(self._start_message(position))
            if answer.fault is None:
                seen = observe(self._game, position.state, position.player)
                message = {"type": "play", "observation": seen, "events": []}
                answer = seat.ask(position.state, message)
        finally:
            seat.close()
        action, trouble = self._judge(position, answer)
        return Reply(position, action, trouble, answer.cpu_ms)

    def _open(self, position: Position) -> Seat:
        return open_seat(self._seat, self.game(position.player, OPPONENTS[0], 0), self._game, None)

    def _start_message(self, position: Position) -> dict[str, Any]:
        return {
            "type": "start",
            "protocol": PROTOCOL,
            "game": self._name,
            "parameters": parameters(self._game),
            "player": position.player,
            "names": [f"player {player}" for player in self._players()],
            "seed": bot_seed(derive("check", position.label), position.player),
            "move_seconds": self.move_seconds,
            "events": told(self._game, position),
        }

    def _judge(self, position: Position, answer: Answer) -> tuple[str, tuple[str, ...]]:
        """The answer as text, or what is wrong with it."""
        if answer.fault is not None:
            return "", explained(answer.fault.value, answer.detail, answer.output)
        action = answer.action
        if isinstance(action, str):
            try:
                action = parse(self._game, position.state, action)
            except ActionError as error:
                return "", explained("illegal", str(error), answer.output)
        out = [0] * self._facts.max_legal
        if action not in out[: legal(self._game, position.state, out)]:
            detail = say("check.illegal", answer=repr(answer.action))
            return "", explained("illegal", detail, answer.output)
        return str(describe(self._game, position.state, action)), ()


def explained(fault: str, detail: str, output: str) -> tuple[str, ...]:
    """A fault in words, its reason, and what the bot printed, as lines."""
    printed = [say("check.printed"), *quoted(output)] if output else []
    return (say(f"fault.{fault}"), *quoted(detail), *printed)
