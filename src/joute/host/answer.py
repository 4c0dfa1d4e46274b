"""What comes of asking a bot, and the messages that a bot may send."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any

import msgspec

from joute.host.faults import Fault
from joute.host.limits import wall_seconds
from joute.i18n.words import Sentence, english

TEXT_CHARACTERS = 4096
"""Kept of a bot's message or error."""

Choice = int | str | list[Any]
"""An action, a text, the actions of a whole turn, or a turn in the game's own form."""

Judgment = tuple[Choice | None, Fault | None, str, str]
"""What a bot's line says: the action, the fault, its reason, and the bot's own message."""


@dataclass(frozen=True)
class Answer:
    """What came of one message to a bot: an action, or a fault with its reason."""

    action: Choice | None
    """What it answered, not yet checked by the game; None at a fault and at the start."""
    fault: Fault | None
    detail: str
    """The fault in words: a sentence, or the bot's traceback."""
    cpu_ms: float
    wall_ms: float
    output: str
    """What it printed since the answer before, as far as the limit keeps it."""
    message: str
    """What it wants said beside its action."""
    alive: bool
    """Whether it can be asked again; if not, nothing is left of its processes."""
    resigned: bool = False
    """Whether it gave the game up instead of answering; only people do."""
    note: str = ""
    """What whoever asked it has to say of the answer."""
    busy: bool = False
    """Whether the host was too busy for the time on the wall to say anything of the bot."""
    held_ms: float = 0.0
    """After a timeout: from the last look that found the bot in time to the end of all its
    processes."""


class Ready(msgspec.Struct, tag="ready", tag_field="type"):
    """The bot can play."""


class Action(msgspec.Struct, tag="action", tag_field="type"):
    """The bot's action of this turn, as a number or as people write it."""

    action: int | str | list[int | list[int]]
    message: str = ""


class Error(msgspec.Struct, tag="error", tag_field="type"):
    """The bot failed this turn and can be asked again."""

    fault: str = "crash"
    error: str = ""


Reply = Ready | Action | Error

_OWN = (Fault.ILLEGAL, Fault.MEMORY, Fault.SANDBOX)

_decoder: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)


def read_reply(line: bytes) -> Reply | str:
    """The message on `line`, or a text that says what is wrong with it."""
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        start = line[:80].decode("utf-8", "replace")
        key = "error.answer.line" if len(line) <= 80 else "error.answer.line.cut"
        return english(Sentence(key, reason=error, line=start))


def judge(line: bytes, playing: bool) -> Judgment:
    """What a line of the protocol of bots says.

    Args:
        line: what the bot answered.
        playing: whether an action was asked for, and not whether it is ready.
    """
    reply = read_reply(line)
    if isinstance(reply, Error):
        # Of faults, a bot can accuse itself of these; anything else is a crash in its own words.
        own = Fault(reply.fault) if reply.fault in _OWN else Fault.CRASH
        return None, own, reply.error[:TEXT_CHARACTERS], ""
    if isinstance(reply, Action) and playing:
        return reply.action, None, "", reply.message[:TEXT_CHARACTERS]
    if isinstance(reply, Ready) and not playing:
        return None, None, "", ""
    if not isinstance(reply, str):
        wanted = "action" if playing else "ready"
        start = line[:80].decode("utf-8", "replace")
        reply = english(Sentence(f"error.answer.wanted.{wanted}", line=start))
    return None, Fault.PROTOCOL, english(Sentence("error.answer.protocol", reason=reply)), ""


def late_words(cpu: float, wall: float, limit: float, bank: float = 0.0) -> str:
    """What is wrong with a turn that took too long. All in seconds.

    Args:
        cpu: that the bot used.
        wall: that went by.
        limit: of the turn, which stands for CPU.
        bank: what was left for turns that take longer.
    """
    key = ("late" if cpu > limit + bank else "none") + (".bank" if bank > 0 else "")
    times = {"cpu": cpu, "wall": wall, "limit": limit, "bank": bank}
    times["most"] = wall_seconds(limit + bank)
    written = {name: f"{seconds:.2f}" for name, seconds in times.items()}
    return english(Sentence(f"error.answer.{key}", **written))


def exit_words(status: int | None, killed: bool) -> str:
    """How a process ended.

    Args:
        status: its exit status, or the signal's number; None if it still runs.
        killed: whether a signal ended it.
    """
    if status is None:
        return english(Sentence("error.process.closed"))
    if not killed:
        return english(Sentence("error.process.status", status=status))
    name = signal.Signals(status).name if status in set(signal.Signals) else f"signal {status}"
    if status == signal.SIGKILL:
        return english(Sentence("error.process.killed", signal=name))
    meaning = signal.strsignal(status)
    return english(Sentence("error.process.signal", signal=name, meaning=meaning))
