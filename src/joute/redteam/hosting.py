"""Hosts one attack as the referee hosts any bot, and watches it from outside meanwhile."""

from __future__ import annotations

import ctypes
import os
import re
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import msgspec

from joute.host.command import command_for
from joute.host.limits import BotLimits
from joute.host.names import BotError, content_hash, parse_bot
from joute.host.process import HostedBot
from joute.host.protocol import Answer, Fault
from joute.host.sandbox import Level
from joute.play.record import Words
from joute.redteam.messages import FILE_MB, MEMORY_MB, MOVE_SECONDS, PROCESSES, Order, Report, Told
from joute.redteam.meter import Meter
from joute.redteam.watch import Seen, descendants, look, state, traits

_LONGEST_SECONDS = 2.0  # of the opponent's time
_LOOK_SECONDS = 0.02
_QUIET_LOOKS = 4
_ENOUGH_MS = 80.0
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
    """One order on its way to a report."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._report = Report()
        self._bots: list[HostedBot] = []
        self._first: dict[int, dict[str, str]] = {}
        self._usual = look([])
        self._meter = Meter()
        self._words = Words()
        # What the attacks on the referee's memory and files look for.
        self._memory = ctypes.create_string_buffer(order.secret.encode())
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - as long as this process
        self._file.write(order.secret.encode())
        self._file.flush()

    def run(self) -> Report:
        """What was seen. Whatever goes wrong is in it too."""
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
        """A game; a bot that was ended for what it said is started again."""
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
            self._report.told.append(_told("end", _nothing(), 0.0, max(late - 200, 0.0)))

    def _partners(self) -> None:
        """Two games at once, and a third when they are over: one bot has a word for the others."""
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
        bot = HostedBot(command_for(spec, limits), limits)
        if bot.level != self._order.level:
            raise ValueError(f"level {self._order.level} was wanted, the bot runs at {bot.level}")
        self._bots.append(bot)
        answer = bot.start(self._start_message())
        self._report.told.append(_told(role, answer, answer.cpu_ms, 0.0))
        below = self._below()
        self._first.update({pid: traits(pid) for pid in below})
        self._usual = look(below)
        return bot

    def _start_message(self) -> dict[str, Any]:
        if self._order.staging != "seed":
            return _START
        from joute.play.seats import start_message
        from joute.redteam.game import Target

        return start_message(Target(), 0, ["red", "blue"], self._order.secret, MOVE_SECONDS)

    def _ask(self, bot: HostedBot, role: str, ply: int, partner: int = 0) -> Answer:
        """Asks for an action; looks at what the bot has become before it can be cleaned away."""
        before, _ = self._meter.read()
        began = time.perf_counter()
        answer = self._words.cut(bot.ask(self._message(role, ply, partner)))
        said = answer.output + answer.message + answer.detail
        self._report.said_mb += len(msgspec.json.encode(said)) / 2**20
        held = 1000 * (time.perf_counter() - began) - answer.wall_ms
        after, crowd = self._meter.read()
        told = _told(role, answer, after - before, held)
        idle = self._idle(self._look())
        told = msgspec.structs.replace(told, idle_ms=idle, crowd=crowd)
        self._report.told.append(told)
        return answer

    def _below(self) -> list[int]:
        """The processes below this one, but for the meter."""
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

    def _look(self) -> Seen:
        """What the bot's processes have now; the report keeps the most of everything."""
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

    def _idle(self, seen: Seen) -> float:
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


def _told(role: str, answer: Answer, true_ms: float, held_ms: float) -> Told:
    return Told(
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
