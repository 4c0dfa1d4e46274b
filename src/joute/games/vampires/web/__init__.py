"""Orders of Vampires vs Werewolves in the browser, looked at before they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.core.errors import GameError
from joute.games.vampires.forecast import Meeting, forecast
from joute.games.vampires.order import Move, OrderError, actions, check, moves_of, read
from joute.games.vampires.order_text import risks, rule
from joute.games.vampires.state import Vampires
from joute.web.games import Preview, Web


def _preview(game: Vampires, state: Sequence[int], given: Any) -> Preview:
    """Whether an order is legal so far, and its odds. Raises GameError for what is no order."""
    moves = _moves(game, state, given)
    broken = check(game, state, moves) if moves else None
    if broken is not None:
        return Preview(rule(broken))
    odds = [_odds(meeting) for meeting in forecast(game, state, moves)]
    return Preview("", actions(game, moves)[:-1], odds)


def _moves(game: Vampires, state: Any, given: Any) -> list[Move]:
    """The moves of an order in any of its forms. Raises GameError."""
    if isinstance(given, str):
        return list(read(game, state, given))
    if isinstance(given, list) and all(type(each) is int for each in given):
        # Numbers out of range name no move; `moves_of` takes them for others.
        if all(0 <= each < 2**31 for each in given):
            try:
                return list(moves_of(game, given))
            except IndexError:
                pass
    elif isinstance(given, list) and all(_is_move(each) for each in given):
        return list(given)
    raise GameError("no order")


def _is_move(given: Any) -> bool:
    small = isinstance(given, list) and all(type(n) is int and abs(n) < 2**31 for n in given)
    return small and len(given) == 5


def _odds(meeting: Meeting) -> dict[str, Any]:
    """A target of an order, with a sentence where it is not sure what happens there."""
    return {**meeting._asdict(), "text": next(iter(risks(meeting)), "")}


def _refusal(error: Exception) -> str:
    """The rule that an order breaks."""
    return rule(error.broken) if isinstance(error, OrderError) else ""


WEB = Web(order=3, wide=True, preview=_preview, refusal=_refusal)
