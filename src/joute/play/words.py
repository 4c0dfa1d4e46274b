"""How much of what a bot prints, says and fails with goes into the record of a game.

The rest is counted and dropped, as what it prints in one turn is beyond its limit already.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from joute.host.protocol import Answer

SAID_BYTES = 1 << 20
"""Kept of one bot in one game, in bytes of the record."""

_LAST_CHARACTERS = 240
"""Of the reason of a fault, which are kept all the same: a traceback says it last."""
_MOST_BYTES = 6  # of a character in JSON


class Words:
    """What a bot may still say in a game."""

    def __init__(self) -> None:
        self._left = SAID_BYTES

    def cut(self, answer: Answer) -> Answer:
        """The answer with as much of its words as there is room for."""
        if not (answer.output or answer.message or answer.detail or answer.note):
            return answer
        return replace(
            answer,
            detail=self._end(answer.detail),
            message=self._beginning(answer.message),
            note=self._beginning(answer.note),
            output=self._beginning(answer.output),
        )

    def _beginning(self, text: str) -> str:
        room = self._room(text)
        if room >= len(text):
            return text
        return f"{text[:room]}... {len(text) - room} characters more"

    def _end(self, text: str) -> str:
        room = max(self._room(text), _LAST_CHARACTERS)
        if room >= len(text):
            return text
        return f"{len(text) - room} characters before ...{text[-room:]}"

    def _room(self, text: str) -> int:
        """How many characters of a text there is room for; takes the room."""
        size = len(msgspec.json.encode(text)) if text else 0
        if size <= self._left:
            self._left -= size
            return len(text)
        room, self._left = self._left // _MOST_BYTES, 0
        return room
