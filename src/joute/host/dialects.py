"""How a bot is spoken to: what is written to its process, and how the line that it answers is read.

The protocol of bots, JSON lines, is the default. A program of another contest is served by a
dialect in the referee's process, so that the program itself is the process whose clock runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from joute.host.answer import Judgment, judge
from joute.i18n.words import Sentence

_encode = msgspec.json.Encoder().encode


class Dialect(Protocol):
    """The words of one kind of bots. It has no state: what lasts is the bot's own."""

    silent: bool
    """Whether a bot says nothing at the start: being started is being ready, and the time of its
    start is part of its first move."""
    strict: bool
    """Whether an answer that makes no sense ends the bot, for what it says next makes none."""

    def write(self, message: Mapping[str, Any]) -> bytes:
        """What the bot reads of a `start`, `play` or `end` message, if anything."""

    def judge(self, line: bytes, playing: bool) -> Judgment:
        """What a line without its end says; `playing` if an action was asked for."""

    def refusal(self, observation: Mapping[str, Any]) -> Sentence | None:
        """Why a game cannot be said so, from what is seen at its start; None if it can."""


class JsonLines:
    """The protocol of bots: one JSON object a line."""

    silent = False
    strict = True

    def write(self, message: Mapping[str, Any]) -> bytes:
        return _encode(message) + b"\n"

    def judge(self, line: bytes, playing: bool) -> Judgment:
        return judge(line, playing)

    def refusal(self, observation: Mapping[str, Any]) -> Sentence | None:
        return None
