"""The tournament server: players connect, the referee has them play, everything is explained."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from joute.core.interface import parameters, start
from joute.core.registry import make
from joute.files import put
from joute.games.vampires.adapters.connection import ConnectionClock, PlayerConnection, RealClock
from joute.games.vampires.adapters.frames import Frame, board, welcome
from joute.games.vampires.adapters.seat import TcpSeat, Tell, failed
from joute.games.vampires.map import read_map
from joute.games.vampires.server.lobby import Guest, Lobby
from joute.games.vampires.server.settings import ServerSettings
from joute.games.vampires.state import MOST, SPECIES, WON
from joute.host.limits import Limits
from joute.host.protocol import Answer, Fault
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.play.broadcast import LIVE, Broadcast, swept
from joute.play.chance import Streams
from joute.play.game import GameResult, GameSpec, SeatSpec, usual_costs
from joute.play.referee import play_game
from joute.play.seats import Human, Seat

REMOTE = "remote"
LONGEST_NAME = 60  # characters of a player's name that are shown
_MINUTE = 60.0


class ServerError(RuntimeError):
    """The server cannot be set up."""


@dataclass(kw_only=True)
class Hooks:
    """The listeners of a server's games, and the sources of its time and chance."""

    tell: Tell = field(default=lambda line: None)
    """Takes the lines of the log."""
    opened: Callable[[GameSpec], None] = field(default=lambda spec: None)
    """Hears of a game that begins."""
    watch: Callable[[dict[str, Any]], None] = field(default=lambda line: None)
    """Hears of each line of the record."""
    over: Callable[[GameResult], None] = field(default=lambda result: None)
    """Hears how a game ended."""
    clock: ConnectionClock = field(default_factory=RealClock)
    streams: Callable[[], Streams | None] = field(default=lambda: None)
    """The chance of a game that takes the place of its seed's; None for that."""


class VampiresServer:
    """Serves games, one after the other."""

    def __init__(self, settings: ServerSettings, hooks: Hooks, records: Path | None = None) -> None:
        """A server; `records` is the folder where records are kept. Raises GameError, OSError."""
        self.settings = settings
        self._hooks = hooks
        self._records = records
        self._game = make(
            "vampires",
            map=settings.map,
            plies=settings.plies,
            wrap_counts=settings.wrap_counts,
        )
        self._chart = read_map(parameters(self._game)["map"])
        self._lobby_log: list[str] = []  # for the next record
        self._listener = _listen(settings.ip, settings.port)
        self.address: tuple[str, int] = self._listener.getsockname()[:2]
        """The address and the port that it listens on."""

    def close(self) -> None:
        """Listens no more."""
        self._listener.close()

    async def run(self) -> None:
        """Serves one game, or games until cancelled; both players then hear END and BYE."""
        settings = self.settings
        host, port = self.address
        try:
            if self._records is not None:  # there for whoever is about to watch
                (self._records / LIVE).mkdir(mode=0o700, parents=True, exist_ok=True)
                swept(self._records / LIVE)
            self._hooks.tell(f"listening on {host}:{port}; the first to connect plays the Vampires")
            async with Lobby(
                self._listener,
                settings.players,
                self.welcome,
                self._tell_lobby,
                settings.name_seconds,
            ) as lobby:
                while True:
                    guests = await lobby.gather()
                    if not settings.again:
                        await lobby.shut()
                        self.close()
                    await self._serve(guests)
                    if not settings.again:
                        return
        finally:
            self.close()

    def welcome(self, player: int) -> Sequence[Frame]:
        """The frames for a player before the first turn."""
        return [*welcome(self._chart, player), board(self._game, start(self._game))]

    def _tell_lobby(self, line: str) -> None:
        self._lobby_log.append(line)
        self._hooks.tell(line)

    async def _serve(self, guests: list[Guest]) -> None:
        """Has the players of a table play until there is a winner, or once."""
        ringing, bell = os.pipe()  # rung when the server is stopped in the middle of a game
        wires = [PlayerConnection(guest.connection, self._hooks.clock) for guest in guests]
        for wire in wires:
            wire.watch(ringing, wire.give_up)
        names = [guest.name for guest in guests]
        playing = asyncio.get_running_loop().run_in_executor(None, self._play, wires, names)
        try:
            await asyncio.shield(playing)
        except asyncio.CancelledError:
            os.write(bell, b"!")
            with suppress(Exception):
                await playing
            raise
        finally:
            for wire in wires:
                wire.close(0.0)
            os.close(ringing)
            os.close(bell)

    def _play(self, wires: list[PlayerConnection], names: list[str]) -> None:
        """Games between two connected players; in a thread."""
        played = False
        while True:
            wires[0].pause(self._hooks.clock.now() + self.settings.pause_seconds)
            result = self._one(wires, names, played)
            if not self._again(result):
                return
            played = True
            self._hooks.tell("a draw: the same players once more")
            for player, wire in enumerate(wires):
                for frame in self.welcome(player):
                    wire.send(frame)

    def _again(self, result: GameResult) -> bool:
        return self.settings.rematch_on_draw and drawn(result.returns)

    def _one(self, wires: list[PlayerConnection], names: list[str], played: bool) -> GameResult:
        """A game; `played`: not the first one on these connections."""
        settings, hooks = self.settings, self._hooks
        costs = usual_costs("vampires")
        if settings.skip_illegal:
            costs["illegal"] = "turn"
        shown = [name[:LONGEST_NAME] for name in [*names, "nobody"][:2]]
        spec = GameSpec(
            game="vampires",
            parameters=parameters(self._game),
            bots=tuple(SeatSpec(name=name, bot=REMOTE) for name in shown),
            seed=secrets.token_hex(16),
            limits=Limits(move_seconds=settings.move_seconds),
            costs=costs,
            max_restarts=0,
        )
        news, self._lobby_log = self._lobby_log, []
        left = iter(wires)

        def opener(seat: SeatSpec, spec: GameSpec, game: Any, human: Human | None) -> Seat:
            wire = next(left, None)
            if wire is None:
                return PassingSeat()
            return ServedSeat(
                wire,
                game,
                settings.move_seconds,
                tell=hooks.tell,
                news="; ".join(news) if wire is wires[0] else "",
                played=played,
                rematch=settings.rematch_on_draw,
            )

        began = hooks.clock.now()

        def stop() -> bool:
            spent = hooks.clock.now() - began
            return 0 < settings.minutes * _MINUTE <= spent

        hooks.opened(spec)
        hooks.tell(f"{shown[0]} (Vampires) against {shown[1]} (Werewolves)")
        folder = None if self._records is None else self._records / LIVE
        with Broadcast(folder, spec, after=0.0) as broadcast:

            def watch(line: dict[str, Any]) -> None:
                self._watch(line)
                broadcast.hear(line)

            result = play_game(spec, watch=watch, opener=opener, stop=stop, streams=hooks.streams())
            self._conclude(spec, result)
            broadcast.end(result)
        return result

    def _watch(self, line: dict[str, Any]) -> None:
        if line.get("by") == "chance":
            survivors = line["action"] % WON
            left = f", of whom {MOST} stay" if survivors > MOST else ""
            self._hooks.tell(f"battle: {line['text']}{left}")
        elif line.get("by") == "clock":
            self._hooks.tell("the time of the game is over")
        elif self.settings.skip_illegal and line.get("cost") == "game":
            if line.get("fault") == Fault.ILLEGAL.value:
                who = SPECIES[line["player"]].capitalize()
                self._hooks.tell(f"{who}: one illegal order too many, the game is lost")
        self._hooks.watch(line)

    def _conclude(self, spec: GameSpec, result: GameResult) -> None:
        counts = " to ".join(str(each) for each in result.points)
        if drawn(result.returns):
            self._hooks.tell(f"a draw, {counts}")
        else:
            winner = result.returns.index(max(result.returns))
            who = f"{spec.bots[winner].name} ({SPECIES[winner].capitalize()})"
            self._hooks.tell(f"{who} has won, {counts} ({result.ending})")
        if self._records is not None:
            path = put(self._records / f"{result.identity}.jsonl", result.record)
            self._hooks.tell(f"record: {path}")
        self._hooks.over(result)


class ServedSeat(TcpSeat):
    """The seat of a player who may play on the same connection again."""

    def __init__(self, *values: Any, rematch: bool, **others: Any) -> None:
        super().__init__(*values, **others)
        self._rematch = rematch
        self._stays = False

    def end(self, message: dict[str, Any]) -> None:
        """END, and BYE unless there is a rematch."""
        if self._rematch and drawn(message["returns"]):
            self._stays = True
            self._wire.send(Frame("END"))
        else:
            super().end(message)

    def close(self) -> None:
        """Closes the connection unless there is a rematch."""
        if not self._stays:
            super().close()


class PassingSeat:
    """The seat of the Werewolves where the Vampires try themselves out: each turn passes."""

    isolation = "inline"
    observes = False

    def start(self, message: dict[str, Any]) -> Answer:
        return _unanswered(None)

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        return _unanswered(Fault.TIMEOUT)

    def end(self, message: dict[str, Any]) -> None:
        pass

    def close(self) -> None:
        pass


def _unanswered(fault: Fault | None) -> Answer:
    return replace(failed(Fault.TIMEOUT, "nobody plays the Werewolves"), fault=fault, alive=True)


def drawn(returns: Sequence[float]) -> bool:
    """Whether nobody has won."""
    return returns[0] == returns[1]


def _listen(ip: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    try:
        return socket.create_server((ip, port), family=family)
    except OSError as error:
        where = {"ip": ip, "port": port, "reason": foreign(error)}
        raise ServerError(Sentence("error.vampires.listen", **where)) from None
