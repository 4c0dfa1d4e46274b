"""The messages of a browser to a table, read strictly; a wrong one is refused with a sentence."""

from __future__ import annotations

from typing import Any

import msgspec

from joute.i18n.recognised import foreign
from joute.i18n.words import say
from joute.web.tables.answers import Refused

LARGEST = 16 * 1024  # bytes of a message


def _type(name: str) -> str:
    return name.removesuffix("Message").lower()


class _Message(msgspec.Struct, frozen=True, tag_field="type", tag=_type):
    """Any message; its `type` is the beginning of the class's name, in small letters."""


class AnswerMessage(_Message, frozen=True):
    """A person's choice: an action, those of a whole turn, or a text."""

    number: int  # of the question
    action: int | str | list[int | list[int]]


class SteerMessage(_Message, frozen=True):
    """A change of direction in real time."""

    player: int
    action: int


class PreviewMessage(_Message, frozen=True):
    """An unfinished turn, to be looked at before it is sent."""

    actions: str | list[int | list[int]]
    ticket: int = 0  # comes back with the reply


class LookMessage(_Message, frozen=True):
    """The seat whose view is shown from now on, in a browser that several people share."""

    player: int


class ResignMessage(_Message, frozen=True):
    """The wish to give up the game."""

    player: int


class UndoMessage(_Message, frozen=True):
    """The wish to take the last decision back."""


class HintMessage(_Message, frozen=True):
    """The question what a bot would play."""


class ThinkMessage(_Message, frozen=True):
    """Whether to be told what the computer thinks."""

    on: bool


class RematchMessage(_Message, frozen=True):
    """The wish for another game with seats exchanged."""


Message = (
    AnswerMessage
    | SteerMessage
    | PreviewMessage
    | LookMessage
    | ResignMessage
    | UndoMessage
    | HintMessage
    | ThinkMessage
    | RematchMessage
)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Message)


def read(text: str | bytes) -> Message:
    """The message of a text. Raises Refused."""
    if len(text) > LARGEST:
        raise Refused(say("table.error.large", size=LARGEST))
    try:
        message: Message = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Refused(say("table.error.message", reason=foreign(error))) from None
    return message
