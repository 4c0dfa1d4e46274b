"""One build: a command in a jail of its own, stopped when it takes too much.

It runs like a bot that is a program: without network, in a scratch folder in memory, gone with its
last process. What it made comes out as a stream, which is read as a stranger's.
"""

from __future__ import annotations

import re
import select
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from joute.host.building.order import hidden
from joute.host.building.toolchains import toolchains
from joute.host.child.build import HEAD, MADE
from joute.host.clock import Crowd, Turn
from joute.host.command import CHILD, FLAGS, program_command
from joute.host.launched import Launched
from joute.host.limits import BotLimits
from joute.host.names import BotError
from joute.i18n.words import Sentence

SCRIPT = CHILD / "build.py"
MOST_FILES = 1000
LONGEST_NAME = 1000  # bytes
_END_SECONDS = 0.5
"""For processes that end with the command; what still runs then was left behind."""
_STATUS_BYTES = 8
_LAST_WORDS = 1 << 12  # bytes
_ONCE = {"CARGO_INCREMENTAL": "0"}
"""For Cargo, of which a next build would get nothing, and whose locks of files no jail allows."""
_NO_ROOM = "No space left on device"
_NETWORK = re.compile(r"resolve (host|proxy)|[Nn]etwork|[Cc]onnection|download|[Ss]ocket|urlopen")
"""Signs in what a build prints that it wanted the network."""
_NO_PROGRAM = 127  # the status of a shell's command that it did not find; make tells of it
_NOT_FOUND = re.compile(
    r"(?:^|\s)([\w.+-]+): (?:(?:command )?not found|No such file or directory)$", re.M
)
"""The line of a shell or make that names a program which it did not find."""


class BuildLimits(NamedTuple):
    """The limits of a build."""

    seconds: float = 60.0  # of CPU, all its processes together
    memory_mb: int = 1024  # of each process
    room_mb: int = 256  # of all that it writes
    made_mb: int = 32  # of what it leaves
    processes: int = 64
    output_kb: int = 64  # that are kept of what it prints


USUAL = BuildLimits()


class MadeFile(NamedTuple):
    """A file that a build made or changed."""

    name: str  # its path below the bot's folder, with slashes
    content: bytes
    executable: bool


class Build(NamedTuple):
    """A build that went well."""

    files: list[MadeFile]
    output: str  # what it printed
    seconds: float  # of CPU


class BuildError(BotError):
    """A build that went wrong; `reason` is a sentence, `output` what it printed before."""

    def __init__(self, reason: object, output: str = "") -> None:
        self.reason = reason
        self.output = output
        super().__init__(reason)

    def of_bot(self, bot: str) -> BuildError:
        """The same with the bot's name and the first of what was printed."""
        lines = [f"\n  | {line}" for line in self.output.splitlines()[:_QUOTED]]
        told = Sentence("error.build", bot=bot, reason=self.reason, output="".join(lines))
        found = BuildError(told, self.output)
        found.reason = self.reason
        return found


_QUOTED = 12  # lines of output in an error


def run_build(folder: Path, command: str, limits: BuildLimits) -> Build:
    """Runs the command of a build on a copy of a folder.

    Raises BuildError if it fails, or takes more than it may, or leaves a process; OSError.
    """
    tools = toolchains()
    of_process = BotLimits(
        memory_mb=limits.memory_mb,
        processes=limits.processes,
        file_mb=limits.room_mb,
        builds=True,
        readable=(str(folder), *tools.readable),
    )
    words = [sys.executable, *FLAGS, "-I", str(SCRIPT), str(folder), command]
    started = program_command(words, of_process, folder)
    with tempfile.TemporaryFile() as made, tempfile.TemporaryDirectory() as scratch:
        # Where there is a jail it has a scratch folder of its own instead.
        places = {"PATH": tools.path, "TMPDIR": scratch, "HOME": scratch}
        build = Launched(
            started, limits.output_kb, {**places, **_ONCE}, limits.memory_mb, errors=made.fileno()
        )
        build.start()
        try:
            trouble = _waited_for(build, limits)
            seconds = build.cpu_seconds()
            if not trouble and not build.settle(_END_SECONDS):
                trouble = Sentence("error.build.left")
            ended = build.exit_words()
        finally:
            build.close()
        output = build.take_output()
        if trouble:
            raise BuildError(trouble, output)
        made.seek(0)
        files = list(_made(made, _Ended(command, ended, output), limits))
    return Build(files, output, seconds)


def _waited_for(build: Launched, limits: BuildLimits) -> Sentence | None:
    """Waits for the end of a build; why it did not come to it, if it did not."""
    clocks = build.clock, Crowd(build.bot_pid)
    turn = Turn(clocks, (limits.seconds, 0.0, 0.0), 0.0, time.perf_counter(), last_try=True)
    poll = select.poll()
    poll.register(build.output, select.POLLIN)
    heard = True
    while not build.ended():
        rest = turn.rest()
        if heard:
            heard = not poll.poll(rest * 1000) or build.read()
        else:
            build.settle(rest)
        turn.look(rest)
        if build.holds_too_much():
            return Sentence("error.build.memory", most=limits.memory_mb)
        if turn.over:
            times = {"cpu": round(turn.cpu), "wall": round(turn.wall)}
            return Sentence("error.build.late", most=f"{limits.seconds:g}", **times)
    return None


class _Ended(NamedTuple):
    """A build whose process has ended."""

    command: str
    how: str  # its process ended, in words
    output: str

    def error(self, key: str, **values: object) -> BuildError:
        return BuildError(Sentence(f"error.build.{key}", **values), self.output)

    def failed(self, status: int, limits: BuildLimits) -> BuildError:
        """The error for a command that failed, with what may help."""
        if _NO_ROOM in self.output:
            return self.error("room", command=self.command, most=limits.room_mb)
        if _NETWORK.search(self.output):
            return self.error("network", command=self.command)
        lacks = status == _NO_PROGRAM or f"Error {_NO_PROGRAM}" in self.output
        if lacks and (missing := _NOT_FOUND.search(self.output)):
            return self.error("missing", command=self.command, program=missing[1])
        return self.error("status", command=self.command, status=status)


def _made(stream: IO[bytes], ended: _Ended, limits: BuildLimits) -> Iterator[MadeFile]:
    """The files in the stream of a build. Raises BuildError."""
    line = stream.readline(len(MADE) + _STATUS_BYTES)
    if not line.startswith(MADE) or not line.endswith(b"\n"):
        said = (line + stream.read(_LAST_WORDS)).decode("utf-8", "replace").split("\n")
        raise ended.error("broken", reason=" ".join([ended.how, *said]).strip())
    if status := int(line[len(MADE) :]):
        raise ended.failed(status, limits)
    count = total = 0
    while head := stream.read(HEAD.size):
        whole = len(head) == HEAD.size
        length, size, executable = HEAD.unpack(head) if whole else (0, 0, False)
        count, total = count + 1, total + size
        if count > MOST_FILES:
            raise ended.error("made_many", most=MOST_FILES)
        if total > limits.made_mb << 20:
            raise ended.error("made_large", most=limits.made_mb)
        name = stream.read(min(length, LONGEST_NAME)).decode("utf-8", "replace")
        content = stream.read(size)
        if len(content) != size or not _is_plain(name):
            raise ended.error("cut")
        yield MadeFile(name, content, executable)


def _is_plain(name: str) -> bool:
    """Whether a path leads to a place in the folder."""
    parts = name.split("/")
    inside = all(part not in ("", ".", "..") for part in parts)
    return inside and name.isprintable() and not hidden(name)
