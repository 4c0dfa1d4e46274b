"""Differences: what checks of results find, and the sentences that tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from joute.i18n.words import say, say_of
from joute.text import cut

if TYPE_CHECKING:
    from joute.store.links import Link
    from joute.store.model import Note


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is not as it was made; the sentence `proof.KEY` of the catalogs tells it."""

    key: str
    values: dict[str, Any] = {}  # of the sentence
    game: str = ""  # the identity of the game it is in, "" where it is in none
    line: int | None = None  # of that game's record, from 1
    checked: bool = True  # False where the rules are not at hand, so that nothing can be compared


def shown(value: object) -> str:
    """A value short enough for a sentence."""
    text = value if isinstance(value, str) else repr(value)
    return cut(text, LONGEST)


LONGEST = 80  # characters of a value


UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"


def difference_text(difference: Difference) -> str:
    """The sentence of a difference. What it quotes may be anything, and does no harm."""
    values = {name: _harmless(value) for name, value in difference.values.items()}
    return say(f"proof.{difference.key}", **values)


def chain_text(link: Link) -> str:
    """The last link of a contest's rows: whoever notes it down can prove all before it."""
    return say_of(link.number, "proof.link", rows=link.number, link=link.shown())


def note_text(note: Note) -> str:
    """The sentence of a note in which a store tells what happened to it."""
    when = note.made_at[:16].replace("T", " ")
    if note.kind == "lost" and {"file", "rows", "kept"} <= note.content.keys():
        named = {name: _harmless(note.content[name]) for name in ("file", "rows", "kept")}
        return say("proof.note.lost", when=when, **named)
    if note.kind == "chained" and "rows" in note.content:
        return say("proof.note.chained", when=when, rows=_harmless(note.content["rows"]))
    return say(
        "proof.note.other", when=when, kind=_harmless(note.kind), content=_harmless(note.content)
    )


def _harmless(value: object) -> object:
    """A value of a sentence, without what a terminal would take for a command."""
    if isinstance(value, int | float):
        return value
    return "".join(each if each.isprintable() else UNPRINTABLE for each in str(value))
