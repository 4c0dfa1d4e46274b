"""What `joute check` finds out about a bot: the same referee, clock and processes as a contest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from joute.cli.positions import Position, drawn, recorded, told
from joute.cli.words import say

CHECKS = ("start", "games", "positions", "time", "determinism")
OPPONENTS = ("builtin:random", "builtin:greedy")
RANDOM_POSITIONS = 8
TWICE_POSITIONS = 6  # asked a second time in a fresh process
SHOWN_FAULTS = 3  # of a check, the others are only counted


class Finding(NamedTuple):
    """What one check found; `detail` holds lines that explain a failure."""

    check: str
    ok: bool
    said: str
    detail: list[str]


class Reply(NamedTuple):
    """What a bot answered in one position."""

    position: Position
    action: str  # as people write it; "" at a fault
    trouble: list[str]
    cpu_ms: float


class Checker:
    """Checks one bot at one game."""

    def __init__(
        self,
        bot: str,
        game: str,
        parameters: dict[str, Any],
        move_seconds: float,
    ) -> None:
        from joute.games import make
        from joute.games.interface import parameters as resolved
        from joute.play.game import SeatSpec

        self._name = game
        self._game = make(game, **parameters)
        self._parameters = resolved(self._game)
        self._seat = SeatSpec(name="bot", bot=bot, base=str(Path.cwd()))
        self._seat.content()  # a bot that does not exist is the user's mistake, not a finding
        self._move_seconds = move_seconds
        self._report: Callable[[int, int], object] = lambda done, total: None
        self._done = 0
        self._times: list[tuple[float, str]] = []  # CPU ms of each answer, and where
        self._replies: list[Reply] = []

    def run(
        self,
        skipped: frozenset[str] = frozenset(),
        report: Callable[[int, int], object] = lambda done, total: None,
    ) -> Iterator[Finding]:
        """The findings, one after the other; nothing more once the bot failed to start.

        `report` is called with the games and positions done, and all there are.
        """
        self._report = report
        started = self._check_start()
        yield started
        if not started.ok:
            return
        for name, check in (
            ("games", self._check_games),
            ("positions", self._check_positions),
            ("time", self._check_time),
            ("determinism", self._check_determinism),
        ):
            if name not in skipped:
                yield check()

    # The checks.

    def _check_start(self) -> Finding:
        position = self._positions()[0]
        seat = self._open(position.player)
        try:
            answer = seat.start(self._start_message(position))
        finally:
            seat.close()
        self._advance()
        if answer.fault is None:
            return Finding("start", True, say("check.started", ms=f"{answer.wall_ms:.0f}"), [])
        return Finding("start", False, say("check.not_started"), _trouble(answer))

    def _check_games(self) -> Finding:
        """Whole games from both seats; every fault in them is shown with what the bot printed."""
        from joute.play.record import read_record
        from joute.play.referee import play_game

        detail: list[str] = []
        faults = asked = 0
        pairings = self._pairings()
        for number, (seat, opponent) in enumerate(pairings):
            result = play_game(self._game_spec(seat, opponent, number))
            asked += result.asked[seat]
            for line in read_record(result.record).plies:
                if line.get("player") != seat or line["by"] != "bot":
                    continue
                place = say("check.ply", ply=line["ply"], opponent=opponent)
                self._times.append((line["cpu_ms"], place))
                if "fault" in line:
                    faults += 1
                    if faults <= SHOWN_FAULTS:
                        detail += [f"{place}: {say('fault.' + line['fault'])}", *_told(line)]
            self._advance()
        if not faults:
            return Finding("games", True, say("check.legal", games=len(pairings), asked=asked), [])
        return Finding("games", False, say("check.faults", faults=faults, asked=asked), detail)

    def _check_positions(self) -> Finding:
        self._replies = [self._ask(position) for position in self._positions()]
        wrong = [reply for reply in self._replies if reply.trouble]
        detail = [
            line
            for reply in wrong[:SHOWN_FAULTS]
            for line in (f"{reply.position.label}:", *reply.trouble)
        ]
        if not wrong:
            said = say("check.positions_legal", count=len(self._replies))
            return Finding("positions", True, said, [])
        said = say("check.positions_wrong", wrong=len(wrong), count=len(self._replies))
        return Finding("positions", False, said, detail)

    def _check_time(self) -> Finding:
        self._times += [(reply.cpu_ms, reply.position.label) for reply in self._replies]
        slowest = sorted(self._times, reverse=True)[:SHOWN_FAULTS]
        if not slowest:
            return Finding("time", True, say("check.no_time"), [])
        worst = slowest[0][0]
        said = say("check.worst", worst=_time(worst), limit=f"{self._move_seconds:g}")
        lines = [f"{_time(ms)}: {place}" for ms, place in slowest]
        return Finding("time", worst <= 1000 * self._move_seconds, said, lines)

    def _check_determinism(self) -> Finding:
        first = self._replies or [self._ask(position) for position in self._positions()]
        chosen = first[:: max(len(first) // TWICE_POSITIONS, 1)][:TWICE_POSITIONS]
        again = [self._ask(reply.position) for reply in chosen]
        detail = [
            say("check.differs", position=one.position.label, one=one.action, two=two.action)
            for one, two in zip(chosen, again, strict=True)
            if one.action != two.action
        ]
        if detail:
            return Finding("determinism", False, say("check.random"), detail)
        return Finding("determinism", True, say("check.same", count=len(chosen)), [])

    def _advance(self) -> None:
        self._done += 1
        positions = len(self._positions())
        total = 1 + len(self._pairings()) + positions + min(TWICE_POSITIONS, positions)
        self._report(self._done, total)

    # Setting up games, positions and seats.

    def _positions(self) -> list[Position]:
        return [*recorded(self._game, self._name), *drawn(self._game, RANDOM_POSITIONS)]

    def _pairings(self) -> list[tuple[int, str]]:
        """(the bot's seat, its opponent) of each game."""
        from joute.games.interface import properties

        seats = range(properties(self._game).players)
        return [(seat, opponent) for opponent in self._opponents() for seat in seats]

    def _opponents(self) -> list[str]:
        from joute.bots import BuiltinError
        from joute.host.names import parse_bot
        from joute.play.seats import check_builtin

        able = []
        for opponent in OPPONENTS:
            try:
                check_builtin(parse_bot(opponent), self._game)
            except BuiltinError:
                continue
            able.append(opponent)
        return able

    def _game_spec(self, seat: int, opponent: str, number: int) -> Any:
        from joute.games.interface import properties
        from joute.play.chance import derive
        from joute.play.game import GameSpec, SeatSpec

        others = SeatSpec(name=opponent, bot=opponent)
        players = range(properties(self._game).players)
        return GameSpec(
            game=self._name,
            parameters=self._parameters,
            bots=tuple(self._seat if each == seat else others for each in players),
            seed=derive("check", number),
            move_seconds=self._move_seconds,
        )

    def _open(self, player: int) -> Any:
        from joute.play.seats import open_seat

        spec = self._game_spec(player, OPPONENTS[0], 0)
        return open_seat(self._seat, spec, self._game, None)

    def _start_message(self, position: Position) -> dict[str, Any]:
        from joute.games.interface import properties
        from joute.play.chance import derive
        from joute.play.referee import PROTOCOL, bot_seed

        players = properties(self._game).players
        return {
            "type": "start",
            "protocol": PROTOCOL,
            "game": self._name,
            "parameters": self._parameters,
            "player": position.player,
            "names": [f"player {player}" for player in range(players)],
            "seed": bot_seed(derive("check", position.label), position.player),
            "move_seconds": self._move_seconds,
            "events": told(self._game, position),
        }

    def _ask(self, position: Position) -> Reply:
        """What the bot, in a fresh process, answers in a position."""
        from joute.games.interface import observe

        seat = self._open(position.player)
        try:
            answer = seat.start(self._start_message(position))
            if answer.fault is None:
                seen = observe(self._game, position.state, position.player)
                message = {"type": "play", "observation": seen, "events": []}
                answer = seat.ask(position.state, message)
        finally:
            seat.close()
        self._advance()
        action, trouble = self._judge(position, answer)
        return Reply(position, action, trouble, answer.cpu_ms)

    def _judge(self, position: Position, answer: Any) -> tuple[str, list[str]]:
        """The answer as text, or what is wrong with it."""
        from joute.games import ActionError
        from joute.games.interface import describe, legal, parse, properties

        if answer.fault is not None:
            return "", _trouble(answer)
        action = answer.action
        if isinstance(action, str):
            try:
                action = parse(self._game, position.state, action)
            except ActionError as error:
                return "", [str(error)]
        out = [0] * properties(self._game).max_legal
        if action not in out[: legal(self._game, position.state, out)]:
            return "", [say("check.illegal", answer=repr(answer.action)), *_told_by(answer)]
        return str(describe(self._game, position.state, action)), []


def _trouble(answer: Any) -> list[str]:
    return [say(f"fault.{answer.fault}"), *_indented(answer.detail), *_told_by(answer)]


def _told(line: dict[str, Any]) -> list[str]:
    return [*_indented(line["detail"]), *_printed(line.get("output", ""))]


def _told_by(answer: Any) -> list[str]:
    return _printed(answer.output)


def _printed(output: str) -> list[str]:
    return [say("check.printed"), *_indented(output)] if output else []


def _indented(text: str) -> list[str]:
    return [f"  | {line}" for line in text.splitlines()]


def _time(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.2f} s" if milliseconds >= 1000 else f"{milliseconds:.1f} ms"
