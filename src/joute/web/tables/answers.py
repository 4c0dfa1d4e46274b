"""What people answer: checked before the referee hears of it, and orders looked at beforehand."""

from __future__ import annotations

from typing import Any

from joute.core.errors import ActionError, GameError
from joute.core.interface import describe, expand, legal_actions, play
from joute.games.vampires.forecast import Meeting, forecast
from joute.games.vampires.order import Move, OrderError, check, moves_of
from joute.games.vampires.order import actions as choices_of
from joute.games.vampires.order import read as read_order
from joute.games.vampires.order_text import risks, rule
from joute.games.vampires.state import Vampires
from joute.host.answer import Choice
from joute.i18n.words import say
from joute.play.rulings import acceptable
from joute.web.positions import position
from joute.web.tables.playing import Question, TableGame


class Refused(Exception):
    """What a person wants cannot be; the text says why, in the language spoken now."""


def checked(playing: TableGame, question: Question, given: Choice) -> Choice:
    """An answer that the referee will take. Raises Refused."""
    game, state = playing.game, question.state
    try:
        actions = expand(game, state, given)
    except OrderError as error:
        raise Refused(rule(error.broken)) from None
    except (ActionError, GameError):
        raise Refused(say("table.error.unclear")) from None
    if not all(0 <= action < 2**31 for action in actions):
        raise Refused(say("table.error.unclear"))
    if not acceptable(game, state, actions):
        raise Refused(say("table.error.illegal"))
    return given


def listed(game: Any, state: Any, actions: list[int]) -> list[list[Any]]:
    """Actions, each with how it is written."""
    return [[action, describe(game, state, action)] for action in actions]


def preview(playing: TableGame, question: Question, given: Any) -> dict[str, Any]:
    """What an unfinished order comes to: whether it is legal so far, the odds, what may be added.

    Raises Refused for a game without orders.
    """
    game, state = playing.game, question.state
    if not isinstance(game, Vampires):
        raise Refused(say("table.error.no_preview"))
    moves = _moves(game, state, given)
    broken = check(game, state, moves) if moves else None
    sent: dict[str, Any] = {"legal": broken is None, "text": "", "odds": [], "actions": []}
    if broken is not None:
        sent["text"] = rule(broken)
        return sent
    after = list(state)
    for action in choices_of(game, moves)[:-1]:
        play(game, after, action)
    step = playing.timeline.steps[-1]._replace(state=tuple(after))
    names = [seat.name for seat in playing.spec.bots]
    sent["odds"] = [_odds(meeting) for meeting in forecast(game, state, moves)]
    sent["position"] = position(game, step, names) | {"events": []}
    sent["ask"] = {
        "number": question.number,
        "player": question.player,
        "actions": listed(game, after, legal_actions(game, after)),
    }
    return sent


def _moves(game: Vampires, state: Any, given: Any) -> list[Move]:
    """The moves of an order in any of its forms. Raises Refused."""
    try:
        if isinstance(given, str):
            return list(read_order(game, state, given))
        if isinstance(given, list) and all(type(each) is int for each in given):
            # Numbers out of range name no move; `moves_of` takes them for others.
            if all(0 <= each < 2**31 for each in given):
                return list(moves_of(game, given))
        elif isinstance(given, list) and all(_is_move(each) for each in given):
            return list(given)
    except (GameError, IndexError):
        pass
    raise Refused(say("table.error.unclear"))


def _is_move(given: Any) -> bool:
    small = isinstance(given, list) and all(type(n) is int and abs(n) < 2**31 for n in given)
    return small and len(given) == 5


def _odds(meeting: Meeting) -> dict[str, Any]:
    """A target of an order, with a sentence where it is not sure what happens there."""
    return {**meeting._asdict(), "text": next(iter(risks(meeting)), "")}
