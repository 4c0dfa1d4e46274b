"""The protocol between the referee and a bot: faults, messages, dialects, and the answer to each.

The protocol of bots, JSON lines, is the default. A dialect in the referee's process serves a
program of another contest, so that the clock runs on the program itself and on no translator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

import msgspec

from joute import errors
from joute.host.annotations import NONE, Annotations, bounded_annotations
from joute.i18n.words import Sentence, english


class Fault(StrEnum):
    """The kinds of failure of a bot; the contest decides what a fault costs."""

    ILLEGAL = "illegal"  # It answered something that is no legal action
    TIMEOUT = "timeout"  # It used more than the time of a turn
    CRASH = "crash"  # It raised an exception, or its process ended
    MEMORY = "memory"  # It asked for more memory than its limit
    OUTPUT_LIMIT = "output-limit"  # Its answer was longer than a line may be
    PROTOCOL = "protocol"  # Its answer is not a message of the protocol
    SANDBOX = "sandbox"  # It failed because its isolation refused it something
    START_UP = "start-up"  # It was not ready to play in time, or at all
    INFRASTRUCTURE = "infrastructure"
    """The fault of this machine or program: never charged to a bot."""


class InfrastructureError(errors.Error, RuntimeError):
    """A failure of ours or of the machine, never charged to a bot: the game is to be replayed."""

    def __init__(self, reason: str, seats: tuple[int, ...] = ()) -> None:
        super().__init__(reason)
        self.seats = seats  # Of the bots that were waited for


TEXT_CHARACTERS = 4096  # Kept of a bot's message or error
QUOTED_BYTES = 80  # Of an answer, in the reason why it is none

Choice = int | str | list[Any]
"""An action, a text, the actions of a whole turn, or a turn in the game's own form."""


class Judgment(NamedTuple):
    """The meaning of a bot's line."""

    action: Choice | None
    fault: Fault | None
    detail: str = ""  # The reason of the fault
    message: str = ""  # The bot's own
    annotations: Annotations = NONE


@dataclass(frozen=True)
class Answer:
    """The answer to one message to a bot: an action, or a fault with its reason."""

    action: Choice | None  # Not yet checked by the game; None at a fault and at the start
    fault: Fault | None
    detail: str  # The fault in words: a sentence, or the bot's traceback
    cpu_ms: float
    wall_ms: float
    output: str  # Printed by the bot since its previous answer, up to the limit
    message: str  # Sent by the bot beside its action
    alive: bool  # Whether the bot can be asked again; if not, its processes have ended
    resigned: bool = False  # Whether the player resigned instead of answering; only people do
    note: str = ""  # A remark on the answer by the seat that asked
    busy: bool = False
    """Whether the host was so busy that the wall time proves nothing about the bot."""
    held_ms: float = 0.0
    """After a timeout: from the last check with time left to the end of all its processes."""
    annotations: Annotations = NONE  # Sent by the bot beside its action
    stand_in: str = ""  # The bot that chose instead of the seat's own, as people write it


class Ready(msgspec.Struct, tag="ready", tag_field="type"):
    """The bot can play."""


class Action(msgspec.Struct, tag="action", tag_field="type"):
    """The bot's action of this turn, as a number or as people write it."""

    action: int | str | list[int | list[int]]
    message: str = ""
    metrics: Any = None
    marks: Any = None


class ErrorReply(msgspec.Struct, tag="error", tag_field="type"):
    """The bot failed this turn and can be asked again."""

    fault: str = "crash"
    error: str = ""


Reply = Ready | Action | ErrorReply

_OWN = (Fault.ILLEGAL, Fault.MEMORY, Fault.SANDBOX)

_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)


def read_reply(line: bytes) -> Reply | str:
    """Returns the message on `line`, or a text that says why it is none."""
    if not line.strip():
        return english(Sentence("error.answer.empty"))
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        start = line[:QUOTED_BYTES].decode("utf-8", "replace")
        key = "error.answer.line" if len(line) <= QUOTED_BYTES else "error.answer.line.cut"
        return english(Sentence(key, reason=_reason(error), line=start))


def _reason(error: Exception) -> object:
    return Sentence("error.foreign.utf8") if isinstance(error, UnicodeDecodeError) else error


def judge(line: bytes, playing: bool) -> Judgment:
    """Returns the meaning of a line of the protocol.

    Args:
        line: the bot's answer.
        playing: whether an action was asked for; else `ready` was.
    """
    reply = read_reply(line)
    if isinstance(reply, ErrorReply):
        # Of faults, a bot can accuse itself of these; anything else is a crash in its own words.
        own = Fault(reply.fault) if reply.fault in _OWN else Fault.CRASH
        return Judgment(None, own, reply.error[:TEXT_CHARACTERS])
    if isinstance(reply, Action) and playing:
        beside = bounded_annotations(reply.metrics, reply.marks)
        return Judgment(reply.action, None, "", reply.message[:TEXT_CHARACTERS], beside)
    if isinstance(reply, Ready) and not playing:
        return Judgment(None, None)
    if not isinstance(reply, str):
        wanted = "action" if playing else "ready"
        start = line[:QUOTED_BYTES].decode("utf-8", "replace")
        reply = english(Sentence(f"error.answer.wanted.{wanted}", line=start))
    reason = english(Sentence("error.answer.protocol", reason=reply))
    return Judgment(None, Fault.PROTOCOL, reason)


class Dialect(Protocol):
    """The language of one kind of bots. It has no state of its own."""

    silent: bool
    """Whether a bot sends no `ready`: it is ready once started, and its first move includes the
    time of its start."""
    strict: bool  # Whether an answer that cannot be read ends the bot

    def write(self, message: Mapping[str, Any]) -> bytes:
        """Returns the bytes that tell the bot a `start`, `play` or `end` message, if any."""

    def judge(self, line: bytes, playing: bool) -> Judgment:
        """Returns the meaning of a line without its end; see the function `judge`."""

    def refusal(self, observation: Mapping[str, Any]) -> Sentence | None:
        """Returns why it cannot express a game, from the first observation; None if it can."""


class JsonLines:
    """The protocol of bots: one JSON object a line."""

    silent = False
    strict = True
    judge = staticmethod(judge)

    def write(self, message: Mapping[str, Any]) -> bytes:
        return _encode(message) + b"\n"

    def refusal(self, observation: Mapping[str, Any]) -> Sentence | None:
        return None
