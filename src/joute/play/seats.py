"""The players at seats: built-in bots in this process, or bots in processes of their own.

A seat gets the bot protocol's messages and gives answers; the referee sees no difference.
"""

import os
import sysconfig
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np

from joute import bots
from joute.core.compiled import interpreting
from joute.core.interface import legal_actions, observe, parameters, properties, start
from joute.core.registry import VARIABLE, cards
from joute.files import cache_folder
from joute.host.adapters import dialect_of, interface_refusal, seat_of
from joute.host.building.built import playable
from joute.host.command import command_for, program_command
from joute.host.limits import BotLimits
from joute.host.names import BotError, BotSpec, parse_bot
from joute.host.process import HostedBot
from joute.host.protocol import Answer, Choice, Fault, InfrastructureError
from joute.host.sandbox import Level, applied
from joute.i18n.words import Sentence, english
from joute.machine import OWN_PYTHON
from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec
from joute.play.language_model import LanguageModelSeat, options_of


class Resign:
    """The answer of a person who gives the game up."""


class Late:
    """The answer of a person whose clock has run out."""


Human = Callable[[Any, list[int], int], Choice | Resign | Late]
"""Asks a person: (game, state, player) to an action, as an int or as text, or to Resign or Late.

The state is whole: what the player may not know is for `render` and `observe` to leave out.
"""


class Seat(Protocol):
    """A seat, as far as the referee needs one."""

    isolation: str  # what is enforced: a level of `joute.host.sandbox`, "inline", "human", "remote"
    observes: bool  # whether its turns come with an observation

    def start(self, message: dict[str, Any]) -> Answer:
        """Gets ready for a game, or again after having been stopped."""

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        """Chooses an action; only a trusted seat looks at the state."""

    def end(self, message: dict[str, Any]) -> None:
        """Hears how the game ended."""

    def close(self) -> None:
        """Leaves nothing behind."""


class InlineSeat:
    """A built-in bot in this process."""

    isolation = "inline"
    observes = False

    def __init__(self, spec: BotSpec, game: Any) -> None:
        self.thought: bots.Choice | None = None  # the last choice, with what no record keeps
        self._spec = spec
        self._game = game
        self._dtype = start(game).dtype
        self._bot: bots.BuiltinBot
        self._view: bots.View

    def start(self, message: dict[str, Any]) -> Answer:
        table = bots.Seating(
            self._game, message["player"], message["seed"], message["move_seconds"]
        )
        self._bot = bots.make(self._spec.name, self._spec.options, table)
        self._view = bots.View(table)
        return answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        known = np.array(self._view.of(state), self._dtype)
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            choice = self.thought = self._bot.play(known)
        except Exception as error:
            raise InfrastructureError(f"{self._spec.text} failed: {error!r}") from error
        return answer(
            choice.action,
            message=choice.message,
            cpu_ms=1000 * (time.thread_time() - cpu),
            wall_ms=1000 * (time.perf_counter() - wall),
        )

    def end(self, message: dict[str, Any]) -> None:
        pass

    def close(self) -> None:
        pass


class HumanSeat:
    """A person, asked through a function, which keeps the clock if there is one."""

    isolation = "human"
    observes = False

    def __init__(self, ask: Human, game: Any) -> None:
        self._ask = ask
        self._game = game
        self._player = 0

    def start(self, message: dict[str, Any]) -> Answer:
        self._player = message["player"]
        return answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        wall = time.perf_counter()
        action = self._ask(self._game, state, self._player)
        spent = 1000 * (time.perf_counter() - wall)
        if isinstance(action, Resign):
            return replace(answer(wall_ms=spent), resigned=True)
        if isinstance(action, Late):
            over = english(Sentence("error.clock.over"))
            return replace(answer(wall_ms=spent), fault=Fault.TIMEOUT, detail=over)
        return answer(action, wall_ms=spent)

    def end(self, message: dict[str, Any]) -> None:
        pass

    def close(self) -> None:
        pass


class HostedSeat:
    """A bot in a process of its own."""

    observes = True

    def __init__(
        self,
        command: list[str],
        limits: BotLimits,
        label: str,
        dialect: str = "",
        folder: Path | None = None,
    ) -> None:
        """`folder` is that of the bot's files: what is told of them starts from there."""
        self._bot = HostedBot(command, limits, label=label, dialect=dialect_of(dialect))
        self._folders = _folders(folder)
        self.isolation = str(self._bot.level)

    def start(self, message: dict[str, Any]) -> Answer:
        return self._told(self._bot.start(message))

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        return self._told(self._bot.ask(message))

    def _told(self, answer: Answer) -> Answer:
        """An answer whose words name no folder of this machine: a record goes to others."""
        texts = {key: getattr(answer, key) for key in ("detail", "output", "message")}
        if not any(texts.values()):
            return answer
        for folder in self._folders:
            texts = {key: text.replace(folder, "") for key, text in texts.items()}
        return replace(answer, **texts)

    def end(self, message: dict[str, Any]) -> None:
        self._bot.end(message)

    def close(self) -> None:
        self._bot.close()


def _folders(own: Path | None) -> list[str]:
    """Beginnings of paths that are left out of what a bot says: its own, those of libraries."""
    library = sysconfig.get_paths()
    found = [str(own)] if own is not None and own != own.parent else []
    return [f"{folder}{os.sep}" for folder in (*found, library["purelib"], library["stdlib"])]


def answer(
    action: Choice | None = None, message: str = "", cpu_ms: float = 0.0, wall_ms: float = 0.0
) -> Answer:
    """The answer of a seat that cannot fail."""
    return Answer(
        action=action,
        fault=None,
        detail="",
        cpu_ms=cpu_ms,
        wall_ms=wall_ms,
        output="",
        message=message,
        alive=True,
    )


def open_seat(
    seat: SeatSpec,
    spec: GameSpec,
    game: Any,
    human: Human | None,
    readable: Sequence[str] = (),
) -> Seat:
    """The seat for a bot, which may read these files and folders besides its own.

    Raises BotError or BuiltinError if there can be none.
    """
    named = parse_bot(seat.bot, Path(seat.base), seat.python)
    bot = playable(named)
    if named.order is not None:
        readable = (*readable, str(bot.folder))  # all of it was made for this bot
    shared = msgspec.structs.asdict(spec.limits)
    shared["memory_mb"] = seat.memory_mb or spec.limits.memory_mb
    limits = BotLimits(
        **shared,
        last_try=spec.last_try,
        readable=tuple(readable),
        hidden=tuple(path for path in spec.hidden if path != str(named.path)),
    )
    if bot.kind == "human":
        if human is None:
            raise bots.BuiltinError(Sentence("error.bot.human"))
        return HumanSeat(human, game)
    check_bot(bot, game)
    if bot.kind == "local":
        raise BotError.of(seat.bot, Sentence("error.bot.local"))
    if bot.kind == "llm":
        return LanguageModelSeat(bot, game)
    if own := seat_of(bot.dialect):
        seat_of_its_own: Seat = own(bot, limits, game)
        return seat_of_its_own
    if bot.kind == "builtin":
        if not bot.hosted:
            return InlineSeat(bot, game)
        if properties(game).hidden_information:
            raise bots.BuiltinError(Sentence("error.bot.inline", bot=seat.bot))
        return HostedSeat(_hosted_builtin(bot, limits), limits, seat.name)
    return HostedSeat(command_for(bot, limits), limits, seat.name, bot.dialect, bot.folder)


def _hosted_builtin(bot: BotSpec, limits: BotLimits) -> list[str]:
    # A bot's environment is bare, so what it must know of ours goes on its command line.
    options = msgspec.json.encode(bot.options).decode()
    told = [options, str(cache_folder()), os.environ.get(VARIABLE, "")]
    words = [*OWN_PYTHON, "-m", "joute.play.hosted", bot.name, *told]
    return program_command(words, limits, level=applied(Level.LIMITS))


def check_bot(bot: BotSpec, game: Any) -> None:
    """Raises BuiltinError or BotError unless the bot can play the game, as far as its name says."""
    bot = playable(bot)
    reason: object = None
    if bot.kind == "builtin":
        check_builtin(bot, game)
    elif bot.kind == "remote":
        servers = ", ".join(card.server for card in cards() if card.server)
        reason = Sentence("error.bot.remote", servers=servers or "-")
    elif bot.kind == "llm":
        options_of(bot)
    elif own := seat_of(bot.dialect):
        reason = own.refusal(game)
    elif bot.dialect:
        reason = dialect_of(bot.dialect).refusal(observe(game, start(game), 0))
    elif bot.interface:
        reason = interface_refusal(bot.interface, parameters(game))
    if reason:
        raise BotError.of(bot.text, reason)


def check_uncompiled(bot: BotSpec, game: Any) -> None:
    """The same without compiling anything, where nobody is to wait for a compiler."""
    with interpreting():
        check_bot(bot, game)


def check_builtin(bot: BotSpec, game: Any) -> None:
    """Raises BuiltinError unless the built-in bot, its options and the game go together."""
    bots.make(bot.name, bot.options, bots.Seating(game, 0, 0, 1.0))


PROTOCOL = 1


def start_message(
    game: Any,
    player: int,
    names: Sequence[str],
    seed: str,
    move_seconds: float,
    events: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """The first message to the bot of a player.

    `seed` is the game's own, of which the bot learns nothing: its generator's is derived from it.
    `events` tell what happened before, to a bot that starts in the middle.
    """
    return {
        "type": "start",
        "protocol": PROTOCOL,
        "game": properties(game).name,
        "parameters": parameters(game),
        "player": player,
        "names": list(names),
        "seed": bot_seed(seed, player),
        "move_seconds": move_seconds,
        "events": list(events),
    }


def observed(game: Any, state: Any, player: int) -> dict[str, Any]:
    """The observation of the player to move; `legal` is always in it."""
    seen = observe(game, state, player)
    return seen if "legal" in seen else {**seen, "legal": legal_actions(game, state)}


def bot_seed(seed: str, player: int) -> int:
    """The seed of a bot's own generator: below 2^53, so that any JSON reader keeps it exactly."""
    return int(derive(seed, "bot", player), 16) % 2**53
