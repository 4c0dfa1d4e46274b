"""What a browser sends to a table: read strictly, refused with a sentence."""

from __future__ import annotations

from typing import Any

import msgspec

from joute.i18n.recognised import foreign
from joute.i18n.words import say
from joute.web.tables.answers import Refused

LARGEST = 16 * 1024  # bytes of a message


class _Message(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    """Any message; its `type` is the class's name in small letters."""


class Answer(_Message, frozen=True):
    """What a person chooses: an action, those of a whole turn, or a text."""

    number: int  # of the question
    action: int | str | list[int | list[int]]


class Steer(_Message, frozen=True):
    """A turn of a bike in real time."""

    player: int
    action: int


class Preview(_Message, frozen=True):
    """An order that is not finished."""

    actions: str | list[int | list[int]]
    ticket: int = 0  # comes back with the reply


class Look(_Message, frozen=True):
    """With whose eyes this browser looks from now on, where several people share it."""

    player: int


class Resign(_Message, frozen=True):
    """A player gives up."""

    player: int


class Undo(_Message, frozen=True):
    """Take the last decision back."""


class Hint(_Message, frozen=True):
    """What would a bot play?"""


class Think(_Message, frozen=True):
    """Whether to be told what the computer thinks."""

    on: bool


class Rematch(_Message, frozen=True):
    """Another game with seats exchanged."""


Message = Answer | Steer | Preview | Look | Resign | Undo | Hint | Think | Rematch

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
