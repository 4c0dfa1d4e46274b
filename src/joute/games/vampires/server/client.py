"""A client that plays one of Joute's bots on any server of Vampires vs Werewolves.

It reads frames in pieces of any shape, sends one frame per send, and leaves after BYE. A server
that begins a new game after END, on the same connection, is followed.
"""

from __future__ import annotations

import secrets
import socket
from pathlib import Path

from joute.core.errors import ActionError, GameError
from joute.core.interface import (
    expand,
    legal_actions,
    mover,
    observe,
    parameters,
    play,
    start,
)
from joute.core.registry import make
from joute.games.vampires.adapters.frames import (
    TO_PLAYER,
    Decoder,
    Frame,
    Unknown,
    encode,
    listing,
    naming,
)
from joute.games.vampires.adapters.seat import Tell
from joute.games.vampires.map import MOST, VampiresMap, write_map
from joute.games.vampires.order import check, moves_of
from joute.games.vampires.state import COUNTS, DONE, KIND, MOVER, TURNS, VAMPIRES, Vampires
from joute.host.limits import Limits
from joute.host.names import parse_bot
from joute.i18n.recognised import foreign, recognised
from joute.i18n.words import Sentence
from joute.play.game import GameSpec, SeatSpec, acceptable
from joute.play.seats import Seat, open_seat, start_message

PLIES = 200  # of a game, as far as a bot has to know
_WARMING_SECONDS = 0.05
_CHUNK = 1 << 16

Cells = dict[tuple[int, int], tuple[int, ...]]


class ClientError(RuntimeError):
    """A server that cannot be talked to, or that ended the connection in mid-game."""


class Client:
    """Plays on a server, from NME to BYE."""

    def __init__(
        self, bot: str, name: str, move_seconds: float, tell: Tell, base: Path | None = None
    ) -> None:
        """Prepares the bot, so that nothing of it is compiled when a clock runs.

        Args:
            bot: the name of any bot of Joute.
            name: what the server is told.
            move_seconds: the time of a turn.
            tell: hears what happens, as lines.
            base: the folder that a path starts from.

        Raises BotError or BuiltinError for a bot that cannot play.
        """
        self.games = 0
        """The number of games that have ended."""
        self._seat_spec = SeatSpec(name=name, bot=bot, base=str(base or Path.cwd()))
        self._name = name
        self._move_seconds = move_seconds
        self._tell = tell
        self._decoder = Decoder(TO_PLAYER)
        self._frames: list[Frame | Unknown] = []
        self._seat: Seat | None = None
        self._rows = self._columns = 0  # until SET
        self._home = (0, 0)
        self._cells: Cells = {}
        if parse_bot(bot, base).kind == "builtin":
            self._warm_up()

    def run(self, host: str, port: int) -> None:
        """Connects and plays until BYE. Raises ClientError."""
        try:
            self._socket = socket.create_connection((host, port))
        except (OSError, UnicodeError) as error:
            # UnicodeError: of a name that no machine can have, such as "..".
            nobody = Sentence("error.foreign.noname")
            reason = foreign(error) if isinstance(error, OSError) else nobody
            where = {"host": host, "port": port, "reason": reason}
            raise ClientError(Sentence("error.vampires.client.connect", **where)) from None
        with self._socket:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                self._send(naming(self._name))
                self._play()
            finally:
                self._close_seat()

    def _play(self) -> None:
        """Follows the server."""
        while True:
            frame = self._next()
            if frame is None or frame.tag == "BYE":
                if frame is None and (self._seat is not None or not self.games):
                    raise ClientError(Sentence("error.vampires.client.ended"))
                return
            if frame.tag == "SET":
                [(self._rows, self._columns)] = frame.entries
                self._home = (0, 0)
                self._cells = {}
            elif frame.tag == "HME":
                [self._home] = frame.entries  # type: ignore[assignment]
            elif frame.tag == "MAP":
                self._change(frame)
                self._open()
            elif frame.tag == "UPD":
                self._change(frame)
                self._answer()
            elif frame.tag == "END":
                self.games += 1
                self._tell("the game is over")
                self._close_seat()

    def _next(self) -> Frame | None:
        """The next frame; None at the end of the connection."""
        while not self._frames:
            try:
                data = self._socket.recv(_CHUNK)
            except OSError:
                data = b""
            if not data:
                return None
            self._frames += self._decoder.feed(data)
        frame = self._frames.pop(0)
        if isinstance(frame, Unknown):
            raise ClientError(Sentence("error.vampires.client.unknown", found=frame.bytes))
        return frame

    def _send(self, frame: Frame) -> None:
        try:
            self._socket.sendall(encode(frame))
        except OSError:  # the next read says so, after what the server had still to say
            self._tell("the server did not take what was sent")

    # The game.

    def _change(self, frame: Frame) -> None:
        for x, y, *counts in frame.entries:
            if x >= self._columns or y >= self._rows:
                grid = {"rows": self._rows, "columns": self._columns}
                raise ClientError(
                    Sentence("error.vampires.client.cell", tag=frame.tag, x=x, y=y, **grid)
                )
            self._cells[x, y] = tuple(counts)

    def _open(self) -> None:
        """Seat the bot at the map that was sent."""
        self._close_seat()
        self._player = 1 if self._cells.get(self._home, (0, 0, 0))[2] else 0
        self._turn = self._player
        self._game = game_of(self._rows, self._columns, self._cells)
        self._tell(f"playing {('Vampires', 'Werewolves')[self._player]}")
        self._seat = self._started(self._game, self._player, self._move_seconds)

    def _started(self, game: Vampires, player: int, move_seconds: float) -> Seat:
        seed = secrets.token_hex(16)
        spec = GameSpec(
            game="vampires",
            parameters=parameters(game),
            bots=(self._seat_spec, self._seat_spec),
            seed=seed,
            limits=Limits(move_seconds=move_seconds),
        )
        seat = open_seat(self._seat_spec, spec, game, None)
        names = [self._name, self._name]
        answer = seat.start(start_message(game, player, names, seed, move_seconds))
        if answer.fault is not None:
            seat.close()
            raise ClientError(
                Sentence("error.vampires.client.start", reason=recognised(answer.detail))
            )
        return seat

    def _answer(self) -> None:
        if self._seat is None:
            raise ClientError(Sentence("error.vampires.client.early"))
        state = state_of(self._game, self._cells, self._player, self._turn)
        self._turn = min(self._turn + 2, self._game.plies - 2 + self._player)
        if state[COUNTS + self._player]:  # else it is over, and the server is about to say so
            self._check_units()
            self._send(listing("MOV", self._order(self._seat, state)))

    def _check_units(self) -> None:
        """Raises ClientError where a species has more than bots have room for."""
        for species in (1, 2):
            if sum(held[species] for held in self._cells.values()) > self._game.most_units:
                raise ClientError(Sentence("error.vampires.client.units"))

    def _order(self, seat: Seat, state: list[int]) -> list[list[int]]:
        """The bot's order; where it fails, the first move that is legal."""
        game, player = self._game, self._player
        before = list(state)
        chosen: list[int] = []
        while mover(game, state) == player:
            message = {
                "type": "play",
                "observation": observe(game, state, player),
                "events": [],
            }
            answer = seat.ask(state, message)
            if answer.fault is not None:
                self._failed(recognised(answer.detail))
                return self._fallback(before)
            if isinstance(answer.action, list) and answer.action and not chosen:
                moves = answer.action
                if all(isinstance(move, list) for move in moves) and not check(game, state, moves):
                    return [list(move) for move in moves]
            try:
                found = expand(game, state, answer.action)
            except ActionError as error:
                self._failed(error)
                return self._fallback(before)
            if not acceptable(game, state, found):
                self._failed(Sentence("error.vampires.client.illegal", action=answer.action))
                return self._fallback(before)
            for action in found:
                play(game, state, action)
            chosen += found
        return moves_of(game, chosen)

    def _failed(self, reason: object) -> None:
        self._tell(str(Sentence("error.vampires.client.failed", reason=reason)))

    def _fallback(self, state: list[int]) -> list[list[int]]:
        actions = legal_actions(self._game, state)
        return moves_of(self._game, [each for each in actions if each != DONE][:1])

    def _close_seat(self) -> None:
        if self._seat is not None:
            self._seat.close()
            self._seat = None

    def _warm_up(self) -> None:
        """Has a bot compile what it needs, on another map."""
        game = make("vampires")
        seat = self._started(game, 0, _WARMING_SECONDS)
        state = start(game).tolist()
        seat.ask(state, {"type": "play", "observation": {}, "events": []})
        seat.close()


def game_of(rows: int, columns: int, cells: Cells) -> Vampires:
    """The game on a board as it is, its limit of turns unknown. Raises ClientError."""
    humans = tuple((x, y, held[0]) for (x, y), held in cells.items() if held[0])
    groups = [
        [(x, y, held[1 + player]) for (x, y), held in cells.items() if held[1 + player]]
        for player in (0, 1)
    ]
    if not all(groups):
        raise ClientError(Sentence("error.vampires.client.species"))
    chart = VampiresMap(rows, columns, humans, groups[0][0], groups[1][0])
    try:
        game: Vampires = make("vampires", map=write_map(chart), plies=PLIES)
    except GameError as error:
        raise ClientError(Sentence("error.vampires.client.map", reason=error)) from None
    # A server's own map may have several groups of a species.
    most = sum(sum(held) for held in cells.values())
    return game._replace(most_units=max(most, game.most_units))


def state_of(game: Vampires, cells: Cells, player: int, turn: int) -> list[int]:
    """The state in which a player is to move, of cells [humans, vampires, werewolves]."""
    board = game.cells.copy()
    board[:] = 0
    for (x, y), held in cells.items():
        for kind, count in enumerate(held, VAMPIRES - 1):
            if count:
                board[y * game.columns + x] = kind * KIND + min(count, MOST)
    state: list[int] = start(game._replace(cells=board)).tolist()
    state[MOVER], state[TURNS] = player, turn
    return state
