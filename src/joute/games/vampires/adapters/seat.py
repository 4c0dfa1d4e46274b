"""The seat of a connected player: turns become updates, and its orders become answers.

The player is asked with UPD and answers with MOV. Frames sent unasked are dropped when the turn
begins. A late order costs the turn and nothing else, however often; it may arrive after the next
update, and is then the answer to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from joute.core.interface import start
from joute.games.vampires.adapters.connection import Discarded, PlayerConnection
from joute.games.vampires.adapters.frames import MOST, Frame, Unknown, update
from joute.games.vampires.forecast import forecast, overflows
from joute.games.vampires.order import Broken, Cell, Move, changes, check, write
from joute.games.vampires.state import DONE, SPECIES, Vampires, content
from joute.host.protocol import Answer, Fault
from joute.i18n.words import Sentence, english

_SHOWN = 200  # characters of an order in a message

Tell = Callable[[str], None]
"""Takes a line of the log."""


class TcpSeat:
    """A player's seat, see `joute.play.seats.Seat`; SET, HUM, HME and MAP were sent before."""

    observes = False

    def __init__(
        self,
        wire: PlayerConnection,
        game: Vampires,
        move_seconds: float,
        *,
        tell: Tell = lambda line: None,
        ready_at: float = 0.0,
        played: bool = False,
        news: str = "",
        isolation: str = "remote",
    ) -> None:
        """A seat at a connection.

        Args:
            wire: the player's connection.
            game: the game, on the map whose beginning the player was sent.
            move_seconds: the time of a turn, on the wall.
            tell: hears of every order and of everything odd.
            ready_at: before which no turn begins, on the wire's clock.
            played: whether a game was played on this connection before: until the player's first
                order its name may come again.
            news: what is to be noted with the first turn.
            isolation: what is enforced on the player's program.
        """
        self.isolation = isolation
        self._wire = wire
        self._game = game
        self._move_seconds = move_seconds
        self._tell = tell
        self._ready_at = ready_at
        self._named_again = played
        self._news = news
        self._player = 0
        self._seated = False
        self._changed: list[list[Cell]] = [[], []]
        self._untold = [False, False]  # whether an order of each came since the last update
        self._moves: list[Move] = []  # of the turn that is being told
        self._whole = False  # whether that turn came as one order
        self._before: list[int] | None = None  # the state of the update before
        self._unsent: list[Cell] = []  # changed cells that the last update had no room for
        self._asked = False
        self._owed = 0  # updates that passed unanswered, whose orders may still come

    def start(self, message: dict[str, Any]) -> Answer:
        if self._seated:
            return failed(Fault.START_UP, why("again"))
        self._seated = True
        self._player = message["player"]
        self._hear(message["events"])
        return answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        self._hear(message["events"])
        wire = self._wire
        wire.pause(self._ready_at)
        note = self._dropped(wire.discard())
        wire.send(self._update(state))
        began = wire.clock.now()
        frame, names = self._received(began + self._move_seconds)
        found = self._judge(state, frame, wire.clock.now() - began)
        self._before = state.copy()
        note = "; ".join(part for part in (note, names, found.note) if part)
        self._log(replace(found, note=note))
        news, self._news = self._news, ""
        return replace(found, note="; ".join(part for part in (news, note) if part))

    def end(self, message: dict[str, Any]) -> None:
        self._wire.farewell()

    def close(self) -> None:
        self._wire.close()

    # To the player.

    def _hear(self, events: Iterable[dict[str, Any]]) -> None:
        """Keeps what the last order of each player changed, in its own sequence.

        In a game there is one of each between two updates; in a study of single turns of a game,
        others may lie between them.
        """
        for event in events:
            if "answer" in event and all(isinstance(move, list) for move in event["answer"]):
                self._moves = [*event["answer"]]
                self._whole = True
            elif "move" in event and not self._whole:
                self._moves.append(event["move"])
            if event["player"] >= 0 and event["action"] == DONE:
                if self._moves:  # else the clock has passed the turn
                    self._keep(event["player"], changes(self._moves))
                self._moves, self._whole = [], False

    def _keep(self, player: int, cells: list[Cell]) -> None:
        """Keeps the cells that an order of a player changed."""
        earlier = self._changed[player] if self._asked and self._untold[player] else []
        self._changed[player] = [*earlier, *cells]
        self._untold[player] = True

    def _update(self, state: list[int]) -> Frame:
        vampires, werewolves = self._changed
        self._untold = [False, False]
        if not self._asked:
            # Of a game that is taken up, more has changed than the last orders say.
            self._asked = True
            werewolves = [*werewolves, *self._since_start(state)]
        frame = update(self._game, state, vampires, [*werewolves, *self._unsent])
        self._unsent = [(x, y) for x, y, *_ in frame.entries[MOST:]]
        if self._unsent:
            self._tell(
                f"UPD has {len(frame.entries)} cells, and a byte counts up to {MOST}: the others "
                "follow with the next update"
            )
        return frame._replace(entries=frame.entries[:MOST])

    def _since_start(self, state: list[int]) -> list[Cell]:
        """The cells that are not as they were at the beginning."""
        game = self._game
        first = start(game)
        cells = [(x, y) for y in range(game.rows) for x in range(game.columns)]
        return [xy for xy in cells if content(game, first, *xy) != content(game, state, *xy)]

    # From the player.

    def _dropped(self, found: Discarded) -> str:
        """The frames dropped as the turn begins, in words; "" if there are none."""
        parts = []
        for frame in found.frames[:3]:
            if isinstance(frame, Frame) and frame.tag == "MOV" and self._owed:
                self._owed -= 1
                parts.append(f"a late order, {_order(frame.entries)}")
            else:
                parts.append(in_words(frame))
        if len(found.frames) > 3:
            parts.append(f"{len(found.frames) - 3} more")
        if found.rest:
            parts.append(f"{_bytes(found.rest)} of a frame that is not complete")
        return f"dropped, for they came before the update: {', '.join(parts)}" if parts else ""

    def _received(self, deadline: float) -> tuple[Frame | Unknown | None, str]:
        """The answer to an update, None for none, and in words the name dropped before it."""
        wire, note = self._wire, ""
        frame = wire.receive(deadline)
        while self._named_again and isinstance(frame, Frame) and frame.tag == "NME":
            note = note or f"dropped, for its name is known: {in_words(frame)}"
            # A peer that sends names for ever is not to have more time for it.
            frame = wire.receive(deadline) if wire.clock.now() < deadline else None
        if frame is not None:
            self._named_again = False
        return frame, note

    def _judge(self, state: list[int], frame: Frame | Unknown | None, wall: float) -> Answer:
        spent = answer(1000 * wall)
        if frame is None and self._wire.closed:
            return failed(Fault.CRASH, why("closed"), spent)
        if frame is None:
            self._owed += 1
            part = self._wire.pending
            times = {"wall": f"{wall:.2f}", "limit": f"{self._move_seconds:.2f}"}
            detail = why("late.part" if part else "late", part=_bytes(part), **times)
            return replace(spent, fault=Fault.TIMEOUT, detail=detail)
        if isinstance(frame, Unknown) or frame.tag != "MOV":
            detail = why("unexpected", frame=in_words(frame))
            return failed(Fault.PROTOCOL, detail, spent)
        moves = [list(move) for move in frame.entries]
        broken = check(self._game, state, moves)
        if broken is not None:
            return self._refused(moves, broken, spent)
        if self._owed and not self._fitted(moves):
            self._owed = 0  # it has caught up
        notes = [why("hint")] if self._owed else []
        for x, y, together, held in overflows(forecast(self._game, state, moves)):
            notes.append(why("full", cell=f"{x},{y}", together=together, held=held))
        return replace(spent, action=moves, note="; ".join(notes))

    def _fitted(self, moves: list[list[int]]) -> bool:
        """Whether an order was legal at the update before."""
        return self._before is not None and check(self._game, self._before, moves) is None

    def _refused(self, moves: list[list[int]], broken: Broken, spent: Answer) -> Answer:
        key = "refused.late" if self._owed or self._fitted(moves) else "refused"
        detail = why(key, order=_order(moves), broken=broken)
        return replace(spent, fault=Fault.ILLEGAL, detail=detail)

    def _log(self, found: Answer) -> None:
        who = SPECIES[self._player].capitalize()
        if found.fault is not None:
            self._tell(f"{who}: {found.fault.value}: {found.detail}")
        else:
            order = _order(found.action)  # type: ignore[arg-type]
            self._tell(f"{who}: {order} ({found.wall_ms / 1000:.2f} s)")
        if found.note:
            self._tell(f"{who}: {found.note}")


def why(key: str, **values: object) -> str:
    """The reason why a connection failed, as records keep it."""
    return english(Sentence(f"error.vampires.tcp.{key}", **values))


def _order(moves: Iterable[Move]) -> str:
    """An order in words, cut where it is long."""
    moves = list(moves)
    text = write(moves) if moves else english(Sentence("error.vampires.tcp.no_moves"))
    if len(text) <= _SHOWN:
        return text
    return english(Sentence("error.vampires.tcp.cut", text=text[:_SHOWN], count=len(moves)))


def _bytes(data: bytes) -> str:
    key = "error.vampires.tcp.byte" if len(data) == 1 else "error.vampires.tcp.bytes"
    return english(Sentence(key, count=len(data)))


def in_words(frame: Frame | Unknown) -> str:
    """A frame in words."""
    if isinstance(frame, Unknown):
        return english(Sentence("error.vampires.tcp.unknown", found=frame.bytes))
    if frame.tag == "NME":
        return f"NME {frame.name!r}"
    return f"MOV {_order(frame.entries)}"


def answer(wall_ms: float = 0.0) -> Answer:
    """The answer of a connection that has not failed."""
    return Answer(
        action=None,
        fault=None,
        detail="",
        cpu_ms=0.0,
        wall_ms=wall_ms,
        output="",
        message="",
        alive=True,
    )


def failed(fault: Fault, detail: str, spent: Answer | None = None) -> Answer:
    """The answer of a connection that cannot be asked again."""
    return replace(spent or answer(), fault=fault, detail=detail, alive=False)
