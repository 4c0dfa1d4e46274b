"""The process in which attacks are hosted, as the referee hosts any bot, and watched meanwhile.

Run as `python -m joute.redteam.hosting SECRET`, with an order a line on its standard input. It
stands for a referee, with secrets of its own. Each order is carried out by a copy of this process,
which an attack may kill: whatever the attack leaves behind becomes a child of this process, is
counted and ended.
"""

from __future__ import annotations

import ctypes
import os
import re
import select
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from joute.host.building.built import playable
from joute.host.clock import Crowd
from joute.host.command import command_for
from joute.host.content import content_hash
from joute.host.limits import BotLimits
from joute.host.names import BotError, parse_bot
from joute.host.process import HostedBot
from joute.host.protocol import Answer, Fault
from joute.host.sandbox import Level
from joute.host.zygote import dismiss
from joute.play.record import TextBudget
from joute.redteam.messages import (
    FILE_MB,
    MEMORY_MB,
    MOVE_SECONDS,
    PROCESSES,
    Exchange,
    HostingOrder,
    HostingOutcome,
    HostingReport,
)
from joute.redteam.proc import Meter, ProcessesSeen, descendants, doomed, look, state, traits

_LONGEST_SECONDS = 2.0  # of the opponent's time
_LOOK_SECONDS = 0.02
_QUIET_LOOKS = 4
_ENOUGH_MS = 80.0
_PR_SET_CHILD_SUBREAPER = 36
_HUNG_SECONDS = 12.0
"""Longer on a machine where others want to run."""
_WAIT_SECONDS = 0.25
# The issue of a killed referee: none of its bots runs a second later.
_GRACE_SECONDS = 1.0
_TEXT = 1 << 17  # characters kept of what an attack says

_START = {
    "type": "start",
    "protocol": 1,
    "game": "redteam",
    "parameters": {},
    "player": 0,
    "names": ["red", "blue"],
    "seed": 7,
    "move_seconds": MOVE_SECONDS,
    "events": [],
}
_END = {"type": "end", "returns": [1.0, -1.0], "events": []}


class Hosting:
    """An attack that is hosted, with the report on it."""

    def __init__(self, order: HostingOrder) -> None:
        self._order = order
        self._report = HostingReport()
        self._bots: list[HostedBot] = []
        self._first: dict[int, dict[str, str]] = {}
        self._usual = look([])
        self._meter = Meter()
        self._words = TextBudget()
        # The secret that the attacks on the referee's memory and files look for.
        self._memory = ctypes.create_string_buffer(order.secret.encode())
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - as long as this process
        self._file.write(order.secret.encode())
        self._file.flush()

    def run(self) -> HostingReport:
        """Hosts the attack; the report holds whatever goes wrong too."""
        before = _own_mb("VmRSS")
        try:
            if self._order.staging in ("partners", "programs"):
                self._partners()
            else:
                self._game()
        except BotError as refused:
            self._report.refused = str(refused)
        except Exception:
            self._report.error = traceback.format_exc(limit=-4)
        finally:
            for bot in self._bots if self._order.staging != "orphan" else ():
                bot.close()
            self._meter.close()
        self._report.host_mb = _own_mb("VmHWM") - before
        return self._report

    def _game(self) -> None:
        """Plays a game; a bot that was ended for what it said is started again."""
        bot = None
        for ply in range(self._order.plies):
            if bot is None or not bot.alive:
                bot = self._started("alone")
            if bot.alive and self._ask(bot, "alone", ply).fault is Fault.TIMEOUT:
                break  # it would be the same again
        if bot is not None and self._order.staging != "orphan":
            began = time.perf_counter()
            bot.end(_END)
            late = 1000 * (time.perf_counter() - began)
            self._report.exchanges.append(_exchange("end", _nothing(), 0.0, max(late - 200, 0.0)))

    def _partners(self) -> None:
        """Plays two games at once, and a third after them: one bot has a word for the others."""
        receiver = self._started("receiver")
        sender = self._started("sender")
        for ply, (bot, role) in enumerate(
            [(receiver, "receiver"), (sender, "sender"), (receiver, "receiver")]
        ):
            self._ask(bot, role, ply, sender.bot_pid)
        sender.close()
        self._ask(receiver, "receiver", 3, sender.bot_pid)
        receiver.close()
        self._ask(self._started("receiver"), "receiver", 4, sender.bot_pid)

    def _started(self, role: str) -> HostedBot:
        """The bot, in a process of its own if it starts at all."""
        spec = parse_bot(self._order.bot, Path(self._order.base))
        content_hash(spec)
        limits = BotLimits(
            move_seconds=MOVE_SECONDS,
            start_seconds=5.0,
            memory_mb=MEMORY_MB,
            isolation=Level(self._order.level),
            processes=PROCESSES,
            file_mb=FILE_MB,
            hidden=tuple(self._order.hidden),
        )
        bot = HostedBot(command_for(playable(spec), limits), limits)
        if bot.level != self._order.level:
            raise ValueError(f"level {self._order.level} was wanted, the bot runs at {bot.level}")
        self._bots.append(bot)
        answer = bot.start(self._start_message())
        self._report.exchanges.append(_exchange(role, answer, answer.cpu_ms, 0.0))
        below = self._below()
        self._first.update({pid: traits(pid) for pid in below})
        self._usual = look(below)
        return bot

    def _start_message(self) -> dict[str, Any]:
        if self._order.staging != "seed":
            return _START
        from joute.play.seats import bot_seed  # which takes long to import

        return {**_START, "seed": bot_seed(self._order.secret, 0)}

    def _ask(self, bot: HostedBot, role: str, ply: int, partner: int = 0) -> Answer:
        """Asks for an action; looks at what the bot has become before it can be cleaned away."""
        before, _ = self._meter.read()
        began = time.perf_counter()
        answer = self._words.cut(bot.ask(self._message(role, ply, partner)))
        said = answer.output + answer.message + answer.detail
        self._report.said_mb += len(msgspec.json.encode(said)) / 2**20
        held = 1000 * (time.perf_counter() - began) - answer.wall_ms
        after, crowd = self._meter.read()
        idle = self._idle(self._look())
        exchange = _exchange(role, answer, after - before, held)
        self._report.exchanges.append(msgspec.structs.replace(exchange, idle_ms=idle, crowd=crowd))
        return answer

    def _below(self) -> list[int]:
        """The processes below this one, except the meter."""
        return [pid for pid in descendants(os.getpid()) if pid != self._meter.pid]

    def _message(self, role: str, ply: int, partner: int) -> dict[str, Any]:
        known = {
            "referee": os.getpid(),
            "address": ctypes.addressof(self._memory),
            "descriptor": self._file.fileno(),
            "word": self._order.word if role == "sender" else "",
            "hint": self._order.word[-16:-15],
            "partner": partner,
        }
        observation = {"ply": ply, "legal": [0], "aim": {**self._order.aim, **known}}
        return {"type": "play", "observation": observation, "events": []}

    def _look(self) -> ProcessesSeen:
        """The bot's processes now; the report keeps the most of everything."""
        report = self._report
        below = self._below()
        seen = look(below, self._order.guarded)
        report.processes = max(report.processes, seen.processes - self._usual.processes)
        report.threads = max(report.threads, seen.threads - self._usual.threads)
        report.memory_mb = max(report.memory_mb, seen.memory_mb)
        held = {*report.held, *seen.held} - set(self._usual.held)
        if state(self._order.aim["decoy"]).get("tracer", "0") != "0":
            held.add("another process in its hands")
        report.held = sorted(held)
        for pid in below:
            first, now = self._first.get(pid, {}), traits(pid)
            changed = {name for name in first if now.get(name, first[name]) != first[name]}
            report.changed = sorted(changed.union(report.changed))
        return seen

    def _idle(self, seen: ProcessesSeen) -> float:
        """The CPU, in ms, that a bot uses while it is the opponent's turn."""
        if not seen.running and seen.processes <= self._usual.processes:
            return 0.0
        used, quiet, deadline = 0.0, 0, time.monotonic() + _LONGEST_SECONDS
        before, _ = self._meter.read()
        # Looked at for long enough to be sure, on a busy machine too.
        while used < _ENOUGH_MS and quiet < _QUIET_LOOKS and time.monotonic() < deadline:
            time.sleep(_LOOK_SECONDS)
            now = look(self._below())
            used = self._meter.read()[0] - before
            quiet = 0 if now.running else quiet + 1
            extra = now.processes > self._usual.processes
            self._report.halted |= extra and now.halted
        return used


def _exchange(role: str, answer: Answer, true_ms: float, held_ms: float) -> Exchange:
    return Exchange(
        role=role,
        action=None if answer.action is None else str(answer.action)[:200],
        fault=answer.fault,
        detail=answer.detail,
        text=(answer.message + answer.output)[:_TEXT],
        cpu_ms=answer.cpu_ms,
        true_ms=true_ms,
        wall_ms=answer.wall_ms,
        held_ms=held_ms,
    )


def _nothing() -> Answer:
    return Answer(None, None, "", 0.0, 0.0, "", "", alive=False)


def _own_mb(name: str) -> float:
    """A line of this process's own status, in MB."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)[0]) / 1024


def main() -> None:
    """Carries out orders until there are no more."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for line in sys.stdin.buffer:
        outcome = carry_out(msgspec.json.decode(line, type=HostingOrder))
        sys.stdout.buffer.write(msgspec.json.encode(outcome) + b"\n")
        sys.stdout.buffer.flush()


def carry_out(order: HostingOrder) -> HostingOutcome:
    """Hosts one attack, and removes whatever is left of it."""
    ours, theirs = os.pipe()
    host = os.fork()
    if host == 0:
        os.close(ours)
        _host(order, theirs)
    os.close(theirs)
    data, hung = _read(ours)
    os.close(ours)
    orphaned = order.staging == "orphan" and bool(data)
    if hung or orphaned:
        os.kill(host, signal.SIGKILL)
    _, status = os.waitpid(host, 0)
    killed = os.WIFSIGNALED(status)
    end = "hung" if hung else "killed" if killed and not orphaned else "done"
    survivors = _survivors(_GRACE_SECONDS if killed else 0.0)
    _end_all()
    report = msgspec.json.decode(data, type=HostingReport) if data else HostingReport()
    return HostingOutcome(report=report, end=end, survivors=survivors)


def _host(order: HostingOrder, out: int) -> None:
    """Hosts an attack in the copy, which waits to be killed if the attack is to outlive it."""
    os.setpgid(0, 0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    hosting = Hosting(order)
    report = hosting.run()
    data = msgspec.json.encode(report) + b"\n"
    while data:
        data = data[os.write(out, data) :]
    if order.staging == "orphan":
        signal.pause()
    dismiss()
    os._exit(0)


def _read(pipe: int) -> tuple[bytes, bool]:
    """The report of a host, b"" if it died, and whether the host hangs."""
    data, began, crowd = b"", time.monotonic(), Crowd(os.getpid())
    while not data.endswith(b"\n"):
        if not select.select([pipe], [], [], _WAIT_SECONDS)[0]:
            crowd.look()
            if time.monotonic() - began > _HUNG_SECONDS * (1 + crowd.waiting()):
                return b"", True
            continue
        chunk = os.read(pipe, 1 << 16)
        if not chunk:
            return b"", False
        data += chunk
    return data, False


def _survivors(grace: float) -> int:
    """The number of processes left after so many seconds; it returns early if there are none."""
    deadline = time.monotonic() + grace
    while (count := _living()) and time.monotonic() < deadline:
        select.select([], [], [], 0.02)
    return count


def _living() -> int:
    """The number of processes below this one, except those that were killed and wait for a core."""
    return sum(not doomed(pid) for pid in descendants(os.getpid()))


def _end_all() -> None:
    """Ends all processes below this one: all of them come from the attack."""
    while found := descendants(os.getpid()):
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _reap()
    _reap()


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    main()
