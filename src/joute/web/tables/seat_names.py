"""The names of seats as they are read: those that nobody has chosen, in the reader's language.

A seat without a name of its own is given one when its table is made, in the language of whoever
makes it, which is the one that the record keeps: that of a level, or the word for a guest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from joute.bots.levels import named_bot
from joute.i18n.words import LANGUAGES, say, speaking
from joute.play.game import HUMAN, SeatSpec
from joute.text import free_name

_NUMBERED = re.compile(r"( \d+)?")  # what `free_name` adds


def read_names(game: Any, seats: Sequence[SeatSpec]) -> list[str]:
    """The names of the seats in the language spoken now; no two are the same."""
    usual = [_in_words(game, seat) for seat in seats]
    taken = {seat.name for seat, name in zip(seats, usual, strict=True) if not name}
    names = []
    for seat, name in zip(seats, usual, strict=True):
        names.append(free_name(name, taken.__contains__) if name else seat.name)
        taken.add(names[-1])
    return names


def usual_name(game: Any, bot: str) -> str:
    """The name of a seat that nobody has chosen one for, by who plays there."""
    return say("table.guest") if bot == HUMAN else named_bot(game, bot)


def _in_words(game: Any, seat: SeatSpec) -> str:
    """The usual name of a seat that has it, in whatever language, with its number; "" of others."""
    for language in LANGUAGES:
        with speaking(language):
            usual = usual_name(game, seat.bot)
        number = seat.name.removeprefix(usual)
        if seat.name.startswith(usual) and _NUMBERED.fullmatch(number):
            return f"{usual_name(game, seat.bot)}{number}"
    return ""
