"""What a look at the results of a contest found, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.proof.difference import Difference
    from joute.store.links import Link
    from joute.store.notes import Note

UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"


def differs(difference: Difference) -> str:
    """The sentence of a difference. What it quotes may be anything, and does no harm."""
    values = {name: _harmless(value) for name, value in difference.values.items()}
    return say(f"proof.{difference.key}", **values)


def chain(link: Link) -> str:
    """The last link of a contest's rows: whoever notes it down can prove all before it."""
    return say("proof.link", rows=link.number, link=link.shown())


def noted(note: Note) -> str:
    """What a store says itself of what happened to it."""
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
