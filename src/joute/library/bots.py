"""Bots of all kinds behind one question: what would it play here?

A bot is written as everywhere in Joute (`builtin:uct?simulations=500`, `bots/mine.py`,
`program:./mine`), or is a Python object of this process: a function `play(observation, clock)`, an
object with such a method or a method `think(position)`, or a class of objects that play. They
answer an action, as bots do, or a `Thought`. What is hidden from its player is hidden from a bot,
whatever it is.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from joute.bots import BuiltinError, Seating, View, maker_of
from joute.contest.config.default_names import default_name
from joute.core.arguments import seed_text, span, wrong
from joute.core.errors import ActionError, GameError
from joute.core.interface import describe, expand, pending, tell
from joute.core.interface import play as apply
from joute.host.annotations import bounded_annotations
from joute.host.child.errors import IllegalAnswer
from joute.host.child.interfaces import OWN
from joute.host.child.interfaces import reply as own_reply
from joute.host.limits import Limits
from joute.host.names import BotError, parse_bot
from joute.host.protocol import Answer, Fault
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.library.positions import Game, Position
from joute.play.game import GameSpec, SeatSpec, acceptable
from joute.play.seats import Seat, answer, observed, open_seat, start_message

SECONDS = 1.0
"""The time of a turn, in seconds, where nobody says otherwise."""
INLINE = "inline"  # the isolation of a bot in this process


class Thought(NamedTuple):
    """A bot's choice in a position, and what it says of it."""

    action: int | list[int]
    """The action, or those of a whole turn: `position.play(thought.action)`."""
    text: str
    """The action as people write it."""
    value: float | None = None
    """The value that it expects for itself, from -1, lost, to 1, won; None if it does not say."""
    visits: dict[int, int] | None = None
    """By action, how often a tree search visited it; None if the bot does not say."""
    line: tuple[int, ...] = ()
    """The actions that it expects, its own first."""
    message: str = ""
    """The bot's message, as records keep it; empty if there is none."""


class Bot:
    """A player of any game; `joute.bot` makes one.

    A bot that runs in a process of its own goes on from position to position of one game, in a
    process for each seat that it is asked to play. It is stopped by `close`, at the end of a `with`
    block, or with the program. A position that does not follow from the last one begins another
    game, with another seed.
    """

    def __init__(self, source: Any, name: str = "", base: str | Path = ".") -> None:
        """Takes a bot's text, its path, or a Python object that plays. Raises BotError."""
        self.source = source
        """The text, path or object that the bot was made from."""
        self.name = name or name_of(source)
        """The bot's name in tables."""
        self._base = str(Path(base).absolute())
        self._sittings: dict[int, _Sitting] = {}  # by player
        self._last: Position | None = None  # that it was asked about
        self._seed = secrets.token_hex(16)
        self._games = 0  # that were begun with the seed
        if isinstance(source, str | Path):
            known = parse_bot(str(source), Path(self._base))
            if known.kind == "builtin":
                with _refusals():
                    maker_of(known.name)
        else:
            interface_of(source)

    @property
    def here(self) -> bool:
        """Whether the bot is a Python object of this process."""
        return not isinstance(self.source, str | Path)

    def think(self, position: Position, seconds: float = SECONDS) -> Thought:
        """The bot's action in a position, for which it has `seconds` of CPU.

        A Python object of this process is told the time, and not stopped. Raises GameError where
        the game is over, BotError for a bot that cannot play the game or commits a fault; what a
        Python object of this process raises is not caught.
        """
        if not isinstance(position, Position):
            raise wrong("position", position, "position")
        if position.over:
            raise GameError(Sentence("error.position.over"))
        seconds = span("seconds", seconds)
        if not self._goes_on(position):
            self.close()
            self._games += 1
        self._last = position
        return self._seated(position, seconds).think(position)

    def _goes_on(self, position: Position) -> bool:
        """Whether a position follows from the one that the bot was asked about last."""
        last = self._last
        if last is None or position is last or position.game != last.game:
            return False
        before = last.actions
        begun = np.array_equal(last.origin, position.origin)
        return begun and position.actions[: len(before)] == before

    def _seated(self, position: Position, seconds: float) -> _Sitting:
        """The bot as the player to act, who may think for so many seconds."""
        sitting = self._sittings.get(position.player)
        if sitting is None or sitting.seconds != seconds:
            if sitting is not None:
                sitting.seat.close()
            # The first game has the seed itself. The others have their own, or all would be alike.
            seed = self._seed if self._games == 1 else f"{self._seed} {self._games}"
            sitting = self._sittings[position.player] = _Sitting(self, seed, position, seconds)
        return sitting

    def text(self, name: str = "") -> str:
        """The bot as specifications of games and records name it; `name`: its name there."""
        return f"local:{name or self.name}" if self.here else str(self.source)

    def seat(self) -> SeatSpec:
        """The bot at a table, for a game's specification."""
        return SeatSpec(name=self.name, bot=self.text(), base=self._base)

    def open(self, spec: GameSpec, game: Any) -> Seat:
        """The bot's seat in a game."""
        if self.here:
            return LocalSeat(self.source, game)
        with _refusals():
            return open_seat(self.seat(), spec, game, None)

    def begin(self, seed: int | str | None = None) -> None:
        """Makes the bot forget its game: its next thought begins another, with this seed."""
        self.close()
        self._seed = secrets.token_hex(16) if seed is None else seed_text(seed)
        self._games = 0

    def close(self) -> None:
        """Stops the bot's processes, if it has any; the next thought begins another game."""
        while self._sittings:
            self._sittings.popitem()[1].seat.close()
        self._last = None

    def __enter__(self) -> Bot:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        # A process cannot be copied: the copy starts another, which is told all that was played.
        inline = {
            key: each for key, each in self._sittings.items() if each.seat.isolation == INLINE
        }
        return {**vars(self), "_sittings": inline}

    def __repr__(self) -> str:
        return f"joute.bot({self.source!r})"


def bot(source: Any, name: str = "") -> Bot:
    """The bot of this text or path, or a Python object that plays, with this name in tables.

    A text is as on the command line: `builtin:NAME?OPTION=VALUE`, the path of a file, folder or
    archive, `program:COMMAND`. An object of Python is a function `play(observation, clock)`, an
    object with a method `play` like it or a method `think(position)`, or a class of such objects,
    of which each game gets a new one. Raises BotError for a text or an object that is no bot.
    """
    return source if isinstance(source, Bot) else Bot(source, name)


def own(source: Any) -> Bot:
    """A bot that nobody else asks, made as `bot` makes it; a Bot is made once more."""
    if isinstance(source, Bot):
        return Bot(source.source, source.name, source._base)
    return Bot(source)


@contextmanager
def _refusals() -> Iterator[None]:
    """Raises as a BotError what a built-in bot is refused for."""
    try:
        yield
    except BuiltinError as error:
        raise BotError(*error.args) from None


def name_of(source: Any) -> str:
    """The name of a bot that nobody named."""
    if isinstance(source, str | Path):
        return default_name(str(source))
    return str(getattr(source, "__name__", type(source).__name__)).strip("<>")


def interface_of(source: Any) -> Any:
    """The interface of Python bots by which a Python object is asked. Raises BotError."""
    if isinstance(source, type) and callable(getattr(source, "play", None)):
        return OWN["class"], SimpleNamespace(Bot=source)
    play = getattr(source, "play", getattr(source, "think", source))
    if not callable(play):
        raise BotError(Sentence("error.bot.object", type=type(source).__name__))
    return OWN["function"], SimpleNamespace(play=play)


class LocalSeat:
    """A Python object of this process at a seat: no clock runs, nothing it raises is caught."""

    isolation = INLINE
    observes = True

    def __init__(self, source: Any, game: Any) -> None:
        if isinstance(source, type) and not hasattr(source, "play") and hasattr(source, "think"):
            source = source()
        interface, self._module = interface_of(source)
        self._adapters = interface.Adapter  # the interface itself cannot be pickled
        self._thinks = getattr(source, "think", None)
        self._game = Game(game)
        self.thought: Thought | None = None  # the last, of an object that gives them
        self._adapter: Any = None
        self._view: View

    def start(self, message: dict[str, Any]) -> Answer:
        seconds = message["move_seconds"]
        seating = Seating(self._game.rules, message["player"], message["seed"], seconds)
        self._view = View(seating)
        self._adapter = self._adapters(self._module, message)
        return answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            reply, detail = self._reply(state, message), ""
        except IllegalAnswer as error:
            reply, detail = {"action": None, "message": ""}, str(error)
        found = answer(
            reply["action"],
            message=reply.get("message", ""),
            cpu_ms=1000 * (time.thread_time() - cpu),
            wall_ms=1000 * (time.perf_counter() - wall),
        )
        if detail:
            return replace(found, fault=Fault.ILLEGAL, detail=detail)
        beside = bounded_annotations(reply.get("metrics"), reply.get("marks"))
        return replace(found, annotations=beside, note="\n".join(beside.remarks))

    def _reply(self, state: list[int], message: dict[str, Any]) -> dict[str, Any]:
        if self._thinks is None:
            asked: dict[str, Any] = self._adapter.play(message)
            return asked
        found = self._thinks(self._game.at(self._view.of(state)))
        self.thought = found if isinstance(found, Thought) else None
        return own_reply(found._asdict() if isinstance(found, Thought) else found)

    def end(self, message: dict[str, Any]) -> None:
        self._adapter.end(message)

    def close(self) -> None:
        pass


class _Sitting:
    """A bot that was started for a game, as one of its players."""

    def __init__(self, bot: Bot, seed: str, position: Position, seconds: float) -> None:
        rules = position.game.rules
        self.game, self.player, self.seconds = position.game, position.player, seconds
        seats = tuple(
            bot.seat() if player == self.player else SeatSpec(name=f"player {player}", bot="remote")
            for player in range(self.game.players)
        )
        spec = GameSpec(
            game=self.game.name,
            parameters=self.game.parameters,
            bots=seats,
            seed=seed,
            limits=Limits(move_seconds=seconds),
        )
        self.seat = bot.open(spec, rules)
        self._bot = bot
        self._news = _News(position, self.player)
        message = start_message(
            rules, self.player, [seat.name for seat in seats], seed, seconds,
            self._news.until(position),
        )  # fmt: skip
        self._check(self.seat.start(message))

    def think(self, position: Position) -> Thought:
        rules, state = self.game.rules, position.state.tolist()
        message = {
            "type": "play",
            "events": self._news.until(position),
            "observation": observed(rules, state, self.player),
        }
        found = self._check(self.seat.ask(state, message))
        try:
            actions = expand(rules, state, found.action)
        except ActionError:
            actions = []
        if not actions or not acceptable(rules, state, actions):
            illegal = Sentence("error.answer.illegal", answer=repr(found.action)[:60])
            raise BotError.of(self._bot.name, illegal)
        said = getattr(self.seat, "thought", None)
        return Thought(
            action=actions if len(actions) > 1 else actions[0],
            text=_texts(rules, state, actions),
            value=getattr(said, "value", None),
            visits=getattr(said, "visits", None),
            line=tuple(getattr(said, "line", ())),
            message=found.message,
        )

    def _check(self, found: Answer) -> Answer:
        if found.fault is not None:
            self._bot.close()
            raise BotError.of(self._bot.name, foreign(found.detail))
        return found


class _News:
    """All that a player is told of a game that goes on, in the protocol of bots."""

    def __init__(self, position: Position, player: int) -> None:
        self._game = position.game
        self._player = player
        self._state: list[int] = position.origin.tolist()
        self._plies = 0  # that led to the state
        self._waiting: list[dict[str, Any]] = []  # until all have chosen

    def until(self, position: Position) -> list[dict[str, Any]]:
        """The news of all that was played since the position before this one."""
        rules, told = self._game.rules, list[dict[str, Any]]()
        for action in position.actions[self._plies :]:
            event = tell(rules, self._state, self._player, action)
            self._waiting += [] if event is None else [event]
            apply(rules, self._state, action)
            self._plies += 1
            if self._game.properties.simultaneous and pending(rules, self._state) > 0:
                continue
            told += self._waiting
            self._waiting = []
        return told


def _texts(rules: Any, state: list[int], actions: list[int]) -> str:
    texts, after = [], state.copy()
    for action in actions:
        texts.append(describe(rules, after, action))
        apply(rules, after, action)
    return "; ".join(texts)
