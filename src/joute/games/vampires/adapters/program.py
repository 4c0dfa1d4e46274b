"""The seat of a program that connects: `tcp:COMMAND`, started as `COMMAND ADDRESS PORT`.

Its port is any one of this machine, or the official server's, which programs written for that
server often have in their source; then only one game of such programs can be set up at a time, on
the whole machine.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import shutil
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from joute.core.interface import parameters, start
from joute.files import cache_folder
from joute.games.vampires.adapters.connection import ConnectionClock, PlayerConnection, RealClock
from joute.games.vampires.adapters.frames import Frame, board, welcome
from joute.games.vampires.adapters.seat import TcpSeat, failed, in_words, why
from joute.games.vampires.map import read_map
from joute.games.vampires.state import Vampires
from joute.host.command import program_command
from joute.host.descendants import too_much
from joute.host.launched import Launched
from joute.host.limits import BotLimits
from joute.host.names import BotSpec
from joute.host.protocol import Answer, Fault
from joute.host.sandbox import Level, applied
from joute.host.sandbox.spawning import with_printed
from joute.i18n.words import Sentence, english

FIXED = 5555
"""The official server's port."""
LOOPBACK = "127.0.0.1"
_MOST_FILES = 200  # of a program
_MOST_BYTES = 1 << 20  # of a file: a source is shorter
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)", re.MULTILINE)
_mine = threading.local()


def fixed_port(bot: BotSpec) -> bool:
    """Whether the official port stands in a program's command or in its own source.

    Looked at are the files that the command names and, of Python's, the modules beside them that
    they import.
    """
    mark = str(FIXED)
    if mark in bot.command:
        return True
    return any(mark.encode() in _content(file) for file in _files(bot))


def _files(bot: BotSpec) -> list[Path]:
    folder = bot.folder or Path()
    found: dict[Path, None] = {}
    for at, word in enumerate(bot.command):
        file = folder / word
        # A program of the system, an interpreter as a rule, is not the bot's own.
        if file.is_file() and (at > 0 or folder in file.parents):
            found[file] = None
    waiting = list(found)
    while waiting and len(found) < _MOST_FILES:
        for module in _imported(waiting.pop()):
            if module not in found:
                found[module] = None
                waiting.append(module)
    return list(found)


def _imported(file: Path) -> Iterator[Path]:
    """The modules that a Python file imports, those of them that lie beside it."""
    if file.suffix != ".py":
        return
    for line in _IMPORT.findall(_content(file)):
        for name in re.findall(rb"[\w.]+", line):
            first = name.decode().split(".")[0]
            if first and (module := file.parent / f"{first}.py").is_file():
                yield module
            elif first and (file.parent / first).is_dir():
                yield from islice((file.parent / first).rglob("*.py"), _MOST_FILES)


def _content(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST_BYTES)
    except OSError:
        return b""


class FixedPort:
    """The right to the official port, on this machine; the seats of a game share it.

    A game is played in one thread, which is how its seats know each other.
    """

    def __init__(self) -> None:
        """Waits until no other game has it."""
        if getattr(_mine, "count", 0) == 0:
            path = Path(tempfile.gettempdir()) / f"joute-port-{FIXED}.lock"
            try:
                # It may be another user's, whose games are waited for too.
                _mine.file = os.open(path, os.O_RDONLY)
            except FileNotFoundError:
                _mine.file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
            try:
                fcntl.flock(_mine.file, fcntl.LOCK_EX)
            except BaseException:
                os.close(_mine.file)
                raise
        _mine.count = getattr(_mine, "count", 0) + 1

    def close(self) -> None:
        """Gives it back; to be called once."""
        _mine.count -= 1
        if _mine.count == 0:
            os.close(_mine.file)


PAUSE_SECONDS = 0.5
"""Between the map and the first update: programs read what comes first in their own time."""
_SETTLE_SECONDS = 0.2  # between the end of a connection and that of the program
_LEAVE_SECONDS = 0.5  # after its connection was closed
_LOOK_SECONDS = 0.05
_IP, _PORT = "{ip}", "{port}"


def trusted(bot: BotSpec) -> bool:
    """Whether a program is Joute's own client with a built-in bot.

    It runs at `limits`, as built-in bots in processes of their own do: in the jail nothing that it
    compiles would be kept, and it would compile for many seconds in every game.
    """
    found = shutil.which(bot.command[0])
    ours = Path(sys.executable).with_name("joute")
    return (
        found is not None
        and ours.is_file()
        and Path(found).samefile(ours)
        and bot.command[1:3] == ("vampires", "client")
        and all(word.startswith("builtin:") for word in _bots_of(bot.command))
    )


def _bots_of(command: Sequence[str]) -> Iterator[str]:
    """The values of `--bot`, however it is written; "" where the command ends there."""
    for number, word in enumerate(command):
        name, equals, value = word.partition("=")
        if name == "--bot":
            yield value if equals else "".join(command[number + 1 : number + 2])


class ProgramSeat:
    """A program of its own process and connection."""

    observes = False

    def __init__(
        self, bot: BotSpec, limits: BotLimits, game: Vampires, clock: ConnectionClock | None = None
    ) -> None:
        """Prepares the seat; nothing is started yet.

        Args:
            bot: a program that connects.
            limits: its time on the wall, its memory and its output.
            game: the game.
            clock: where time comes from.
        """
        self._bot = bot
        self._limits = limits
        self._game = game
        self._clock = clock or RealClock()
        self._level = applied(Level.LIMITS if trusted(bot) else limits.isolation)
        self.isolation = str(self._level)
        self._fixed: FixedPort | None = None
        self._program: Launched | None = None
        self._seat: TcpSeat | None = None
        self._cpu = 0.0

    @staticmethod
    def refusal(game: Any) -> Sentence | None:
        """The reason why such a program cannot play a game; None if it can."""
        return None if isinstance(game, Vampires) else Sentence("error.vampires.tcp.other")

    def start(self, message: dict[str, Any]) -> Answer:
        """Starts the program, waits for its connection and its name, shows it the map."""
        if self._program is not None:
            return failed(Fault.START_UP, why("program"))
        if fixed_port(self._bot):
            self._fixed = FixedPort()
        began = self._clock.now()
        try:
            with socket.create_server((LOOPBACK, FIXED if self._fixed else 0)) as listener:
                found = self._started(listener, message)
        except OSError as error:
            return failed(Fault.INFRASTRUCTURE, why("start", bot=self._bot.text, reason=error))
        return replace(found, wall_ms=1000 * (self._clock.now() - began))

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        """Shows the program what has changed and waits for its order."""
        if self._program is None or self._seat is None:
            return failed(Fault.CRASH, english(Sentence("error.process.stopped")))
        found = self._seat.ask(state, message)
        if self._program.holds_too_much():
            self.close()
            return failed(Fault.MEMORY, too_much(self._limits.memory_mb))
        words = ""
        if found.fault is Fault.CRASH:
            self._program.settle(_SETTLE_SECONDS)
            words = self._program.exit_words()
        self._program.read()
        output = self._program.take_output()
        if words:
            detail = with_printed(why("closed.ended", end=words), output)
            found = replace(found, detail=detail)
        used = self._program.cpu_seconds()
        spent, self._cpu = used - self._cpu, used
        return replace(found, cpu_ms=1000 * spent, output=output)

    def end(self, message: dict[str, Any]) -> None:
        """Says END and BYE."""
        if self._seat is not None:
            self._seat.end(message)

    def close(self) -> None:
        """Gives the program a moment to leave, and ends it with all that it has started."""
        if self._seat is not None:
            self._seat.close()
            self._seat = None
            if self._program is not None:
                self._program.settle(_LEAVE_SECONDS)
        if self._program is not None:
            self._program.close()
        if self._fixed is not None:
            self._fixed.close()
            self._fixed = None

    def _started(self, listener: socket.socket, message: dict[str, Any]) -> Answer:
        address, port = listener.getsockname()
        words = [word.replace(_IP, address).replace(_PORT, str(port)) for word in self._words()]
        limits = msgspec.structs.replace(self._limits, network=port)
        command = program_command(words, limits, self._bot.folder, level=self._level)
        # For Joute's own client: its compiled kernels are kept in one place.
        variables = {"JOUTE_CACHE": str(cache_folder())}
        memory_mb = self._limits.memory_mb
        self._program = Launched(command, self._limits.output_kb, variables, memory_mb)
        self._program.start()
        # In a network of its own, the program meets the same port there.
        there = self._program.listener or listener
        waiting = _Waiting(there, self._program, self._clock, self._limits.start_seconds)
        wire = waiting.run()
        output = self._program.take_output()
        if wire is None:
            ours = self._program.gone() and not self._program.begun
            self._program.close()
            if ours:
                trouble = f"{waiting.trouble}\n{output}".strip()
                return replace(failed(Fault.INFRASTRUCTURE, trouble), output=output)
            trouble = with_printed(waiting.trouble, output)
            return replace(failed(Fault.START_UP, trouble), output=output)
        for frame in welcome(read_map(parameters(self._game)["map"]), message["player"]):
            wire.send(frame)
        wire.send(board(self._game, start(self._game)))
        self._seat = TcpSeat(
            wire,
            self._game,
            self._limits.move_seconds,
            ready_at=self._clock.now() + PAUSE_SECONDS,
            isolation=self.isolation,
        )
        self._cpu = self._program.cpu_seconds()
        return replace(self._seat.start(message), output=output)

    def _words(self) -> list[str]:
        """The command, with places for the address and the port."""
        words = list(self._bot.command)
        named = any(_IP in word or _PORT in word for word in words)
        return words if named else [*words, _IP, _PORT]


class _Waiting:
    """Waits for a program to connect and to say its name."""

    def __init__(
        self, listener: socket.socket, program: Launched, clock: ConnectionClock, seconds: float
    ) -> None:
        self.trouble = ""
        """The reason to wait no longer; "" if the program sent its name."""
        self._listener = listener
        self._program = program
        self._clock = clock
        self._seconds = seconds

    def run(self) -> PlayerConnection | None:
        """The program's connection, its name said; None, and `trouble`, if none came."""
        deadline = self._clock.now() + self._seconds
        poll = select.poll()
        for descriptor in (self._listener.fileno(), self._program.output):
            poll.register(descriptor, select.POLLIN)
        refused = ""
        while not self.trouble and (left := deadline - self._clock.now()) > 0:
            happened = [descriptor for descriptor, _ in poll.poll(min(left, _LOOK_SECONDS) * 1000)]
            if self._program.output in happened and not self._program.read():
                poll.unregister(self._program.output)
            if self._listener.fileno() in happened:
                wire = PlayerConnection(self._listener.accept()[0], self._clock)
                wire.watch(self._program.output, self._program.read)
                refused = self._introduced(wire, deadline)
                if not refused:
                    return wire
                wire.close(0.0)
            elif self._program.gone():
                self._program.settle(0.0)
                self.trouble = why("gone", end=self._program.exit_words())
        late = why("unconnected", seconds=f"{self._seconds:g}")
        self.trouble = refused or self.trouble or late
        return None

    def _introduced(self, wire: PlayerConnection, deadline: float) -> str:
        """The fault in a connection's introduction; "" if it sends its name."""
        frame = wire.receive(deadline)
        if frame is None:
            return why("left" if wire.closed else "nameless")
        if not isinstance(frame, Frame) or frame.tag != "NME":
            return why("first", frame=in_words(frame))
        return "" if frame.name else why("empty")
