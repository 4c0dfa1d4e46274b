"""The seal of a contest, and what is wrong with one, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.errors import Change, SealError
    from joute.contest.sealing.seal import Seal


def told(seal: Seal, seed: str | None) -> str:
    """A seal, with the public value and the seed once they are drawn."""
    if seal.public is None:
        return say("seal.told", seal=seal.seal)
    return say("seal.drawn_from", seal=seal.seal, public=seal.public, seed=seed)


def refused(error: SealError) -> str:
    """Why a contest cannot be sealed, drawn or played: a sentence, and a line for each change."""
    head = say(f"seal.error.{error.reason}", **error.values)
    return "\n".join([head, *(f"  {changed(each)}" for each in error.changes)])


def changed(change: Change) -> str:
    """What was changed since a contest was sealed."""
    return say(f"seal.change.{change.kind}", **change._asdict())
